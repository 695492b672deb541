import type * as vscode from "vscode";
import { createApp } from "./app";
import { registerCommands } from "./commands";

export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const app = createApp(context);
  context.subscriptions.push(app, registerCommands(app));
  app.log.info(`CRANE ${app.version} is active after ${Math.round(performance.now() - began)} ms`);
}
