import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { originOf, ran } from "../test/samples";
import { assigningLine, completeOrigins, ownOrigins } from "./ownOrigins";

describe("lines that bind a name", () => {
  const binds: [string, string, number][] = [
    ["df = load()", "df", 1],
    ["x = 1\ndf: Frame = load()", "df", 2],
    ["a, df = load()", "df", 1],
    ["(df, b) = load()", "df", 1],
    ["import pandas as pd", "pd", 1],
    ["from x import df", "df", 1],
    ["def df(): ...", "df", 1],
    ["class df: ...", "df", 1],
    ["for i, df in parts:", "df", 1],
    ["with open(f) as df:", "df", 1],
    ["if (df := load()):", "df", 1],
    ["größe = 3", "größe", 1],
    ["df = 1\nprint(df)\ndf = 2\ndf.x()", "df", 3],
  ];
  for (const [source, name, line] of binds) {
    test(JSON.stringify(source), () => assert.equal(assigningLine(source, name), line));
  }

  for (const source of ["df == 1", "df['a'] = 1", "df.a = 1", "f(df=1)", "xdf = 1", "df2 = 1", "print(df)"]) {
    test(`not ${JSON.stringify(source)}`, () => assert.equal(assigningLine(source, "df"), null));
  }
});

test("the last cell that assigned and did not fail is the origin", () => {
  const executed = [ran("a", 1, "df = 1"), ran("b", 2, "df = 2"), ran("c", 3, "df = 3", { success: false })];
  assert.deepEqual(ownOrigins(["df", "nowhere"], executed), [originOf("df", executed[1] ?? ran("", 0, ""))]);
});

test("the kernel's origins stand; only the missing ones are completed", () => {
  const executed = [ran("a", 1, "df = 1\nmodel = 2")];
  const known = originOf("df['price']", ran("k", 5, "df.drop()"));
  const all = completeOrigins([known, { variable: "model", steps: [] }], ["df", "model"], executed);
  assert.deepEqual(
    all.map((origin) => [origin.variable, origin.steps[0]?.cell.id]),
    [
      ["df['price']", "k"],
      ["model", "a"],
    ],
  );
});
