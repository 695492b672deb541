import * as vscode from "vscode";
import { findCell } from "../notebooks";
import type { Command } from "./command";

/** Runs one cell, as the quick fix “run cell … first” offers. */
export const runCell: Command = {
  id: "crane.runCell",
  run: async (_app, key) => {
    const cell = typeof key === "string" ? findCell(key) : undefined;
    if (cell) {
      await vscode.commands.executeCommand("notebook.cell.execute", {
        ranges: [{ start: cell.index, end: cell.index + 1 }],
        document: cell.notebook.uri,
      });
    }
  },
};
