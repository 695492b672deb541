import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Log } from "../log";
import { Cancelled } from "../util/cancel";
import { Problem } from "../util/problem";
import { environmentWords } from "../words";
import { InstallError, install, interpreterIn, isComplete } from "./install";
import type { Interpreters } from "./interpreters";
import { bridgeProblem } from "./problems";

/** An environment that is still to be made: with which Python, and where. */
export interface EnvironmentPlan {
  command: string;
  python: string;
  folder: string;
}

/** The Python environment that the extension makes for the bridge, in its own storage. */
export class ManagedEnvironment {
  readonly folder: string;
  private readonly wheelFolder: string;
  private making: Promise<string> | undefined;

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: Log,
  ) {
    const version: string = context.extension.packageJSON.version;
    this.folder = path.join(context.globalStorageUri.fsPath, `bridge-${version}`);
    this.wheelFolder = context.asAbsolutePath("dist/bridge");
  }

  /** Its interpreter, if the environment is there and complete. */
  interpreter(): string | undefined {
    return isComplete(this.folder) ? interpreterIn(this.folder) : undefined;
  }

  /** The wheel that came with the extension. */
  wheel(): string {
    const name = existsSync(this.wheelFolder)
      ? readdirSync(this.wheelFolder).find((candidate) => candidate.endsWith(".whl"))
      : undefined;
    if (!name) {
      throw new Problem(
        "no_wheel",
        "This build of CRANE carries no model bridge.",
        "Install crane-bridge[model] yourself and name that Python in crane.pythonPath.",
      );
    }
    return path.join(this.wheelFolder, name);
  }

  /** What would be made, and with which Python. */
  async plan(interpreters: Interpreters): Promise<EnvironmentPlan> {
    const base = await interpreters.anyPython();
    if (!base) {
      throw bridgeProblem.noPython();
    }
    return { command: base.command, python: base.python, folder: this.folder };
  }

  /** Asks, then makes it: for what needs the bridge but sends no prompt. Undefined: the person does not want it. */
  async offer(interpreters: Interpreters): Promise<string | undefined> {
    const plan = await this.plan(interpreters);
    const answer = await vscode.window.showInformationMessage(
      "Set up the model bridge?",
      {
        modal: true,
        detail:
          `${environmentWords(plan)}\n\nNothing about your notebook is sent by this: before the first request you ` +
          "see the exact text and where it goes.",
      },
      "Create Environment",
    );
    return answer === "Create Environment" ? this.make(plan) : undefined;
  }

  /** Makes it anew, with progress that can be cancelled. Whoever asks meanwhile waits for the same one. */
  make(plan: EnvironmentPlan): Promise<string> {
    this.making ??= this.install(plan).finally(() => {
      this.making = undefined;
    });
    return this.making;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async install(plan: EnvironmentPlan): Promise<string> {
    const wheel = this.wheel();
    return vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: "CRANE: setting up the model bridge",
        cancellable: true,
      },
      async (progress, token) => {
        try {
          const made = await install(
            {
              python: plan.command,
              folder: this.folder,
              wheel,
              constraints: path.join(this.wheelFolder, "constraints.txt"),
            },
            (message) => progress.report({ message }),
            token,
          );
          this.log.info("The bridge environment is ready.");
          return made;
        } catch (error) {
          if (error instanceof InstallError) {
            this.log.error(`${error.message}:\n${error.output}`);
            throw new Problem(
              "environment",
              `The environment for the model bridge could not be made: ${error.message}.`,
              error.reason,
              [
                { label: "Try Again", command: "crane.repairEnvironment" },
                { label: "Show Log", command: "crane.showLog" },
              ],
            );
          }
          throw error instanceof Cancelled
            ? error
            : new Problem("environment", `The environment could not be made: ${String(error)}.`, "");
        }
      },
    );
  }
}
