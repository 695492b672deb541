import * as vscode from "vscode";
import { settings } from "../settings";
import type { Command } from "./command";

type Name = Parameters<typeof settings.set>[0];

/** A command that turns a remembered switch over and says what that means now. */
function toggle(id: string, name: Name, now: () => boolean, on: string, off: string): Command {
  return {
    id,
    run: async () => {
      const value = !now();
      await settings.set(name, value);
      vscode.window.setStatusBarMessage(`$(pulse) CRANE: ${value ? on : off}`, 5000);
    },
  };
}

export const toggleUseModel = toggle(
  "crane.toggleUseModel",
  "useModel",
  settings.useModel,
  "the model is asked when nothing is certain",
  "the model is off, nothing is sent anywhere",
);

export const toggleRuntimeInformation = toggle(
  "crane.toggleRuntimeInformation",
  "includeRuntimeInformation",
  settings.includeRuntime,
  "runtime information is included",
  "the model sees code alone, the checks are skipped",
);

export const toggleLiveChecks = toggle(
  "crane.toggleLiveChecks",
  "liveChecks.enabled",
  settings.liveChecks,
  "live checks are on",
  "live checks are off",
);
