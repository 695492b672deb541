import * as path from "node:path";
import * as vscode from "vscode";
import { findCell, positionOf } from "../notebooks";
import type { CheckRecord, VerdictStore } from "../verdicts";
import { isCertain, recordPhrase, recordSentence } from "../words";

/** The list of checked cells in the side bar; when there is none, the welcome text stands there. */
export class ChecksView implements vscode.TreeDataProvider<string>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly disposables: vscode.Disposable[];

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly store: VerdictStore) {
    this.disposables = [
      this.changed,
      vscode.window.registerTreeDataProvider("crane.checks", this),
      vscode.Disposable.from(store.onDidChange(() => this.changed.fire(undefined))),
      vscode.workspace.onDidChangeNotebookDocument(
        ({ contentChanges }) => contentChanges.length > 0 && this.changed.fire(undefined),
      ),
    ];
  }

  getChildren(parent?: string): string[] {
    if (parent !== undefined) {
      return [];
    }
    return this.store
      .all()
      .sort((one, other) => order(one) - order(other))
      .map((record) => record.key);
  }

  getTreeItem(key: string): vscode.TreeItem {
    const record = this.store.get(key);
    const cell = findCell(key);
    const item = new vscode.TreeItem(cell ? `Cell ${positionOf(cell)}` : "Cell");
    const phrase = record && recordPhrase(record);
    if (record && phrase) {
      item.description = `${phrase.text} · ${path.posix.basename(vscode.Uri.parse(record.notebook).path)}`;
      item.iconPath = new vscode.ThemeIcon(phrase.icon, colour(record));
      item.tooltip = recordSentence(record);
      item.accessibilityInformation = { label: `${item.label}: ${recordSentence(record)}` };
      item.command = { title: "Show Details", command: "crane.showDetails", arguments: [key] };
    }
    return item;
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

function colour(record: CheckRecord): vscode.ThemeColor | undefined {
  if (record.state !== "fresh" || record.verdict?.outcome !== "crash") {
    return undefined;
  }
  return new vscode.ThemeColor(isCertain(record.verdict) ? "list.errorForeground" : "list.warningForeground");
}

function order(record: CheckRecord): number {
  return findCell(record.key)?.index ?? Number.MAX_SAFE_INTEGER;
}
