// One notebook's kernel: a real ipykernel behind kernel_host.py, and the queue that cells and other extensions share.
const { spawn } = require("node:child_process");
const path = require("node:path");
const readline = require("node:readline");
const vscode = require("vscode");
const { toOutput } = require("./outputs");

/** What `executeCode` throws when its token is cancelled, or the person interrupts the kernel, while the code runs. */
const CANCELLED = "Canceled future for execute_request message before replies were done";

class Kernel {
  /** `delay`: milliseconds that each message takes, each way. */
  constructor(directory, delay) {
    this.status = "starting";
    this.started = false; // whether the person has run a cell: before that the kernel is not given to anyone
    this.calls = 0; // of executeCode, for tests
    this.cellStarts = 0; // cells that a person has asked to run, for tests
    this.cellRuns = 0; // cells that have ended, for tests
    this.changes = new vscode.EventEmitter();
    this.waiting = []; // jobs in order: { kind: "cell" | "call", run(): Promise<void>, drop(): void }
    this.current = undefined;
    this.pending = new Map(); // request id -> { onMessage, settle, kind }
    this.sequence = 0;
    this.ready = new Promise((resolve) => {
      this.becomeReady = resolve;
    });
    const host = path.join(__dirname, "kernel_host.py");
    this.process = spawn(process.env.E2E_PYTHON ?? "python3", [host, directory], { stdio: ["pipe", "pipe", "inherit"] });
    this.later = delay > 0 ? (action) => setTimeout(action, delay) : (action) => action();
    const lines = readline.createInterface({ input: this.process.stdout });
    lines.on("line", (line) => this.later(() => this.receive(JSON.parse(line))));
    this.missed = undefined; // messages that arrived while there was no connection
  }

  dispose() {
    this.process.stdin.end();
    this.process.kill();
  }

  send(order) {
    this.later(() => this.process.stdin.write(`${JSON.stringify(order)}\n`));
  }

  setStatus(status) {
    if (status !== this.status) {
      this.status = status;
      this.changes.fire(status);
    }
  }

  receive(message) {
    if (this.missed) {
      this.missed.push(message);
      return;
    }
    switch (message.msg_type) {
      case "host_ready":
        this.setStatus("idle");
        this.becomeReady();
        return;
      case "host_restarted":
        this.setStatus("idle");
        return;
      case "host_dead":
        this.setStatus("dead");
        this.waiting = this.waiting.filter((job) => job.kind === "call" || job.drop());
        // A cell's execution ends; a call of another extension hangs, as with the real extension.
        this.settlePending((entry) => entry.kind === "cell");
        return;
      case "status":
        if (this.status !== "dead") {
          this.setStatus(message.content.execution_state);
        }
        break;
    }
    this.pending.get(message.id)?.onMessage(message);
  }

  settlePending(which) {
    for (const [id, entry] of this.pending) {
      if (which(entry)) {
        this.pending.delete(id);
        entry.settle({ status: "aborted" });
      }
    }
  }

  /** Sends code and resolves with the reply's content once the kernel is idle again ("aborted" when it went away). */
  request(kind, order, onOutput) {
    return new Promise((resolve) => {
      const id = ++this.sequence;
      let reply;
      const onMessage = (message) => {
        if (message.msg_type === "execute_reply") {
          reply = message.content;
        } else if (message.msg_type === "status" && message.content.execution_state === "idle") {
          this.pending.get(id).idle = true;
        } else {
          onOutput(message);
        }
        if (reply && this.pending.get(id)?.idle) {
          this.pending.delete(id);
          resolve(reply);
        }
      };
      this.pending.set(id, { kind, onMessage, settle: resolve, idle: false });
      this.send({ id, op: "execute", ...order });
    });
  }

  enqueue(job) {
    this.waiting.push(job);
    void this.pump();
  }

  async pump() {
    if (this.current) {
      return;
    }
    await this.ready;
    while (!this.current && this.waiting.length > 0) {
      this.current = this.waiting.shift();
      try {
        await this.current.run();
      } finally {
        this.current = undefined;
      }
    }
  }

  /** Drops what waits, quietly: cells queued behind a failed one, or everything when the person interrupts. */
  dropWaiting(kinds) {
    const dropped = this.waiting.filter((job) => kinds.includes(job.kind));
    this.waiting = this.waiting.filter((job) => !kinds.includes(job.kind));
    for (const job of dropped) {
      job.drop();
    }
  }

  interrupt() {
    this.dropWaiting(["cell", "call"]);
    this.send({ op: "interrupt" });
    this.current?.interrupted?.();
  }

  disconnect() {
    this.missed = [];
    this.setStatus("unknown");
  }

  reconnect() {
    const missed = this.missed ?? [];
    this.missed = undefined;
    for (const message of missed) {
      this.receive(message);
    }
  }

  crash() {
    return this.restart("autorestarting");
  }

  async restart(status = "restarting") {
    this.setStatus(status);
    this.dropWaiting(["cell", "call"]);
    const restarted = new Promise((resolve) => {
      const subscription = this.changes.event((status) => {
        if (status === "idle") {
          subscription.dispose();
          resolve();
        }
      });
    });
    this.send({ op: "restart" });
    this.settlePending(() => true);
    await restarted;
  }

  runCell(execution, cell) {
    this.started = true;
    this.cellStarts += 1;
    this.enqueue({
      kind: "cell",
      drop: () => execution.end(undefined),
      run: async () => {
        if (this.status === "dead") {
          execution.start(Date.now());
          execution.end(false, Date.now());
          this.cellRuns += 1;
          return;
        }
        execution.start(Date.now());
        await execution.clearOutput();
        const order = { code: cell.document.getText(), store_history: true, cell_id: cell.document.uri.toString() };
        const reply = await this.request("cell", order, (message) => {
          if (message.msg_type === "execute_input") {
            execution.executionOrder = message.content.execution_count;
          }
          const output = toOutput(message);
          if (output) {
            void execution.appendOutput(output);
          }
        });
        execution.end(reply.status === "ok", Date.now());
        this.cellRuns += 1;
        if (reply.status !== "ok") {
          this.dropWaiting(["cell"]);
        }
      },
    });
  }

  /** `executeCode` of the extension's API, after consent. */
  async *executeCode(code, token) {
    this.calls += 1;
    const outputs = [];
    let failure;
    let over = false;
    let wake = () => undefined;
    const finish = (error) => {
      failure ??= error;
      over = true;
      wake();
    };
    const job = {
      kind: "call",
      drop: () => finish(),
      interrupted: () => finish(new Error(CANCELLED)),
      run: async () => {
        const order = { code, store_history: false, cell_id: null };
        const reply = await this.request("call", order, (message) => {
          const output = toOutput(message);
          if (output && !over) {
            outputs.push(output);
            wake();
          }
        });
        if (reply.status === "error") {
          const { ename, evalue, traceback } = reply;
          finish(Object.assign(new Error(evalue), { ename, evalue, traceback }));
        } else {
          finish();
        }
      },
    };
    const subscription = token.onCancellationRequested(() => {
      if (this.current === job && this.status !== "dead") {
        this.send({ op: "interrupt" });
        job.interrupted();
      } else {
        this.waiting = this.waiting.filter((other) => other !== job);
        finish();
      }
    });
    this.enqueue(job);
    try {
      for (;;) {
        while (outputs.length > 0) {
          yield outputs.shift();
        }
        if (over) {
          break;
        }
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      subscription.dispose();
    }
    if (failure) {
      throw failure;
    }
  }
}

module.exports = { Kernel };
