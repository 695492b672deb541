import { spanOf } from "../editor/ranges";
import type { CellRef, ExecutedCell, Variable, Verdict, Walk } from "../protocol";
import type { CheckRecord, ModelTrace } from "../verdicts";
import {
  agreeLabel,
  badge,
  cellName,
  environmentWords,
  isCertain,
  recordPhrase,
  STAGES,
  seconds,
  staleWords,
  stepWords,
  verdictMeaning,
} from "../words";
import type {
  CellView,
  CodeLine,
  CrashView,
  HeadView,
  Jump,
  OriginView,
  OutgoingView,
  RunView,
  TextView,
  Tone,
  VariableRow,
} from "./view";

/** What the notebook knows of a cell that a verdict refers to; null where it is no longer there. */
export interface Found {
  key: string;
  position: number;
}

export type Finder = (ref: CellRef) => Found | null;

const CONTEXT_LINES = 2;
const MOST_RUNS = 24;
const DEEPEST = 3;

export function toneOf(verdict: Verdict): Tone {
  switch (verdict.outcome) {
    case "crash":
      return isCertain(verdict) ? "certain" : "predicted";
    case "no_crash":
      return "fine";
    case "nothing_certain":
      return "quiet";
    case "unreadable":
      return "unreadable";
  }
}

/** One record as the panel draws it. */
export function cellView(record: CheckRecord, position: number | null, find: Finder): CellView {
  const { verdict, inspection, trace } = record;
  const crashed = verdict?.outcome === "crash" ? verdict : null;
  return {
    key: record.key,
    name: position === null ? "Cell" : `Cell ${position}`,
    head: head(record),
    checking: record.state === "checking",
    reasoning: verdict?.reasoning ?? "",
    crash: crashed && crash(record, crashed),
    origins: (crashed?.origins ?? []).map((origin) => originView(origin, find)),
    runs: runViews(record, position, find),
    variables: (inspection?.summary?.variables ?? []).flatMap((variable) => variableRows(variable, 0)),
    leftOut: inspection?.summary?.left_out ?? [],
    outgoing: outgoing(record),
    facts: facts(inspection?.walk ?? null),
    trace: trace ? promptTexts(trace.prompt).concat(replyText(trace.rawReply)) : [],
    traceNote: trace ? traceNote(trace) : "",
    figures: figures(record),
    canPreview: record.state !== "checking" && !(verdict && isCertain(verdict)),
    problem: record.problem && {
      message: record.problem.message,
      hint: record.problem.hint,
      waysOut: record.problem.waysOut.map((way) => way.label),
    },
  };
}

function head(record: CheckRecord): HeadView {
  const phrase = recordPhrase(record) ?? { icon: "pulse", text: STAGES.checking };
  const { verdict } = record;
  const stale = record.state === "stale" && record.staleReason;
  const tone: Tone = record.state === "checking" ? "checking" : stale ? "stale" : verdict ? toneOf(verdict) : "quiet";
  return {
    tone,
    icon: phrase.icon,
    text: phrase.text,
    badge: verdict && record.state !== "checking" ? badge(verdict, record.checksRan, tone === "stale") : "",
    meaning: verdict && record.state === "fresh" ? verdictMeaning(verdict) : "",
    stale: stale ? `This is what a check said before ${staleWords(stale)}. It may no longer hold: check again.` : null,
  };
}

function crash(record: CheckRecord, verdict: Verdict): CrashView {
  return {
    certain: isCertain(verdict),
    exception: verdict.exception,
    message: verdict.message,
    lines: codeLines(record.source, verdict),
    jump: { key: record.key, line: verdict.line },
    suggestion: record.state === "fresh" ? (verdict.suggestion?.title ?? null) : null,
  };
}

function codeLines(source: string, verdict: Verdict): CodeLine[] {
  if (verdict.line === null) {
    return [];
  }
  const lines = source.split(/\r?\n/);
  const span = spanOf(verdict, lines);
  const first = Math.max(0, span.startLine - CONTEXT_LINES);
  const last = Math.min(lines.length - 1, span.startLine + CONTEXT_LINES);
  return lines.slice(first, last + 1).map((text, index) => {
    const row = first + index;
    const inside = row >= span.startLine && row <= span.endLine;
    const start = row === span.startLine ? span.startColumn : 0;
    const end = row === span.endLine ? span.endColumn : text.length;
    return { number: row + 1, text, mark: inside ? { start, end } : null };
  });
}

function originView(origin: Verdict["origins"][number], find: Finder): OriginView {
  return {
    variable: origin.variable,
    steps: origin.steps.map((step) => {
      const found = find(step.cell);
      const lines = step.cell.source.split(/\r?\n/);
      return {
        words: stepWords(origin, step),
        place: cellName(step.cell.order, found?.position ?? null),
        // What the words say already is not said twice.
        detail: step.reason !== null || step.detail === step.action ? "" : step.detail,
        code: step.line === null ? null : (lines[step.line - 1]?.trim() ?? null),
        fromHistory: !step.cell.recorded && step.cell.order !== null,
        jump: found && { key: found.key, line: step.line },
      };
    }),
  };
}

/** The runs in their order, the latest ones if there are many, with the target at the end. */
function runViews(record: CheckRecord, position: number | null, find: Finder): RunView[] {
  const origins = new Map<string, Set<string>>();
  // Not by id: the editor may have filled in one that the kernel does not know.
  const identity = (cell: CellRef) => JSON.stringify([cell.order, cell.source.trim()]);
  for (const origin of record.verdict?.outcome === "crash" ? record.verdict.origins : []) {
    for (const step of origin.steps) {
      const id = identity(step.cell);
      origins.set(id, (origins.get(id) ?? new Set()).add(origin.variable));
    }
  }
  const executed = record.inspection?.executed ?? [];
  const shown = executed.filter((cell, index) => index >= executed.length - MOST_RUNS || origins.has(identity(cell)));
  const runs = shown.map((cell): RunView => runView(cell, find(cell), [...(origins.get(identity(cell)) ?? [])]));
  if (runs.length === 0) {
    return [];
  }
  const jump: Jump = { key: record.key, line: record.verdict?.line ?? null };
  const name = position === null ? "this cell" : `cell ${position}`;
  return [...runs, { order: null, name, role: "target", failed: false, variables: [], jump }];
}

function runView(cell: ExecutedCell, found: Found | null, variables: string[]): RunView {
  return {
    order: cell.order,
    name: cellName(cell.order, found?.position ?? null),
    role: variables.length > 0 ? "origin" : "plain",
    failed: cell.success === false,
    variables,
    jump: found && { key: found.key, line: null },
  };
}

function variableRows(variable: Variable, depth: number): VariableRow[] {
  const notes = [...variable.notes, ...(variable.sampled ? ["from a sample"] : [])].join("; ");
  const own = {
    name: variable.name,
    depth,
    kind: variable.kind,
    shape: variable.shape ?? "",
    dtype: variable.dtype ?? "",
    notes,
  };
  const columns = (variable.columns ?? []).map((column) => ({
    name: column.name,
    depth: depth + 1,
    kind: "column",
    shape: "",
    dtype: column.dtype,
    notes: column.notes.join("; "),
  }));
  const fields = depth < DEEPEST ? (variable.fields ?? []).flatMap((field) => variableRows(field, depth + 1)) : [];
  return [own, ...columns, ...fields];
}

function facts(walk: Walk | null): CellView["facts"] {
  const known = (walk?.facts ?? []).map(({ line, text }) => ({ line, text, lost: false }));
  const lost = (walk?.lost ?? []).map(({ line, what }) => ({ line, text: `not followed: ${what}`, lost: true }));
  return [...known, ...lost].sort((one, other) => one.line - other.line);
}

function outgoing(record: CheckRecord): OutgoingView | null {
  if (!record.outgoing) {
    return null;
  }
  const { preview, needsConsent, environment } = record.outgoing;
  return {
    destination: preview.destination,
    model: preview.model,
    tokens: preview.tokens,
    texts: promptTexts(preview.prompt).reverse(), // the notebook's part first: it is what the person decides about
    leftOut: preview.left_out,
    needsConsent,
    environment: environment && environmentWords(environment),
    agree: agreeLabel(environment !== null),
    recordId: record.id,
  };
}

function promptTexts(prompt: { system: string; user: string }): TextView[] {
  return [
    { title: "Prompt: instructions", text: prompt.system },
    { title: "Prompt: this notebook", text: prompt.user },
  ];
}

/** Where the text went, and when: the very same question is not sent twice in a session unless the person asks again. */
function traceNote({ destination, model, cached }: ModelTrace): string {
  return cached
    ? `Sent to ${destination}, model ${model}, earlier in this session: the answer was kept, and nothing was sent now.`
    : `Sent to ${destination}, model ${model}.`;
}

function replyText(raw: string | null): TextView[] {
  return raw === null ? [] : [{ title: "Raw reply", text: raw }];
}

function figures(record: CheckRecord): { label: string; value: string }[] {
  const { verdict, inspection } = record;
  const rows: { label: string; value: string }[] = [];
  if (inspection && record.checksRan) {
    rows.push({ label: "Built-in checks", value: seconds(inspection.seconds?.check ?? 0) });
    rows.push({ label: "In the kernel", value: seconds(inspection.seconds?.total ?? 0) });
  }
  if (verdict?.source === "model") {
    rows.push({ label: "Model", value: `${verdict.model ?? "unknown"}, ${seconds(verdict.seconds)}` });
    if (verdict.usage) {
      rows.push({ label: "Tokens", value: `${verdict.usage.input_tokens} in, ${verdict.usage.output_tokens} out` });
    }
  }
  if (inspection?.kernel?.python) {
    rows.push({ label: "Kernel", value: `Python ${inspection.kernel.python}` });
  }
  if (verdict?.rule) {
    rows.push({ label: "Rule", value: verdict.rule });
  }
  return rows;
}
