// What the editor offers around a verdict: quick fixes, Check All, live checks, the guard, and quiet while scrolling.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { firstCheck } from "./harness/flows.ts";
import type { Notebook } from "./harness/notebook.ts";
import { until } from "./harness/processes.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

const SETTINGS = { "crane.useModel": false };

describe("quick fixes and Check All", { timeout: 600_000 }, () => {
  const CELLS = [
    "prices = {'apple': 3}\nimport numpy as np, pandas as pd\nframe = pd.DataFrame({'price': [1.0]})\nframe['tax'] = 0.2",
    "later = 5",
    "total = later + 1",
    "prices['appel']",
    "print(total)",
    "frame['prise'].sum()",
    "np.float(3)",
    "len(pricess)",
  ];
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({ settings: SETTINGS, notebooks: { "fixes.ipynb": CELLS } });
    notebook = await workbench.openNotebook("fixes.ipynb");
    await notebook.run("prices = {");
  });
  after(() => workbench?.close());

  step("a name that another cell would define: the fix runs that cell", async () => {
    const cell = notebook.cell("total = later");
    await cell.select();
    await workbench.page.keyboard.press("Control+Alt+Enter");
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await cell.waitForStatus("Will crash: NameError (certain)");
    await workbench.panel.shows(/later would be defined here, but the cell has not run/);
    await cell.squiggles("error").first().waitFor();
    await cell.quickFix("Run cell 2 first, which defines later");
    await cell.waitForStatus("Stale: Will crash: NameError");
    assert.equal(await notebook.evaluate("print(later)"), "5\n");
    await cell.status("Check again").click();
    await cell.waitForStatus("Nothing certain found");
  });

  step("the cell's context menu checks too, and a screen reader is told what the status bar says", async () => {
    const cell = notebook.cell("prices['");
    await cell.chooseFromMenu("Check Cell");
    await cell.waitForStatus("Will crash: KeyError (certain)");
    const label = await cell.spoken("Will crash");
    assert.match(label ?? "", /^CRANE: Will crash: KeyError \(certain\)\. KeyError: 'appel' \(line 1\)\. Built-in check · certain/);
    assert.match((await cell.spoken("Check again")) ?? "", /^CRANE: Check again\. Predict whether this cell crashes/);
  });

  step("the origin is marked in its cell, behind the line and in the status bar, which leads back", async () => {
    const origin = notebook.cell("prices = {");
    await origin.waitForStatus("Origin of prices");
    const notes = await origin.notesBehindLines();
    assert.ok(notes.some((note) => note.includes("◂ prices assigned here")), notes.join(" | "));
    await workbench.screenshot("origin-mark");
    await origin.status("Origin of prices").click();
    await workbench.page.locator(".notebookOverlay .code-cell-row.focused", { hasText: "prices['appel']" }).waitFor();
  });

  step("the squiggle's problem names the origin lines, which lead there", async () => {
    await workbench.command("Problems: Focus on Problems View");
    const problems = workbench.page.locator(".markers-panel .monaco-list-row");
    await problems.filter({ hasText: "This will crash: KeyError: 'appel'" }).first().waitFor();
    const related = problems.filter({ hasText: "prices assigned here" }).first();
    await related.waitFor();
    await workbench.screenshot("problems");
    await related.dblclick();
    await workbench.page.locator(".notebookOverlay .code-cell-row.focused", { hasText: "prices = {" }).waitFor();
    await workbench.command("View: Hide Panel");
  });

  for (const [words, said, title, then] of [
    ["frame['pri", "Will crash: KeyError (certain)", "Change to 'price'", "frame['price']"],
    ["np.float", "Will crash: AttributeError (certain)", "Change to float64", "np.float64(3)"],
    ["len(pri", "Will crash: NameError (certain)", "Change to prices", "len(prices)"],
  ] as const) {
    step(`${title}: the fix of ${words}… puts it`, async () => {
      const cell = notebook.cell(words);
      await cell.checkUntil(said);
      await cell.squiggles("error").first().waitFor();
      await cell.quickFix(title);
      await until("the text is replaced", 5000, async () => (await cell.source()).includes(then) || undefined);
      await cell.checkUntil("Nothing certain found");
    });
  }

  step("a key with a slip of the pen: the fix puts the right one", async () => {
    const cell = notebook.cell("prices['");
    await cell.squiggles("error").first().waitFor();
    await cell.quickFix("Change to 'apple'");
    await until("the text is replaced", 5000, async () => (await cell.source()).includes("prices['apple']") || undefined);
    await workbench.screenshot("quick-fix-done");
    await workbench.page.keyboard.press("Control+Z");
  });

  step("Check All walks from the selected cell on and claims nothing that it cannot know", async () => {
    await notebook.cell("prices = {").select();
    await workbench.command("CRANE: Check All Cells from Here On");
    await workbench.panel.shows("Run All would stop at the cell marked below", 30_000);
    await workbench.panel.shows(/Cell 4 Will crash: KeyError \(certain\)/);
    for (const after of [5, 6, 7, 8]) {
      // Some of them have been checked alone before: that is not what would happen to them now.
      await workbench.panel.shows(new RegExp(`Cell ${after} Not checked: Run All stops at cell 4, which will crash`));
    }
    await workbench.screenshot("check-all");
    assert.equal(await notebook.evaluate("print('total' in globals())"), "False\n", "nothing of it ran");
  });
});

describe("live checks", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);

  after(() => workbench?.close());

  step("the verdict comes by itself when typing rests, and follows the text", async () => {
    workbench = await Workbench.open({
      settings: { ...SETTINGS, "crane.liveChecks.enabled": true },
      notebooks: { "live.ipynb": ["items = [1, 2, 3]", "first = items[0]"] },
    });
    const notebook = await workbench.openNotebook("live.ipynb");
    await notebook.run("items = [");
    const cell = notebook.cell("first = ");
    await firstCheck(workbench, cell, "Nothing certain found");
    await cell.replace("first = items[7]");
    await cell.waitForStatus("Will crash: IndexError (certain)", 10_000);
    await cell.squiggles("error").first().waitFor();
    await cell.replace("first = items[1]");
    await cell.hasNoStatus("Will crash", 10_000);
    assert.equal(await cell.squiggles("error").count(), 0);
  });
});

describe("guard", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  let notebook: Notebook;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({
      settings: SETTINGS,
      notebooks: { "guard.ipynb": ["items = [1, 2, 3]", "reached = True\nitems[3]", "after = True"] },
    });
    notebook = await workbench.openNotebook("guard.ipynb");
    await notebook.run("items = [");
    await firstCheck(workbench, notebook.cell("items[3]"), "Will crash: IndexError (certain)");
  });
  after(() => workbench?.close());

  const statusBar = (text: string) => workbench.page.locator(".statusbar-item:visible", { hasText: text });

  step("off by default: the cell runs and raises", async () => {
    assert.equal(await statusBar("CRANE guard").count(), 0);
    await notebook.cell("items[3]").run();
    await notebook.showsOutput("list index out of range");
    await notebook.evaluate("del reached");
  });

  step("on: a cell that will certainly crash does not run, says why, and stops Run All", async () => {
    await workbench.command("CRANE: Switch the Guard On");
    await statusBar("CRANE guard armed").waitFor();
    await notebook.cell("after = True").checkUntil("Nothing certain found");
    await notebook.cell("items[3]").start();
    await notebook.showsOutput("This cell was not run.");
    await notebook.cell("items[3]").waitForStatus("Will crash: IndexError (certain)");
    await notebook.cell("after = True").waitForStatus("Nothing certain found");
    await notebook.cell("after = True").hasNoStatus("Stale");
    await notebook.cell("items[3]").row.locator(".codicon-notebook-state-error").first().waitFor();
    await workbench.screenshot("guard-refusal");
    assert.equal(await notebook.evaluate("print('reached' in globals())"), "False\n");
    await workbench.command("Notebook: Run All");
    await until("the run has ended", 20_000, async () => ((await notebook.status()) === "idle") || undefined);
    await workbench.page.waitForTimeout(1000);
    assert.equal(await notebook.evaluate("print('after' in globals())"), "False\n");
  });

  step("after a restart it is armed again, and the editor says so", async () => {
    await workbench.command("Jupyter: Restart Kernel");
    // The words may still be those about the kernel before: what counts is that the new one asks the guard.
    const asks = "print(any(getattr(type(t), 'crane_guard', 0) for t in get_ipython().ast_transformers))";
    for (let tries = 0; tries < 40 && (await notebook.evaluate(asks)) !== "True\n"; tries++) {
      await new Promise((resume) => setTimeout(resume, 500));
    }
    await statusBar("CRANE guard armed").waitFor({ timeout: 20_000 });
    await notebook.run("items = [");
    await notebook.cell("items[3]").start();
    await notebook.showsOutput("This cell was not run.");
    assert.equal(await notebook.evaluate("print('reached' in globals())"), "False\n");
  });

  step("a comment lets a cell run anyway; switched off, nothing is refused", async () => {
    const cell = notebook.cell("items[3]");
    await cell.replace("# crane: run anyway\nreached = True\nitems[3]");
    await cell.run();
    assert.equal(await notebook.evaluate("print(reached)"), "True\n");
    await workbench.command("CRANE: Switch the Guard Off");
    await statusBar("CRANE guard").waitFor({ state: "hidden" });
    await cell.replace("reached = 'again'\nitems[3]");
    await cell.run();
    assert.equal(await notebook.evaluate("print(reached)"), "again\n");
  });
});

describe("a notebook of 300 cells", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);

  after(() => workbench?.close());

  step("scrolling through it asks the kernel nothing", async () => {
    const cells = ["import math", ...Array.from({ length: 299 }, (_, index) => `value_${index} = math.sqrt(${index})`)];
    workbench = await Workbench.open({ settings: SETTINGS, notebooks: { "long.ipynb": cells }, viewport: ORDINARY });
    const notebook = await workbench.openNotebook("long.ipynb");
    await notebook.run("import math");
    await firstCheck(workbench, notebook.cell("value_0 = "), "Nothing certain found");
    const before = await notebook.calls();
    for (const [end, words] of [["last", "value_298 = "], ["first", "value_0 = "]] as const) {
      await notebook.goTo(end);
      await notebook.cell(words).waitForStatus("Check");
    }
    assert.equal(await notebook.calls(), before);
    await notebook.cell("value_0 = ").waitForStatus("Nothing certain found");
  });
});
