import { cellOf } from "../notebooks";
import { Problem } from "../util/problem";
import type { Command } from "./command";

/** Checks every code cell from the given or selected one on, and shows the summary in the panel. */
export const checkAll: Command = {
  id: "crane.checkAll",
  run: async (app, target) => {
    const cell = cellOf(target);
    if (!cell) {
      throw new Problem("no_cell", "There is no cell to start from.", "Select a cell of a notebook first.");
    }
    app.panel.showOverview();
    const crashing = await app.checkAll.run(cell);
    if (crashing) {
      app.panel.show(crashing, true);
    }
  },
};
