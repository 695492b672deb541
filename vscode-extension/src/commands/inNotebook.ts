import * as vscode from "vscode";
import type { Command } from "./command";

const RESTART = "jupyter.restartkernel";

/** Commands of others that act on the notebook in front, or on nothing where a panel has the focus. */
export type NotebookCommand = typeof RESTART | "notebook.selectKernel";

/** Brings a notebook to the front, where it is shown already if it is, and runs a command on it: never on the one beside it. */
export const inNotebook: Command = {
  id: "crane.inNotebook",
  run: async (_app, uri, command) => {
    const notebook = vscode.workspace.notebookDocuments.find((document) => document.uri.toString() === uri);
    if (!notebook || (command !== RESTART && command !== "notebook.selectKernel")) {
      return;
    }
    const shown = vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === notebook);
    await vscode.window.showNotebookDocument(notebook, shown?.viewColumn ? { viewColumn: shown.viewColumn } : {});
    const context = command === RESTART ? [{ notebookEditor: { notebookUri: notebook.uri } }] : [];
    await vscode.commands.executeCommand(command, ...context);
  },
};
