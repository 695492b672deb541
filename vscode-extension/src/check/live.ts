import * as vscode from "vscode";
import type { Kernels } from "../kernel/kernels";
import { CELL_SCHEME, findCell, inNotebook, isCheckable, keyOf } from "../notebooks";
import type { Inspection } from "../protocol";
import type { RunRecorder } from "../recorder";
import { settings } from "../settings";
import type { VerdictStore } from "../verdicts";
import { STAGES } from "../words";
import { withOrigins } from "./verdictOf";

const DEADLINE_SECONDS = 0.3;

/** Checks while a person writes: the checks alone, when the typing rests and the kernel is idle. Never the model. */
export class LiveChecks implements vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;
  private current: vscode.CancellationTokenSource | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly kernels: Kernels,
    private readonly store: VerdictStore,
    private readonly recorder: RunRecorder,
  ) {
    this.disposables = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === CELL_SCHEME && contentChanges.length > 0) {
          this.wait(document.uri.toString());
        }
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.current?.cancel();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private wait(key: string): void {
    clearTimeout(this.timer);
    this.current?.cancel();
    if (settings.liveChecks()) {
      this.timer = setTimeout(() => void this.check(key), settings.liveDelayMs());
    }
  }

  private async check(key: string): Promise<void> {
    const cell = findCell(key);
    const before = this.store.get(key);
    if (!cell || !isCheckable(cell) || before?.state === "checking" || cell.document.getText().trim() === "") {
      return;
    }
    const source = new vscode.CancellationTokenSource();
    this.current = source;
    const { version } = cell.document;
    const text = cell.document.getText();
    try {
      const inspection = await this.kernels.quietly<Inspection>(
        cell.notebook,
        "inspect",
        this.params(cell, text),
        source.token,
      );
      if (inspection && cell.document.version === version && !source.token.isCancellationRequested) {
        this.show(cell, text, inspection);
      }
    } catch {
      // Stopped by the next keystroke, or a fault of ours: a check that nobody asked for stays silent.
    } finally {
      source.dispose();
      if (this.current === source) {
        this.current = undefined;
      }
    }
  }

  private params(cell: vscode.NotebookCell, source: string): Record<string, unknown> {
    return {
      source,
      ...inNotebook(cell),
      check: true,
      summary: false,
      deadline: DEADLINE_SECONDS,
    };
  }

  /** Only a certain crash is worth showing unasked; an earlier live verdict that no longer holds goes. */
  private show(cell: vscode.NotebookCell, text: string, inspection: Inspection): void {
    const key = keyOf(cell);
    const notebook = cell.notebook.uri.toString();
    if (inspection.verdict?.outcome !== "crash") {
      if (this.store.get(key)?.cause === "live") {
        this.store.remove(key);
      }
      return;
    }
    const verdict = withOrigins(inspection.verdict, inspection, this.recorder.executed(notebook, key));
    const record = this.store.begin(key, notebook, text, "live", STAGES.checking);
    this.store.finish(record, { verdict, inspection, checksRan: true });
  }
}
