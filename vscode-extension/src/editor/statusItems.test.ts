import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crash } from "../../test/samples";
import { nothingCertain } from "../check/verdictOf";
import { VerdictStore } from "../verdicts";
import { itemsFor } from "./statusItems";

function finished(...findings: Parameters<VerdictStore["finish"]>[1][]) {
  const store = new VerdictStore();
  const record = store.begin("a", "n", "x", "asked", "Checking…");
  for (const each of findings) {
    store.finish(record, each);
  }
  return store.get("a");
}

const texts = (...args: Parameters<typeof itemsFor>) => itemsFor(...args).map((item) => item.text);

describe("the items under a cell", () => {
  test("nothing known: the button alone", () => {
    assert.deepEqual(texts(undefined, []), ["$(pulse) Check"]);
  });

  test("while checking: the stage, which stops the waiting when selected", () => {
    const [item, ...rest] = itemsFor(finished(), []);
    assert.equal(item?.text, "$(sync~spin) Checking…");
    assert.equal(item?.command, "crane.cancel");
    assert.equal(rest.length, 0);
  });

  test("a verdict leads to the details, and can be had anew", () => {
    const items = itemsFor(finished({ verdict: crash(), checksRan: true }), []);
    assert.deepEqual(
      items.map((item) => [item.text, item.command]),
      [
        ["$(error) Will crash: KeyError (certain)", "crane.showDetails"],
        ["$(refresh) Check again", "crane.check"],
      ],
    );
  });

  test("a model that could not be asked is said beside what the checks say", () => {
    const trouble = (kind: string) =>
      texts(
        finished({ verdict: nothingCertain("", 0), problem: { kind, message: "m", hint: "", waysOut: [] } }),
        [],
      )[1];
    assert.equal(trouble("network"), "$(debug-disconnect) Model not asked");
    assert.equal(trouble("auth"), "$(debug-disconnect) No answer from the model");
    assert.equal(trouble("timeout"), "$(debug-disconnect) No answer from the model");
  });

  test("an origin cell says of what, once per variable", () => {
    const note = (variable: string) => ({ variable, words: `${variable} modified here`, targetKey: "t" });
    const notes = ["df", "df", "a", "b", "c"].map(note);
    const item = itemsFor(undefined, notes)[1];
    assert.equal(item?.text, "$(references) Origin of df, a, b, …");
    assert.equal(item?.command, "crane.goToTarget");
  });

  test("every item can be heard", () => {
    const all = [
      ...itemsFor(undefined, []),
      ...itemsFor(finished(), []),
      ...itemsFor(finished({ verdict: crash() }), [{ variable: "df", words: "df modified here", targetKey: "t" }]),
    ];
    for (const item of all) {
      assert.match(item.label, /^CRANE: \S/);
      assert.doesNotMatch(item.label, /\$\(/, "an icon's name is nothing to read out");
    }
  });
});
