import { cellOf, keyOf } from "../notebooks";
import type { Command } from "./command";

/** Opens the details panel about the given or selected cell. */
export const showDetails: Command = {
  id: "crane.showDetails",
  run: (app, target) => {
    const cell = cellOf(target);
    app.panel.show(cell && keyOf(cell), false);
  },
};
