import * as vscode from "vscode";
import type { Command } from "./command";

/** Takes back every leave to send: the next prompt is shown and asked about again. */
export const forgetConsent: Command = {
  id: "crane.forgetConsent",
  run: async (app) => {
    await app.consent.forget();
    void vscode.window.showInformationMessage("CRANE will ask again before it sends anything to a model.");
  },
};
