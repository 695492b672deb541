import * as vscode from "vscode";
import type { Checker } from "../check/checker";
import { INPUT_SCHEME } from "../interactiveInput";
import type { Kernels } from "../kernel/kernels";
import { CELL_SCHEME, findCell, isJupyter, keyOf } from "../notebooks";
import { MIME_REFUSAL, type Refusal } from "../protocol";
import type { RunRecorder } from "../recorder";
import type { VerdictStore } from "../verdicts";
import { STAGES } from "../words";

/** A tab that is moved is closed in one place and opened in another. */
const TAB_MOVE_MS = 200;

/** Turns what happens to notebooks into freshness: edits, runs, restarts, cells and notebooks that go. */
export class NotebookWatcher implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  /** Run (by execution count) whose refusal has been seen, by cell. */
  private readonly refused = new Map<string, number>();

  /** The run that began last, and whose verdicts it made stale. */
  private lastStarted: { key: string; stale: ReadonlySet<string> } | undefined;

  constructor(
    private readonly store: VerdictStore,
    private readonly recorder: RunRecorder,
    private readonly checker: Checker,
    private readonly kernels: Kernels,
  ) {
    const on = (...subscriptions: { dispose(): void }[]) => this.disposables.push(...subscriptions);
    on(
      vscode.workspace.onDidChangeNotebookDocument((event) => this.notebookChanged(event)),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.closed(notebook.uri.toString())),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(notebookOf)) {
          setTimeout(() => this.tabsClosed(closed), TAB_MOVE_MS);
        }
      }),
      // A document outlives its file's old name for a while, out of anyone's sight: what was said of it is over.
      vscode.workspace.onDidRenameFiles(({ files }) => this.away(files.map(({ oldUri }) => oldUri))),
      vscode.workspace.onDidDeleteFiles(({ files }) => this.away(files)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.edited(document);
        }
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (document.uri.scheme === CELL_SCHEME && document.languageId !== "python") {
          store.remove(document.uri.toString()); // the cell's language was changed
        }
      }),
      recorder.onDidRun(({ notebook, key, phase }) => {
        if (phase === "started") {
          checker.cancel(key);
          store.remove(key);
          this.lastStarted = { key, stale: store.markNotebookStale(notebook, "other_cell_ran", key) };
        }
      }),
      kernels.onDidRestart((notebook) => {
        recorder.clear(notebook);
        store.markNotebookStale(notebook, "kernel_restarted");
      }),
    );
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private edited(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (document.uri.scheme === INPUT_SCHEME && document.getText() === "") {
      this.checker.cancel(key);
      this.store.remove(key); // what was typed has been run
    } else if (document.uri.scheme === CELL_SCHEME || document.uri.scheme === INPUT_SCHEME) {
      this.store.markStale(key, "edited");
    }
  }

  private notebookChanged(event: vscode.NotebookDocumentChangeEvent): void {
    const { notebook } = event;
    if (!isJupyter(notebook)) {
      return;
    }
    this.cellsGone(event);
    let ran = false;
    for (const change of event.cellChanges) {
      const key = keyOf(change.cell);
      if (change.executionSummary) {
        const text = change.cell.document.getText();
        this.recorder.observe(notebook.uri.toString(), key, text, change.executionSummary);
        ran ||= change.executionSummary.success !== undefined;
      }
      if (change.outputs) {
        this.lookForRefusal(change.cell);
      }
    }
    if (ran) {
      void this.kernels.watch(notebook);
    }
  }

  /** A moved cell is removed and added in one event: it stays. */
  private cellsGone(event: vscode.NotebookDocumentChangeEvent): void {
    const added = new Set(event.contentChanges.flatMap((change) => change.addedCells.map(keyOf)));
    const gone = event.contentChanges
      .flatMap((change) => change.removedCells.map(keyOf))
      .filter((key) => !added.has(key));
    for (const key of gone) {
      this.checker.cancel(key);
      this.refused.delete(key);
    }
    this.store.remove(...gone);
  }

  /** The guard refused the cell: it did not run, so nothing else went stale, and its output carries the verdict. */
  private lookForRefusal(cell: vscode.NotebookCell): void {
    const order = cell.executionSummary?.executionOrder ?? -1;
    const key = keyOf(cell);
    const refusal = cell.outputs.map(refusalIn).find((found) => found !== undefined);
    if (!refusal || this.refused.get(key) === order) {
      return;
    }
    this.refused.set(key, order);
    const source = cell.document.getText();
    const notebook = cell.notebook.uri.toString();
    this.recorder.refused(notebook, key, order);
    if (this.lastStarted?.key === key) {
      const unchanged = [...this.lastStarted.stale].filter(
        (other) => findCell(other)?.document.getText() === this.store.get(other)?.source,
      );
      this.store.freshAgain(unchanged, "other_cell_ran");
    }
    const record = this.store.begin(key, notebook, source, "guard", STAGES.checking);
    const origins = refusal.verdict.origins?.length ? refusal.verdict.origins : (refusal.origins ?? []);
    this.store.finish(record, { verdict: { ...refusal.verdict, origins }, checksRan: true });
  }

  /** Files or folders have another name or are gone, and with them the notebooks in them. */
  private away(uris: readonly vscode.Uri[]): void {
    const names = uris.map((uri) => uri.toString());
    for (const notebook of new Set(this.store.all().map((record) => record.notebook))) {
      if (names.some((name) => notebook === name || notebook.startsWith(`${name}/`))) {
        this.closed(notebook);
      }
    }
  }

  /** Whoever talks to its kernel may keep a notebook open after its last tab: nothing is said of it then, but its runs still count. */
  private tabsClosed(tabs: readonly vscode.Tab[]): void {
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(notebookOf));
    for (const notebook of new Set(tabs.map(notebookOf))) {
      if (notebook && !open.includes(notebook)) {
        this.unsay(notebook);
      }
    }
  }

  private closed(notebook: string): void {
    this.unsay(notebook);
    this.recorder.clear(notebook);
  }

  private unsay(notebook: string): void {
    for (const record of this.store.ofNotebook(notebook)) {
      this.checker.cancel(record.key);
    }
    this.store.removeNotebook(notebook);
  }
}

/** The notebook that a tab shows; of an Interactive Window the tab does not say. */
function notebookOf({ input }: vscode.Tab): string | undefined {
  return input instanceof vscode.TabInputNotebook ? input.uri.toString() : undefined;
}

function refusalIn(output: vscode.NotebookCellOutput): Refusal | undefined {
  const item = output.items.find(({ mime }) => mime === MIME_REFUSAL);
  if (!item) {
    return undefined;
  }
  try {
    const told = JSON.parse(new TextDecoder().decode(item.data)) as Partial<Refusal>;
    return told.verdict?.outcome ? (told as Refusal) : undefined;
  } catch {
    return undefined;
  }
}
