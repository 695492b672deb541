import * as vscode from "vscode";
import type { Kernels } from "./kernel/kernels";
import type { Log } from "./log";
import { isJupyter } from "./notebooks";
import type { GuardResult } from "./protocol";
import { settings } from "./settings";
import { messageOf } from "./util/problem";

const SETTLE_MS = 250;

/**
 * The guard's switch. It is remembered; it takes hold of a kernel at the first contact and again after each restart,
 * and the status bar says whether it has.
 */
export class Guard implements vscode.Disposable {
  private readonly armed = new Set<string>();
  private readonly item: vscode.StatusBarItem;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly kernels: Kernels,
    private readonly log: Log,
  ) {
    this.item = vscode.window.createStatusBarItem("crane.guard", vscode.StatusBarAlignment.Left, 5);
    this.item.name = "CRANE guard";
    this.item.command = "crane.toggleGuard";
    this.disposables = [
      this.item,
      vscode.window.onDidChangeActiveNotebookEditor(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("crane.guard")) {
          void this.apply(settings.guard());
        }
      }),
      vscode.Disposable.from(
        kernels.onDidRestart((key) => this.set(key, false)),
        kernels.onDidBecomeReady((key) => setTimeout(() => void this.firstContact(key), SETTLE_MS)),
        kernels.onDidMount((key) => settings.guard() && void this.switchQuietly(key, true)),
      ),
    ];
    this.refresh();
  }

  /** Turns it on or off because a person asked. The active notebook's kernel is told at once, if there is one. */
  async turn(on: boolean, notebook: vscode.NotebookDocument | undefined): Promise<void> {
    if (settings.guard() === on) {
      await this.apply(on);
    } else {
      await settings.set("guard.enabled", on); // the change of the setting applies it
    }
    if (on && notebook && !this.armed.has(notebook.uri.toString())) {
      const source = new vscode.CancellationTokenSource();
      try {
        this.note(notebook.uri.toString(), await this.kernels.guard(notebook, on, source.token));
      } finally {
        source.dispose();
      }
    }
  }

  isArmed(notebook: vscode.NotebookDocument): boolean {
    return this.armed.has(notebook.uri.toString());
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private async apply(on: boolean): Promise<void> {
    const open = vscode.workspace.notebookDocuments.filter(isJupyter);
    await Promise.all(open.map((notebook) => this.switchQuietly(notebook.uri.toString(), on)));
    this.refresh();
  }

  /** A kernel is there and idle: the recorder starts (where leave was given before), and the guard if it is on. */
  private async firstContact(key: string): Promise<void> {
    if (settings.guard()) {
      await this.switchQuietly(key, true);
      return;
    }
    const notebook = this.notebook(key);
    if (notebook && !this.kernels.isMounted(notebook)) {
      await this.quietly(notebook, "ping", {});
    }
  }

  private async switchQuietly(key: string, on: boolean): Promise<void> {
    const notebook = this.notebook(key);
    if (notebook && !(on && this.armed.has(key))) {
      this.note(key, await this.quietly<GuardResult>(notebook, "guard", { on }));
    }
  }

  private async quietly<T>(
    notebook: vscode.NotebookDocument,
    method: "guard" | "ping",
    params: Record<string, unknown>,
  ): Promise<T | undefined> {
    const source = new vscode.CancellationTokenSource();
    try {
      return await this.kernels.quietly<T>(notebook, method, params, source.token);
    } catch (error) {
      this.log.warn(`The kernel could not be prepared: ${messageOf(error)}`);
      return undefined;
    } finally {
      source.dispose();
    }
  }

  private note(key: string, state: GuardResult | undefined): void {
    if (state) {
      this.set(key, state.on && state.armed);
    }
  }

  private set(key: string, armed: boolean): void {
    if (armed) {
      this.armed.add(key);
    } else {
      this.armed.delete(key);
    }
    this.refresh();
  }

  private notebook(key: string): vscode.NotebookDocument | undefined {
    return vscode.workspace.notebookDocuments.find((candidate) => candidate.uri.toString() === key);
  }

  private refresh(): void {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (!notebook || !isJupyter(notebook) || !settings.guard()) {
      this.item.hide();
      return;
    }
    const armed = this.isArmed(notebook);
    this.item.text = armed ? "$(shield) CRANE guard armed" : "$(shield) CRANE guard not armed yet";
    this.item.tooltip = armed
      ? "Cells that will certainly crash are refused in this notebook. Select to switch the guard off."
      : "The guard takes hold at the first contact with this notebook's kernel: run a cell, then check one. Select to switch it off.";
    this.item.accessibilityInformation = {
      label: `${this.item.text.replace("$(shield) ", "")}. ${this.item.tooltip}`,
      role: "button",
    };
    this.item.show();
  }
}
