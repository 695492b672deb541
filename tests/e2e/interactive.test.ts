// The Interactive Window: what is typed in its box is checked before it runs; the panel answers, for nothing else can there.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { InteractiveWindow } from "./harness/interactive.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, Workbench } from "./harness/workbench.ts";

describe("the Interactive Window", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  let window: InteractiveWindow;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({ settings: { "crane.useModel": false }, viewport: ORDINARY });
    await workbench.command("Jupyter: Create Interactive Window");
    window = new InteractiveWindow(workbench);
    await window.run("items = [1, 2, 3]");
  });
  after(() => workbench?.close());

  step("what is typed is checked by the keys, and the panel opens with the verdict", async () => {
    await window.type("items[3]");
    await workbench.page.keyboard.press("Control+Alt+Enter");
    await workbench.answer(workbench.dialog("CRANE needs to look into the running kernel"), "Continue");
    await workbench.panel.shows("Will crash: IndexError (certain)");
    await workbench.panel.shows(/IndexError: list index out of range/);
    await workbench.panel.shows(/Cell 1, run \[1\], line 1/);
    await workbench.screenshot("interactive-window");
  });

  step("the crash is underlined in the box, and nothing of it has run", async () => {
    await window.input.locator(".squiggly-error").first().waitFor();
    assert.equal(await window.evaluate("print(get_ipython().execution_count)"), "2\n");
  });

  step("typing on makes the verdict stale; without a crash the panel says that nothing is certain", async () => {
    await window.replace("items[2]");
    await workbench.panel.shows(/before the cell was edited/);
    await workbench.page.keyboard.press("Control+Alt+Enter");
    await workbench.panel.shows("Nothing certain found");
  });

  step("run, the verdict goes, and the run is part of the history of the next check", async () => {
    await window.replace("items = None");
    await workbench.page.keyboard.press("Control+Enter");
    await window.hasCells(2);
    await window.type("len(items)");
    await workbench.page.keyboard.press("Control+Alt+Enter");
    await workbench.panel.shows("Will crash: TypeError (certain)");
    await workbench.panel.shows(/Cell 2, run \[2\], line 1/);
  });
});
