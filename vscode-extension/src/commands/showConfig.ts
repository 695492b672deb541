import * as vscode from "vscode";
import type { Command } from "./command";

/** Says for each model setting where its value came from. Keys are masked by the bridge. */
export const showConfig: Command = {
  id: "crane.showConfig",
  run: async (app) => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const source = new vscode.CancellationTokenSource();
    const ask = async (host?: string) => {
      const known = await app.asker.settingsFor(folder, host);
      return app.bridge.request("config", { cwd: known.cwd ?? null, settings: known }, source.token);
    };
    // Twice: which key is stored can be said only once the host is known.
    const config = await ask((await ask()).destination);
    source.dispose();
    const rows = config.entries.map(({ name, value, source: from }) => `| ${name} | ${value ?? ""} | ${from} |`);
    const content = [
      `# Model settings in use`,
      "",
      `Prompts go to **${config.destination}**. ${config.problem ?? (config.ready ? "Everything needed is set." : "")}`,
      "",
      "| setting | value | from |",
      "|---|---|---|",
      ...rows,
      "",
    ].join("\n");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "markdown", content }));
  },
};
