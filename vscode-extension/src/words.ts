import type { EnvironmentPlan } from "./bridge/environment";
import type { Origin, OriginStep, Stage, Verdict } from "./protocol";
import type { CheckRecord, StaleReason } from "./verdicts";

/** Every word that a person reads about a verdict, in one place. Certain and predicted never read or look alike. */

export interface Phrase {
  icon: string;
  text: string;
}

export const CHECK: Phrase = { icon: "pulse", text: "Check" };
export const CHECK_AGAIN: Phrase = { icon: "refresh", text: "Check again" };

export const STAGES = {
  checking: "Checking…",
  nothingCertain: "Nothing certain; preparing to ask the model…",
  skipped: "Checks skipped; preparing to ask the model…",
  starting: "Starting the model bridge…",
  consent: "Waiting for your consent to send…",
  environment: "Setting up the model bridge…",
} as const;

export function bridgeStage(stage: Stage, detail: string): string {
  switch (stage) {
    case "building_prompt":
      return "Building the prompt…";
    case "waiting_for_model":
      return "Waiting for the model…";
    case "retrying":
      return detail ? `Trying again: ${detail}…` : "Trying again…";
    case "reading_reply":
      return "Reading the reply…";
  }
}

export function isCertain(verdict: Verdict): boolean {
  return verdict.outcome === "crash" && verdict.source === "checker";
}

export function verdictPhrase(verdict: Verdict): Phrase {
  const exception = verdict.exception ? `: ${verdict.exception}` : "";
  switch (verdict.outcome) {
    case "crash":
      return isCertain(verdict)
        ? { icon: "error", text: `Will crash${exception} (certain)` }
        : { icon: "warning", text: `Crash predicted${exception}` };
    case "no_crash":
      return { icon: "check", text: "No crash predicted" };
    case "nothing_certain":
      return { icon: "circle-slash", text: "Nothing certain found" };
    case "unreadable":
      return { icon: "question", text: "Model reply not readable" };
  }
}

/** What the verdict does and does not claim, in a sentence. */
export function verdictMeaning(verdict: Verdict): string {
  switch (verdict.outcome) {
    case "crash":
      return isCertain(verdict)
        ? "Running this cell now raises this exception: every value it depends on is known."
        : "A model expects this cell to crash. It may be wrong.";
    case "no_crash":
      return "A model expects this cell to run. It may be wrong.";
    case "nothing_certain":
      return "The built-in checks found no certain crash. This does not mean that the cell is safe.";
    case "unreadable":
      return "The model answered, but not with a verdict. Its reply is shown below.";
  }
}

/** What a verdict said when it was fresh, without calling it certain still. */
function phraseOf(verdict: Verdict): string {
  return verdictPhrase(verdict).text.replace(" (certain)", "");
}

export function stalePhrase(verdict: Verdict): Phrase {
  return { icon: "history", text: `Stale: ${phraseOf(verdict)}` };
}

export function staleWords(reason: StaleReason): string {
  switch (reason) {
    case "edited":
      return "the cell was edited";
    case "other_cell_ran":
      return "another cell ran";
    case "kernel_restarted":
      return "the kernel restarted or ended";
  }
}

export function badge(verdict: Verdict, checksRan: boolean, stale = false): string {
  if (verdict.source === "checker") {
    return verdict.outcome !== "crash" ? "Built-in checks only" : stale ? "Built-in check" : "Built-in check · certain";
  }
  const model = verdict.model ? `Model prediction · ${verdict.model}` : "Model prediction";
  return checksRan ? `${model} · after the built-in checks` : `${model} · built-in checks skipped`;
}

export function recordPhrase(record: CheckRecord): Phrase | null {
  if (record.state === "checking") {
    return { icon: "sync~spin", text: record.stage ?? STAGES.checking };
  }
  if (!record.verdict) {
    return null;
  }
  return record.state === "stale" ? stalePhrase(record.verdict) : verdictPhrase(record.verdict);
}

/** What the person agrees to when the environment is made. */
export function environmentWords(plan: EnvironmentPlan): string {
  return (
    `To ask a model, CRANE needs a small Python environment of its own, made with Python ${plan.python} in ${plan.folder} ` +
    "(about 60 MB; pip downloads the packages from the package index that it is set up for). Your own environments are " +
    "not touched."
  );
}

/** The button that gives the one consent: to the text, and to the environment where there is none yet. */
export function agreeLabel(withEnvironment: boolean): string {
  return withEnvironment ? "Create Environment and Send" : "Send";
}

/** Why there is no prediction although the model is on: it answered badly or late, or the question never left. */
export function troublePhrase(kind: string): string {
  const asked = ["auth", "model_unknown", "rate_limit", "timeout", "server", "not_api", "bridge_ended", "internal"];
  return asked.includes(kind) ? "No answer from the model" : "Model not asked";
}

/** One line for tooltips and screen readers. */
export function recordSentence(record: CheckRecord): string {
  if (record.state === "checking" || !record.verdict) {
    const then = record.outgoing?.needsConsent ? "Select to see the text." : "Select to stop waiting.";
    return `${record.stage ?? STAGES.checking} ${then}`;
  }
  const { verdict } = record;
  const reason = record.staleReason;
  const said = reason ? `Stale, because ${staleWords(reason)}: ${phraseOf(verdict)}` : verdictPhrase(verdict).text;
  const what = verdict.exception
    ? `${verdict.exception}${verdict.message ? `: ${verdict.message}` : ""}${verdict.line ? ` (line ${verdict.line})` : ""}. `
    : "";
  return `${said}. ${what}${badge(verdict, record.checksRan, reason !== null)}. Select for details.`;
}

const ACTIONS: Record<OriginStep["action"], string> = {
  assigned: "assigned here",
  modified: "modified here",
  possibly_modified: "possibly modified here",
  deleted: "deleted here",
  would_define: "would be defined here",
};

const REASONS: Record<NonNullable<OriginStep["reason"]>, string> = {
  not_run: "the cell has not run",
  raised_before: "the cell raised before this line",
  edited_since: "the cell was edited since it ran",
  branch_not_run: "this branch did not run",
};

export function stepWords(origin: Origin, step: OriginStep): string {
  const reason = step.reason ? `, but ${REASONS[step.reason]}` : "";
  const times = step.cell.runs > 1 ? ` (ran ${step.cell.runs} times)` : "";
  return `${origin.variable} ${ACTIONS[step.action]}${reason}${times}`;
}

export function cellName(order: number | null, position: number | null): string {
  const where = position === null ? "a cell no longer in the notebook" : `cell ${position}`;
  return order === null ? `${where}, not run` : `${where}, run [${order}]`;
}

export function seconds(value: number): string {
  return value < 1 ? `${Math.max(1, Math.round(value * 1000))} ms` : `${value.toFixed(1)} s`;
}
