import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pointOf, spanOf, utf16Column } from "./ranges";

const at = (line: number | null, column: number | null, endLine: number | null, endColumn: number | null) => ({
  line,
  column,
  end_line: endLine,
  end_column: endColumn,
});

describe("where a verdict points", () => {
  const lines = ["x = 1", "  y = df['🦩'].mean()  ", ""];

  test("characters become UTF-16 units", () => {
    assert.equal(utf16Column("🦩🦩a", 2), 4);
    assert.equal(utf16Column("ab", 9), 2);
    const span = spanOf(at(2, 6, 2, 13), lines);
    assert.deepEqual(span, { startLine: 1, startColumn: 6, endLine: 1, endColumn: 14 });
    assert.equal(lines[1]?.slice(span.startColumn, span.endColumn), "df['🦩']");
  });

  test("without columns it is the line, without its indentation", () => {
    assert.deepEqual(spanOf(at(2, null, null, null), lines), {
      startLine: 1,
      startColumn: 2,
      endLine: 1,
      endColumn: 21,
    });
  });

  test("without an end it reaches to the end of the line", () => {
    assert.deepEqual(spanOf(at(1, 4, null, null), lines), { startLine: 0, startColumn: 4, endLine: 0, endColumn: 5 });
  });

  test("it may span lines", () => {
    assert.deepEqual(spanOf(at(1, 0, 2, 3), lines), { startLine: 0, startColumn: 0, endLine: 1, endColumn: 3 });
  });

  test("lines outside the text are kept inside it", () => {
    assert.equal(spanOf(at(99, 0, 99, 1), lines).startLine, 2);
    assert.equal(spanOf(at(null, null, null, null), []).startLine, 0);
  });

  test("a point at the end of a line is that point", () => {
    assert.deepEqual(pointOf(1, 5, lines), { line: 0, column: 5 });
  });
});
