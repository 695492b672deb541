import * as vscode from "vscode";
import { findCell, locate } from "../notebooks";
import type { Verdict } from "../protocol";
import type { CheckRecord, VerdictStore } from "../verdicts";
import { isCertain, stepWords } from "../words";
import { spanOf } from "./ranges";

export const SOURCE = "CRANE";
const MOST_RELATED = 12;

/** A squiggle under what crashes while the verdict is fresh: an error where it is certain, a warning where predicted. */
export class Diagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("crane");
  private readonly subscription: { dispose(): void };

  constructor(private readonly store: VerdictStore) {
    this.subscription = store.onDidChange((keys) => {
      for (const key of keys) {
        this.update(key);
      }
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }

  private update(key: string): void {
    const record = this.store.get(key);
    const uri = vscode.Uri.parse(key);
    const shown = record?.state === "fresh" && record.verdict?.outcome === "crash";
    const diagnostic = shown && record.verdict ? this.diagnostic(record, record.verdict) : undefined;
    this.collection.set(uri, diagnostic ? [diagnostic] : []);
  }

  private diagnostic(record: CheckRecord, verdict: Verdict): vscode.Diagnostic | undefined {
    const cell = findCell(record.key);
    if (!cell) {
      return undefined;
    }
    const span = spanOf(verdict, cell.document.getText().split(/\r?\n/));
    const diagnostic = new vscode.Diagnostic(
      new vscode.Range(span.startLine, span.startColumn, span.endLine, span.endColumn),
      messageFor(verdict),
      isCertain(verdict) ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
    );
    diagnostic.source = SOURCE;
    diagnostic.code = verdict.rule ?? (isCertain(verdict) ? "certain-crash" : "predicted-crash");
    diagnostic.relatedInformation = related(cell, verdict);
    return diagnostic;
  }
}

function messageFor(verdict: Verdict): string {
  const what = [verdict.exception, verdict.message].filter(Boolean).join(": ") || "an exception";
  return isCertain(verdict) ? `This will crash: ${what}` : `A model predicts a crash: ${what}`;
}

function related(target: vscode.NotebookCell, verdict: Verdict): vscode.DiagnosticRelatedInformation[] {
  return verdict.origins
    .flatMap((origin) =>
      origin.steps.flatMap((step) => {
        const cell = locate(target.notebook, step.cell);
        if (!cell) {
          return [];
        }
        const line = Math.min(Math.max(0, (step.line ?? 1) - 1), cell.document.lineCount - 1);
        const location = new vscode.Location(cell.document.uri, cell.document.lineAt(line).range);
        return [new vscode.DiagnosticRelatedInformation(location, stepWords(origin, step))];
      }),
    )
    .slice(0, MOST_RELATED);
}
