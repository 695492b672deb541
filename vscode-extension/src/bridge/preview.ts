import { execFile } from "node:child_process";
import type { ErrorData, PredictParams, PreviewResult } from "../protocol";
import { messageOf } from "../util/problem";
import { bridgeProblem } from "./problems";

const SCRIPT = "import sys; sys.path.insert(0, sys.argv[1]); from crane_bridge.preview import main; main()";
const TIMEOUT_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;

interface Answer {
  result?: PreviewResult;
  error?: ErrorData & { message: string };
}

/**
 * The exact text that would be sent, before there is an environment for the bridge: any Python runs the bridge's own code
 * from inside the wheel, with its standard library alone (`-I`: nothing of the workspace or the person's packages).
 */
export function previewFromWheel(python: string, wheel: string, params: PredictParams): Promise<PreviewResult> {
  return new Promise((resolve, reject) => {
    const options = { timeout: TIMEOUT_MS, windowsHide: true, maxBuffer: MOST_BYTES };
    const child = execFile(python, ["-I", "-c", SCRIPT, wheel], options, (error, stdout, stderr) => {
      try {
        const answer = JSON.parse(stdout) as Answer;
        if (answer.result) {
          resolve(answer.result);
        } else {
          reject(bridgeProblem.fromError(answer.error?.message ?? "The preview failed.", answer.error));
        }
      } catch (wrong) {
        reject(bridgeProblem.ended(stderr.trim() || messageOf(error ?? wrong)));
      }
    });
    child.stdin?.on("error", () => undefined); // a Python that ended early: said above
    child.stdin?.end(JSON.stringify(params));
  });
}
