import { randomUUID } from "node:crypto";
import type { KernelRequest } from "../protocol";
import { type Cancellation, Cancelled } from "../util/cancel";
import type { Subscription } from "../util/emitter";
import { messageOf } from "../util/problem";
import { callCode, mountAndCallCode, type Payload } from "./payload";
import { kernelProblems } from "./problems";
import { type OutputItems, type ReplyOutcome, ReplyReader } from "./reply";

/** What is used of a Jupyter kernel. */
export interface KernelLike {
  readonly status: string;
  onDidChangeStatus(listener: (status: string) => void): Subscription;
  executeCode(code: string, token: Cancellation): AsyncIterable<OutputItems>;
}

/** A cancellation source, passed in so that tests need no editor. */
export interface CancellationSource {
  token: Cancellation;
  cancel(): void;
  dispose(): void;
}

/** How long a kernel's status may lag behind the end of a call. */
const JUST_ENDED_MS = 300;
/** How long a lost connection may take to come back: a server keeps what it has to say for that long, and longer. */
const RECONNECT_MS = 8000;
const REVOKED = "vscode.jupyter.apiAccessRevoked";
/** How the Jupyter extension words the end of a call that ran while the person interrupted the kernel. */
const INTERRUPTED = /^Canceled future\b/;

/**
 * Requests to one kernel. The package is sent with the first request of a kernel session and again when it is gone.
 *
 * A call that runs is never cancelled while the kernel lives: that would interrupt the kernel, perhaps the person's
 * next cell. Only the hanging call of a dead kernel is freed by its token.
 */
export class KernelChannel {
  private mounted = false;
  private readonly running = new Set<Promise<unknown>>();
  private lastEnded = 0;

  constructor(
    private readonly kernel: KernelLike,
    private readonly payload: Payload,
    private readonly newSource: () => CancellationSource,
  ) {}

  /** The kernel was restarted: what had been sent is gone. */
  forgetMount(): void {
    this.mounted = false;
  }

  get isMounted(): boolean {
    return this.mounted;
  }

  /** Our own calls under way or just ended: a kernel that is busy with these is not busy for the person. */
  get hasOwnCalls(): boolean {
    return this.running.size > 0 || Date.now() - this.lastEnded < JUST_ENDED_MS;
  }

  async ownCallsDone(): Promise<void> {
    await Promise.allSettled([...this.running]);
  }

  /** The result of a method. Throws `Problem`, or `Cancelled` when the person stopped waiting. */
  async request<T>(
    method: KernelRequest["method"],
    params: Record<string, unknown>,
    token: Cancellation,
    timeoutSeconds: number,
  ): Promise<T> {
    if (token.isCancellationRequested) {
      throw new Cancelled();
    }
    const request: KernelRequest = { id: randomUUID(), method, params };
    const sendAll = !this.mounted;
    let outcome = await this.run(request, sendAll, token, timeoutSeconds);
    if (outcome.kind === "missing" && !sendAll) {
      this.mounted = false;
      outcome = await this.run(request, true, token, timeoutSeconds);
    }
    switch (outcome.kind) {
      case "result":
        this.mounted = true;
        return outcome.value as T;
      case "error":
        throw kernelProblems.failed(outcome.message);
      case "missing":
        throw kernelProblems.failed("the package could not be mounted");
      case "silent":
        throw kernelProblems.interrupted();
    }
  }

  private async run(
    request: KernelRequest,
    sendAll: boolean,
    token: Cancellation,
    timeoutSeconds: number,
  ): Promise<ReplyOutcome> {
    const code = sendAll ? mountAndCallCode(this.payload, request) : callCode(this.payload, request);
    const source = this.newSource();
    const watch = new Watch(this.kernel, token, timeoutSeconds, () => source.cancel());
    const answer = this.read(code, request.id, source.token);
    this.running.add(answer);
    const tidy = () => {
      this.running.delete(answer);
      this.lastEnded = Date.now();
      source.dispose();
    };
    answer.then(tidy, tidy);
    try {
      return await Promise.race([answer, watch.ended]);
    } finally {
      watch.dispose();
    }
  }

  private async read(code: string, id: string, token: Cancellation): Promise<ReplyOutcome> {
    const reader = new ReplyReader(id);
    try {
      // Read to the end even after the sentinel: leaving the loop early would cancel the call.
      for await (const output of this.kernel.executeCode(code, token)) {
        reader.add(output);
      }
    } catch (error) {
      if (error instanceof Error && error.name === REVOKED) {
        throw kernelProblems.forbidden();
      }
      if (this.kernel.status === "dead" || this.kernel.status === "terminating") {
        throw kernelProblems.diedDuringCheck();
      }
      const outcome = reader.result();
      const message = messageOf(error);
      return outcome.kind === "silent" && !INTERRUPTED.test(message) ? { kind: "error", message } : outcome;
    }
    return reader.result();
  }
}

/** Rejects when waiting is over before the answer: stopped by the person, out of time, or the kernel died. */
class Watch {
  readonly ended: Promise<never>;
  private readonly subscriptions: Subscription[] = [];
  private timer: NodeJS.Timeout | undefined;
  private reconnecting: NodeJS.Timeout | undefined;

  constructor(kernel: KernelLike, token: Cancellation, seconds: number, freeHangingCall: () => void) {
    this.ended = new Promise<never>((_, reject) => {
      this.subscriptions.push(
        token.onCancellationRequested(() => reject(new Cancelled())),
        kernel.onDidChangeStatus((status) => {
          clearTimeout(this.reconnecting);
          if (status === "unknown") {
            this.reconnecting = setTimeout(() => reject(kernelProblems.connectionLost()), RECONNECT_MS);
          } else if (status === "dead") {
            freeHangingCall();
            reject(kernelProblems.diedDuringCheck());
          } else if (status === "restarting" || status === "autorestarting") {
            reject(status === "restarting" ? kernelProblems.restarting() : kernelProblems.diedDuringCheck());
          }
        }),
      );
      this.timer = setTimeout(() => {
        if (kernel.status === "dead") {
          freeHangingCall();
          reject(kernelProblems.diedDuringCheck());
        }
        reject(kernelProblems.timeout(seconds));
      }, seconds * 1000);
    });
    this.ended.catch(() => undefined);
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.reconnecting);
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }
}
