// Where the parts that the suite drives lie; `tests/e2e/run` sets the environment.
import path from "node:path";
import { fileURLToPath } from "node:url";

function required(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set: start the suite with tests/e2e/run`);
  }
  return value;
}

export const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const root = path.resolve(here, "../..");
export const artifacts = path.join(root, "artifacts", "e2e");

export const tools = {
  /** Node.js as code-server needs it. */
  node: required("E2E_NODE"),
  codeServer: required("E2E_CODE_SERVER"),
  chromium: required("E2E_CHROMIUM"),
  /** The Python whose ipykernel runs the notebooks. */
  python: required("E2E_PYTHON"),
  /** A Python environment in which crane-bridge can be imported. */
  bridgePython: required("E2E_BRIDGE_PYTHON"),
  /** A directory with the extension (from its VSIX) and the Jupyter double installed. */
  extensions: required("E2E_EXTENSIONS"),
};
