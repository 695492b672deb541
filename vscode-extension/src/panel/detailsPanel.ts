import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { CheckAllState } from "../check/checkAllState";
import type { Consent } from "../model/consent";
import { findCell, keyOf, locate, positionOf, reveal } from "../notebooks";
import { settings } from "../settings";
import type { CheckRecord, VerdictStore } from "../verdicts";
import { recordPhrase } from "../words";
import { cellView, type Finder, toneOf } from "./cellView";
import { panelHtml } from "./html";
import type { FromPanel, OverviewRow, PanelView } from "./view";

/** The details beside the notebook. One panel, about one cell at a time; it shows stores and sends commands. */
export class DetailsPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private key: string | undefined;
  private ready = false;
  private readonly disposables: vscode.Disposable[] = [];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly store: VerdictStore,
    private readonly all: CheckAllState,
    private readonly consent: Consent,
  ) {
    this.disposables.push(
      vscode.Disposable.from(store.onDidChange((keys) => this.storeChanged(keys))),
      vscode.Disposable.from(all.onDidChange(() => this.post())),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("crane") && this.post()),
      vscode.workspace.onDidChangeNotebookDocument(({ contentChanges }) => contentChanges.length > 0 && this.post()),
    );
  }

  /** Shows a cell's details. The notebook keeps the focus unless the person asked for the panel. */
  show(key: string | undefined, preserveFocus: boolean): void {
    this.key = key ?? this.key;
    if (this.panel) {
      this.panel.reveal(this.columnFor(this.panel), preserveFocus);
      this.post();
      return;
    }
    this.ready = false;
    const dist = vscode.Uri.joinPath(this.extensionUri, "dist");
    const panel = vscode.window.createWebviewPanel(
      "crane.details",
      "CRANE",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus },
      { enableScripts: true, localResourceRoots: [dist] },
    );
    this.panel = panel;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, "media", "crane.svg");
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    panel.webview.onDidReceiveMessage((message: FromPanel) => this.receive(message));
    const { webview } = panel;
    const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
    const nonce = randomBytes(18).toString("base64");
    webview.html = panelHtml(nonce, webview.cspSource, file("panel.js"), file("panel.css"));
  }

  /** Where the panel is, unless it would cover the very notebook that it is about. */
  private columnFor(panel: vscode.WebviewPanel): vscode.ViewColumn | undefined {
    const notebook = this.key && findCell(this.key)?.notebook;
    const covers = vscode.window.visibleNotebookEditors.some(
      (editor) => editor.notebook === notebook && editor.viewColumn === panel.viewColumn,
    );
    return covers ? vscode.ViewColumn.Beside : panel.viewColumn;
  }

  /** Shows the summary of “Check all”, and no cell until one is selected. */
  showOverview(): void {
    this.key = undefined;
    this.show(undefined, true);
  }

  dispose(): void {
    this.panel?.dispose();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private storeChanged(keys: ReadonlySet<string>): void {
    for (const key of keys) {
      const record = this.store.get(key);
      if (record?.state === "checking" && record.cause === "asked") {
        this.key = key; // the panel follows what the person asked for last
      }
      if (record && key === this.key) {
        this.openFor(record);
      }
    }
    if (this.key && keys.has(this.key)) {
      this.post();
    }
  }

  /** Opens by itself where the person wants that, and comes to the front whenever consent is needed. */
  private openFor(record: CheckRecord): void {
    const done = record.state === "fresh" && record.cause === "asked";
    // The Interactive Window shows no status items of extensions: the panel is the only answer there.
    const onlyHere = done && findCell(record.key)?.notebook.notebookType === "interactive";
    if ((onlyHere || record.outgoing?.needsConsent) && !this.panel?.visible) {
      this.show(record.key, true);
    }
    if (this.panel) {
      return;
    }
    const when = settings.openDetails();
    const crash = record.verdict?.outcome === "crash" || record.verdict?.outcome === "unreadable";
    if (done && (when === "always" || (when === "crash" && crash))) {
      this.show(record.key, true);
    }
  }

  private post(): void {
    if (this.panel && this.ready) {
      void this.panel.webview.postMessage(this.view());
    }
  }

  private view(): PanelView {
    const record = this.key === undefined ? undefined : this.store.get(this.key);
    const cell = record && findCell(record.key);
    const find: Finder = (ref) => {
      const found = cell && locate(cell.notebook, ref);
      return found ? { key: keyOf(found), position: positionOf(found) } : null;
    };
    return {
      notebook: cell ? path.posix.basename(cell.notebook.uri.path) : "",
      useModel: settings.useModel(),
      includeRuntime: settings.includeRuntime(),
      cell: record ? cellView(record, cell ? positionOf(cell) : null, find) : null,
      notice:
        this.key === undefined
          ? "Select Check under a Python cell to predict whether it crashes, before you run it."
          : "The cell has run, was removed or was not checked: there is no verdict to show.",
      overview: this.overview(),
      overviewFirst: this.all.current !== undefined && (record === undefined || record.cause === "all"),
    };
  }

  private overview(): PanelView["overview"] {
    const run = this.all.current;
    if (!run) {
      return null;
    }
    const rows = run.rows.map((row): OverviewRow => {
      const found = this.store.get(row.key);
      const record = found && found.id > run.after ? found : undefined;
      const own = record && recordPhrase(record);
      return {
        key: row.key,
        name: row.name,
        tone: record?.state === "stale" ? "stale" : record?.verdict ? toneOf(record.verdict) : "quiet",
        icon: own?.icon ?? row.icon,
        text: own?.text ?? row.text,
        current: row.key === this.key,
      };
    });
    return { title: run.title, rows };
  }

  private receive(message: FromPanel): void {
    switch (message.type) {
      case "ready":
        this.ready = true;
        this.post();
        break;
      case "switch":
        void settings.set(message.name === "useModel" ? "useModel" : "includeRuntimeInformation", message.value);
        break;
      case "jump": {
        const cell = findCell(message.jump.key);
        void (cell && reveal(cell, message.jump.line));
        break;
      }
      case "show":
        this.key = message.key;
        this.post();
        break;
      case "consent":
        this.consent.answer(message.recordId, message.agreed);
        break;
      case "wayOut": {
        const way = this.store.get(message.key)?.problem?.waysOut[message.index];
        void (way && vscode.commands.executeCommand(way.command, ...(way.args ?? [])));
        break;
      }
      default:
        void vscode.commands.executeCommand(COMMANDS[message.type], message.key);
    }
  }
}

/** The panel's buttons that are commands about its cell. */
const COMMANDS = {
  check: "crane.check",
  cancel: "crane.cancel",
  preview: "crane.previewPrompt",
  applySuggestion: "crane.applySuggestion",
} as const;
