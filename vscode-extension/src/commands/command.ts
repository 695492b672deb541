import type { App } from "../app";

/** One command: its id as in package.json, and what it does. A `Problem` that it throws is shown with its ways out. */
export interface Command {
  id: string;
  run(app: App, ...args: unknown[]): unknown;
}
