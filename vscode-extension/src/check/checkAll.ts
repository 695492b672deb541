import * as vscode from "vscode";
import type { Kernels } from "../kernel/kernels";
import { asProblem } from "../model/asker";
import { cellTags, codeCells, inNotebook, isCheckable, keyOf, positionOf } from "../notebooks";
import type { RunRecorder } from "../recorder";
import { Cancelled } from "../util/cancel";
import type { Problem } from "../util/problem";
import type { VerdictStore } from "../verdicts";
import { STAGES } from "../words";
import { type ChainCell, chain } from "./chain";
import type { CheckAllState } from "./checkAllState";
import { nothingCertain, shiftLines, withOrigins } from "./verdictOf";

/**
 * Checks every code cell from one on, in order, each with what the earlier ones would do. Only the built-in checks are
 * used. After a cell that will crash nothing can be known, and that is what is said.
 */
export class CheckAll {
  constructor(
    private readonly kernels: Kernels,
    private readonly store: VerdictStore,
    private readonly recorder: RunRecorder,
    private readonly state: CheckAllState,
    private readonly show: (problem: Problem) => void,
  ) {}

  /** The key of the cell that will crash, if one will. */
  async run(first: vscode.NotebookCell): Promise<string | undefined> {
    const { notebook } = first;
    const cells = codeCells(notebook).filter((cell) => isCheckable(cell) && cell.index >= first.index);
    this.state.set({
      notebook: notebook.uri.toString(),
      title: "Checking all cells…",
      after: this.store.latestId,
      rows: cells.map((cell) => ({
        key: keyOf(cell),
        name: `Cell ${positionOf(cell)}`,
        icon: "pulse",
        text: "not checked yet",
      })),
    });
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: "CRANE: checking all cells", cancellable: true },
      async (progress, token) => {
        try {
          return await this.walk(
            cells,
            (message) => progress.report({ message, increment: 100 / cells.length }),
            token,
          );
        } catch (error) {
          this.title("Check all was stopped");
          if (!(error instanceof Cancelled)) {
            this.show(asProblem(error));
          }
          return undefined;
        }
      },
    );
  }

  private async walk(
    cells: readonly vscode.NotebookCell[],
    report: (message: string) => void,
    token: vscode.CancellationToken,
  ): Promise<string | undefined> {
    const before: ChainCell[] = [];
    let found: string | undefined;
    let unreached: string | null = null;
    for (const cell of cells) {
      const key = keyOf(cell);
      if (token.isCancellationRequested) {
        throw new Cancelled();
      }
      if (unreached !== null) {
        this.state.update(key, "question", `Not checked: ${unreached}`);
        continue;
      }
      report(`cell ${positionOf(cell)}`);
      const source = cell.document.getText();
      if (source.trim() === "") {
        this.state.update(key, "pulse", "Empty");
        continue;
      }
      const crashed = await this.one(cell, [...before, { key, source }], token);
      before.push({ key, source });
      if (crashed) {
        found = key;
        unreached = `Run All stops at cell ${positionOf(cell)}, which will crash`;
      } else if (cellTags(cell).includes("raises-exception")) {
        unreached = `cell ${positionOf(cell)} may raise on purpose, so what it leaves is not known`;
      }
    }
    this.title(
      found
        ? "Run All would stop at the cell marked below"
        : "All cells checked: nothing certain found (no claim that they are safe)",
    );
    return found;
  }

  /** True: the cell will crash. */
  private async one(
    cell: vscode.NotebookCell,
    cells: readonly ChainCell[],
    token: vscode.CancellationToken,
  ): Promise<boolean> {
    const key = keyOf(cell);
    const notebook = cell.notebook.uri.toString();
    const record = this.store.begin(key, notebook, cell.document.getText(), "all", STAGES.checking);
    try {
      const { source, offset } = chain(cells);
      const inspection = await this.kernels.inspect(
        cell.notebook,
        {
          source,
          ...inNotebook(cell),
          check: true,
          summary: false,
        },
        token,
      );
      const told = inspection.verdict;
      const inTarget = told?.outcome === "crash" && (told.line === null || told.line > offset);
      const verdict = inTarget
        ? withOrigins(shiftLines(told, offset), inspection, this.recorder.executed(notebook, key))
        : nothingCertain(
            "Checked with what the cells before it would do; no crash is certain.",
            inspection.seconds.check,
          );
      this.store.finish(record, { verdict, inspection, checksRan: true });
      this.state.update(key, "pulse", "Checked, but its verdict is gone: it has run since");
      return inTarget;
    } catch (error) {
      this.store.abandon(record);
      throw error;
    }
  }

  private title(title: string): void {
    const run = this.state.current;
    if (run) {
      this.state.set({ ...run, title });
    }
  }
}
