import * as vscode from "vscode";

/** The box of an Interactive Window in which code is typed before it runs. It is a text document, not yet a cell. */
export const INPUT_SCHEME = "vscode-interactive-input";

/** What checks use of a cell; an input box is given the same shape. */
type CellLike = vscode.NotebookCell;

/** The input box as the cell that it will be; undefined when the document is none, or its window is gone. */
export function inputCell(document: vscode.TextDocument | undefined): CellLike | undefined {
  if (document?.uri.scheme !== INPUT_SCHEME) {
    return undefined;
  }
  const notebook = windowOf(document.uri);
  return (
    notebook && {
      index: notebook.cellCount,
      notebook,
      kind: vscode.NotebookCellKind.Code,
      document,
      metadata: {},
      outputs: [],
      executionSummary: undefined,
    }
  );
}

/** The input box of an Interactive Window in which something is typed: its cells have run, this is what comes next. */
export function inputOf(notebook: vscode.NotebookDocument | undefined): CellLike | undefined {
  if (notebook?.notebookType !== "interactive") {
    return undefined;
  }
  return vscode.workspace.textDocuments
    .filter((document) => document.uri.scheme === INPUT_SCHEME && document.getText().trim() !== "")
    .map(inputCell)
    .find((cell) => cell?.notebook === notebook);
}

/** The window that an input box belongs to: both carry the same number in their names. */
function windowOf(input: vscode.Uri): vscode.NotebookDocument | undefined {
  const windows = vscode.workspace.notebookDocuments.filter((notebook) => notebook.notebookType === "interactive");
  const number = numberIn(input.path);
  const same = windows.find((notebook) => number !== undefined && numberIn(notebook.uri.path) === number);
  const active = vscode.window.activeNotebookEditor?.notebook;
  return same ?? (windows.length === 1 ? windows[0] : windows.find((notebook) => notebook === active));
}

/** “…/Interactive-3.interactive” and “…/InteractiveInput-3” hold the number 3. */
export function numberIn(path: string): string | undefined {
  return /-(\d+)(?:\.\w+)?$/.exec(path)?.[1];
}
