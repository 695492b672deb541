import * as vscode from "vscode";
import type { Command } from "./command";

/** Opens a copy of the demo notebook with its data, made in the extension's storage, so that it can be edited. */
export const openDemo: Command = {
  id: "crane.openDemo",
  run: async (app) => {
    const from = vscode.Uri.joinPath(app.context.extensionUri, "dist", "demo");
    const to = vscode.Uri.joinPath(app.context.globalStorageUri, "demo");
    await vscode.workspace.fs.copy(from, to, { overwrite: true });
    await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.joinPath(to, "demo.ipynb"), "jupyter-notebook");
  },
};
