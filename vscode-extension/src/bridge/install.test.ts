import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { CancellationTokenSource } from "../../test/vscode";
import { InstallError, install, isComplete } from "./install";
import { isSupportedPython, isUsable, probe, sameSeries } from "./probe";

const PYTHON = process.env.PYTHON ?? "python3";

describe("the environment of the bridge", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "crane-install-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const recipe = (name: string) => ({
    python: PYTHON,
    folder: path.join(folder, name),
    wheel: path.join(folder, "absent-0.1.0-py3-none-any.whl"),
    constraints: path.join(folder, "constraints.txt"),
  });

  test("a failed installation names the step, keeps what was printed, and leaves nothing", async () => {
    writeFileSync(path.join(folder, "constraints.txt"), "");
    const steps: string[] = [];
    const wanted = recipe("failed");
    await assert.rejects(
      install(wanted, (step) => steps.push(step), new CancellationTokenSource().token),
      (error) => error instanceof InstallError && error.step === "Installing the packages" && error.output.length > 0,
    );
    assert.equal(steps.length, 2);
    assert.equal(existsSync(wanted.folder), false);
  });

  test("of what pip prints, its first error is the reason", () => {
    const printed =
      "Collecting x\nERROR: No matching distribution found for x\n\nTo fix this:\n2. remove versions\nERROR: see the web\n";
    assert.equal(new InstallError("Installing", printed).reason, "ERROR: No matching distribution found for x");
    assert.equal(new InstallError("Making", "one\n  two\n\n").reason, "two");
    assert.equal(new InstallError("Making", "").reason, "");
  });

  test("a cancelled one leaves nothing either", async () => {
    const source = new CancellationTokenSource();
    const wanted = recipe("cancelled");
    const work = install(wanted, () => source.cancel(), source.token);
    await assert.rejects(work, { name: "Cancelled" });
    assert.equal(existsSync(wanted.folder), false);
  });

  test("a half-made folder is not taken for an environment", () => {
    const half = path.join(folder, "half");
    mkdirSync(path.join(half, "bin"), { recursive: true });
    writeFileSync(path.join(half, "bin", "python"), "");
    assert.equal(isComplete(half), false);
  });
});

describe("asking an interpreter", () => {
  test("it tells its version, and whether the bridge is there", async () => {
    const found = await probe(PYTHON);
    assert.match(found?.python ?? "", /^3\.\d+\.\d+/);
    const complete = found !== undefined && found.bridge !== null && found.model;
    assert.equal(isUsable(found), complete);
  });

  test("what is no Python, or hangs, is passed over", async () => {
    assert.equal(await probe("/no/such/python"), undefined);
    assert.equal(await probe(process.execPath), undefined);
  });

  test("versions", () => {
    assert.deepEqual(
      [isSupportedPython("3.9.1"), isSupportedPython("3.8.20"), isSupportedPython("2.7.18")],
      [true, false, false],
    );
    assert.deepEqual([sameSeries("0.1.3", "0.1.0"), sameSeries("0.2.0", "0.1.0")], [true, false]);
  });
});
