// The Interactive Window: cells that have run, and a box in which the next one is typed.
import type { Locator } from "playwright-core";
import { until } from "./processes.ts";
import type { Workbench } from "./workbench.ts";

const NAME = "Interactive-1.interactive";
const RUN = 90_000;

export class InteractiveWindow {
  private readonly workbench: Workbench;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
  }

  get input(): Locator {
    return this.workbench.page.locator(".interactive-editor .input-cell-container .monaco-editor").first();
  }

  async type(text: string): Promise<void> {
    await this.input.click();
    await this.workbench.page.keyboard.insertText(text);
  }

  async replace(text: string): Promise<void> {
    await this.input.click();
    await this.workbench.page.keyboard.press("Control+A");
    await this.workbench.page.keyboard.insertText(text);
  }

  async run(text: string): Promise<void> {
    await this.type(text);
    const before = await this.cellRuns();
    await this.workbench.page.keyboard.press("Control+Enter");
    await until("the cell has run", RUN, async () => ((await this.cellRuns()) > before) || undefined);
  }

  /** Waits until so many cells have run. */
  async hasCells(count: number): Promise<void> {
    await until(`${count} cells have run`, RUN, async () => ((await this.cellRuns()) === count) || undefined);
  }

  evaluate(code: string): Promise<string> {
    return this.workbench.editor.control<string>("run", { notebook: NAME, code });
  }

  private cellRuns(): Promise<number> {
    return this.workbench.editor.control<number>("cellRuns", { notebook: NAME });
  }
}
