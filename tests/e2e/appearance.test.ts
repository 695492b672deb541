// The panel in every kind of theme and at narrow widths: pictures to look at, and no violation that axe can find.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { AXE, accessible, THEMES } from "./harness/accessibility.ts";
import { DEMO, firstCheck, preparedDemo } from "./harness/flows.ts";
import { stepsIn } from "./harness/steps.ts";
import { ORDINARY, TALL, Workbench } from "./harness/workbench.ts";

describe("appearance", { timeout: 600_000 }, () => {
  let workbench: Workbench;
  const step = stepsIn(() => workbench);

  before(async () => {
    workbench = await Workbench.open({ settings: { "crane.useModel": false }, everyFrame: AXE });
    const notebook = await preparedDemo(workbench);
    await firstCheck(workbench, notebook.cell(DEMO.share), "Will crash: KeyError (certain)");
    await workbench.panel.shows("Where it comes from");
    await workbench.command("View: Close Primary Side Bar");
    await workbench.page.setViewportSize(ORDINARY);
    await notebook.cell(DEMO.share).reveal();
  });

  step("runtime information is a table, and the order of runs a drawing with the origin marked", async () => {
    const { frame } = workbench.panel;
    const row = frame.locator("section.variables tbody tr", { hasText: "rentals" }).first();
    assert.match(await row.innerText(), /rentals\s+DataFrame\s+\(\d+, \d+\)/);
    await frame.locator("section.variables thead", { hasText: "Variable" }).waitFor();
    await frame.getByRole("group", { name: /^Run order: 4 earlier runs, 1 of them origins of the crash$/ }).waitFor();
    await frame.getByRole("link", { name: /^2, cell 2, run \[2\], origin of rentals$/ }).waitFor();
  });

  step("the picture of the README", async () => {
    await workbench.panel.body.hover({ position: { x: 4, y: 4 }, force: true }); // no tooltip and no toolbar in the way
    await workbench.page.waitForTimeout(1000);
    await workbench.screenshot("picture-certain-crash");
  });
  after(() => workbench?.close());

  for (const theme of THEMES) {
    step(`${theme}: readable, and accessible as far as a program can tell`, async () => {
      await workbench.setTheme(theme);
      await workbench.page.mouse.move(1100, 500); // into the panel: a tooltip of the editor's buttons would lie over it
      await workbench.page.waitForTimeout(800); // the colours of the web view follow
      await workbench.panel.shows(/KeyError: 'registered'/);
      await workbench.screenshot(`theme-${theme.toLowerCase().replaceAll(" ", "-")}`);
      await accessible(workbench, theme);
    });
  }

  step("narrow: nothing is cut off sideways but what scrolls by itself", async () => {
    await workbench.setTheme("Dark Modern");
    await workbench.page.setViewportSize({ width: 760, height: 900 });
    await workbench.page.waitForTimeout(500);
    const overflow = await workbench.panel.body.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await workbench.screenshot("narrow");
    await workbench.page.setViewportSize(TALL);
  });

  step("the panel works by keyboard alone", async () => {
    const { frame } = workbench.panel;
    await frame.locator("h1").click();
    const reached = new Set<string>();
    for (let presses = 0; presses < 25; presses += 1) {
      await workbench.page.keyboard.press("Tab");
      const active = await workbench.panel.body.evaluate(() => document.activeElement?.textContent ?? "");
      reached.add(active.trim());
    }
    const all = [...reached].join(" | ");
    for (const expected of ["Check again", "line 1", "Cell 2"]) {
      assert.ok(all.includes(expected), `Tab reaches: ${all}`);
    }
  });
});
