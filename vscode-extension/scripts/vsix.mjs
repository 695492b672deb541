// Packs the extension as one universal VSIX. Licence and changelog are the repository's own, copied for the package.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const root = path.dirname(here);
const LARGEST = 2 * 1024 * 1024;

for (const name of ["LICENSE", "CHANGELOG.md"]) {
  copyFileSync(path.join(root, name), path.join(here, name));
}
const { name, version } = JSON.parse(readFileSync(path.join(here, "package.json"), "utf8"));
const out = path.join(here, `${name}-${version}.vsix`);
execFileSync(
  process.execPath,
  [
    path.join(root, "node_modules", "@vscode", "vsce", "vsce"),
    "package",
    "--no-dependencies",
    "--allow-missing-repository",
    "--out",
    out,
  ],
  { cwd: here, stdio: "inherit" },
);
const { size } = statSync(out);
if (size > LARGEST) {
  throw new Error(`${out} has ${size} bytes, more than the ${LARGEST} that a VSIX of ours may have.`);
}
console.log(`${out}: ${Math.round(size / 1024)} kB`);
