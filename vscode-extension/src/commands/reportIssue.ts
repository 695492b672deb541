import * as os from "node:os";
import * as vscode from "vscode";
import type { Command } from "./command";

/** Writes a report that holds versions and the bridge's last words, no code and no data, for the person to read first. */
export const reportIssue: Command = {
  id: "crane.reportIssue",
  run: async (app) => {
    const jupyter = vscode.extensions.getExtension("ms-toolsai.jupyter")?.packageJSON.version ?? "not installed";
    const tail = app.bridge.stderrTail;
    const body = [
      "## What happened",
      "",
      "<!-- What did you do, what did you expect, what did you see? -->",
      "",
      "## Versions",
      "",
      `- CRANE ${app.version}`,
      `- ${vscode.env.appName} ${vscode.version} (${vscode.env.appHost})`,
      `- Jupyter extension ${jupyter}`,
      `- ${os.type()} ${os.release()} ${os.arch()}`,
      "",
      "## The model bridge's last words",
      "",
      "```text",
      tail || "(none)",
      "```",
      "",
    ].join("\n");
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: "markdown", content: body }),
    );
    const picked = await vscode.window.showInformationMessage(
      "This report holds no code and no data. Read it, then copy it into an issue.",
      "Copy Report",
    );
    if (picked) {
      await vscode.env.clipboard.writeText(body);
    }
  },
};
