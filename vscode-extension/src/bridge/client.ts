import { once } from "node:events";
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { Log } from "../log";
import { type InitializeResult, REQUEST_CANCELLED, type Requests, type StageParams } from "../protocol";
import { type Cancellation, Cancelled } from "../util/cancel";
import { Emitter } from "../util/emitter";
import { messageOf, Problem } from "../util/problem";
import { bridgeProblem } from "./problems";
import { BridgeProcess } from "./process";

const START_TIMEOUT_MS = 30_000;
const SHUTDOWN_TIMEOUT_MS = 1_000;

type Method = Exclude<keyof Requests, "shutdown">;

/** A running bridge: typed requests that can be cancelled, and the stages it reports. */
export class BridgeClient {
  private readonly staged = new Emitter<StageParams>();
  private readonly ended = new Emitter<void>();
  private closed = false;

  readonly onStage = this.staged.event;
  readonly onDidEnd = this.ended.event;

  private constructor(
    private readonly process: BridgeProcess,
    private readonly connection: MessageConnection,
  ) {
    connection.onNotification("stage", (params: StageParams) => this.staged.fire(params));
    connection.onClose(() => this.end());
    process.child.on("exit", () => this.end());
  }

  /** Starts the bridge and greets it. A failure carries the last words of its stderr. */
  static async start(command: string, cwd: string, version: string, log: Log, args: string[]): Promise<BridgeClient> {
    const process = new BridgeProcess(command, cwd, log, args);
    const died = new Promise<never>((_, reject) => {
      process.child.on("error", (error) => reject(error));
      process.child.on("exit", (code) => reject(new Error(`Python ended with exit code ${code}`)));
    });
    died.catch(() => undefined);
    process.child.stdin.on("error", () => undefined); // a broken pipe shows as the exit above
    try {
      await Promise.race([once(process.child, "spawn"), died]);
    } catch (error) {
      throw startProblem(command, messageOf(error), process.stderrTail);
    }
    const connection = createMessageConnection(
      new StreamMessageReader(process.child.stdout),
      new StreamMessageWriter(process.child.stdin),
    );
    connection.onError(([error]) => log.warn(`bridge connection: ${error.message}`));
    connection.listen();
    const client = new BridgeClient(process, connection);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("it did not answer in time")), START_TIMEOUT_MS);
    });
    try {
      const greeting: Promise<InitializeResult> = connection.sendRequest("initialize", { client_version: version });
      greeting.catch(() => undefined);
      const told = await Promise.race([greeting, died, late]);
      log.info(`Bridge ${told.version} runs on Python ${told.python}`);
      return client;
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 50)); // lets the rest of stderr arrive
      client.kill();
      throw startProblem(command, messageOf(error), process.stderrTail);
    } finally {
      clearTimeout(timer);
    }
  }

  get isRunning(): boolean {
    return !this.closed;
  }

  get stderrTail(): string {
    return this.process.stderrTail;
  }

  /** Throws `Problem`, or `Cancelled` when the person stopped waiting (the bridge then closes its connection). */
  async request<M extends Method>(
    method: M,
    params: Requests[M]["params"],
    token: Cancellation,
  ): Promise<Requests[M]["result"]> {
    if (token.isCancellationRequested) {
      throw new Cancelled();
    }
    const source = new CancellationTokenSource();
    const subscriptions = [token.onCancellationRequested(() => source.cancel())];
    const stopped = new Promise<never>((_, reject) => {
      subscriptions.push(
        token.onCancellationRequested(() => reject(new Cancelled())),
        this.onDidEnd(() => reject(bridgeProblem.ended(this.stderrTail))),
      );
    });
    stopped.catch(() => undefined);
    const answer = this.connection.sendRequest<Requests[M]["result"]>(method, params, source.token);
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, stopped]);
    } catch (error) {
      if (error instanceof Cancelled || error instanceof Problem) {
        throw error;
      }
      if (error instanceof ResponseError) {
        throw error.code === REQUEST_CANCELLED ? new Cancelled() : bridgeProblem.fromError(error.message, error.data);
      }
      throw bridgeProblem.ended(this.stderrTail);
    } finally {
      for (const subscription of subscriptions) {
        subscription.dispose();
      }
    }
  }

  /** Asks the bridge to end, and ends it if it does not. */
  async stop(): Promise<void> {
    if (!this.closed) {
      const asked = this.connection.sendRequest("shutdown").catch(() => undefined);
      await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, SHUTDOWN_TIMEOUT_MS))]);
    }
    this.kill();
  }

  kill(): void {
    this.end();
    this.process.kill();
  }

  private end(): void {
    if (!this.closed) {
      this.closed = true;
      this.ended.fire();
      this.connection.dispose();
    }
  }
}

function startProblem(command: string, why: string, stderr: string): Problem {
  return new Problem(
    "bridge_start",
    `The model bridge did not start: ${why}.`,
    stderr ? `Python said:\n${stderr}` : `Interpreter: ${command}`,
    [
      { label: "Repair Environment", command: "crane.repairEnvironment" },
      { label: "Show Log", command: "crane.showLog" },
    ],
  );
}
