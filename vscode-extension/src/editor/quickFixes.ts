import * as vscode from "vscode";
import { INPUT_SCHEME } from "../interactiveInput";
import { CELL_SCHEME, findCell, isCheckable, keyOf, locate, positionOf } from "../notebooks";
import type { Suggestion } from "../protocol";
import type { CheckRecord, VerdictStore } from "../verdicts";
import { SOURCE } from "./diagnostics";
import { pointOf } from "./ranges";

/** Fixes for a fresh crash: the replacement that the verdict suggests, and running the cell that would define a name. */
export class QuickFixes implements vscode.CodeActionProvider, vscode.Disposable {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  private readonly registration: vscode.Disposable;

  constructor(private readonly store: VerdictStore) {
    this.registration = vscode.languages.registerCodeActionsProvider(
      [
        { scheme: CELL_SCHEME, language: "python" },
        { scheme: INPUT_SCHEME, language: "python" },
      ],
      this,
      { providedCodeActionKinds: QuickFixes.kinds },
    );
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const diagnostics = context.diagnostics.filter((diagnostic) => diagnostic.source === SOURCE);
    const record = this.store.get(document.uri.toString());
    if (diagnostics.length === 0 || record?.state !== "fresh") {
      return [];
    }
    const actions = [...this.replacement(document, record), ...this.definingCells(record)];
    for (const action of actions) {
      action.diagnostics = diagnostics;
    }
    const details = new vscode.CodeAction("CRANE: Show details", vscode.CodeActionKind.QuickFix);
    details.command = { title: details.title, command: "crane.showDetails", arguments: [record.key] };
    return [...actions, details];
  }

  dispose(): void {
    this.registration.dispose();
  }

  private replacement(document: vscode.TextDocument, record: CheckRecord): vscode.CodeAction[] {
    const suggestion = record.verdict?.suggestion;
    if (!suggestion) {
      return [];
    }
    const action = new vscode.CodeAction(suggestion.title, vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, suggestionRange(document, suggestion), suggestion.text);
    action.isPreferred = record.verdict?.source === "checker";
    return [action];
  }

  private definingCells(record: CheckRecord): vscode.CodeAction[] {
    const target = findCell(record.key);
    const actions = new Map<string, vscode.CodeAction>();
    for (const origin of target ? (record.verdict?.origins ?? []) : []) {
      for (const step of origin.steps) {
        const cell = target && step.action === "would_define" ? locate(target.notebook, step.cell) : undefined;
        if (!cell || cell === target || !isCheckable(cell) || actions.has(keyOf(cell))) {
          continue;
        }
        const title = `Run cell ${positionOf(cell)} first, which defines ${origin.variable}`;
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.command = { title, command: "crane.runCell", arguments: [keyOf(cell)] };
        actions.set(keyOf(cell), action);
      }
    }
    return [...actions.values()];
  }
}

/** The exact range of a suggestion; unlike a squiggle it may be empty, to insert. */
export function suggestionRange(document: vscode.TextDocument, suggestion: Suggestion): vscode.Range {
  const lines = document.getText().split(/\r?\n/);
  const start = pointOf(suggestion.line, suggestion.column, lines);
  const end = pointOf(suggestion.end_line, suggestion.end_column, lines);
  return new vscode.Range(start.line, start.column, end.line, end.column);
}
