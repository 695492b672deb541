// The extension's details panel: a web view inside two frames.
import type { FrameLocator, Locator, Page } from "playwright-core";

const OUTER = 'iframe.webview.ready[src*="extensionId=crane-llm.crane-vscode"]';

export class Panel {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get frame(): FrameLocator {
    return this.page.frameLocator(OUTER).frameLocator("iframe#active-frame");
  }

  get body(): Locator {
    return this.frame.locator("body");
  }

  text(text: string | RegExp): Locator {
    return this.frame.getByText(text);
  }

  /** Waits until the panel shows the text somewhere, folded parts not counted. */
  async shows(text: string | RegExp, milliseconds = 15_000): Promise<void> {
    const found = this.frame.locator("body", { hasText: text });
    try {
      await found.waitFor({ timeout: milliseconds });
    } catch (error) {
      const now = await this.body.innerText({ timeout: 1000 }).catch(() => "(no panel)");
      throw new Error(`the panel does not show ${text}; it reads:\n${now}`, { cause: error });
    }
  }

  link(text: string | RegExp): Locator {
    return this.frame.getByRole("link", { name: text }).or(this.frame.getByRole("button", { name: text }));
  }
}
