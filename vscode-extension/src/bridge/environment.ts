import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Log } from "../log";
import { Cancelled } from "../util/cancel";
import { Problem } from "../util/problem";
import { InstallError, install, interpreterIn, isComplete } from "./install";
import type { Interpreters } from "./interpreters";
import { bridgeProblem } from "./problems";

/** The Python environment that the extension makes for the bridge, in its own storage. */
export class ManagedEnvironment {
  readonly folder: string;
  private readonly wheelFolder: string;

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

  /** Asks, then makes it. Undefined: the person does not want it. */
  async offer(interpreters: Interpreters, invited: boolean): Promise<string | undefined> {
    const base = await interpreters.anyPython();
    if (!base) {
      throw bridgeProblem.noPython();
    }
    if (!invited) {
      const answer = await vscode.window.showInformationMessage(
        "Set up the model bridge?",
        {
          modal: true,
          detail:
            "To ask a model, CRANE needs a small Python " +
            `environment of its own, made with Python ${base.python} in\n${this.folder}\n(about 60 MB; packages are ` +
            "downloaded with pip from the package index that your pip is set up for). Your own environments are not touched.\n\n" +
            "Nothing about your notebook is sent by this: before the first request you see the exact text and where it goes.",
        },
        "Create Environment",
      );
      if (answer !== "Create Environment") {
        return undefined;
      }
    }
    return this.make(base.command);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async make(python: string): Promise<string> {
    const wheel = existsSync(this.wheelFolder)
      ? readdirSync(this.wheelFolder).find((name) => name.endsWith(".whl"))
      : undefined;
    if (!wheel) {
      throw new Problem(
        "no_wheel",
        "This build of CRANE carries no model bridge.",
        "Install crane-bridge[model] yourself and name that Python in crane.pythonPath.",
      );
    }
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
              python,
              folder: this.folder,
              wheel: path.join(this.wheelFolder, wheel),
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
              lastLine(error.output),
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

function lastLine(output: string): string {
  return (
    output
      .split("\n")
      .findLast((line) => line.trim().length > 0)
      ?.trim() ?? ""
  );
}
