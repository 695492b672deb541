import * as vscode from "vscode";
import { type Cancellation, untilCancelled } from "../util/cancel";
import type { Outgoing } from "../verdicts";

const HOSTS = "consent.destinations";

/**
 * The person's leave to send prompts, one per destination. The panel is the dialog: it shows the exact text of the first
 * one, the environment that has to be made for it if there is none yet, and one question about both. Until that is
 * answered nothing is sent and nothing is made.
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

  /** Waits for the answer about one check. A notification points at the panel, can say no, and goes with the answer. */
  async ask(recordId: number, { preview }: Pick<Outgoing, "preview">, token: Cancellation): Promise<boolean> {
    const answer = new Promise<boolean>((resolve) => this.waiting.set(recordId, resolve));
    const over = untilCancelled(answer, token).finally(() => this.waiting.delete(recordId));
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: `CRANE asks in the details panel whether to send this to ${preview.destination}`,
        cancellable: true,
      },
      async (_progress, refusal) => {
        refusal.onCancellationRequested(() => this.answer(recordId, false));
        await over.catch(() => undefined);
      },
    );
    const agreed = await over;
    if (agreed) {
      await this.memory.update(HOSTS, [...new Set([...this.destinations, preview.destination])]);
    }
    return agreed;
  }

  answer(recordId: number, agreed: boolean): void {
    this.waiting.get(recordId)?.(agreed);
  }

  async forget(): Promise<void> {
    await this.memory.update(HOSTS, []);
  }
}
