import { nothingCertain } from "../src/check/verdictOf";
import type { ExecutedCell, Inspection, Origin, PreviewResult, Verdict } from "../src/protocol";

/** Ready-made values for tests, each with what a test wants otherwise. */

export function crash(changes: Partial<Verdict> = {}): Verdict {
  return {
    ...nothingCertain("", 0.004),
    outcome: "crash",
    exception: "KeyError",
    message: "'price'",
    line: 2,
    column: 6,
    end_line: 2,
    end_column: 13,
    reasoning: "df has no column 'price'.",
    variables: ["df"],
    rule: "pandas.missing-column",
    ...changes,
  };
}

export function ran(
  id: string | null,
  order: number,
  source: string,
  changes: Partial<ExecutedCell> = {},
): ExecutedCell {
  return { id, order, source, success: true, recorded: true, runs: 1, ...changes };
}

export function originOf(variable: string, cell: ExecutedCell, line = 1): Origin {
  return { variable, steps: [{ action: "assigned", cell, line, detail: "", reason: null }] };
}

export function inspection(changes: Partial<Inspection> = {}): Inspection {
  return {
    version: 1,
    verdict: nothingCertain("", 0.004),
    summary: null,
    origins: [],
    executed: [],
    walk: null,
    used: [],
    seconds: { check: 0.004, summary: 0.01, origins: 0.001, total: 0.02 },
    kernel: { python: "3.11.7", ipython: "9.18.1", crane: "0.1.0", recorder: true, guard: false },
    ...changes,
  };
}

export const preview: PreviewResult = {
  prompt: { system: "s", user: "u" },
  tokens: 12,
  left_out: [],
  destination: "api.example.org",
  model: "m",
};
