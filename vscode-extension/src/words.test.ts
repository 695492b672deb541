import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crash, originOf, ran } from "../test/samples";
import { nothingCertain } from "./check/verdictOf";
import type { Verdict } from "./protocol";
import { VerdictStore } from "./verdicts";
import {
  badge,
  cellName,
  recordSentence,
  seconds,
  stalePhrase,
  stepWords,
  verdictMeaning,
  verdictPhrase,
} from "./words";

const predicted = crash({ source: "model", model: "gpt-5", rule: null });

describe("what is said of a verdict", () => {
  const words: [string, Verdict, string, string][] = [
    ["certain", crash(), "error", "Will crash: KeyError (certain)"],
    ["predicted", predicted, "warning", "Crash predicted: KeyError"],
    ["predicted without a class", { ...predicted, exception: null }, "warning", "Crash predicted"],
    ["no crash", { ...predicted, outcome: "no_crash" }, "check", "No crash predicted"],
    ["nothing", nothingCertain("", 0), "circle-slash", "Nothing certain found"],
    ["unreadable", { ...predicted, outcome: "unreadable" }, "question", "Model reply not readable"],
  ];
  for (const [name, verdict, icon, text] of words) {
    test(name, () => assert.deepEqual(verdictPhrase(verdict), { icon, text }));
  }

  test("certain and predicted share neither icon nor words", () => {
    const [one, other] = [verdictPhrase(crash()), verdictPhrase(predicted)];
    assert.notEqual(one.icon, other.icon);
    assert.ok(!other.text.includes("certain"));
    assert.ok(!one.text.includes("predicted"));
  });

  test("a stale verdict no longer calls itself certain", () => {
    assert.deepEqual(stalePhrase(crash()), { icon: "history", text: "Stale: Will crash: KeyError" });
  });

  test("nothing found is never a claim of safety", () => {
    assert.match(verdictMeaning(nothingCertain("", 0)), /not mean that the cell is safe/);
  });

  test("the badge names the judge, and whether the checks ran", () => {
    assert.equal(badge(crash(), true), "Built-in check · certain");
    assert.equal(badge(predicted, true), "Model prediction · gpt-5 · after the built-in checks");
    assert.equal(badge(predicted, false), "Model prediction · gpt-5 · built-in checks skipped");
  });
});

test("a screen reader hears freshness, verdict, message, line and judge in one sentence", () => {
  const store = new VerdictStore();
  const record = store.begin("a", "n", "x\ndf['price']", "asked", "Checking…");
  assert.match(recordSentence(record), /^Checking… Select to stop waiting\.$/);
  store.finish(record, { verdict: crash(), checksRan: true });
  store.markStale("a", "edited");
  const now = store.get("a") ?? record;
  assert.equal(
    recordSentence(now),
    "Stale, because the cell was edited: Will crash: KeyError. KeyError: 'price' (line 2). " +
      "Built-in check. Select for details.",
  );
});

test("steps of an origin", () => {
  const cell = ran("a", 3, "df = 1", { runs: 4 });
  const origin = originOf("df", cell);
  const step = origin.steps[0];
  assert.ok(step);
  assert.equal(stepWords(origin, step), "df assigned here (ran 4 times)");
  assert.equal(
    stepWords(origin, { ...step, action: "would_define", reason: "not_run", cell: { ...cell, runs: 0 } }),
    "df would be defined here, but the cell has not run",
  );
});

test("cells and times are named the same way everywhere", () => {
  assert.equal(cellName(3, 2), "cell 2, run [3]");
  assert.equal(cellName(null, 2), "cell 2, not run");
  assert.equal(cellName(7, null), "a cell no longer in the notebook, run [7]");
  assert.deepEqual([seconds(0.0004), seconds(0.25), seconds(1.26)], ["1 ms", "250 ms", "1.3 s"]);
});
