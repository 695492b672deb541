import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Log } from "../log";

const KEPT_LINES = 40;

/**
 * Starts the server without the current folder on the import path: a file in the workspace must never be taken for
 * the bridge.
 */
const START = [
  "import sys, runpy",
  "sys.path = [p for p in sys.path if p]",
  "sys.argv = ['crane-bridge-server'] + sys.argv[1:]",
  "runpy.run_module('crane_bridge.server', run_name='__main__', alter_sys=True)",
].join("; ");

/** The bridge's process, with the last lines it wrote to stderr. */
export class BridgeProcess {
  private readonly lines: string[] = [];
  readonly child: ChildProcessWithoutNullStreams;

  constructor(command: string, cwd: string, log: Log, args: string[] = []) {
    this.child = spawn(command, ["-c", START, ...args], {
      cwd,
      env: { ...process.env, PYTHONUNBUFFERED: "1", PYTHONIOENCODING: "utf-8" },
      windowsHide: true,
    });
    let rest = "";
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split(/\r?\n/);
      rest = parts.pop() ?? "";
      for (const line of parts) {
        this.lines.push(line);
        log.trace(`bridge: ${line}`);
      }
      this.lines.splice(0, Math.max(0, this.lines.length - KEPT_LINES));
    });
    this.child.stderr.on("close", () => rest && this.lines.push(rest));
  }

  /** The last lines of stderr: what Python says of a start that failed. */
  get stderrTail(): string {
    return this.lines.slice(-8).join("\n");
  }

  kill(): void {
    if (this.child.exitCode === null) {
      this.child.kill();
    }
  }
}
