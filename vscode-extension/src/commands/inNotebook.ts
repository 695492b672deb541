import * as vscode from "vscode";
import { RESTART_KERNEL, SELECT_KERNEL } from "../kernel/problems";
import type { Command } from "./command";

/** Brings a notebook to the front, where it is shown already if it is, and runs a command on it: never on the one beside it. */
export const inNotebook: Command = {
  id: "crane.inNotebook",
  run: async (_app, uri, command) => {
    const notebook = vscode.workspace.notebookDocuments.find((document) => document.uri.toString() === uri);
    if (!notebook || (command !== RESTART_KERNEL && command !== SELECT_KERNEL)) {
      return;
    }
    const shown = vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === notebook);
    await vscode.window.showNotebookDocument(notebook, shown?.viewColumn ? { viewColumn: shown.viewColumn } : {});
    const context = command === RESTART_KERNEL ? [{ notebookEditor: { notebookUri: notebook.uri } }] : [];
    await vscode.commands.executeCommand(command, ...context);
  },
};
