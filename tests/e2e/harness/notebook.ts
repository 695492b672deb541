// A notebook in the window. Cells are named by words of their source, as a person finds them.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { Workbench } from "./workbench.ts";

/** How long running a cell or a check may take, in milliseconds: the first one starts a kernel and imports pandas. */
const RUN = 90_000;

export class Notebook {
  readonly name: string;
  private readonly workbench: Workbench;

  constructor(workbench: Workbench, name: string) {
    this.workbench = workbench;
    this.name = name;
  }

  get cells(): Locator {
    return this.workbench.page.locator(".notebookOverlay:visible .monaco-list-row.code-cell-row");
  }

  cell(words: string): Cell {
    return new Cell(this.workbench, this.cells.filter({ hasText: words }).first());
  }

  /** Runs the cells that hold these words, in this order, and waits for each. */
  async run(...words: string[]): Promise<void> {
    for (const each of words) {
      await this.cell(each).run();
    }
  }

  /** What code printed in this notebook's kernel, outside its history. */
  evaluate(code: string): Promise<string> {
    return this.workbench.editor.control<string>("run", { notebook: this.name, code });
  }

  isDirty(): Promise<boolean> {
    return this.workbench.editor.control<boolean>("dirty", { notebook: this.name });
  }

  /** How many requests of the extension the kernel has had. */
  calls(): Promise<number> {
    return this.workbench.editor.control<number>("calls", { notebook: this.name });
  }

  status(): Promise<string> {
    return this.workbench.editor.control<string>("status", { notebook: this.name });
  }

  /** Ends the kernel's process, as a crash would. */
  async kill(): Promise<void> {
    await this.workbench.editor.control("kill", { notebook: this.name });
  }
}

export class Cell {
  readonly row: Locator;
  private readonly workbench: Workbench;

  constructor(workbench: Workbench, row: Locator) {
    this.workbench = workbench;
    this.row = row;
  }

  /** Status-bar items of this cell with this text. */
  status(text: string | RegExp): Locator {
    return this.row.locator(".cell-status-item:visible", { hasText: text });
  }

  /** All that the cell's status bar says, on one line. */
  async statusText(): Promise<string> {
    const texts = await this.row.locator(".cell-status-item:visible").allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, " ").trim()).join(" | ");
  }

  async waitForStatus(text: string | RegExp, milliseconds = RUN): Promise<void> {
    try {
      await this.status(text).first().waitFor({ timeout: milliseconds });
    } catch (error) {
      throw new Error(`the status bar reads “${await this.statusText()}”, not ${text}`, { cause: error });
    }
  }

  async select(): Promise<void> {
    await this.row.locator(".cell-editor-container .view-lines").first().click();
  }

  /** Starts the cell without waiting. */
  async start(): Promise<void> {
    await this.row.hover();
    await this.row.locator(".codicon-notebook-execute").first().click();
  }

  /** Runs the cell and waits until VS Code shows that it has ended. */
  async run(): Promise<void> {
    const before = await this.executionCount();
    await this.start();
    const label = this.row.locator(".execution-count-label");
    const deadline = Date.now() + RUN;
    while (Date.now() < deadline) {
      const ended = await this.row.locator(".codicon-notebook-state-success, .codicon-notebook-state-error").count();
      const now = await label.textContent();
      if (ended > 0 && now !== before) {
        return;
      }
      await this.workbench.page.waitForTimeout(50);
    }
    throw new Error(`the cell did not end; its status bar reads “${await this.statusText()}”`);
  }

  async executionCount(): Promise<string | null> {
    return this.row.locator(".execution-count-label").textContent();
  }

  /** Types at the end of the cell's text. */
  async append(text: string): Promise<void> {
    await this.select();
    await this.workbench.page.keyboard.press("Control+End");
    await this.workbench.page.keyboard.type(text);
  }

  /** Replaces the cell's text. */
  async replace(text: string): Promise<void> {
    await this.select();
    await this.workbench.page.keyboard.press("Control+A");
    await this.workbench.page.keyboard.insertText(text);
  }

  /** Clicks the extension's *Check*. */
  async check(): Promise<void> {
    await this.status(/^\s*Check\s*$/).first().click();
  }

  /** Clicks *Check* and gives the milliseconds until a status item with this text stands there. */
  async checkUntil(text: string | RegExp): Promise<number> {
    const button = this.status(/Check/).first();
    await button.waitFor();
    const started = performance.now();
    await button.click();
    await this.waitForStatus(text);
    return performance.now() - started;
  }

  squiggles(kind: "error" | "warning"): Locator {
    return this.row.locator(`.squiggly-${kind}`);
  }

  async source(): Promise<string> {
    const text = await this.row.locator(".cell-editor-container .view-lines").first().innerText();
    return text.replaceAll("\u00a0", " ");
  }

  async hasNoStatus(text: string | RegExp): Promise<void> {
    assert.equal(await this.status(text).count(), 0, `the status bar reads “${await this.statusText()}”`);
  }
}
