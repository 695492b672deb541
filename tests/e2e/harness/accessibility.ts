// What axe finds in the details panel.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Workbench } from "./workbench.ts";

/** To be run in every frame of a window whose panel is looked at. */
export const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
export const THEMES = ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"];

declare const axe: { run(context: Document, options: object): Promise<AxeResults> };

/** Fails on any violation in what the panel shows now. */
export async function accessible(workbench: Workbench, what: string): Promise<void> {
  const results = await workbench.panel.body.evaluate(() =>
    axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
      rules: { "document-title": { enabled: false } }, // VS Code leaves a page's title out of the frame
    }),
  );
  const found = results.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ; ")}`);
  assert.deepEqual(found, [], what);
}

/** Looks at the panel in every kind of theme, and leaves a picture of each. */
export async function accessibleInEveryTheme(workbench: Workbench, name: string): Promise<void> {
  for (const theme of THEMES) {
    await workbench.setTheme(theme);
    await workbench.panel.body.hover({ position: { x: 4, y: 4 }, force: true }); // no tooltip over it
    await workbench.page.waitForTimeout(600); // the colours of the web view follow
    await workbench.screenshot(`${name}-${theme.toLowerCase().replaceAll(" ", "-")}`);
    await accessible(workbench, `${name}, ${theme}`);
  }
}
