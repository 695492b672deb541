import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { crash } from "../test/samples";
import { VerdictStore } from "./verdicts";

describe("the verdict store", () => {
  let store: VerdictStore;
  let changes: string[][];

  beforeEach(() => {
    store = new VerdictStore();
    changes = [];
    store.onDidChange((keys) => changes.push([...keys]));
  });

  const begin = (key = "a", notebook = "n") => store.begin(key, notebook, "df['price']", "asked", "Checking…");

  test("a finished check is fresh", () => {
    const record = begin();
    assert.equal(store.get("a")?.state, "checking");
    assert.equal(store.finish(record, { verdict: crash() }), true);
    assert.equal(store.get("a")?.state, "fresh");
    assert.equal(store.get("a")?.stage, null);
  });

  test("an edit, another cell's run and a restart make it stale, and the first reason stays", () => {
    store.finish(begin("a"), { verdict: crash() });
    store.finish(begin("b"), { verdict: crash() });
    store.finish(begin("c", "other"), { verdict: crash() });
    store.markStale("a", "edited");
    store.markNotebookStale("n", "other_cell_ran", "x");
    assert.equal(store.get("a")?.staleReason, "edited");
    assert.equal(store.get("b")?.staleReason, "other_cell_ran");
    assert.equal(store.get("c")?.state, "fresh", "another notebook is not concerned");
  });

  test("the cell that ran itself is excepted from going stale", () => {
    store.finish(begin("a"), { verdict: crash() });
    store.markNotebookStale("n", "other_cell_ran", "a");
    assert.equal(store.get("a")?.state, "fresh");
  });

  test("what goes stale while it is worked out never shows as fresh", () => {
    const record = begin();
    store.markStale("a", "edited");
    assert.equal(store.get("a")?.state, "checking");
    store.finish(record, { verdict: crash() });
    assert.equal(store.get("a")?.state, "stale");
  });

  test("a verdict for a cell that has run meanwhile is dropped", () => {
    const record = begin();
    store.remove("a");
    assert.equal(store.finish(record, { verdict: crash() }), false);
    assert.equal(store.get("a"), undefined);
  });

  test("a newer check of the same cell wins", () => {
    const first = begin();
    const second = begin();
    assert.equal(store.finish(first, { verdict: crash({ exception: "IndexError" }) }), false);
    store.finish(second, { verdict: crash() });
    assert.equal(store.get("a")?.verdict?.exception, "KeyError");
  });

  test("an abandoned check brings back what was said before, with its freshness", () => {
    store.finish(begin(), { verdict: crash() });
    const again = begin();
    store.markStale("a", "other_cell_ran");
    store.abandon(again);
    assert.equal(store.get("a")?.verdict?.exception, "KeyError");
    assert.equal(store.get("a")?.state, "stale");
    const none = begin("b");
    store.abandon(none);
    assert.equal(store.get("b"), undefined);
  });

  test("a run that was refused after all leaves other verdicts as they were", () => {
    store.finish(begin("a"), { verdict: crash() });
    store.finish(begin("b"), { verdict: crash() });
    store.markStale("b", "edited");
    const stale = store.markNotebookStale("n", "other_cell_ran", "c");
    assert.deepEqual([...stale], ["a"]);
    store.freshAgain([...stale, "b"], "other_cell_ran");
    assert.equal(store.get("a")?.state, "fresh");
    assert.equal(store.get("b")?.staleReason, "edited");
  });

  test("nothing is announced where nothing changes", () => {
    store.markStale("a", "edited");
    store.markNotebookStale("n", "edited");
    store.remove("a");
    assert.deepEqual(changes, []);
    store.finish(begin(), { verdict: crash() });
    const before = changes.length;
    store.markStale("a", "edited");
    store.markStale("a", "edited");
    assert.equal(changes.length, before + 1);
  });

  test("a closed notebook takes its records with it", () => {
    store.finish(begin("a"), { verdict: crash() });
    store.finish(begin("c", "other"), { verdict: crash() });
    store.removeNotebook("n");
    assert.deepEqual(
      store.all().map((record) => record.key),
      ["c"],
    );
  });
});
