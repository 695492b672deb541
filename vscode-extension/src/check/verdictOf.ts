import { completeOrigins } from "../ownOrigins";
import type { ExecutedCell, Inspection, Verdict } from "../protocol";

/** A verdict that claims nothing: the checks found nothing certain, or did not run. */
export function nothingCertain(reasoning: string, seconds: number): Verdict {
  return {
    outcome: "nothing_certain",
    source: "checker",
    model: null,
    exception: null,
    message: null,
    line: null,
    column: null,
    end_line: null,
    end_column: null,
    reasoning,
    variables: [],
    rule: null,
    suggestion: null,
    origins: [],
    seconds,
    usage: null,
  };
}

/** The verdict with the origins of the variables it blames, as far as kernel and editor know them. */
export function withOrigins(verdict: Verdict, inspection: Inspection, executed: readonly ExecutedCell[]): Verdict {
  if (verdict.outcome !== "crash") {
    return verdict;
  }
  const told = verdict.origins.length > 0 ? verdict.origins : inspection.origins;
  const blamed = new Set(verdict.variables);
  const relevant = told.filter((origin) => blamed.size === 0 || blames(blamed, origin.variable));
  return { ...verdict, origins: completeOrigins(relevant, verdict.variables, executed) };
}

function blames(blamed: ReadonlySet<string>, variable: string): boolean {
  const base = (name: string) => name.split(/[.[]/)[0];
  return [...blamed].some((name) => base(name) === base(variable));
}

/** Moves a verdict about a longer text to the lines of one part of it, `offset` lines further down. */
export function shiftLines(verdict: Verdict, offset: number): Verdict {
  const move = (line: number | null) => (line === null ? null : line - offset);
  const suggestion = verdict.suggestion && {
    ...verdict.suggestion,
    line: verdict.suggestion.line - offset,
    end_line: verdict.suggestion.end_line - offset,
  };
  return { ...verdict, line: move(verdict.line), end_line: move(verdict.end_line), suggestion };
}
