// Where a crash comes from, in each of the ways that a notebook's past can have made it: the words in the panel, and where they lead.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { AXE, accessible, accessibleInEveryTheme } from "./harness/accessibility.ts";
import { firstCheck } from "./harness/flows.ts";
import type { Notebook } from "./harness/notebook.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

const NAME_ERROR = "Will crash: NameError (certain)";

const CELLS = [
  "basket = ['apple', 'pear']\nlimit = 1",
  "del basket",
  "ratio = 1 / len([])\nready = True",
  "if limit > 5:\n    chosen = 'large'",
  "stack = stack[1:] if 'stack' in dir() else [1, 2, 3]",
  "never = 3",
  "basket[0]",
  "ready or None",
  "chosen.upper()",
  "stack[2]",
  "never + 1",
];

describe("where it comes from", { timeout: 300_000 }, () => {
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);
  const says = async (cell: string, status: string, ...words: (string | RegExp)[]) => {
    await notebook.cell(cell).checkUntil(status);
    for (const part of words) {
      await workbench.panel.shows(part);
    }
  };

  before(async () => {
    workbench = await Workbench.open({
      settings: { "crane.useModel": false, "crane.details.openAutomatically": "always" },
      notebooks: { "past.ipynb": CELLS },
      viewport: { ...ORDINARY, height: 2000 },
      everyFrame: AXE,
    });
    notebook = await workbench.openNotebook("past.ipynb");
    await notebook.run("basket = [");
    await firstCheck(workbench, notebook.cell("never + 1"), NAME_ERROR);
    await notebook.run("del basket");
    await notebook.run("ratio = 1");
    await notebook.run("if limit > 5");
    await notebook.run("stack = stack");
    await notebook.run("stack = stack");
  });
  after(() => workbench?.close());

  step("a cell that did not run would define the name", async () => {
    await says("never + 1", NAME_ERROR, /never would be defined here/, /Cell 6/);
  });

  step("deleted, and where it was assigned before", async () => {
    await says("basket[0]", NAME_ERROR, /basket deleted here/, /Cell 2/);
    await workbench.screenshot("origin-deleted");
  });

  step("the cell that would have assigned it raised before that line", async () => {
    await says("ready or None", NAME_ERROR, "the cell raised before this line");
  });

  step("the branch that would have assigned it did not run", async () => {
    await says("chosen.upper()", NAME_ERROR, "this branch did not run");
    await workbench.panel.link(/Cell 4.*line 2/).first().click();
    await workbench.page.locator(".notebookOverlay .code-cell-row.focused", { hasText: "if limit > 5" }).waitFor();
  });

  step("run twice: said with how often", async () => {
    await says("stack[2]", "Will crash: IndexError (certain)", "(ran 2 times)");
  });

  step("edited since it ran: said so; the mark in the origin's cell goes when the verdict is stale", async () => {
    const cell = notebook.cell("stack = stack");
    await cell.append("  # more");
    await says("stack[2]", "Will crash: IndexError (certain)", "the cell was edited since it ran");
    await cell.waitForStatus("Origin of stack");
    await workbench.screenshot("origin-edited");
    await accessible(workbench, "origins");
    await notebook.run("never = 3");
    await cell.hasNoStatus("Origin of stack");
  });

  step("Check All: its summary reads well in every theme", async () => {
    await notebook.cell("basket[0]").select();
    await workbench.command("CRANE: Check All Cells from Here On");
    await workbench.panel.shows("Run All would stop at the cell marked below", 30_000);
    await accessibleInEveryTheme(workbench, "check-all");
  });

  step("Show Log: what was done, and nothing of the data or the code", async () => {
    await workbench.command("CRANE: Show Log");
    const lines = workbench.page.locator(".output-view .view-lines");
    await lines.filter({ hasText: /Check\s+ended\s+after/ }).waitFor();
    assert.doesNotMatch(await lines.innerText(), /apple|basket|chosen/);
  });
});
