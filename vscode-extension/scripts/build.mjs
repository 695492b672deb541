// Builds the extension into dist/: its two scripts, the kernel payload, the bridge's wheel and the demo notebook.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const root = path.dirname(here);
const dist = path.join(here, "dist");
const minify = !process.argv.includes("--dev");

const shared = { bundle: true, minify, sourcemap: minify ? false : "linked", logLevel: "warning", absWorkingDir: here };

async function scripts() {
  await esbuild.build({
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  });
  await esbuild.build({
    ...shared,
    entryPoints: { panel: "src/panel/webview/main.ts", "panel-style": "src/panel/webview/panel.css" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "iife",
  });
  copyFileSync(path.join(dist, "panel-style.css"), path.join(dist, "panel.css"));
  rmSync(path.join(dist, "panel-style.css"));
}

/** The Python that packs the kernel side: any 3.11 or newer, nothing installed. */
function python() {
  const candidates = [process.env.PYTHON, "python3", "python"].filter(Boolean);
  for (const command of candidates) {
    try {
      execFileSync(command, ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"], { stdio: "ignore" });
      return command;
    } catch {
      // not there, or too old: the next one
    }
  }
  throw new Error(`The build needs Python 3.11 or newer; tried ${candidates.join(", ")}. Name one in PYTHON.`);
}

function packed() {
  const command = python();
  const run = (...args) =>
    execFileSync(command, args, {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, PYTHONPATH: root },
    });
  run("-m", "crane_bridge.payload", "--out", path.join(dist, "kernel-payload.json"));
  const bridge = path.join(dist, "bridge");
  rmSync(bridge, { recursive: true, force: true });
  run(path.join(here, "scripts", "pack_wheel.py"), root, bridge);
  copyFileSync(path.join(here, "bridge-constraints.txt"), path.join(bridge, "constraints.txt"));
}

function demo() {
  const to = path.join(dist, "demo");
  rmSync(to, { recursive: true, force: true });
  cpSync(path.join(root, "examples"), to, {
    recursive: true,
    filter: (source) => !/\.py$|__pycache__|\.ipynb_checkpoints/.test(source),
  });
}

mkdirSync(dist, { recursive: true });
await scripts();
packed();
demo();
const size = (name) => `${name} ${Math.round(statSync(path.join(dist, name)).size / 1024)} kB`;
console.log(["extension.js", "panel.js", "kernel-payload.json"].map(size).join(", "));
