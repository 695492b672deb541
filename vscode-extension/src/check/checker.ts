import * as vscode from "vscode";
import type { Kernels } from "../kernel/kernels";
import type { Log } from "../log";
import { asProblem, folderOf, type ModelAsker, type Question } from "../model/asker";
import { inNotebook, isCheckable, keyOf } from "../notebooks";
import type { Inspection, Verdict } from "../protocol";
import { mergeExecuted, type RunRecorder } from "../recorder";
import { settings } from "../settings";
import { Cancelled } from "../util/cancel";
import { Problem } from "../util/problem";
import type { CheckRecord, Outgoing, VerdictStore } from "../verdicts";
import { STAGES, seconds } from "../words";
import { nothingCertain, withOrigins } from "./verdictOf";

/** One check, from the click to the verdict. */
export class Checker implements vscode.Disposable {
  private readonly running = new Map<string, vscode.CancellationTokenSource>();

  constructor(
    private readonly kernels: Kernels,
    private readonly asker: ModelAsker,
    private readonly store: VerdictStore,
    private readonly recorder: RunRecorder,
    private readonly log: Log,
    private readonly show: (problem: Problem) => void,
  ) {}

  /** Checks a cell because a person asked. A second request for the same cell replaces the first. */
  async check(cell: vscode.NotebookCell): Promise<CheckRecord | undefined> {
    if (!isCheckable(cell)) {
      this.show(new Problem("not_checkable", "Only Python code cells of Jupyter notebooks can be checked.", ""));
      return undefined;
    }
    if (cell.document.getText().trim() === "") {
      this.show(new Problem("empty", "This cell is empty: there is nothing to check.", ""));
      return undefined;
    }
    const before = this.store.get(keyOf(cell));
    const again = before?.state === "fresh" && before.verdict?.source === "model";
    return this.started(cell, async (record, token) => {
      const mode = currentMode();
      const inspection = await this.inspect(cell, record.source, mode, token);
      if (!this.settle(cell, record, inspection, mode)) {
        await this.askModel(
          cell,
          record,
          this.question(cell, record.source, inspection, mode, again),
          inspection,
          token,
        );
      }
    });
  }

  /** Shows the exact text that a check would send, without sending it. */
  async preview(cell: vscode.NotebookCell): Promise<CheckRecord | undefined> {
    return this.started(cell, async (record, token) => {
      const mode = { ...currentMode(), model: true };
      const inspection = await this.inspect(cell, record.source, mode, token);
      const question = this.question(cell, record.source, inspection, mode, false);
      this.store.progress(record, STAGES.starting);
      const preview = await this.asker.preview(question, String(record.id), folderOf(cell.notebook), token);
      this.store.finish(record, {
        verdict: this.checksVerdict(cell, inspection, mode),
        inspection,
        checksRan: checksRun(mode),
        outgoing: { preview, needsConsent: false, environment: null },
      });
    });
  }

  /** Stops waiting. What already runs in the kernel runs to its end there, unheard. */
  cancel(key: string): void {
    this.running.get(key)?.cancel();
  }

  cancelAll(): void {
    for (const source of this.running.values()) {
      source.cancel();
    }
  }

  dispose(): void {
    this.cancelAll();
  }

  private async started(
    cell: vscode.NotebookCell,
    work: (record: CheckRecord, token: vscode.CancellationToken) => Promise<void>,
  ): Promise<CheckRecord | undefined> {
    const key = keyOf(cell);
    this.cancel(key);
    const source = new vscode.CancellationTokenSource();
    this.running.set(key, source);
    const record = this.store.begin(
      key,
      cell.notebook.uri.toString(),
      cell.document.getText(),
      "asked",
      STAGES.checking,
    );
    const began = Date.now();
    try {
      await work(record, source.token);
      this.log.info(
        `Check ended after ${Date.now() - began} ms: ${this.store.get(key)?.verdict?.outcome ?? "dropped"}`,
      );
    } catch (error) {
      this.store.abandon(record);
      if (!(error instanceof Cancelled)) {
        const problem = asProblem(error);
        this.log.warn(`Check failed (${problem.kind})`);
        this.log.trace(error instanceof Error ? (error.stack ?? error.message) : String(error));
        this.show(aimedAt(key, problem));
      }
    } finally {
      if (this.running.get(key) === source) {
        this.running.delete(key);
      }
      source.dispose();
    }
    const current = this.store.get(key);
    return current?.id === record.id ? current : undefined;
  }

  private async inspect(
    cell: vscode.NotebookCell,
    source: string,
    mode: Mode,
    token: vscode.CancellationToken,
  ): Promise<Inspection> {
    const answer = await this.kernels.inspect(
      cell.notebook,
      {
        source,
        ...inNotebook(cell),
        check: checksRun(mode),
        summary: checksRun(mode),
        schema_only: settings.schemaOnly(),
        scan_limit: settings.scanLimit(),
      },
      token,
    );
    const own = this.recorder.executed(cell.notebook.uri.toString(), keyOf(cell));
    return { ...answer, executed: mergeExecuted(answer.executed ?? [], own) };
  }

  private checksVerdict(cell: vscode.NotebookCell, inspection: Inspection, mode: Mode): Verdict {
    const own = this.recorder.executed(cell.notebook.uri.toString(), keyOf(cell));
    const { verdict } = inspection;
    const took = inspection.seconds?.check ?? 0;
    if (checksRun(mode) && verdict?.outcome === "crash") {
      return withOrigins(verdict, inspection, own);
    }
    const why = checksRun(mode)
      ? `The checks took ${seconds(took)} and found no crash that is certain.`
      : "The built-in checks were skipped, because runtime information is switched off.";
    return nothingCertain(why, took);
  }

  /** Records what the checks say. True: nothing more is to be done. */
  private settle(cell: vscode.NotebookCell, record: CheckRecord, inspection: Inspection, mode: Mode): boolean {
    const verdict = this.checksVerdict(cell, inspection, mode);
    const findings = { verdict, inspection, checksRan: checksRun(mode) };
    if (verdict.outcome === "crash" || !mode.model) {
      this.store.finish(record, findings);
      return true;
    }
    this.store.progress(record, checksRun(mode) ? STAGES.nothingCertain : STAGES.skipped, findings);
    return false;
  }

  private question(
    cell: vscode.NotebookCell,
    source: string,
    inspection: Inspection,
    mode: Mode,
    fresh: boolean,
  ): Question {
    const include = mode.runtime;
    return {
      target: { id: keyOf(cell), source },
      executed: inspection.executed,
      summary: include ? inspection.summary : null,
      walk: include ? inspection.walk : null,
      include_runtime: include,
      schema_only: settings.schemaOnly(),
      fresh,
    };
  }

  private async askModel(
    cell: vscode.NotebookCell,
    record: CheckRecord,
    question: Question,
    inspection: Inspection,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const listener = {
      recordId: record.id,
      stage: (words: string) => this.store.progress(record, words),
      outgoing: (outgoing: Outgoing) =>
        this.store.progress(record, outgoing.needsConsent ? STAGES.consent : STAGES.starting, { outgoing }),
    };
    try {
      const answer = await this.asker.ask(question, listener, folderOf(cell.notebook), token);
      if (!answer) {
        this.store.finish(record, { outgoing: null, problem: DECLINED });
        return;
      }
      const own = this.recorder.executed(cell.notebook.uri.toString(), keyOf(cell));
      const verdict = withOrigins(answer.verdict, inspection, own);
      this.store.finish(record, { verdict, trace: answer.trace, outgoing: null });
    } catch (error) {
      if (error instanceof Cancelled) {
        throw error;
      }
      const problem = aimedAt(record.key, asProblem(error));
      this.log.warn(`The model was not asked or did not answer (${problem.kind})`);
      const { kind, message, hint, waysOut } = problem;
      if (this.store.finish(record, { outgoing: null, problem: { kind, message, hint, waysOut } })) {
        this.show(problem);
      }
    }
  }
}

/** A way out that checks again means this cell, whichever is selected by then. */
function aimedAt(key: string, problem: Problem): Problem {
  const waysOut = problem.waysOut.map((way) => (way.command === "crane.check" ? { ...way, args: [key] } : way));
  return new Problem(problem.kind, problem.message, problem.hint, waysOut);
}

/** The two switches, as they were when the check began. */
interface Mode {
  model: boolean;
  runtime: boolean;
}

function currentMode(): Mode {
  return { model: settings.useModel(), runtime: settings.includeRuntime() };
}

/** Without runtime information the model sees code alone, and then the checks are skipped too. */
function checksRun(mode: Mode): boolean {
  return mode.runtime || !mode.model;
}

const DECLINED = {
  kind: "declined",
  message: "The model was not asked, because you chose not to send.",
  hint: "Switch off “Use the model” to check without being asked.",
  waysOut: [],
};
