import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crash } from "../../test/samples";
import { chain } from "./chain";
import { shiftLines } from "./verdictOf";

const cells = (...sources: string[]) => sources.map((source, index) => ({ key: String(index), source }));
const lineOf = (source: string, line: number) => source.split("\n")[line - 1];

describe("cells as one text", () => {
  test("a cell alone is itself", () => {
    assert.deepEqual(chain(cells("x = 1\ny")), { source: "x = 1\ny", offset: 0 });
  });

  test("lines of the last cell are found by the offset", () => {
    const { source, offset } = chain(cells("a\nb\n", "c", "d\ne"));
    assert.equal(lineOf(source, offset + 2), "e");
    const moved = shiftLines(crash({ line: offset + 2, end_line: offset + 2, suggestion: null }), offset);
    assert.deepEqual([moved.line, moved.end_line], [2, 2]);
  });

  test("a cell magic in between becomes the call that IPython makes of it, on as many lines", () => {
    const { source, offset } = chain(cells('%%time  x\nprint("a")\nb', "c"));
    assert.equal(lineOf(source, 1), 'get_ipython().run_cell_magic("time", "x", "print(\\"a\\")\\nb")');
    assert.equal(offset, 3);
    assert.equal(lineOf(source, offset + 1), "c");
  });

  test("the target keeps its own magic", () => {
    assert.equal(chain(cells("%%bash\nls")).source, "%%bash\nls");
  });
});
