import type { Jupyter, Kernel } from "@vscode/jupyter-extension";
import * as vscode from "vscode";
import type { GuardResult, Inspection, InspectParams, KernelRequest } from "../protocol";
import type { Cancellation } from "../util/cancel";
import { Emitter } from "../util/emitter";
import { Problem } from "../util/problem";
import type { KernelAccess } from "./access";
import { KernelChannel, type KernelLike } from "./channel";
import type { Payload } from "./payload";
import { kernelProblems, ofNotebook } from "./problems";

const JUPYTER_ID = "ms-toolsai.jupyter";
const OWN_CALL_WAIT_MS = 3000;
const DIALOG_WAIT_SECONDS = 600;

interface Known {
  kernel: Kernel;
  channel: KernelChannel;
  subscription: vscode.Disposable;
  needsArming: boolean;
}

/** The kernels of the open notebooks, as far as they may be asked. */
export class Kernels implements vscode.Disposable {
  private readonly known = new Map<string, Known>();
  private readonly restarted = new Emitter<string>();
  private readonly ready = new Emitter<string>();
  private readonly contact = new Emitter<string>();
  private readonly disposables: vscode.Disposable[] = [];

  /** A notebook's kernel lost its state: its URI, as text. */
  readonly onDidRestart = this.restarted.event;
  /** A notebook's kernel has become idle for the first time since it was seen or restarted. */
  readonly onDidBecomeReady = this.ready.event;
  /** A first request of a kernel session has succeeded. */
  readonly onDidMount = this.contact.event;

  constructor(
    readonly access: KernelAccess,
    private readonly payload: Payload,
    private readonly timeoutSeconds: () => number,
  ) {
    this.disposables.push(
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.drop(notebook.uri.toString())),
    );
  }

  /** Asks on a person's behalf: explains the access dialog where it will come, and says what stands in the way. */
  async inspect(notebook: vscode.NotebookDocument, params: InspectParams, token: Cancellation): Promise<Inspection> {
    return this.asked<Inspection>(notebook, "inspect", { ...params }, token);
  }

  async guard(notebook: vscode.NotebookDocument, on: boolean, token: Cancellation): Promise<GuardResult> {
    return this.asked<GuardResult>(notebook, "guard", { on }, token);
  }

  /** Asks uninvited: undefined wherever it might disturb (no leave yet, no kernel, not idle). Never a dialog. */
  async quietly<T>(
    notebook: vscode.NotebookDocument,
    method: KernelRequest["method"],
    params: Record<string, unknown>,
    token: Cancellation,
  ): Promise<T | undefined> {
    if (!this.access.granted || !vscode.workspace.isTrusted) {
      return undefined;
    }
    try {
      return await this.send<T>(notebook, await this.idleKernel(notebook), method, params, token);
    } catch (error) {
      if (error instanceof Problem) {
        return undefined;
      }
      throw error;
    }
  }

  /** Whether the package is already in the kernel, without asking it. */
  isMounted(notebook: vscode.NotebookDocument): boolean {
    return this.known.get(notebook.uri.toString())?.channel.isMounted ?? false;
  }

  /** Learns of the notebook's kernel, so that its restarts are noticed. Sends nothing. */
  async watch(notebook: vscode.NotebookDocument): Promise<void> {
    const jupyter = vscode.extensions.getExtension<Jupyter>(JUPYTER_ID);
    const kernel = jupyter?.isActive ? await jupyter.exports.kernels?.getKernel(notebook.uri) : undefined;
    if (kernel && kernel.language === "python") {
      this.remember(notebook, kernel);
    }
  }

  private async asked<T>(
    notebook: vscode.NotebookDocument,
    method: KernelRequest["method"],
    params: Record<string, unknown>,
    token: Cancellation,
  ): Promise<T> {
    try {
      return await this.send<T>(notebook, await this.invited(notebook), method, params, token);
    } catch (error) {
      throw error instanceof Problem ? ofNotebook(error, notebook.uri.toString()) : error;
    }
  }

  private async invited(notebook: vscode.NotebookDocument): Promise<Known> {
    const known = await this.idleKernel(notebook);
    if (this.access.granted) {
      return known;
    }
    if (!(await this.access.explain())) {
      throw kernelProblems.declined();
    }
    return this.idleKernel(notebook); // much can happen while a dialog is open
  }

  private async idleKernel(notebook: vscode.NotebookDocument): Promise<Known> {
    if (!vscode.workspace.isTrusted) {
      throw kernelProblems.restricted();
    }
    const jupyter = vscode.extensions.getExtension<Jupyter>(JUPYTER_ID);
    if (!jupyter) {
      throw kernelProblems.noJupyter();
    }
    const api = jupyter.isActive ? jupyter.exports : await jupyter.activate();
    const kernel = await api?.kernels?.getKernel(notebook.uri);
    if (!kernel) {
      throw kernelProblems.noKernel();
    }
    if (kernel.language.toLowerCase() !== "python") {
      throw kernelProblems.notPython(kernel.language);
    }
    switch (kernel.status) {
      case "dead":
      case "terminating":
        throw kernelProblems.dead();
      case "busy":
        if (await this.busyWithOurs(notebook, kernel)) {
          break;
        }
        throw kernelProblems.busy();
      case "starting":
        throw kernelProblems.starting();
      case "unknown":
        throw kernelProblems.unconnected();
      case "restarting":
      case "autorestarting":
        throw kernelProblems.restarting();
    }
    return this.remember(notebook, kernel);
  }

  /** True once the kernel is idle again after calls of our own, which are short. */
  private async busyWithOurs(notebook: vscode.NotebookDocument, kernel: Kernel): Promise<boolean> {
    const channel = this.known.get(notebook.uri.toString())?.channel;
    if (!channel?.hasOwnCalls) {
      return false;
    }
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await Promise.race([channel.ownCallsDone(), pause(OWN_CALL_WAIT_MS)]);
    for (let tries = 0; kernel.status === "busy" && tries < 10; tries++) {
      await pause(20);
    }
    return kernel.status === "idle";
  }

  private async send<T>(
    notebook: vscode.NotebookDocument,
    known: Known,
    method: KernelRequest["method"],
    params: Record<string, unknown>,
    token: Cancellation,
  ): Promise<T> {
    const first = !known.channel.isMounted;
    try {
      // Without leave so far, a dialog of the Jupyter extension is open, and the person may take their time.
      const wait = this.access.granted ? this.timeoutSeconds() : DIALOG_WAIT_SECONDS;
      const result = await known.channel.request<T>(method, params, token, wait);
      await this.access.setGranted(true);
      if (first) {
        this.contact.fire(notebook.uri.toString());
      }
      return result;
    } catch (error) {
      if (error instanceof Problem && error.kind === "forbidden") {
        await this.access.setGranted(false);
      }
      throw error;
    }
  }

  private remember(notebook: vscode.NotebookDocument, kernel: Kernel): Known {
    const key = notebook.uri.toString();
    const found = this.known.get(key);
    if (found?.kernel === kernel) {
      return found;
    }
    if (found) {
      this.drop(key);
      this.restarted.fire(key); // another kernel was selected: nothing known of the old one holds
    }
    const channel = new KernelChannel(kernel as KernelLike, this.payload, () => new vscode.CancellationTokenSource());
    const known: Known = { kernel, channel, needsArming: true, subscription: { dispose: () => undefined } };
    known.subscription = kernel.onDidChangeStatus((status) => this.statusChanged(key, known, status));
    this.known.set(key, known);
    if (kernel.status === "idle") {
      this.statusChanged(key, known, "idle");
    }
    return known;
  }

  private statusChanged(key: string, known: Known, status: string): void {
    if (["restarting", "autorestarting", "dead", "terminating"].includes(status)) {
      if (!known.needsArming || known.channel.isMounted) {
        known.needsArming = true;
        known.channel.forgetMount();
      }
      this.restarted.fire(key);
    } else if (status === "unknown") {
      known.needsArming = true; // a server's kernel, connected anew: the first contact may have missed it
    } else if (status === "idle" && known.needsArming) {
      known.needsArming = false;
      this.ready.fire(key);
    }
  }

  private drop(key: string): void {
    this.known.get(key)?.subscription.dispose();
    this.known.delete(key);
  }

  dispose(): void {
    for (const key of [...this.known.keys()]) {
      this.drop(key);
    }
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
