import * as vscode from "vscode";
import { CELL_SCHEME, findCell, keyOf, locate } from "../notebooks";
import type { OriginStep } from "../protocol";
import { settings } from "../settings";
import { Emitter } from "../util/emitter";
import type { VerdictStore } from "../verdicts";
import { stepWords } from "../words";
import type { OriginNote } from "./statusItems";

interface Mark extends OriginNote {
  line: number | null;
}

/**
 * Marks the cells that made a crash so: a note behind the line, and an item in that cell's status bar. Only while the
 * verdict is fresh. Notebooks have no decorations of their own; those of the cells' text editors are used.
 */
export class OriginMarks implements vscode.Disposable {
  private marks = new Map<string, Mark[]>();
  private readonly changed = new Emitter<void>();
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("crane.originLineBackground"),
    overviewRulerColor: new vscode.ThemeColor("crane.originNote"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  private readonly disposables: vscode.Disposable[];

  readonly onDidChange = this.changed.event;

  constructor(private readonly store: VerdictStore) {
    this.disposables = [
      this.decoration,
      store.onDidChange(() => this.refresh()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration("crane.origins") && this.refresh(),
      ),
    ];
  }

  notesFor(key: string): readonly OriginNote[] {
    return this.marks.get(key) ?? [];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private refresh(): void {
    const before = this.marks;
    this.marks = settings.markOrigins() ? this.collect() : new Map();
    if (before.size > 0 || this.marks.size > 0) {
      this.draw();
      this.changed.fire();
    }
  }

  private collect(): Map<string, Mark[]> {
    const marks = new Map<string, Mark[]>();
    for (const record of this.store.all()) {
      const target = record.state === "fresh" && record.verdict?.outcome === "crash" ? findCell(record.key) : undefined;
      for (const origin of target ? (record.verdict?.origins ?? []) : []) {
        for (const step of origin.steps) {
          const cell = target && locate(target.notebook, step.cell);
          if (!cell || cell === target) {
            continue;
          }
          const key = keyOf(cell);
          const line = textUnchanged(cell, step) ? step.line : null;
          const mark = { variable: origin.variable, words: stepWords(origin, step), targetKey: record.key, line };
          marks.set(key, [...(marks.get(key) ?? []), mark]);
        }
      }
    }
    return marks;
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme !== CELL_SCHEME) {
        continue;
      }
      const marks = this.marks.get(editor.document.uri.toString()) ?? [];
      editor.setDecorations(this.decoration, this.options(editor.document, marks));
    }
  }

  private options(document: vscode.TextDocument, marks: readonly Mark[]): vscode.DecorationOptions[] {
    const byLine = new Map<number, string[]>();
    for (const { line, words } of marks) {
      if (line !== null && line >= 1 && line <= document.lineCount) {
        byLine.set(line, [...new Set([...(byLine.get(line) ?? []), words])]);
      }
    }
    return [...byLine].map(([line, words]) => ({
      range: document.lineAt(line - 1).range,
      hoverMessage: words.map((text) => new vscode.MarkdownString().appendText(`CRANE origin: ${text}`)),
      renderOptions: {
        after: {
          contentText: `◂ ${words.join("; ")}`,
          margin: "0 0 0 2em",
          color: new vscode.ThemeColor("crane.originNote"),
          fontStyle: "italic",
        },
      },
    }));
  }
}

/** Lines of a run are lines of the cell only while the cell still has that text. */
function textUnchanged(cell: vscode.NotebookCell, step: OriginStep): boolean {
  return !step.cell.source || cell.document.getText().trimEnd() === step.cell.source.trimEnd();
}
