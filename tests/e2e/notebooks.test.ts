// Verdicts belong to a cell of a notebook, whatever people do with both: two notebooks, two views of one, cells that move,
// go, double or change their language, a window that is loaded again, a notebook that is renamed or closed.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { firstCheck } from "./harness/flows.ts";
import { Notebook } from "./harness/notebook.ts";
import { until } from "./harness/processes.ts";
import { stepsIn } from "./harness/steps.ts";
import { Workbench } from "./harness/workbench.ts";

const CERTAIN = "Will crash: IndexError (certain)";
const WIDE = { width: 1900, height: 1100 };

describe("two notebooks and two views", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  let one: Notebook;
  let other: Notebook;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({
      settings: { "crane.useModel": false, "crane.details.openAutomatically": "never" },
      viewport: WIDE,
      notebooks: {
        "one.ipynb": ["items = [1, 2, 3]", "items[3]", "spare = 1"],
        "other.ipynb": ["items = [1, 2, 3, 4]", "items[3]", "spare = 2"],
      },
    });
    one = (await workbench.openNotebook("one.ipynb")).inPlace(0);
    await one.run("items = [");
    await firstCheck(workbench, one.cell("items[3]"), CERTAIN);
  });
  after(() => workbench?.close());

  step("each notebook is judged by its own kernel", async () => {
    other = await workbench.openNotebook("other.ipynb", 1);
    await other.cell("items[3]").status(/Check/).last().click();
    await workbench.notification("No kernel is running for this notebook yet.").waitFor();
    await workbench.dismissNotifications();
    await other.run("items = [");
    await other.cell("items[3]").checkUntil("Nothing certain found");
    await one.cell("items[3]").waitForStatus(CERTAIN);
  });

  step("a run in one makes nothing stale in the other", async () => {
    await other.run("spare = 2");
    await other.cell("items[3]").waitForStatus("Stale: Nothing certain found");
    await one.cell("items[3]").waitForStatus(CERTAIN);
    await one.run("spare = 1");
    await one.cell("items[3]").waitForStatus(`Stale: ${CERTAIN.replace(" (certain)", "")}`);
    await workbench.screenshot("two-notebooks");
  });

  step("a way out acts on the notebook that was checked, not on the one in front", async () => {
    await other.kill();
    await other.cell("items[3]").status(/Check/).last().click();
    const note = workbench.notification("The kernel has died.");
    await note.waitFor();
    await one.cell("spare = 1").select();
    await note.locator(".monaco-button", { hasText: "Restart Kernel" }).click();
    await until("the dead kernel is back", 20_000, async () => ((await other.status()) === "idle") || undefined);
    await one.cell("items[3]").checkUntil(CERTAIN); // its kernel still has the list
    await other.run("items = [");
    await other.cell("items[3]").checkUntil("Nothing certain found");
  });

  step("two views of one notebook say the same, also after an edit in one of them", async () => {
    await other.cell("items[3]").select();
    await other.save();
    await workbench.command("View: Close Editor");
    await one.cell("items[3]").checkUntil(CERTAIN);
    await one.cell("items[3]").select();
    await workbench.command("View: Split Editor Right");
    const [left, right] = [one.inPlace(0), one.inPlace(1)];
    await right.cell("items[3]").waitForStatus(CERTAIN);
    await left.cell("items[3]").waitForStatus(CERTAIN);
    await right.cell("items[3]").squiggles("error").first().waitFor();
    await workbench.screenshot("split-editors");
    await right.cell("items[3]").append("  ");
    await left.cell("items[3]").waitForStatus("Stale:");
    await right.cell("items[3]").waitForStatus("Stale:");
    await right.cell("items[3]").checkUntil(CERTAIN);
    await left.cell("items[3]").waitForStatus(CERTAIN);
    await workbench.command("View: Close Editor");
  });
});

describe("cells and notebooks that change", { timeout: 600_000 }, () => {
  const CELLS = ["items = [1, 2, 3]", "items[3]", "spare = 1", "later = 2"];
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({ settings: { "crane.useModel": false }, notebooks: { "changing.ipynb": CELLS } });
    notebook = await workbench.openNotebook("changing.ipynb");
    await notebook.run("items = [");
    await firstCheck(workbench, notebook.cell("items[3]"), CERTAIN);
    await workbench.panel.shows("Cell 2");
  });
  after(() => workbench?.close());

  const key = async (cell: string, keys: string) => {
    await notebook.cell(cell).select();
    await workbench.page.keyboard.press("Escape");
    await workbench.page.keyboard.press(keys);
  };
  const check = (cell: string) => notebook.cell(cell).status(/^\s*Check\s*$/).first();

  step("moved: the verdict goes with the cell, and the panel calls it by its new place", async () => {
    await key("items[3]", "Alt+ArrowDown");
    await notebook.cell("items[3]").waitForStatus(CERTAIN);
    await workbench.panel.shows("Cell 3");
    await workbench.panel.shows("Where it comes from");
    await workbench.panel.link(/Cell 1.*line 1/).first().click();
    await workbench.page.locator(".notebookOverlay .code-cell-row.focused", { hasText: "items = [" }).waitFor();
  });

  step("duplicated: the copy has no verdict, the original keeps its own", async () => {
    await key("items[3]", "Alt+Shift+ArrowDown");
    const copies = notebook.cells.filter({ hasText: "items[3]" });
    await until("there are two", 5000, async () => ((await copies.count()) === 2) || undefined);
    const said = await until("both are drawn", 10_000, async () => {
      const texts = await Promise.all([0, 1].map((index) => copies.nth(index).locator(".cell-statusbar-container").innerText()));
      return texts.some((text) => text.includes(CERTAIN)) && texts.some((text) => !text.includes(CERTAIN)) ? texts : undefined;
    });
    assert.equal(said.filter((text) => text.includes("Will crash")).length, 1);
  });

  step("deleted: its verdict goes from the panel, and taken back it is a new cell without one", async () => {
    const copies = notebook.cells.filter({ hasText: "items[3]" });
    await copies.nth(1).locator(".view-lines").first().click();
    await workbench.page.keyboard.press("Escape");
    await workbench.page.keyboard.press("Delete");
    await until("one is left", 5000, async () => ((await copies.count()) === 1) || undefined);
    await notebook.cell("items[3]").checkUntil(CERTAIN);
    await key("items[3]", "Delete");
    await until("none is left", 5000, async () => ((await copies.count()) === 0) || undefined);
    await workbench.panel.shows(/there is no verdict to show/);
    await workbench.page.keyboard.press("Control+Z");
    await notebook.cell("items[3]").waitForStatus(/^\s*Check\s*$/);
  });

  step("language changed: no button and no verdict, and back again a fresh button", async () => {
    await notebook.cell("items[3]").checkUntil(CERTAIN);
    await notebook.setLanguage("items[3]", "Plain Text");
    const items = notebook.cell("items[3]").row.locator(".cell-status-item:visible", { hasText: /Check|Will crash/ });
    await until("nothing of ours is there", 10_000, async () => ((await items.count()) === 0) || undefined);
    await notebook.setLanguage("items[3]", "Python");
    await check("items[3]").waitFor();
    assert.equal(await notebook.cell("items[3]").squiggles("error").count(), 0);
  });

  step("renamed: no verdict is carried over to what may be another kernel, and the panel shows none", async () => {
    await notebook.cell("items[3]").checkUntil(CERTAIN);
    await workbench.command("File: Save");
    await workbench.file("changing.ipynb").click();
    await workbench.page.keyboard.press("F2");
    await workbench.page.keyboard.press("Control+A");
    await workbench.page.keyboard.insertText("renamed.ipynb");
    await workbench.page.keyboard.press("Enter");
    await workbench.page.locator(".tab", { hasText: "renamed.ipynb" }).waitFor();
    notebook = new Notebook(workbench, "renamed.ipynb");
    await notebook.cell("items[3]").waitForStatus(/^\s*Check\s*$/);
    await workbench.panel.shows(/there is no verdict to show/);
    await notebook.run("items = [");
    await notebook.cell("items[3]").checkUntil(CERTAIN);
  });

  step("closed: nothing is said of it any more, though the document and its kernel live on; opened again, it is checked anew", async () => {
    const close = async () => {
      await workbench.page.locator(".tab", { hasText: "renamed.ipynb" }).click();
      await notebook.save();
      await workbench.command("View: Close Editor");
    };
    const open = () => workbench.editor.control<string[]>("open");
    await close();
    await until("the document is closed", 20_000, async () => !(await open()).includes("renamed.ipynb") || undefined);
    await workbench.editor.control("hold", { notebook: "renamed.ipynb" });
    notebook = await workbench.openNotebook("renamed.ipynb");
    const cell = notebook.cell("items[3]");
    await notebook.run("items = [");
    await cell.checkUntil(CERTAIN);
    const problems = workbench.page.locator(".markers-panel");
    await workbench.command("Problems: Focus on Problems View");
    await problems.getByText("list index out of range").first().waitFor();
    await close();
    await problems.getByText("No problems have been detected").waitFor({ timeout: 5000 });
    assert.ok((await open()).includes("renamed.ipynb"));
    notebook = await workbench.openNotebook("renamed.ipynb");
    await cell.waitForStatus(/^\s*Check\s*$/);
    await cell.checkUntil(CERTAIN); // no cell has to run for it: the kernel was never gone
    await workbench.command("View: Hide Panel");
  });

  step("the window is loaded again: no verdict, squiggle, mark or panel of the session before", async () => {
    await notebook.cell("items = [").waitForStatus("Origin of items");
    await workbench.reload();
    const cell = notebook.cell("items[3]");
    await cell.waitForStatus(/^\s*Check\s*$/);
    await cell.hasNoStatus(/Will crash|Stale/);
    await notebook.cell("items = [").hasNoStatus("Origin of");
    assert.equal(await cell.squiggles("error").count(), 0);
    await notebook.run("items = [");
    await cell.checkUntil(CERTAIN);
    await workbench.panel.shows(/IndexError: list index out of range/);
  });
});
