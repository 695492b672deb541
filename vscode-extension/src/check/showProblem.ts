import * as vscode from "vscode";
import type { Problem } from "../util/problem";

/** Shows a problem with its ways out as buttons. Nothing is modal: the notebook stays usable. */
export function showProblem(problem: Problem): void {
  const gentle = ["empty", "not_checkable", "declined"].includes(problem.kind);
  const show = gentle ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  void show(problem.text, ...problem.waysOut.map((way) => way.label)).then((picked) => {
    const way = problem.waysOut.find((candidate) => candidate.label === picked);
    if (way) {
      void vscode.commands.executeCommand(way.command, ...(way.args ?? []));
    }
  });
}
