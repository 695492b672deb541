import * as vscode from "vscode";
import type { App } from "../app";
import { showProblem } from "../check/showProblem";
import { asProblem } from "../model/asker";
import { Cancelled } from "../util/cancel";
import { clearApiKey, setApiKey, testApiKey } from "./apiKey";
import { applySuggestion } from "./applySuggestion";
import { cancel } from "./cancel";
import { check } from "./check";
import { checkAll } from "./checkAll";
import type { Command } from "./command";
import { forgetConsent } from "./consent";
import { createEnvironment, removeEnvironment, repairEnvironment } from "./environment";
import { goToTarget } from "./goToTarget";
import { guardOff, guardOn, toggleGuard } from "./guard";
import { inNotebook } from "./inNotebook";
import { manageKernelAccess } from "./kernelAccess";
import { showLog } from "./log";
import { openDemo } from "./openDemo";
import { pickModel } from "./pickModel";
import { previewPrompt } from "./previewPrompt";
import { reportIssue } from "./reportIssue";
import { runCell } from "./runCell";
import { showConfig } from "./showConfig";
import { showDetails } from "./showDetails";
import { toggleLiveChecks, toggleRuntimeInformation, toggleUseModel } from "./switches";

const COMMANDS: readonly Command[] = [
  check,
  cancel,
  checkAll,
  showDetails,
  previewPrompt,
  goToTarget,
  runCell,
  applySuggestion,
  toggleUseModel,
  toggleRuntimeInformation,
  toggleLiveChecks,
  guardOn,
  guardOff,
  toggleGuard,
  setApiKey,
  clearApiKey,
  testApiKey,
  pickModel,
  showConfig,
  forgetConsent,
  createEnvironment,
  repairEnvironment,
  removeEnvironment,
  manageKernelAccess,
  inNotebook,
  showLog,
  openDemo,
  reportIssue,
];

export function registerCommands(app: App): vscode.Disposable {
  return vscode.Disposable.from(
    ...COMMANDS.map(({ id, run }) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          await run(app, ...args);
        } catch (error) {
          if (!(error instanceof Cancelled)) {
            app.log.warn(`${id} failed: ${error instanceof Error ? error.name : "unknown"}`);
            app.log.trace(error instanceof Error ? (error.stack ?? error.message) : String(error));
            showProblem(asProblem(error));
          }
        }
      }),
    ),
  );
}
