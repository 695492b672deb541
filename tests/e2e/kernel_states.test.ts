// Whatever stands between a click and an answer is said plainly, with a way out, and nothing hangs.
import assert from "node:assert/strict";
import { after, afterEach, before, describe } from "node:test";
import { firstCheck } from "./harness/flows.ts";
import type { Notebook } from "./harness/notebook.ts";
import { until } from "./harness/processes.ts";
import { stepsIn } from "./harness/steps.ts";
import { Workbench } from "./harness/workbench.ts";

const CELLS = ["items = [1, 2, 3]", "items[3]", "import time; time.sleep(4)", "if True print('x')", "   "];
const NAME = "states.ipynb";

describe("kernel states", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);
  let notebook: Notebook;

  before(async () => {
    workbench = await Workbench.open({ settings: { "crane.useModel": false }, notebooks: { [NAME]: CELLS } });
    notebook = await workbench.openNotebook(NAME);
    await notebook.run("items = [1, 2, 3]");
    await firstCheck(workbench, notebook.cell("items[3]"), "Will crash: IndexError (certain)");
  });
  after(() => workbench?.close());
  afterEach(() => workbench.dismissNotifications());

  const idle = () =>
    until("the kernel is idle", 30_000, async () => ((await notebook.status()) === "idle") || undefined);

  step("busy", async () => {
    await notebook.cell("time.sleep(4)").start();
    await until("the cell runs", 10_000, async () => ((await notebook.status()) === "busy") || undefined);
    await notebook.cell("items[3]").status("Check again").click();
    const note = workbench.notification("The kernel is busy.");
    await note.waitFor({ timeout: 5000 });
    assert.match(await note.innerText(), /Wait until the running cell has finished, then check again\./);
    await workbench.screenshot("busy");
    await idle();
  });

  step("a cell with a syntax error is a certain crash", async () => {
    await notebook.cell("if True print").checkUntil("Will crash: SyntaxError (certain)");
    await workbench.panel.shows(/SyntaxError/);
  });

  step("an empty cell has nothing to check", async () => {
    await notebook.cells.nth(4).locator(".cell-status-item:visible", { hasText: "Check" }).first().click();
    await workbench.notification("This cell is empty: there is nothing to check.").waitFor();
  });

  step("a restart makes verdicts stale, and then the missing name is the crash", async () => {
    const cell = notebook.cell("items[3]");
    await cell.status(/Check/).last().click();
    await cell.waitForStatus("Will crash: IndexError (certain)");
    await workbench.command("Jupyter: Restart Kernel");
    await cell.waitForStatus("Stale: Will crash: IndexError");
    await idle();
    await cell.status("Check again").click();
    await cell.waitForStatus("Will crash: NameError (certain)");
    await workbench.panel.shows(/name 'items' is not defined/);
    await workbench.screenshot("name-error-after-restart");
  });

  step("interrupted during the check: said as such, and the next check works", async () => {
    // One request takes a while, so that there is a check to be interrupted in.
    await notebook.slowDown(8);
    const cell = notebook.cell("items[3]");
    await cell.status(/Check/).last().click();
    await cell.waitForStatus("Checking…", 5000);
    await workbench.command("Jupyter: Interrupt Kernel");
    await workbench.notification("The check was interrupted together with the kernel.").waitFor({ timeout: 5000 });
    await idle();
    await cell.status(/Check/).last().click();
    await cell.waitForStatus("Will crash: NameError (certain)");
  });

  step("killed during the check: said at once, nothing hangs", async () => {
    await notebook.slowDown(8);
    const cell = notebook.cell("items[3]");
    await cell.status("Check again").click();
    await cell.waitForStatus("Checking…", 5000);
    await notebook.kill();
    await workbench.notification("The kernel died during the check.").waitFor({ timeout: 5000 });
    await cell.hasNoStatus("Checking…");
    await workbench.screenshot("killed");
  });

  step("dead: said plainly, and the way out works", async () => {
    await notebook.cell("items[3]").status(/Check/).last().click();
    const note = workbench.notification("The kernel has died.");
    await note.waitFor({ timeout: 5000 });
    await note.locator(".monaco-button", { hasText: "Restart Kernel" }).click();
    await idle();
    await notebook.run("items = [1, 2, 3]");
    const cell = notebook.cell("items[3]");
    await cell.status(/Check/).last().click();
    await cell.waitForStatus("Will crash: IndexError (certain)");
  });

  step("Stop waiting drops the answer and leaves the kernel running", async () => {
    await notebook.slowDown(2);
    const cell = notebook.cell("items[3]");
    await cell.status("Check again").click();
    await cell.waitForStatus("Checking…", 5000);
    await cell.status("Checking…").click();
    await cell.hasNoStatus("Checking…", 1500);
    await idle();
    assert.equal(await notebook.evaluate("print(items)"), "[1, 2, 3]\n");
  });
});

describe("kernel access", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);
  let notebook: Notebook;

  before(async () => {
    workbench = await Workbench.open({
      access: "ask",
      settings: { "crane.useModel": false },
      notebooks: { [NAME]: CELLS },
    });
    notebook = await workbench.openNotebook(NAME);
    await notebook.run("items = [1, 2, 3]");
  });
  after(() => workbench?.close());

  step("declining the explanation brings up no access dialog", async () => {
    await notebook.cell("items[3]").check();
    const explanation = workbench.dialog("CRANE needs to look into the running kernel");
    await explanation.waitFor();
    await workbench.answer(explanation, "Cancel");
    await workbench.notification("kernel access was not confirmed").waitFor();
    assert.equal(await workbench.editor.control("prompts"), 0);
    await workbench.dismissNotifications();
  });

  step("denied: the way out is offered and works", async () => {
    const cell = notebook.cell("items[3]");
    await cell.check();
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await workbench.answer(workbench.dialog("Do you want to grant Kernel access"), "Deny");
    const note = workbench.notification("CRANE has no access to this kernel.");
    await note.waitFor();
    await workbench.screenshot("access-denied");
    await note.locator(".monaco-button", { hasText: "Manage Kernel Access" }).click();
    const row = workbench.quickPick("CRANE: Crash Prediction for Notebooks");
    await row.locator(".monaco-checkbox, input[type=checkbox]").first().click();
    await workbench.page.locator(".quick-input-widget .monaco-button", { hasText: "OK" }).click();
    await workbench.dismissNotifications();
    await cell.status(/Check/).first().click();
    await cell.waitForStatus("Will crash: IndexError (certain)");
  });
});
