import * as vscode from "vscode";
import { settings } from "../settings";
import { Cancelled } from "../util/cancel";
import { messageOf } from "../util/problem";
import type { Command } from "./command";

interface Choice extends vscode.QuickPickItem {
  editorModel?: string;
  model?: string;
}

/** Lists what the endpoint and the editor offer, and remembers the choice. */
export const pickModel: Command = {
  id: "crane.pickModel",
  run: async (app) => {
    const choices = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: "CRANE: looking for models…", cancellable: true },
      async (_progress, token) => {
        const [editor, offered] = await Promise.all([fromEditor(), fromEndpoint(app, token)]);
        return [...offered, ...editor, { label: "Type a model's name…", model: "" }];
      },
    );
    const picked = await vscode.window.showQuickPick<Choice>(choices, {
      title: "Model for crash predictions",
      matchOnDescription: true,
    });
    if (picked?.editorModel) {
      await settings.setEditorModel(picked.editorModel);
      await settings.setProvider("editor");
    } else if (picked?.model !== undefined) {
      const name =
        picked.model || (await vscode.window.showInputBox({ title: "Model name", prompt: "As the endpoint calls it" }));
      if (name?.trim()) {
        await settings.setModel(name.trim());
        await settings.setProvider("endpoint");
      }
    }
  },
};

async function fromEditor(): Promise<Choice[]> {
  const models = await vscode.lm.selectChatModels().then(
    (found) => found,
    () => [],
  );
  const head: Choice = { label: "The editor's own models", kind: vscode.QuickPickItemKind.Separator };
  const items = models.map((model) => ({ label: model.name, description: model.vendor, editorModel: model.id }));
  return items.length > 0 ? [head, ...items] : [];
}

async function fromEndpoint(app: Parameters<Command["run"]>[0], token: vscode.CancellationToken): Promise<Choice[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  try {
    const config = await app.bridge.request("config", { settings: await app.asker.settingsFor(folder) }, token);
    const known = await app.asker.settingsFor(folder, config.destination);
    const { models } = await app.bridge.request("models", { settings: known }, token);
    const head: Choice = { label: config.destination, kind: vscode.QuickPickItemKind.Separator };
    return [head, ...models.map((model) => ({ label: model, model }))];
  } catch (error) {
    if (error instanceof Cancelled) {
      throw error;
    }
    return [
      {
        label: "$(warning) The endpoint's models could not be listed",
        description: messageOf(error),
      },
    ];
  }
}
