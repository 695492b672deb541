import * as vscode from "vscode";
import type { App } from "../app";
import { hostOf } from "../bridge/keys";
import { settings } from "../settings";
import { Problem } from "../util/problem";
import type { Command } from "./command";

/** The endpoint that a key is for: the one in the settings, else the one that the bridge has found, if it runs. */
async function endpoint(app: App): Promise<string> {
  const host = hostOf(settings.baseUrl());
  if (!host) {
    throw new Problem("settings", `The setting crane.model.baseUrl is not a URL: ${settings.baseUrl()}.`, "", [
      { label: "Open Setting", command: "workbench.action.openSettings", args: ["crane.model.baseUrl"] },
    ]);
  }
  if (settings.baseUrl() || !(await app.interpreters.withBridge().catch(() => undefined))) {
    return host;
  }
  const source = new vscode.CancellationTokenSource();
  try {
    const config = await app.bridge.request(
      "config",
      { settings: await app.asker.settingsFor(folder()) },
      source.token,
    );
    return config.destination || host;
  } catch {
    return host;
  } finally {
    source.dispose();
  }
}

function folder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}

export const setApiKey: Command = {
  id: "crane.setApiKey",
  run: async (app) => {
    const host = await endpoint(app);
    const key = await vscode.window.showInputBox({
      title: `API key for ${host}`,
      prompt: `Kept in the editor's secret storage and sent to ${host} only.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === "" ? "Enter the key." : undefined),
    });
    if (key) {
      await app.keys.set(host, key.trim());
      void vscode.window.showInformationMessage(`The API key for ${host} is stored.`);
    }
  },
};

export const clearApiKey: Command = {
  id: "crane.clearApiKey",
  run: async (app) => {
    const host = await endpoint(app);
    await app.keys.clear(host);
    void vscode.window.showInformationMessage(`No API key is stored for ${host} any more.`);
  },
};

export const testApiKey: Command = {
  id: "crane.testApiKey",
  run: async (app) => {
    const host = await endpoint(app);
    const result = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `CRANE: asking ${host}…`, cancellable: true },
      async (_progress, token) =>
        app.bridge.request("testKey", { settings: await app.asker.settingsFor(folder(), host) }, token),
    );
    const show = result.ok ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    void show(result.message);
  },
};
