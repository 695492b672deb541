import { cellOf, keyOf } from "../notebooks";
import { Problem } from "../util/problem";
import type { Command } from "./command";

/** Shows the exact text that a model would be sent about a cell. Sends nothing. */
export const previewPrompt: Command = {
  id: "crane.previewPrompt",
  run: async (app, target) => {
    const cell = cellOf(target);
    if (!cell) {
      throw new Problem("no_cell", "There is no cell to preview.", "Select a Python cell of a notebook first.");
    }
    if (await app.checker.preview(cell)) {
      app.panel.show(keyOf(cell), false);
    }
  },
};
