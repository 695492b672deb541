import { cellOf, keyOf } from "../notebooks";
import type { Command } from "./command";

/** Stops waiting for the given cell's check; without one, for all that are under way. */
export const cancel: Command = {
  id: "crane.cancel",
  run: (app, target) => {
    const cell = target === undefined ? undefined : cellOf(target);
    if (cell) {
      app.checker.cancel(keyOf(cell));
    } else {
      app.checker.cancelAll();
    }
  },
};
