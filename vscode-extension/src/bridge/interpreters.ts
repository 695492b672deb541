import * as vscode from "vscode";
import type { Log } from "../log";
import { settings } from "../settings";
import { isSupportedPython, isUsable, type Probe, probe, sameSeries } from "./probe";
import { bridgeProblem } from "./problems";

/** The parts of the two Python extensions that are used; both are optional. */
interface PythonEnvironmentsApi {
  getEnvironment?(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
}

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath?(resource?: vscode.Uri): { path: string };
    resolveEnvironment?(path: unknown): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
  };
}

const FROM_PATH = process.platform === "win32" ? ["python", "py"] : ["python3", "python"];

/** Finds the Python that runs the bridge. The order is: setting, our own environment, the Python extensions, PATH. */
export class Interpreters {
  constructor(
    private readonly version: string,
    private readonly managed: () => string | undefined,
    private readonly log: Log,
  ) {}

  /** The first interpreter that has the bridge; undefined when none has. A setting that does not work is a `Problem`. */
  async withBridge(): Promise<string | undefined> {
    const named = settings.pythonPath();
    if (named) {
      return this.fromSetting(named);
    }
    for (const command of await this.candidates()) {
      const found = await probe(command);
      if (isUsable(found) && sameSeries(found.bridge ?? "", this.version)) {
        this.log.info(`Bridge found with Python ${found.python}`);
        return command;
      }
    }
    return undefined;
  }

  /** Any Python that an environment of our own can be made with. */
  async anyPython(): Promise<Probe | undefined> {
    const named = settings.pythonPath();
    for (const command of [...(named ? [named] : []), ...(await this.candidates())]) {
      const found = await probe(command);
      if (found && isSupportedPython(found.python)) {
        return found;
      }
    }
    return undefined;
  }

  private async fromSetting(path: string): Promise<string> {
    const found = await probe(path);
    if (!found) {
      throw bridgeProblem.badSetting(path, "is not a Python that can be run");
    }
    if (!isSupportedPython(found.python)) {
      throw bridgeProblem.badSetting(path, `is Python ${found.python}; 3.9 or newer is needed`);
    }
    if (found.bridge === null) {
      throw bridgeProblem.badSetting(path, "has no package crane-bridge; install crane-bridge[model] there");
    }
    if (!found.model) {
      throw bridgeProblem.badSetting(
        path,
        "lacks the packages of the extra “model”; install crane-bridge[model] there",
      );
    }
    return path;
  }

  private async candidates(): Promise<string[]> {
    const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
    const found = [this.managed(), await this.fromEnvironments(scope), await this.fromPython(scope), ...FROM_PATH];
    return [...new Set(found.filter((command): command is string => Boolean(command)))];
  }

  private async fromEnvironments(scope: vscode.Uri | undefined): Promise<string | undefined> {
    const api = await this.exportsOf<PythonEnvironmentsApi>("ms-python.vscode-python-envs");
    const environment = await this.quietly(async () => api?.getEnvironment?.(scope));
    return environment?.execInfo?.run?.executable;
  }

  private async fromPython(scope: vscode.Uri | undefined): Promise<string | undefined> {
    const environments = (await this.exportsOf<PythonApi>("ms-python.python"))?.environments;
    return this.quietly(async () => {
      const active = environments?.getActiveEnvironmentPath?.(scope);
      const resolved = active && (await environments?.resolveEnvironment?.(active));
      return resolved?.executable?.uri?.fsPath;
    });
  }

  private async exportsOf<T>(id: string): Promise<T | undefined> {
    const extension = vscode.extensions.getExtension<T>(id);
    return extension && this.quietly(async () => (extension.isActive ? extension.exports : extension.activate()));
  }

  /** Another extension's failure is not ours: the next source is asked. */
  private async quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.log.debug(`A Python extension could not be asked: ${String(error)}`);
      return undefined;
    }
  }
}
