import type { ErrorData, ErrorKind } from "../protocol";
import { Problem, type WayOut } from "../util/problem";

const SET_KEY: WayOut = { label: "Set API Key", command: "crane.setApiKey" };
const PICK_MODEL: WayOut = { label: "Pick Model", command: "crane.pickModel" };
const SETTINGS: WayOut = { label: "Model Settings", command: "workbench.action.openSettings", args: ["crane.model"] };
const LOG: WayOut = { label: "Show Log", command: "crane.showLog" };

const WAYS_OUT: Record<ErrorKind, WayOut[]> = {
  auth: [SET_KEY, SETTINGS],
  no_key: [SET_KEY, SETTINGS],
  model_unknown: [PICK_MODEL, SETTINGS],
  rate_limit: [SETTINGS],
  timeout: [SETTINGS],
  network: [SETTINGS],
  server: [SETTINGS],
  not_api: [SETTINGS],
  settings: [SETTINGS],
  internal: [LOG, { label: "Report Issue", command: "crane.reportIssue" }],
};

export const bridgeProblem = {
  /** A JSON-RPC error of the bridge: its message says what happened, its data which kind it is and what to do. */
  fromError: (message: string, data: unknown): Problem => {
    const told = (typeof data === "object" && data !== null ? data : {}) as Partial<ErrorData>;
    const kind: ErrorKind = told.kind && told.kind in WAYS_OUT ? told.kind : "internal";
    return new Problem(kind, message, told.hint ?? "", WAYS_OUT[kind]);
  },
  ended: (stderr: string): Problem =>
    new Problem(
      "bridge_ended",
      "The model bridge ended unexpectedly.",
      stderr ? `Its last words:\n${stderr}` : "Check again to restart it.",
      [LOG],
    ),
  noPython: (): Problem =>
    new Problem(
      "no_python",
      "No Python 3.9 or newer was found to run the model bridge.",
      "Install Python, or name an interpreter in the setting crane.pythonPath.",
      [{ label: "Open Setting", command: "workbench.action.openSettings", args: ["crane.pythonPath"] }],
    ),
  noBridge: (): Problem =>
    new Problem(
      "no_bridge",
      "The model was not asked: no Python with crane-bridge[model] is set up.",
      "Let CRANE create its own environment, or name an interpreter in the setting crane.pythonPath.",
      [
        { label: "Create Environment", command: "crane.createEnvironment" },
        { label: "Open Setting", command: "workbench.action.openSettings", args: ["crane.pythonPath"] },
      ],
    ),
  badSetting: (path: string, why: string): Problem =>
    new Problem("python_path", `The interpreter in crane.pythonPath cannot run the model bridge: ${path} ${why}.`, "", [
      { label: "Open Setting", command: "workbench.action.openSettings", args: ["crane.pythonPath"] },
    ]),
};
