import { Problem, type WayOut } from "../util/problem";

/** Everything that can stand between a click and a kernel's answer, in words, each with its way out. */

const MANAGE_ACCESS: WayOut = { label: "Manage Kernel Access", command: "crane.manageKernelAccess" };
/** Commands of others that act on the notebook in front, or on nothing where a panel has the focus. */
export const SELECT_KERNEL = "notebook.selectKernel";
export const RESTART_KERNEL = "jupyter.restartkernel";

const SELECT: WayOut = { label: "Select Kernel", command: SELECT_KERNEL };
const RESTART: WayOut = { label: "Restart Kernel", command: RESTART_KERNEL };
const CHECK_AGAIN: WayOut = { label: "Check Again", command: "crane.check" };

export const kernelProblems = {
  restricted: () =>
    new Problem(
      "restricted",
      "This workspace is in Restricted Mode, where kernels may not be asked.",
      "Trust the workspace first.",
      [{ label: "Manage Trust", command: "workbench.trust.manage" }],
    ),
  noJupyter: () =>
    new Problem(
      "no_jupyter",
      "The Jupyter extension is not installed, so there is no kernel to ask.",
      "Install it and run a cell.",
      [{ label: "Find Jupyter Extension", command: "workbench.extensions.search", args: ["ms-toolsai.jupyter"] }],
    ),
  noKernel: () =>
    new Problem("no_kernel", "No kernel is running for this notebook yet.", "Run a cell, then check again.", [SELECT]),
  notPython: (language: string) =>
    new Problem(
      "not_python",
      `This notebook's kernel runs ${language || "another language"}.`,
      "CRANE checks Python cells only.",
    ),
  busy: () =>
    new Problem("busy", "The kernel is busy.", "Wait until the running cell has finished, then check again.", [
      CHECK_AGAIN,
    ]),
  starting: () =>
    new Problem("starting", "The kernel is still starting.", "Wait until it is idle, then check again.", [CHECK_AGAIN]),
  unconnected: () =>
    new Problem(
      "unconnected",
      "The editor is not connected to the kernel.",
      "Wait until the connection is back, or select the kernel again.",
      [CHECK_AGAIN, SELECT],
    ),
  connectionLost: () =>
    new Problem(
      "connection_lost",
      "The editor lost its connection to the kernel during the check.",
      "Wait until it is back, then check again.",
      [CHECK_AGAIN, SELECT],
    ),
  restarting: () =>
    new Problem("restarting", "The kernel is restarting.", "Wait until it is idle, run the cells again, then check.", [
      CHECK_AGAIN,
    ]),
  dead: () => new Problem("dead", "The kernel has died.", "Restart it and run the cells again.", [RESTART]),
  diedDuringCheck: () =>
    new Problem("died", "The kernel died during the check.", "Restart it and run the cells again.", [RESTART]),
  forbidden: () =>
    new Problem(
      "forbidden",
      "CRANE has no access to this kernel.",
      "Allow it under Manage Kernel Access, then check again.",
      [MANAGE_ACCESS],
    ),
  declined: () => new Problem("declined", "The check was not run, because kernel access was not confirmed.", "", []),
  interrupted: () =>
    new Problem("interrupted", "The check was interrupted together with the kernel.", "Check again.", [CHECK_AGAIN]),
  timeout: (seconds: number) =>
    new Problem(
      "timeout",
      `The kernel did not answer within ${seconds} s.`,
      "It may be busy; check again once it is idle.",
      [CHECK_AGAIN],
    ),
  failed: (message: string) =>
    new Problem(
      "kernel_error",
      `The check failed inside the kernel: ${message}.`,
      "The notebook is unharmed. See the log.",
      [
        { label: "Show Log", command: "crane.showLog" },
        { label: "Report Issue", command: "crane.reportIssue" },
      ],
    ),
};

/** The same problem of this notebook: ways out that act on the notebook in front are led to it first. */
export function ofNotebook(problem: Problem, uri: string): Problem {
  const aimed = [SELECT_KERNEL, RESTART_KERNEL];
  const waysOut = problem.waysOut.map((way) =>
    aimed.includes(way.command) ? { ...way, command: "crane.inNotebook", args: [uri, way.command] } : way,
  );
  return new Problem(problem.kind, problem.message, problem.hint, waysOut);
}
