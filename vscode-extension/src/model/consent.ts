import * as vscode from "vscode";
import type { PreviewResult } from "../protocol";
import { type Cancellation, untilCancelled } from "../util/cancel";

const HOSTS = "consent.destinations";

/**
 * The person's leave to send prompts, one per destination. The exact text of the first one is shown in the panel with
 * the question; until it is answered nothing is sent.
 */
export class Consent {
  private readonly waiting = new Map<number, (agreed: boolean) => void>();

  constructor(private readonly memory: vscode.Memento) {}

  /** Destinations that the person agreed to. */
  get destinations(): string[] {
    return this.memory.get<string[]>(HOSTS, []);
  }

  has(destination: string): boolean {
    return this.destinations.includes(destination);
  }

  /** Asks about one check. The panel shows the text; a notification carries the same two answers. */
  async ask(recordId: number, preview: PreviewResult, token: Cancellation): Promise<boolean> {
    const answer = new Promise<boolean>((resolve) => this.waiting.set(recordId, resolve));
    const send = `Send to ${preview.destination}`;
    void vscode.window
      .showInformationMessage(
        `CRANE is about to send this cell, the cells that ran before it and what it knows of the variables to ${preview.destination} ` +
          `(model ${preview.model}, about ${preview.tokens} tokens). The exact text is in the details panel.`,
        send,
        "Don't Send",
      )
      .then((picked) => picked && this.answer(recordId, picked === send));
    try {
      const agreed = await untilCancelled(answer, token);
      if (agreed) {
        await this.memory.update(HOSTS, [...new Set([...this.destinations, preview.destination])]);
      }
      return agreed;
    } finally {
      this.waiting.delete(recordId);
    }
  }

  answer(recordId: number, agreed: boolean): void {
    this.waiting.get(recordId)?.(agreed);
  }

  async forget(): Promise<void> {
    await this.memory.update(HOSTS, []);
  }
}
