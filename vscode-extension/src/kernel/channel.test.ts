import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CancellationTokenSource } from "../../test/vscode";
import { MIME_END, MIME_REPLY } from "../protocol";
import type { Cancellation } from "../util/cancel";
import { Emitter } from "../util/emitter";
import { Problem } from "../util/problem";
import { KernelChannel, type KernelLike } from "./channel";
import type { Payload } from "./payload";
import type { OutputItems } from "./reply";

const PAYLOAD: Payload = { version: "0.1.0", module: "_crane", mount: "MOUNT", call: "CALL(@REQUEST@)" };
const ERROR = "application/vnd.code.notebook.error";

function display(mime: string, value: unknown): OutputItems {
  return { items: [{ mime, data: new TextEncoder().encode(JSON.stringify(value)) }] };
}

/** A kernel that answers as it is told; it notes what it was sent and whether a running call was cancelled. */
class FakeKernel implements KernelLike {
  status = "idle";
  readonly sent: string[] = [];
  cancelled = 0;
  mounted = false;
  private readonly statuses = new Emitter<string>();

  constructor(private readonly answer: (id: string, kernel: FakeKernel) => AsyncIterable<OutputItems>) {}

  onDidChangeStatus = this.statuses.event;

  become(status: string): void {
    this.status = status;
    this.statuses.fire(status);
  }

  executeCode(code: string, token: Cancellation): AsyncIterable<OutputItems> {
    this.sent.push(code);
    this.mounted ||= code.startsWith("MOUNT");
    token.onCancellationRequested(() => {
      this.cancelled += 1;
    });
    const literal = /CALL\((.*)\)$/.exec(code)?.[1] ?? '""';
    return this.answer(JSON.parse(JSON.parse(literal) as string).id, this);
  }
}

async function* outputs(...items: OutputItems[]): AsyncIterable<OutputItems> {
  yield* items;
}

const never = () =>
  (async function* (): AsyncIterable<OutputItems> {
    await new Promise(() => undefined);
  })();

const good = (id: string, kernel: FakeKernel) =>
  kernel.mounted
    ? outputs(display(MIME_REPLY, { id, result: { ok: true } }), display(MIME_END, { id }))
    : outputs(display(MIME_REPLY, { id, missing: true }), display(MIME_END, { id }));

function channelTo(kernel: FakeKernel): KernelChannel {
  return new KernelChannel(kernel, PAYLOAD, () => new CancellationTokenSource());
}

const ask = (channel: KernelChannel, token = new CancellationTokenSource().token, seconds = 5) =>
  channel.request("ping", {}, token, seconds);

const kindOf = (kind: string) => (error: unknown) => error instanceof Problem && error.kind === kind;

describe("a kernel's channel", () => {
  test("sends the package with the first request only", async () => {
    const kernel = new FakeKernel(good);
    const channel = channelTo(kernel);
    assert.deepEqual(await ask(channel), { ok: true });
    await ask(channel);
    assert.deepEqual(
      kernel.sent.map((code) => code.startsWith("MOUNT")),
      [true, false],
    );
  });

  test("sends it again when the kernel says that it is missing", async () => {
    const kernel = new FakeKernel(good);
    const channel = channelTo(kernel);
    await ask(channel);
    kernel.mounted = false;
    assert.deepEqual(await ask(channel), { ok: true });
    assert.deepEqual(
      kernel.sent.map((code) => code.startsWith("MOUNT")),
      [true, false, true],
    );
  });

  test("a silent end is an interruption, not a success", async () => {
    await assert.rejects(ask(channelTo(new FakeKernel(() => outputs()))), kindOf("interrupted"));
  });

  test("so is a call that the person's interrupt has ended while it ran", async () => {
    const ended = new FakeKernel(() =>
      // biome-ignore lint/correctness/useYield: the Jupyter extension throws before the first output
      (async function* (): AsyncIterable<OutputItems> {
        throw new Error("Canceled future for execute_request message before replies were done");
      })(),
    );
    await assert.rejects(ask(channelTo(ended)), kindOf("interrupted"));
  });

  test("a reply without its sentinel is not whole", async () => {
    const kernel = new FakeKernel((id) => outputs(display(MIME_REPLY, { id, result: 1 })));
    await assert.rejects(ask(channelTo(kernel)), kindOf("interrupted"));
  });

  test("another request's answer is not ours", async () => {
    const kernel = new FakeKernel(() =>
      outputs(display(MIME_REPLY, { id: "x", result: 1 }), display(MIME_END, { id: "x" })),
    );
    await assert.rejects(ask(channelTo(kernel)), kindOf("interrupted"));
  });

  test("a failure inside the kernel is told with its words", async () => {
    const failing = (id: string) =>
      outputs(display(MIME_REPLY, { id, error: { type: "ValueError", message: "no" } }), display(MIME_END, { id }));
    await assert.rejects(ask(channelTo(new FakeKernel(failing))), /ValueError: no/);
    const raised = new FakeKernel(() => outputs(display(ERROR, { name: "SyntaxError", message: "bad" })));
    await assert.rejects(ask(channelTo(raised)), /SyntaxError: bad/);
  });

  test("a mount that fails is told with its reason", async () => {
    const kernel = new FakeKernel((id) =>
      outputs(
        display(MIME_REPLY, { id: "mount", error: { type: "ImportError", message: "zlib" } }),
        display(MIME_REPLY, { id, missing: true }),
        display(MIME_END, { id }),
      ),
    );
    await assert.rejects(ask(channelTo(kernel)), /ImportError: zlib/);
  });

  test("revoked access is said as such", async () => {
    const kernel = new FakeKernel(() =>
      // biome-ignore lint/correctness/useYield: the Jupyter extension throws before the first output
      (async function* (): AsyncIterable<OutputItems> {
        throw Object.assign(new Error("no"), { name: "vscode.jupyter.apiAccessRevoked" });
      })(),
    );
    await assert.rejects(ask(channelTo(kernel)), kindOf("forbidden"));
  });

  test("stopping to wait does not cancel the running call: that would interrupt the kernel", async () => {
    const kernel = new FakeKernel(never);
    const source = new CancellationTokenSource();
    const waiting = ask(channelTo(kernel), source.token);
    source.cancel();
    await assert.rejects(waiting, { name: "Cancelled" });
    assert.equal(kernel.cancelled, 0);
  });

  test("a token that is cancelled already sends nothing", async () => {
    const kernel = new FakeKernel(good);
    const source = new CancellationTokenSource();
    source.cancel();
    await assert.rejects(ask(channelTo(kernel), source.token), { name: "Cancelled" });
    assert.equal(kernel.sent.length, 0);
  });

  test("time runs out without cancelling; a dead kernel's call is freed", async () => {
    const slow = new FakeKernel(never);
    await assert.rejects(ask(channelTo(slow), undefined, 0.02), kindOf("timeout"));
    assert.equal(slow.cancelled, 0);
    const dying = new FakeKernel(never);
    const waiting = ask(channelTo(dying));
    dying.become("dead");
    await assert.rejects(waiting, kindOf("died"));
    assert.equal(dying.cancelled, 1);
  });

  test("a lost connection may come back; one that stays away is told, and the call is left alone", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const kernel = new FakeKernel(never);
    const waiting = ask(channelTo(kernel), undefined, 60);
    let told = false;
    const outcome = assert.rejects(waiting, kindOf("connection_lost")).then(() => {
      told = true;
    });
    kernel.become("unknown");
    context.mock.timers.tick(5000);
    kernel.become("busy");
    context.mock.timers.tick(5000);
    await Promise.resolve();
    assert.equal(told, false);
    kernel.become("unknown");
    context.mock.timers.tick(10_000);
    await outcome;
    assert.equal(kernel.cancelled, 0);
  });

  test("a restart during the check ends the waiting", async () => {
    const kernel = new FakeKernel(never);
    const waiting = ask(channelTo(kernel));
    kernel.become("restarting");
    await assert.rejects(waiting, kindOf("restarting"));
  });
});
