// Bundles every *.test.ts beside its source and runs them with Node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const out = path.join(here, "out");

function tests(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((name) => name.endsWith(".test.ts"));
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await esbuild.build({
  entryPoints: tests(path.join(here, "src")),
  outdir: out,
  outbase: path.join(here, "src"),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  sourcemap: "inline",
  alias: { vscode: path.join(here, "test", "vscode.ts") },
  loader: { ".json": "json" },
  logLevel: "warning",
});
const built = readdirSync(out, { recursive: true })
  .filter((name) => name.endsWith(".test.js"))
  .map((name) => path.join(out, name));
const ran = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...process.argv.slice(2), ...built], {
  stdio: "inherit",
  cwd: here,
});
process.exit(ran.status ?? 1);
