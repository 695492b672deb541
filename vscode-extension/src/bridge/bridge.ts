import * as os from "node:os";
import * as vscode from "vscode";
import type { Log } from "../log";
import type { PredictParams, PreviewResult, Requests, StageParams } from "../protocol";
import { type Cancellation, Cancelled, untilCancelled } from "../util/cancel";
import { Emitter } from "../util/emitter";
import { Problem } from "../util/problem";
import { BridgeClient } from "./client";
import type { EnvironmentPlan, ManagedEnvironment } from "./environment";
import type { Interpreters } from "./interpreters";
import { previewFromWheel } from "./preview";
import { bridgeProblem } from "./problems";

/** What would be sent, and the environment that would have to be made before it can be; null: there is one. */
export interface Look {
  preview: PreviewResult;
  environment: EnvironmentPlan | null;
}

/** The bridge as the rest of the extension sees it: started at the first request, and again after it ended. */
export class Bridge implements vscode.Disposable {
  private starting: Promise<BridgeClient> | undefined;
  private client: BridgeClient | undefined;
  private readonly staged = new Emitter<StageParams>();
  private lastTail = "";
  private readonly subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("crane.pythonPath")) {
      void this.restart();
    }
  });

  readonly onStage = this.staged.event;

  constructor(
    private readonly version: string,
    private readonly interpreters: Interpreters,
    private readonly environment: ManagedEnvironment,
    private readonly log: Log,
  ) {}

  async request<M extends Exclude<keyof Requests, "shutdown">>(
    method: M,
    params: Requests[M]["params"],
    token: Cancellation,
  ): Promise<Requests[M]["result"]> {
    const client = await this.running();
    return client.request(method, params, token);
  }

  /** The exact text that `predict` would send. Starts no bridge and makes nothing where there is no environment yet. */
  async look(params: PredictParams, token: Cancellation): Promise<Look> {
    this.requireTrust();
    if (this.client?.isRunning || this.starting || (await this.interpreters.withBridge())) {
      return { preview: await this.request("preview", params, token), environment: null };
    }
    const environment = await this.environment.plan(this.interpreters);
    const work = previewFromWheel(environment.command, this.environment.wheel(), params);
    return { preview: await untilCancelled(work, token), environment };
  }

  /** Makes the environment that the person agreed to. A person who stops it does not want the model to be asked. */
  async prepare(plan: EnvironmentPlan): Promise<void> {
    try {
      await this.environment.make(plan);
    } catch (error) {
      throw error instanceof Cancelled ? bridgeProblem.noBridge() : error;
    }
  }

  /** The last lines of the bridge's stderr, for reports. */
  get stderrTail(): string {
    return this.client?.stderrTail ?? this.lastTail;
  }

  /** Ends it; the next request starts it anew, with the interpreter that is right then. */
  async restart(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.stop();
  }

  dispose(): void {
    this.subscription.dispose();
    this.client?.kill();
  }

  private requireTrust(): void {
    if (!vscode.workspace.isTrusted) {
      throw new Problem("restricted", "The model is not asked in Restricted Mode.", "Trust the workspace first.", [
        { label: "Manage Trust", command: "workbench.trust.manage" },
      ]);
    }
  }

  private async running(): Promise<BridgeClient> {
    this.requireTrust();
    if (this.client?.isRunning) {
      return this.client;
    }
    this.starting ??= this.start().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  private async start(): Promise<BridgeClient> {
    const command = (await this.interpreters.withBridge()) ?? (await this.environment.offer(this.interpreters));
    if (!command) {
      throw bridgeProblem.noBridge();
    }
    const debugPort = process.env.CRANE_DEBUG_PORT;
    const args = debugPort ? ["--debug-port", debugPort] : [];
    const client = await BridgeClient.start(command, os.homedir(), this.version, this.log, args);
    client.onStage((stage) => this.staged.fire(stage));
    client.onDidEnd(() => {
      this.lastTail = client.stderrTail;
    });
    this.client = client;
    return client;
  }
}
