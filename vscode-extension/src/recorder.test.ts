import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ran } from "../test/samples";
import { mergeExecuted, type RunEvent, RunRecorder } from "./recorder";

describe("the run recorder", () => {
  test("many summaries of one run are one run, with the text it had when it began", () => {
    const recorder = new RunRecorder();
    const events: RunEvent["phase"][] = [];
    recorder.onDidRun((event) => events.push(event.phase));
    recorder.observe("n", "a", "x = 1", {});
    recorder.observe("n", "a", "x = 1", { executionOrder: 1 });
    recorder.observe("n", "a", "x = 1", { executionOrder: 1 });
    recorder.observe("n", "a", "x = 2  # edited while it ran", { executionOrder: 1, success: true });
    recorder.observe("n", "a", "x = 2", { executionOrder: 1, success: true });
    assert.deepEqual(events, ["started", "ended"]);
    assert.deepEqual(recorder.executed("n"), [ran("a", 1, "x = 1")]);
  });

  test("reruns of the same text are one entry at the place of the last; another text is another entry", () => {
    const recorder = new RunRecorder();
    const run = (key: string, order: number, source: string) =>
      recorder.observe("n", key, source, { executionOrder: order, success: true });
    run("a", 1, "x = 1");
    run("b", 2, "y = x");
    run("a", 3, "x = 1");
    run("a", 4, "x = 5");
    assert.deepEqual(recorder.executed("n"), [
      ran("b", 2, "y = x"),
      ran("a", 3, "x = 1", { runs: 2 }),
      ran("a", 4, "x = 5"),
    ]);
  });

  test("the target is left out, a failure is kept, a restart forgets everything", () => {
    const recorder = new RunRecorder();
    recorder.observe("n", "a", "x", { executionOrder: 1, success: false });
    recorder.observe("n", "b", "y", { executionOrder: 2 });
    assert.deepEqual(
      recorder.executed("n", "b").map((cell) => cell.success),
      [false],
    );
    recorder.clear("n");
    assert.deepEqual(recorder.executed("n"), []);
    recorder.observe("n", "a", "x", { executionOrder: 1, success: true });
    assert.equal(recorder.executed("n").length, 1, "the same count after a restart is a new run");
  });
});

test("a run that the guard refused is none; an earlier one of the same cell stays", () => {
  const recorder = new RunRecorder();
  recorder.observe("n", "a", "x", { executionOrder: 1, success: true });
  recorder.observe("n", "a", "x", { executionOrder: 2 });
  recorder.refused("n", "a", 2);
  recorder.observe("n", "a", "x", { executionOrder: 2, success: false });
  assert.deepEqual(recorder.executed("n"), [ran("a", 1, "x")]);
});

describe("kernel's and editor's accounts together", () => {
  test("the editor fills in which cell a history entry was", () => {
    const history = ran(null, 1, "x = 1\n", { success: null, recorded: false });
    const own = [ran("a", 1, "x = 1"), ran("b", 2, "y = 1")];
    assert.deepEqual(mergeExecuted([history], own), [{ ...history, id: "a", success: true }]);
  });

  test("an entry with another text is not taken for the same run", () => {
    const history = ran(null, 1, "z = 1", { success: null, recorded: false });
    assert.deepEqual(mergeExecuted([history], [ran("a", 1, "x = 1")]), [history]);
  });

  test("what the kernel recorded stands; the editor's account serves where the kernel has none", () => {
    const recorded = ran("k", 1, "x = 1", { success: false });
    assert.deepEqual(mergeExecuted([recorded], [ran("a", 1, "x = 1")]), [recorded]);
    assert.deepEqual(mergeExecuted([], [ran("a", 1, "x = 1")]), [ran("a", 1, "x = 1")]);
  });
});
