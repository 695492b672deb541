import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { type Cancellation, Cancelled } from "../util/cancel";

/** What an environment is made of. */
export interface Recipe {
  /** Any supported Python. */
  python: string;
  /** Folder of the environment; replaced as a whole. */
  folder: string;
  /** The bridge's wheel, as it came with the extension. */
  wheel: string;
  /** Exact versions of everything else. */
  constraints: string;
}

const STAMP = "crane-environment.json";
const KEPT_CHARACTERS = 4000;

export function interpreterIn(folder: string): string {
  return process.platform === "win32" ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
}

/** True: made completely. A folder left by an interrupted installation has no stamp. */
export function isComplete(folder: string): boolean {
  return existsSync(path.join(folder, STAMP)) && existsSync(interpreterIn(folder));
}

/** A failed installation step, with the end of what it printed. */
export class InstallError extends Error {
  constructor(
    readonly step: string,
    readonly output: string,
  ) {
    super(`${step} failed`);
    this.name = "InstallError";
  }

  /** The line that says most: pip's first error, else the last line. Advice follows pip's errors. */
  get reason(): string {
    const lines = this.output.split("\n").map((line) => line.trim());
    return lines.find((line) => line.startsWith("ERROR:")) ?? lines.findLast((line) => line.length > 0) ?? "";
  }
}

/** Makes the environment from scratch. A half-made one is removed again, on failure and on cancellation. */
export async function install(recipe: Recipe, report: (step: string) => void, token: Cancellation): Promise<string> {
  await rm(recipe.folder, { recursive: true, force: true });
  await mkdir(path.dirname(recipe.folder), { recursive: true });
  try {
    report("Creating a virtual environment…");
    await run("Creating the virtual environment", recipe.python, ["-m", "venv", recipe.folder], token);
    report("Installing the model bridge and its packages…");
    const python = interpreterIn(recipe.folder);
    const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--prefer-binary"];
    await run(
      "Installing the packages",
      python,
      [...pip, "--constraint", recipe.constraints, `${recipe.wheel}[model]`],
      token,
    );
    report("Trying it…");
    await run("Trying the bridge", python, ["-c", "import crane_bridge, pydantic, openai"], token);
    const stamp = path.join(recipe.folder, STAMP);
    await writeFile(`${stamp}.part`, JSON.stringify({ wheel: path.basename(recipe.wheel) }));
    await rename(`${stamp}.part`, stamp);
    return python;
  } catch (error) {
    await rm(recipe.folder, { recursive: true, force: true });
    throw error;
  }
}

function run(step: string, command: string, args: string[], token: Cancellation): Promise<void> {
  if (token.isCancellationRequested) {
    return Promise.reject(new Cancelled());
  }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (text: string) => {
      output = (output + text).slice(-KEPT_CHARACTERS);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const stop = token.onCancellationRequested(() => child.kill());
    child.on("error", (error) => {
      stop.dispose();
      reject(new InstallError(step, error.message));
    });
    child.on("close", (code) => {
      stop.dispose();
      if (token.isCancellationRequested) {
        reject(new Cancelled());
      } else if (code === 0) {
        resolve();
      } else {
        reject(new InstallError(step, output.trim()));
      }
    });
  });
}
