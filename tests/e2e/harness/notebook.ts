// A notebook in the window. Cells are named by words of their source, as a person finds them.
import type { Locator } from "playwright-core";
import { until } from "./processes.ts";
import type { Workbench } from "./workbench.ts";

/** How long running a cell may take, in milliseconds: the first one starts a kernel and imports pandas. */
const RUN = 90_000;
/** How long a check may take that asks no model. */
const CHECK = 30_000;

/** A turn of the wheel moves a notebook by some forty pixels, however far it is said to turn. */
const WHEEL = 400;
const WHEELS_PER_LOOK = 4;
const LOOKS = 40;

export class Notebook {
  readonly name: string;
  private readonly workbench: Workbench;

  /** Which of the notebook editors on the screen, in the order in which they came up; undefined: the only one. */
  private readonly place: number | undefined;

  constructor(workbench: Workbench, name: string, place?: number) {
    this.workbench = workbench;
    this.name = name;
    this.place = place;
  }

  get editor(): Locator {
    const editors = this.workbench.page.locator(".notebookOverlay:visible");
    return this.place === undefined ? editors : editors.nth(this.place);
  }

  get cells(): Locator {
    return this.editor.locator(".monaco-list-row.code-cell-row");
  }

  /** The same notebook, as another editor on the screen shows it. */
  inPlace(place: number): Notebook {
    return new Notebook(this.workbench, this.name, place);
  }

  /** Chooses a cell's language as a person does, by the item at the right of its status bar. */
  async setLanguage(words: string, language: string): Promise<void> {
    const { page } = this.workbench;
    const cell = this.cell(words);
    await cell.select();
    await cell.row.locator(".cell-status-right .cell-status-item").last().click();
    await page.locator(".quick-input-widget input.input:visible").fill(language);
    await this.workbench.quickPick(language).first().click();
  }

  /** Goes to the last or the first cell, by the keyboard. */
  async goTo(end: "last" | "first"): Promise<void> {
    await this.cells.nth(1).locator(".cell-editor-container .view-lines").first().click();
    await this.workbench.page.keyboard.press("Escape");
    await this.workbench.page.keyboard.press(end === "last" ? "Control+End" : "Control+Home");
  }

  /** Waits until an output on the screen has this text. */
  async showsOutput(text: string | RegExp): Promise<void> {
    const frame = this.workbench.page.frameLocator('iframe.webview.ready[src*="purpose=notebookRenderer"]');
    await frame.frameLocator("iframe#active-frame").locator(".output", { hasText: text }).first().waitFor();
  }

  cell(words: string): Cell {
    return new Cell(this.workbench, this, this.cells.filter({ hasText: words }).first());
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

  /** How many runs of its cells were asked for. */
  cellStarts(): Promise<number> {
    return this.workbench.editor.control<number>("cellStarts", { notebook: this.name });
  }

  /** How many runs of its cells have ended. */
  cellRuns(): Promise<number> {
    return this.workbench.editor.control<number>("cellRuns", { notebook: this.name });
  }

  status(): Promise<string> {
    return this.workbench.editor.control<string>("status", { notebook: this.name });
  }

  /** Makes the next request of an extension, and none of the person's cells, take its time. */
  async slowDown(seconds: number): Promise<void> {
    await this.evaluate(
      "def _slow(info=None):\n    import time\n    get_ipython().events.unregister('pre_run_cell', _slow)\n" +
        `    time.sleep(${seconds})\n` +
        "get_ipython().events.register('pre_run_cell', _slow)",
    );
  }

  /** What happens to a kernel behind a server. */
  async accident(what: "crash" | "disconnect" | "reconnect"): Promise<void> {
    await this.workbench.editor.control(what, { notebook: this.name });
  }

  /** Saves the notebook in front and waits until it is: closed too early, the editor would ask what to do with the changes. */
  async save(): Promise<void> {
    await this.workbench.command("File: Save");
    await until("it is saved", 10_000, async () => !(await this.isDirty()) || undefined);
  }

  /** Ends the kernel's process, as a crash would. */
  async kill(): Promise<void> {
    await this.workbench.editor.control("kill", { notebook: this.name });
  }
}

export class Cell {
  readonly row: Locator;
  private readonly workbench: Workbench;
  private readonly notebook: Notebook;

  constructor(workbench: Workbench, notebook: Notebook, row: Locator) {
    this.workbench = workbench;
    this.notebook = notebook;
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

  async waitForStatus(text: string | RegExp, milliseconds = CHECK): Promise<void> {
    try {
      await this.status(text).first().waitFor({ timeout: milliseconds });
    } catch (error) {
      throw new Error(`the status bar reads “${await this.statusText()}”, not ${text}`, { cause: error });
    }
  }

  async select(): Promise<void> {
    await this.reveal();
    await this.row.locator(".cell-editor-container .view-lines").first().click();
  }

  /** Starts the cell without waiting. */
  async start(): Promise<void> {
    await this.reveal();
    const before = await this.notebook.cellStarts();
    const started = async () => (await this.notebook.cellStarts()) > before || undefined;
    // The button is there while the pointer is over the cell, and cells move when an output above them grows. A click
    // that is reported as failed may have been heard all the same: only the notebook knows.
    await until("the run button is clicked", RUN, async () => {
      await this.row.hover({ position: { x: 300, y: 8 }, timeout: 2000 });
      await this.row
        .locator(".codicon-notebook-execute")
        .first()
        .click({ timeout: 2000 })
        .catch(() => undefined);
      return until("the cell is started", 2000, started);
    });
  }

  /** Scrolls down, and then up, until the cell is drawn: VS Code draws only what is on the screen. */
  async reveal(): Promise<void> {
    if (await this.isOnScreen()) {
      return;
    }
    const { page } = this.workbench;
    await this.notebook.editor.locator(".cell-list-container").first().hover({ position: { x: 20, y: 200 } });
    for (const direction of [WHEEL, -WHEEL]) {
      for (let look = 0; look < LOOKS; look += 1) {
        for (let turn = 0; turn < WHEELS_PER_LOOK; turn += 1) {
          await page.mouse.wheel(0, direction);
        }
        await page.waitForTimeout(100);
        if (await this.isOnScreen()) {
          return;
        }
      }
    }
    throw new Error("the cell is not in the notebook, or too far away");
  }

  private async isOnScreen(): Promise<boolean> {
    const box = await this.row.boundingBox({ timeout: 500 }).catch(() => null);
    const height = this.workbench.page.viewportSize()?.height ?? 0;
    // Below the editor's title and toolbar, above its lower edge.
    return box !== null && box.y > 110 && box.y + box.height < height - 60;
  }

  /** Runs the cell and waits until it has ended and VS Code shows that. */
  async run(): Promise<void> {
    const before = await this.notebook.cellRuns();
    await this.start();
    await until("the cell has run", RUN, async () => ((await this.notebook.cellRuns()) > before) || undefined);
    await this.row.locator(".codicon-notebook-state-success, .codicon-notebook-state-error").first().waitFor();
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
    await this.reveal();
    await this.status(/^\s*Check\s*$/).first().click();
  }

  /** Clicks *Check* or *Check again* and gives the milliseconds until a status item with this text stands there. */
  async checkUntil(text: string | RegExp): Promise<number> {
    await this.reveal();
    const button = this.status(/Check/).last();
    await button.waitFor();
    const started = performance.now();
    await button.click();
    await this.waitForStatus(text);
    return performance.now() - started;
  }

  /** Opens the light bulb at the crashing expression and picks a fix. */
  async quickFix(title: string | RegExp): Promise<void> {
    const { page } = this.workbench;
    await this.select();
    // The squiggle is drawn anew while the editor settles: a click in that moment meets nothing.
    await until("the squiggle is clicked", CHECK, async () => {
      await this.squiggles("error").first().click({ force: true, timeout: 2000 });
      return true;
    });
    await page.keyboard.press("Control+.");
    const fix = page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
    await fix.waitFor();
    await page.waitForTimeout(700); // the list takes clicks only after it has settled
    await fix.click();
  }

  /** Chooses from the menu that a right click beside the cell opens. */
  async chooseFromMenu(label: string): Promise<void> {
    await this.select();
    await this.row.locator(".cell-focus-indicator-left").first().click({ button: "right" });
    await this.workbench.pickFromMenu(label);
  }

  /** What a screen reader says of the status item with this text. */
  spoken(text: string): Promise<string | null> {
    return this.status(text).first().getAttribute("aria-label");
  }

  /** What the extension has written behind lines of the cell's text. */
  notesBehindLines(): Promise<string[]> {
    return this.row.locator(".view-lines").first().evaluate((lines) =>
      Array.from(lines.querySelectorAll("span"))
        .flatMap((span) => [getComputedStyle(span, "::after").content, span.textContent ?? ""])
        .filter((text) => text.includes("◂")),
    );
  }

  squiggles(kind: "error" | "warning"): Locator {
    return this.row.locator(`.squiggly-${kind}`);
  }

  async source(): Promise<string> {
    const text = await this.row.locator(".cell-editor-container .view-lines").first().innerText();
    return text.replaceAll("\u00a0", " ");
  }

  /** Waits until no status item has this text. */
  async hasNoStatus(text: string | RegExp, milliseconds = 10_000): Promise<void> {
    try {
      await until("the text is gone", milliseconds, async () => ((await this.status(text).count()) === 0) || undefined);
    } catch (error) {
      throw new Error(`the status bar still reads “${await this.statusText()}”`, { cause: error });
    }
  }
}
