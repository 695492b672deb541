import { findCell, reveal } from "../notebooks";
import type { Command } from "./command";

/** From an origin cell to the cell whose verdict it explains. */
export const goToTarget: Command = {
  id: "crane.goToTarget",
  run: async (app, key) => {
    const cell = typeof key === "string" ? findCell(key) : undefined;
    if (cell) {
      await reveal(cell, app.store.get(String(key))?.verdict?.line ?? null);
    }
  },
};
