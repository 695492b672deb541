import type { EnvironmentPlan } from "./bridge/environment";
import type { Inspection, PreviewResult, Prompt, Verdict } from "./protocol";
import { Emitter } from "./util/emitter";
import type { WayOut } from "./util/problem";

/** Who caused a check: a person's click, a whole-notebook run, a pause in typing, or the guard in the kernel. */
export type Cause = "asked" | "all" | "live" | "guard";
export type StaleReason = "edited" | "other_cell_ran" | "kernel_restarted";

/** What a model call left behind, for the panel. */
export interface ModelTrace {
  prompt: Prompt;
  rawReply: string | null;
  model: string;
  destination: string;
  leftOut: string[];
  /** The answer was kept from an earlier question of this session that was the very same. */
  cached: boolean;
}

/** What would be sent: shown on demand, or waiting for the person's consent. */
export interface Outgoing {
  preview: PreviewResult;
  needsConsent: boolean;
  /** The environment that the same consent covers; null where none has to be made. */
  environment: EnvironmentPlan | null;
}

export interface ShownProblem {
  kind: string;
  message: string;
  hint: string;
  waysOut: WayOut[];
}

export interface CheckRecord {
  readonly id: number;
  /** URI of the cell's document, as text. */
  readonly key: string;
  /** URI of the notebook, as text. */
  readonly notebook: string;
  readonly cause: Cause;
  /** The cell's text that was checked. */
  readonly source: string;
  readonly state: "checking" | "fresh" | "stale";
  /** While checking: what is being done, in words. */
  readonly stage: string | null;
  readonly staleReason: StaleReason | null;
  /** Whether the built-in checks had their say. */
  readonly checksRan: boolean;
  readonly verdict: Verdict | null;
  readonly inspection: Inspection | null;
  readonly trace: ModelTrace | null;
  readonly outgoing: Outgoing | null;
  readonly problem: ShownProblem | null;
}

export type Findings = Pick<CheckRecord, "checksRan" | "verdict" | "inspection" | "trace" | "outgoing" | "problem">;

/**
 * The one place that knows what is said about which cell, and how fresh it is. A verdict is stale as soon as its cell
 * is edited, another cell runs or the kernel restarts, even if that happens while it is being worked out; it is gone
 * when the cell itself has run.
 */
export class VerdictStore {
  private readonly records = new Map<string, CheckRecord>();
  private readonly previous = new Map<string, CheckRecord>();
  private readonly changed = new Emitter<ReadonlySet<string>>();
  private lastId = 0;

  /** Keys whose record changed or went. */
  readonly onDidChange = this.changed.event;

  get(key: string): CheckRecord | undefined {
    return this.records.get(key);
  }

  all(): CheckRecord[] {
    return [...this.records.values()];
  }

  ofNotebook(notebook: string): CheckRecord[] {
    return this.all().filter((record) => record.notebook === notebook);
  }

  /** Records begun later have greater ids. */
  get latestId(): number {
    return this.lastId;
  }

  begin(key: string, notebook: string, source: string, cause: Cause, stage: string): CheckRecord {
    const old = this.records.get(key);
    if (old && old.state !== "checking") {
      this.previous.set(key, old);
    }
    const record: CheckRecord = {
      id: ++this.lastId,
      key,
      notebook,
      cause,
      source,
      state: "checking",
      stage,
      staleReason: null,
      checksRan: false,
      verdict: null,
      inspection: null,
      trace: null,
      outgoing: null,
      problem: null,
    };
    this.put(record);
    return record;
  }

  /** Says what is being done now, and shows what is known so far. */
  progress(started: CheckRecord, stage: string, findings: Partial<Findings> = {}): void {
    const current = this.current(started);
    if (current) {
      this.put({ ...current, ...findings, stage });
    }
  }

  /** The end of a check. False: the cell has run, gone or been checked again meanwhile, so that nothing is shown. */
  finish(started: CheckRecord, findings: Partial<Findings>): boolean {
    const current = this.current(started);
    if (!current) {
      return false;
    }
    this.previous.delete(current.key);
    this.put({ ...current, ...findings, stage: null, state: current.staleReason ? "stale" : "fresh" });
    return true;
  }

  /** The check came to nothing: what was said before stands again. */
  abandon(started: CheckRecord): void {
    const current = this.current(started);
    if (!current) {
      return;
    }
    const before = this.previous.get(current.key);
    this.previous.delete(current.key);
    if (before) {
      const reason = before.staleReason ?? current.staleReason;
      this.put({ ...before, staleReason: reason, state: reason ? "stale" : "fresh" });
    } else {
      this.remove(current.key);
    }
  }

  markStale(key: string, reason: StaleReason): void {
    const record = this.records.get(key);
    if (record && this.withReason(record, reason)) {
      this.changed.fire(new Set([key]));
    }
  }

  /** Another cell of the notebook ran, or its kernel restarted. Gives the keys of the records that this made stale. */
  markNotebookStale(notebook: string, reason: StaleReason, exceptKey?: string): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const record of this.ofNotebook(notebook)) {
      if (record.key !== exceptKey && this.withReason(record, reason)) {
        changed.add(record.key);
      }
    }
    if (changed.size > 0) {
      this.changed.fire(changed);
    }
    return changed;
  }

  /** What made these records stale did not happen after all; those that are stale for another reason stay so. */
  freshAgain(keys: Iterable<string>, reason: StaleReason): void {
    const changed = new Set<string>();
    for (const key of keys) {
      const record = this.records.get(key);
      if (record?.staleReason === reason) {
        const state = record.state === "checking" ? "checking" : "fresh";
        this.records.set(key, { ...record, state, staleReason: null });
        changed.add(key);
      }
    }
    if (changed.size > 0) {
      this.changed.fire(changed);
    }
  }

  remove(...keys: string[]): void {
    const gone = new Set(keys.filter((key) => this.records.delete(key)));
    for (const key of keys) {
      this.previous.delete(key);
    }
    if (gone.size > 0) {
      this.changed.fire(gone);
    }
  }

  removeNotebook(notebook: string): void {
    this.remove(...this.ofNotebook(notebook).map((record) => record.key));
  }

  private current(started: CheckRecord): CheckRecord | undefined {
    const record = this.records.get(started.key);
    return record?.id === started.id ? record : undefined;
  }

  private withReason(record: CheckRecord, reason: StaleReason): boolean {
    if (record.staleReason) {
      return false;
    }
    const state = record.state === "checking" ? "checking" : "stale";
    this.records.set(record.key, { ...record, state, staleReason: reason });
    return true;
  }

  private put(record: CheckRecord): void {
    this.records.set(record.key, record);
    this.changed.fire(new Set([record.key]));
  }
}
