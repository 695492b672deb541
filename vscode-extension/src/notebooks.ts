import * as vscode from "vscode";
import { INPUT_SCHEME, inputCell, inputOf } from "./interactiveInput";
import type { CellRef, InspectParams } from "./protocol";

/** Scheme of a cell's text document. */
export const CELL_SCHEME = "vscode-notebook-cell";

const TYPES = new Set(["jupyter-notebook", "interactive"]);

export const NOTEBOOK_TYPES = [...TYPES];

export function isJupyter(notebook: vscode.NotebookDocument): boolean {
  return TYPES.has(notebook.notebookType);
}

export function isCheckable(cell: vscode.NotebookCell): boolean {
  return (
    cell.kind === vscode.NotebookCellKind.Code && cell.document.languageId === "python" && isJupyter(cell.notebook)
  );
}

export function keyOf(cell: vscode.NotebookCell): string {
  return cell.document.uri.toString();
}

export function codeCells(notebook: vscode.NotebookDocument): vscode.NotebookCell[] {
  return notebook.getCells().filter((cell) => cell.kind === vscode.NotebookCellKind.Code);
}

/** Place among the code cells, from 1, as the command line counts them too; an input box comes after all of them. */
export function positionOf(cell: vscode.NotebookCell): number {
  const cells = codeCells(cell.notebook);
  const index = cells.indexOf(cell);
  return (index < 0 ? cells.length : index) + 1;
}

export function cellTags(cell: vscode.NotebookCell): string[] {
  const tags: unknown = cell.metadata?.metadata?.tags ?? cell.metadata?.tags;
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === "string") : [];
}

/** What the kernel is told about the place of a cell in its notebook. */
export function inNotebook(cell: vscode.NotebookCell): Pick<InspectParams, "cells" | "target_id" | "tags"> {
  return {
    cells: codeCells(cell.notebook).map((other) => ({ id: keyOf(other), source: other.document.getText() })),
    target_id: keyOf(cell),
    tags: cellTags(cell),
  };
}

export function findCell(key: string): vscode.NotebookCell | undefined {
  for (const notebook of vscode.workspace.notebookDocuments) {
    const cell = notebook.getCells().find((candidate) => keyOf(candidate) === key);
    if (cell) {
      return cell;
    }
  }
  return key.startsWith(`${INPUT_SCHEME}:`)
    ? inputCell(vscode.workspace.textDocuments.find((document) => document.uri.toString() === key))
    : undefined;
}

/** The cell of an origin as the notebook has it now: by identity, else by the run that shows its count, else by text. */
export function locate(notebook: vscode.NotebookDocument, ref: CellRef): vscode.NotebookCell | undefined {
  const cells = codeCells(notebook);
  const same = cells.find((cell) => ref.id !== null && (keyOf(cell) === ref.id || cell.metadata?.id === ref.id));
  if (same || ref.id !== null) {
    return same;
  }
  const textIs = (cell: vscode.NotebookCell) => cell.document.getText().trim() === ref.source.trim();
  const byOrder = cells.find((cell) => ref.order !== null && cell.executionSummary?.executionOrder === ref.order);
  if (byOrder && textIs(byOrder)) {
    return byOrder;
  }
  const twins = cells.filter(textIs);
  return twins.length === 1 ? twins[0] : undefined;
}

/** The cell a command is about: given by a menu, named by its key, or the one selected in the active notebook. */
export function cellOf(argument: unknown): vscode.NotebookCell | undefined {
  if (typeof argument === "string") {
    return findCell(argument);
  }
  if (isCell(argument)) {
    return argument;
  }
  const editor = vscode.window.activeNotebookEditor;
  const input = inputCell(vscode.window.activeTextEditor?.document) ?? inputOf(editor?.notebook);
  if (input) {
    return input;
  }
  if (!editor || editor.selection.isEmpty || editor.selection.start >= editor.notebook.cellCount) {
    return undefined;
  }
  return editor.notebook.cellAt(editor.selection.start);
}

function isCell(value: unknown): value is vscode.NotebookCell {
  return typeof value === "object" && value !== null && "document" in value && "notebook" in value && "kind" in value;
}

/** Shows a cell and puts the cursor on a line of it (1-based), in the editor group where its notebook is shown. */
export async function reveal(cell: vscode.NotebookCell, line: number | null, column = 0): Promise<void> {
  if (cell.document.uri.scheme === INPUT_SCHEME) {
    await vscode.commands.executeCommand("interactive.input.focus");
    return;
  }
  const shown = vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === cell.notebook);
  const row = Math.min(Math.max(0, (line ?? 1) - 1), Math.max(0, cell.document.lineCount - 1));
  const position = new vscode.Position(row, column);
  await vscode.commands.executeCommand("vscode.open", cell.document.uri, {
    ...(shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn }),
    selection: new vscode.Range(position, position),
    preserveFocus: false,
  });
}
