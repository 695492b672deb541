// The VS Code window in the browser, as a person uses it.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { Editor, type EditorOptions } from "./editor.ts";
import { Notebook } from "./notebook.ts";
import { Panel } from "./panel.ts";
import { artifacts, tools } from "./paths.ts";

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Tall enough that every cell of the demo notebook is on the screen: VS Code draws no others. */
export const TALL = { width: 1400, height: 2300 };
/** An ordinary window, for pictures. */
export const ORDINARY = { width: 1440, height: 900 };

/** How long a step may take that needs the editor only, in milliseconds. */
const STEP = 30_000;
/** How long the editor may take to come up on a busy machine, in milliseconds. */
const START = 120_000;
/** Milliseconds that one try of a gesture takes at most, and the tries. */
const SHORT = 5_000;
const TRIES = 4;

export interface WorkbenchOptions extends EditorOptions {
  viewport?: { width: number; height: number };
  /** A script file to run in every frame, web views included. */
  everyFrame?: string;
}

export class Workbench {
  readonly editor: Editor;
  readonly page: Page;
  readonly panel: Panel;
  private readonly browser: Browser;

  private constructor(editor: Editor, browser: Browser, page: Page) {
    this.editor = editor;
    this.browser = browser;
    this.page = page;
    this.panel = new Panel(page);
  }

  /** Starts the editor and a browser, and waits until extensions run. */
  static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
    const editor = await Editor.start(options);
    let browser: Browser | undefined;
    try {
      browser = await chromium.launch({ executablePath: tools.chromium, headless: true, args: CHROMIUM_FLAGS });
      const page = await browser.newPage({ viewport: options.viewport ?? TALL });
      page.setDefaultTimeout(STEP);
      if (options.everyFrame) {
        await page.addInitScript({ path: options.everyFrame });
      }
      const workbench = new Workbench(editor, browser, page);
      await workbench.load();
      return workbench;
    } catch (error) {
      await browser?.close();
      const log = await editor.log();
      await editor.stop();
      throw new Error(`the workbench did not come up; the editor's log:\n${log.slice(-3000)}`, { cause: error });
    }
  }

  /** Loads the window again; extensions start anew, and so do kernels. */
  async reload(): Promise<void> {
    await this.load();
  }

  private async load(): Promise<void> {
    await this.page.goto(this.editor.url, { timeout: START });
    await this.page.locator(".monaco-workbench").waitFor({ timeout: START });
    await this.editor.ready();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.editor.stop();
  }

  /** A file's row in the explorer. */
  file(name: string): Locator {
    return this.page.locator(`.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`);
  }

  /** Opens a file of the explorer as a notebook; `place`: in an editor group beside, as the notebook in that place. */
  async openNotebook(name: string, place?: number): Promise<Notebook> {
    if (place === undefined) {
      await this.file(name).dblclick();
    } else {
      await this.file(name).click({ button: "right" });
      await this.pickFromMenu("Open to the Side");
    }
    const notebook = new Notebook(this, name, place);
    await notebook.cells.first().waitFor({ timeout: START });
    return notebook;
  }

  /** The notebook that something else has opened. */
  async shownNotebook(name: string): Promise<Notebook> {
    await this.page.locator(".tab", { hasText: name }).waitFor();
    const notebook = new Notebook(this, name);
    await notebook.cells.first().waitFor({ timeout: START });
    return notebook;
  }

  /** Picks from the context menu that is open. A menu leaves a click alone that follows its opening at once: then again. */
  async pickFromMenu(label: string): Promise<void> {
    const item = this.page.locator(".monaco-menu .action-item", { hasText: label });
    await item.waitFor();
    await this.again(async () => {
      if (await item.isVisible()) {
        await item.click({ timeout: SHORT });
      }
      await item.waitFor({ state: "detached", timeout: SHORT });
    });
  }

  /** Runs a command by its title, through the command palette, which closes when something else takes the focus: then again. */
  async command(title: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input.input:visible");
    await this.again(async () => {
      await this.page.keyboard.press("F1");
      await input.fill(`>${title}`, { timeout: SHORT });
      await this.quickPick(title).first().click({ timeout: SHORT });
    });
  }

  /** Does `work`, and does it again where it fails, a few times. */
  private async again(work: () => Promise<void>): Promise<void> {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await work();
      } catch (error) {
        if (left <= 1) {
          throw error;
        }
      }
    }
  }

  quickPick(text: string | RegExp): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row", { hasText: text });
  }

  dialog(text: string | RegExp): Locator {
    return this.page.locator(".monaco-dialog-box", { hasText: text });
  }

  async answer(dialog: Locator, button: string): Promise<void> {
    await dialog.locator(".monaco-button", { hasText: button }).click();
    await dialog.waitFor({ state: "detached" });
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  }

  async dismissNotifications(): Promise<void> {
    await this.command("Notifications: Clear All Notifications");
  }

  /** Sets the colour theme by its label. */
  async setTheme(label: string): Promise<void> {
    await this.command("Preferences: Color Theme");
    const input = this.page.locator(".quick-input-widget input.input:visible");
    await input.fill(label);
    await this.quickPick(label).first().click();
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** A picture of the window, kept as a build artefact. */
  async screenshot(name: string): Promise<string> {
    await mkdir(artifacts, { recursive: true });
    const file = path.join(artifacts, `${name}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }
}
