import * as vscode from "vscode";
import { suggestionRange } from "../editor/quickFixes";
import { findCell } from "../notebooks";
import { Problem } from "../util/problem";
import type { Command } from "./command";

/** Puts the suggested text into the cell, as the quick fix does, from the panel. */
export const applySuggestion: Command = {
  id: "crane.applySuggestion",
  run: async (app, key) => {
    const cell = typeof key === "string" ? findCell(key) : undefined;
    const record = cell && app.store.get(String(key));
    const suggestion = record?.verdict?.suggestion;
    if (!cell || !suggestion || record.state !== "fresh") {
      throw new Problem("stale", "The suggestion no longer fits the cell.", "Check again.");
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(cell.document.uri, suggestionRange(cell.document, suggestion), suggestion.text);
    await vscode.workspace.applyEdit(edit);
  },
};
