import * as vscode from "vscode";
import { CELL_SCHEME, isCheckable, keyOf, NOTEBOOK_TYPES } from "../notebooks";
import type { VerdictStore } from "../verdicts";
import type { OriginMarks } from "./originMarks";
import { itemsFor } from "./statusItems";

/** Draws what the stores say under each Python cell. Asks nothing and works nothing out: scrolling is free. */
export class StatusBar implements vscode.NotebookCellStatusBarItemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly disposables: vscode.Disposable[];

  readonly onDidChangeCellStatusBarItems = this.changed.event;

  constructor(
    private readonly store: VerdictStore,
    private readonly marks: OriginMarks,
  ) {
    this.disposables = [
      this.changed,
      ...NOTEBOOK_TYPES.map((type) => vscode.notebooks.registerNotebookCellStatusBarItemProvider(type, this)),
      store.onDidChange(() => this.changed.fire()),
      marks.onDidChange(() => this.changed.fire()),
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (document.uri.scheme === CELL_SCHEME) {
          this.changed.fire(); // the language of a cell was changed
        }
      }),
    ];
  }

  provideCellStatusBarItems(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
    if (!isCheckable(cell)) {
      return [];
    }
    const key = keyOf(cell);
    return itemsFor(this.store.get(key), this.marks.notesFor(key)).map((spec) => {
      const item = new vscode.NotebookCellStatusBarItem(spec.text, vscode.NotebookCellStatusBarAlignment.Left);
      item.tooltip = spec.tooltip;
      item.priority = spec.priority;
      item.accessibilityInformation = { label: spec.label, role: "button" };
      item.command = { title: spec.label, command: spec.command, arguments: [this.argument(spec.command, cell)] };
      return item;
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private argument(command: string, cell: vscode.NotebookCell): string {
    const key = keyOf(cell);
    return command === "crane.goToTarget" ? (this.marks.notesFor(key)[0]?.targetKey ?? key) : key;
  }
}
