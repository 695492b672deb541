import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crash, inspection, originOf, ran } from "../../test/samples";
import type { CellRef, Variable } from "../protocol";
import { type CheckRecord, type Findings, VerdictStore } from "../verdicts";
import { cellView } from "./cellView";

const SOURCE = "import x\ndf['price'].mean()\nprint(1)";
const runs = [ran("a", 1, "df = load()"), ran("b", 2, "y = 1", { success: false }), ran("c", 3, "df = df.drop()")];

function record(findings: Partial<Findings>): CheckRecord {
  const store = new VerdictStore();
  const begun = store.begin("t", "n", SOURCE, "asked", "Checking…");
  store.finish(begun, findings);
  return store.get("t") ?? begun;
}

const find = (ref: CellRef) => (ref.id === null ? null : { key: ref.id, position: ref.id.charCodeAt(0) - 96 });

describe("the panel's view of a check", () => {
  const third = runs[2] ?? ran("", 0, "");
  const verdict = crash({ column: 0, end_column: 11, origins: [originOf("df", third)] });
  const view = cellView(record({ verdict, checksRan: true, inspection: inspection({ executed: runs }) }), 4, find);

  test("verdict first: tone, words, judge", () => {
    assert.equal(view.head.tone, "certain");
    assert.equal(view.head.text, "Will crash: KeyError (certain)");
    assert.equal(view.head.badge, "Built-in check · certain");
    assert.equal(view.name, "Cell 4");
  });

  test("the crashing line with its neighbours, the expression marked", () => {
    const lines = view.crash?.lines ?? [];
    assert.deepEqual(
      lines.map((line) => line.number),
      [1, 2, 3],
    );
    const marked = lines.find((line) => line.mark);
    assert.equal(marked?.text.slice(marked.mark?.start, marked.mark?.end), "df['price']");
  });

  test("origins link to the cell and line, with the text of that line at run time", () => {
    const step = view.origins[0]?.steps[0];
    assert.deepEqual(step?.jump, { key: "c", line: 1 });
    assert.equal(step?.place, "cell 3, run [3]");
    assert.equal(step?.code, "df = df.drop()");
  });

  test("the drawing holds every run in order, origins marked, the target last", () => {
    assert.deepEqual(
      view.runs.map((run) => [run.order, run.role, run.failed]),
      [
        [1, "plain", false],
        [2, "plain", true],
        [3, "origin", false],
        [null, "target", false],
      ],
    );
  });

  test("an origin is marked in the drawing even where only the editor knows its cell", () => {
    const told = { ...third, id: null, recorded: false };
    const seen = cellView(
      record({ verdict: crash({ origins: [originOf("df", told)] }), inspection: inspection({ executed: runs }) }),
      4,
      find,
    );
    assert.equal(seen.runs[2]?.role, "origin");
    assert.equal(seen.origins[0]?.steps[0]?.jump, null);
    assert.equal(seen.origins[0]?.steps[0]?.fromHistory, true);
  });

  test("a long history is cut at its beginning, but never an origin", () => {
    const many = Array.from({ length: 60 }, (_, index) => ran(`r${index}`, index, `v${index} = 1`));
    const first = many[0] ?? ran("", 0, "");
    const seen = cellView(
      record({ verdict: crash({ origins: [originOf("v0", first)] }), inspection: inspection({ executed: many }) }),
      4,
      () => null,
    );
    assert.equal(seen.runs[0]?.role, "origin");
    assert.equal(seen.runs.length, 1 + 24 + 1);
  });

  test("variables are a flat table, nested by depth", () => {
    const plain: Variable = {
      name: "df",
      kind: "DataFrame",
      type: "pandas.DataFrame",
      shape: "(3, 2)",
      dtype: null,
      notes: ["no NaN"],
      columns: [{ name: "age", dtype: "int64", notes: ["1..9"] }],
      fields: null,
      sampled: true,
    };
    const holder = { ...plain, name: "self", columns: null, fields: [plain] };
    const summary = { variables: [holder], text: "", left_out: ["big"] };
    const seen = cellView(record({ verdict, inspection: inspection({ summary }) }), 4, find);
    assert.deepEqual(
      seen.variables.map((row) => [row.name, row.depth, row.kind]),
      [
        ["self", 0, "DataFrame"],
        ["df", 1, "DataFrame"],
        ["age", 2, "column"],
      ],
    );
    assert.match(seen.variables[1]?.notes ?? "", /from a sample/);
    assert.deepEqual(seen.leftOut, ["big"]);
  });

  test("a certain crash has nothing to preview; a suggestion is offered only while fresh", () => {
    assert.equal(view.canPreview, false);
    const suggestion = { title: "Use 'cost'", line: 2, column: 3, end_line: 2, end_column: 10, text: "'cost'" };
    const fresh = record({ verdict: crash({ suggestion }) });
    assert.equal(cellView(fresh, 4, find).crash?.suggestion, "Use 'cost'");
    assert.equal(cellView({ ...fresh, state: "stale", staleReason: "edited" }, 4, find).crash?.suggestion, null);
  });

  test("a model's verdict shows prompt, reply, tokens and time, and whether anything was sent for it now", () => {
    const prompt = { system: "S", user: "U" };
    const trace = { prompt, rawReply: "R", model: "m", destination: "host", leftOut: [], cached: false };
    const told = record({
      verdict: crash({ source: "model", model: "m", usage: { input_tokens: 10, output_tokens: 2 }, seconds: 1.5 }),
      trace,
    });
    const seen = cellView(told, 4, find);
    assert.equal(seen.traceNote, "Sent to host, model m.");
    const kept = cellView({ ...told, trace: { ...trace, cached: true } }, 4, find);
    assert.match(kept.traceNote, /nothing was sent now/);
    assert.deepEqual(
      seen.trace.map((part) => part.text),
      ["S", "U", "R"],
    );
    assert.equal(seen.head.tone, "predicted");
    assert.deepEqual(seen.figures, [
      { label: "Model", value: "m, 1.5 s" },
      { label: "Tokens", value: "10 in, 2 out" },
      { label: "Rule", value: "pandas.missing-column" },
    ]);
  });
});
