import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type * as vscode from "vscode";
import { crash, inspection, originOf, ran } from "../../test/samples";
import { configured, NotebookCellKind } from "../../test/vscode";
import type { Kernels } from "../kernel/kernels";
import { kernelProblems } from "../kernel/problems";
import type { Log } from "../log";
import type { Answer, ModelAsker, Question } from "../model/asker";
import type { Inspection, InspectParams } from "../protocol";
import { RunRecorder } from "../recorder";
import { Cancelled, untilCancelled } from "../util/cancel";
import { Problem } from "../util/problem";
import { VerdictStore } from "../verdicts";
import { Checker } from "./checker";

const quiet: Log = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const trace = {
  prompt: { system: "s", user: "u" },
  rawReply: "r",
  model: "m",
  destination: "h",
  leftOut: [],
  cached: false,
};
const predicted = crash({ source: "model", model: "m" });

function cellWith(source: string, languageId = "python"): vscode.NotebookCell {
  const notebook = {
    notebookType: "jupyter-notebook",
    uri: { toString: () => "n", scheme: "file" },
    getCells: () => [cell],
  };
  const document = { uri: { toString: () => "a" }, languageId, getText: () => source };
  const cell = { kind: NotebookCellKind.Code, document, notebook, metadata: {} } as unknown as vscode.NotebookCell;
  return cell;
}

describe("one check", () => {
  let store: VerdictStore;
  let recorder: RunRecorder;
  let shown: string[];
  let last: Problem | undefined;
  let asked: InspectParams[];
  let questions: Question[];
  let inspect: (token: vscode.CancellationToken) => Promise<Inspection>;
  let answer: (token: vscode.CancellationToken) => Promise<Answer | undefined>;
  let checker: Checker;
  const cell = cellWith("df['price']");

  beforeEach(() => {
    configured.clear();
    store = new VerdictStore();
    recorder = new RunRecorder();
    shown = [];
    asked = [];
    questions = [];
    inspect = async () => inspection();
    answer = async () => ({ verdict: predicted, trace });
    const kernels = {
      inspect: (_notebook: unknown, params: InspectParams, token: vscode.CancellationToken) => {
        asked.push(params);
        return inspect(token);
      },
    } as unknown as Kernels;
    const asker = {
      ask: (question: Question, _listener: unknown, _folder: unknown, token: vscode.CancellationToken) => {
        questions.push(question);
        return answer(token);
      },
    } as unknown as ModelAsker;
    checker = new Checker(kernels, asker, store, recorder, quiet, (problem) => {
      last = problem;
      shown.push(problem.kind);
    });
  });

  test("a certain crash is the verdict, and no model is asked", async () => {
    const origin = originOf("df", ran("b", 1, "df = 1"));
    inspect = async () =>
      inspection({ verdict: crash(), origins: [origin, originOf("other", ran("c", 2, "other = 1"))] });
    const record = await checker.check(cell);
    assert.equal(record?.verdict?.source, "checker");
    assert.deepEqual(record?.verdict?.origins, [origin], "origins of the blamed variables only");
    assert.equal(questions.length, 0);
  });

  test("nothing certain: the model is asked with what the kernel told", async () => {
    const executed = [ran("b", 1, "df = 1")];
    inspect = async () => inspection({ executed, summary: { variables: [], text: "df: int", left_out: [] } });
    const record = await checker.check(cell);
    assert.equal(record?.verdict?.source, "model");
    assert.equal(record?.checksRan, true);
    assert.deepEqual(record?.trace, trace);
    assert.deepEqual(questions[0]?.executed, executed);
    assert.equal(questions[0]?.summary?.text, "df: int");
    assert.equal(questions[0]?.fresh, false);
  });

  test("asked again about the same fresh prediction, the model is to answer anew", async () => {
    await checker.check(cell);
    await checker.check(cell);
    assert.equal(questions[1]?.fresh, true);
    store.markStale("a", "edited");
    await checker.check(cell);
    assert.equal(questions[2]?.fresh, false);
  });

  test("model off: nothing is asked, nothing certain is the verdict", async () => {
    configured.set("crane.useModel", false);
    const record = await checker.check(cell);
    assert.equal(record?.verdict?.outcome, "nothing_certain");
    assert.equal(record?.state, "fresh");
    assert.equal(questions.length, 0);
  });

  test("runtime information off: the checks are skipped and the model sees code alone", async () => {
    configured.set("crane.includeRuntimeInformation", false);
    inspect = async () => inspection({ verdict: crash(), summary: { variables: [], text: "secret", left_out: [] } });
    const record = await checker.check(cell);
    assert.deepEqual([asked[0]?.check, asked[0]?.summary], [false, false]);
    assert.equal(questions[0]?.summary, null);
    assert.equal(questions[0]?.include_runtime, false);
    assert.equal(record?.verdict?.source, "model");
    assert.equal(record?.checksRan, false);
  });

  test("runtime information off has no effect while the model is off", async () => {
    configured.set("crane.includeRuntimeInformation", false).set("crane.useModel", false);
    inspect = async () => inspection({ verdict: crash() });
    assert.equal((await checker.check(cell))?.verdict?.source, "checker");
    assert.equal(asked[0]?.check, true);
  });

  test("the person does not send: the checks' verdict stands, and it is said why", async () => {
    answer = async () => undefined;
    const record = await checker.check(cell);
    assert.equal(record?.verdict?.outcome, "nothing_certain");
    assert.equal(record?.problem?.kind, "declined");
    assert.deepEqual(shown, []);
  });

  test("the model fails: the checks' verdict stands, the trouble is shown", async () => {
    answer = async () => {
      throw new Problem("timeout", "too slow", "");
    };
    const record = await checker.check(cell);
    assert.equal(record?.verdict?.outcome, "nothing_certain");
    assert.deepEqual(shown, ["timeout"]);
  });

  test("the kernel stands in the way: said, and what was there before is back", async () => {
    inspect = async () => inspection({ verdict: crash() });
    await checker.check(cell);
    inspect = async () => {
      throw kernelProblems.busy();
    };
    assert.equal(await checker.check(cell), undefined);
    assert.deepEqual(shown, ["busy"]);
    assert.deepEqual(last?.waysOut, [{ label: "Check Again", command: "crane.check", args: ["a"] }], "this very cell");
    assert.equal(store.get("a")?.verdict?.exception, "KeyError");
  });

  test("cancelled: nothing is shown, nothing is left", async () => {
    inspect = (token) => untilCancelled(new Promise(() => undefined), token);
    const waiting = checker.check(cell);
    checker.cancel("a");
    assert.equal(await waiting, undefined);
    assert.equal(store.get("a"), undefined);
    assert.deepEqual(shown, []);
  });

  test("a second click replaces the first check", async () => {
    inspect = (token) => untilCancelled(new Promise(() => undefined), token);
    const first = checker.check(cell);
    inspect = async () => inspection({ verdict: crash() });
    const second = await checker.check(cell);
    assert.equal(await first, undefined);
    assert.equal(second?.state, "fresh");
  });

  test("cancelled while the model thinks", async () => {
    answer = async (token) => {
      checker.cancel("a");
      if (token.isCancellationRequested) {
        throw new Cancelled();
      }
      return undefined;
    };
    await checker.check(cell);
    assert.equal(store.get("a"), undefined);
  });

  test("an empty cell and another language are said plainly", async () => {
    await checker.check(cellWith("  \n"));
    await checker.check(cellWith("SELECT 1", "sql"));
    assert.deepEqual(shown, ["empty", "not_checkable"]);
    assert.equal(asked.length, 0);
  });

  test("a fault of ours is shown as one, not swallowed", async () => {
    inspect = async () => {
      throw new TypeError("oops");
    };
    await checker.check(cell);
    assert.deepEqual(shown, ["internal"]);
  });
});
