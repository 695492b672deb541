import type { Command } from "./command";

export const showLog: Command = { id: "crane.showLog", run: (app) => app.log.show() };
