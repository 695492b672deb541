import { cellOf } from "../notebooks";
import { Problem } from "../util/problem";
import type { Command } from "./command";

/** Checks the given cell, or the selected one. */
export const check: Command = {
  id: "crane.check",
  run: async (app, target) => {
    const cell = cellOf(target);
    if (!cell) {
      throw new Problem("no_cell", "There is no cell to check.", "Select a Python cell of a notebook first.");
    }
    await app.checker.check(cell);
  },
};
