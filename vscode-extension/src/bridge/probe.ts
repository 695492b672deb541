import { execFile } from "node:child_process";

/** What an interpreter says of itself. */
export interface Probe {
  /** Command or path, as it was tried. */
  command: string;
  python: string;
  /** Version of the installed bridge; null: `import crane_bridge` fails there. */
  bridge: string | null;
  /** Whether the packages of the `model` extra are there. */
  model: boolean;
}

const SCRIPT = `
import json, sys
sys.path = [p for p in sys.path if p]
from importlib.util import find_spec
try:
    import crane_bridge
    version = getattr(crane_bridge, "__version__", None)
except ImportError:
    version = None
model = all(find_spec(name) is not None for name in ("pydantic", "openai", "pygls"))
print(json.dumps({"python": sys.version.split()[0], "bridge": version, "model": model}))
`;

const TIMEOUT_MS = 15_000;

/** Asks an interpreter; undefined when it cannot be run at all (absent, hanging, no Python 3). */
export function probe(command: string, timeoutMs = TIMEOUT_MS): Promise<Probe | undefined> {
  return new Promise((resolve) => {
    execFile(command, ["-c", SCRIPT], { timeout: timeoutMs, windowsHide: true }, (error, stdout) => {
      try {
        const told = JSON.parse(stdout.trim().split("\n").pop() ?? "") as Omit<Probe, "command">;
        resolve(error ? undefined : { command, python: told.python, bridge: told.bridge, model: told.model });
      } catch {
        resolve(undefined);
      }
    });
  });
}

export function isUsable(found: Probe | undefined): found is Probe {
  return found?.bridge !== null && found?.bridge !== undefined && found.model;
}

/** The bridge and the extension of one version belong together; patch levels may differ. */
export function sameSeries(bridge: string, extension: string): boolean {
  const series = (version: string) => version.split(".").slice(0, 2).join(".");
  return series(bridge) === series(extension);
}

export function isSupportedPython(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 3 && minor >= 9;
}
