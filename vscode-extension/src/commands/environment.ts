import * as vscode from "vscode";
import type { App } from "../app";
import { Problem } from "../util/problem";
import type { Command } from "./command";

async function make(app: App): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw new Problem("restricted", "No environment is made in Restricted Mode.", "Trust the workspace first.");
  }
  await app.bridge.restart();
  if (await app.environment.make(await app.environment.plan(app.interpreters))) {
    void vscode.window.showInformationMessage("The model bridge is set up. Check again to ask the model.");
  }
}

export const createEnvironment: Command = { id: "crane.createEnvironment", run: make };

/** Makes it anew from scratch. */
export const repairEnvironment: Command = { id: "crane.repairEnvironment", run: make };

export const removeEnvironment: Command = {
  id: "crane.removeEnvironment",
  run: async (app) => {
    await app.bridge.restart();
    await app.environment.remove();
    void vscode.window.showInformationMessage("CRANE's Python environment was removed. The built-in checks need none.");
  },
};
