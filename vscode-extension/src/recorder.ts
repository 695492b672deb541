import type { ExecutedCell } from "./protocol";
import { Emitter } from "./util/emitter";

export interface RunSummary {
  executionOrder?: number | undefined;
  success?: boolean | undefined;
}

export interface RunEvent {
  notebook: string;
  key: string;
  phase: "started" | "ended";
  success: boolean | null;
}

interface Run extends ExecutedCell {
  id: string;
}

interface NotebookRuns {
  runs: Run[];
  lastOrder: Map<string, number>;
}

/**
 * The order in which this window saw the cells of each notebook run, with the text they had then. Execution summaries
 * arrive several times each and sometimes empty; one run is recorded once. The kernel's own recorder knows more; this
 * one stands in where it was not there yet.
 */
export class RunRecorder {
  private readonly notebooks = new Map<string, NotebookRuns>();
  private readonly ran = new Emitter<RunEvent>();

  readonly onDidRun = this.ran.event;

  /** A cell's execution summary changed; `source` is its text at this moment. */
  observe(notebook: string, key: string, source: string, summary: RunSummary | undefined): void {
    const order = summary?.executionOrder;
    if (order === undefined || order === null) {
      return;
    }
    const known = this.notebooks.get(notebook) ?? { runs: [], lastOrder: new Map<string, number>() };
    this.notebooks.set(notebook, known);
    if (known.lastOrder.get(key) !== order) {
      known.lastOrder.set(key, order);
      known.runs.push({ id: key, order, source, success: null, recorded: true, runs: 1 });
      this.ran.fire({ notebook, key, phase: "started", success: null });
    }
    const run = known.runs.findLast((candidate) => candidate.id === key);
    if (run && run.success === null && typeof summary?.success === "boolean") {
      run.success = summary.success;
      this.ran.fire({ notebook, key, phase: "ended", success: summary.success });
    }
  }

  /** The cells that ran, in run order; reruns of the same text are one entry, at the place of the last run. */
  executed(notebook: string, exceptKey?: string): ExecutedCell[] {
    const last = new Map<string, Run>();
    for (const run of this.notebooks.get(notebook)?.runs ?? []) {
      if (run.id === exceptKey) {
        continue;
      }
      const same = JSON.stringify([run.id, run.source]);
      const before = last.get(same);
      last.delete(same);
      last.set(same, { ...run, runs: (before?.runs ?? 0) + 1 });
    }
    return [...last.values()];
  }

  /** The guard refused this run: nothing of the cell ran. */
  refused(notebook: string, key: string, order: number): void {
    const known = this.notebooks.get(notebook);
    if (known) {
      known.runs = known.runs.filter((run) => run.id !== key || run.order !== order);
    }
  }

  /** The kernel lost its state, or the notebook was closed. */
  clear(notebook: string): void {
    this.notebooks.delete(notebook);
  }
}

/**
 * The kernel's account, with what only the editor knows: which cell of the notebook an entry from the history was, and
 * whether it succeeded. If the kernel knows of no run at all, the editor's account is used.
 */
export function mergeExecuted(kernel: readonly ExecutedCell[], own: readonly ExecutedCell[]): ExecutedCell[] {
  if (kernel.length === 0) {
    return [...own];
  }
  return kernel.map((cell) => {
    if (cell.id !== null && cell.success !== null) {
      return cell;
    }
    const twin = own.find(
      (candidate) => candidate.order === cell.order && candidate.source.trim() === cell.source.trim(),
    );
    return twin ? { ...cell, id: cell.id ?? twin.id, success: cell.success ?? twin.success } : cell;
  });
}
