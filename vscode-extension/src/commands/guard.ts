import * as vscode from "vscode";
import type { App } from "../app";
import { isJupyter } from "../notebooks";
import { settings } from "../settings";
import type { Command } from "./command";

function turn(app: App, on: boolean): Promise<void> {
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  return app.guard.turn(on, notebook && isJupyter(notebook) ? notebook : undefined);
}

export const guardOn: Command = { id: "crane.guardOn", run: (app) => turn(app, true) };
export const guardOff: Command = { id: "crane.guardOff", run: (app) => turn(app, false) };
export const toggleGuard: Command = { id: "crane.toggleGuard", run: (app) => turn(app, !settings.guard()) };
