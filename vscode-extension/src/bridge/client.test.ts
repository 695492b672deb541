import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { CancellationTokenSource } from "../../test/vscode";
import type { Log } from "../log";
import { Problem } from "../util/problem";
import { BridgeClient } from "./client";

/** A server in the place of the bridge: it frames messages as the protocol says and behaves as its mode tells. */
const SERVER = `
const mode = process.env.FAKE_MODE;
if (mode === "dies") { console.error("Traceback:\\nModuleNotFoundError: No module named 'crane_bridge'"); process.exit(1); }
let text = Buffer.alloc(0);
const send = (message) => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  process.stdout.write("Content-Length: " + body.length + "\\r\\n\\r\\n");
  process.stdout.write(body);
};
const waiting = new Map();
const handle = ({ id, method, params }) => {
  if (method === "initialize") return send({ id, result: { version: "0.1.0", protocol: 1, python: "3.11", features: [] } });
  if (method === "shutdown") { send({ id, result: null }); process.exit(0); }
  if (method === "$/cancelRequest") { console.error("cancelled"); return send({ id: params.id, error: { code: -32800, message: "cancelled" } }); }
  if (method === "models") return send({ id, error: { code: -32803, message: "The key was refused.", data: { kind: "auth", hint: "Set another key." } } });
  if (method === "config") { console.error("last words"); process.exit(3); }
  if (method === "testKey") return; // never answers
  if (method === "parseReply") {
    send({ method: "stage", params: { id: "7", stage: "reading_reply", detail: "" } });
    return send({ id, result: { verdict: { reasoning: params.raw } } });
  }
};
process.stdin.on("data", (chunk) => {
  text = Buffer.concat([text, chunk]);
  for (;;) {
    const end = text.indexOf("\\r\\n\\r\\n");
    const length = Number(/Content-Length: (\\d+)/i.exec(text.subarray(0, Math.max(end, 0)).toString())?.[1]);
    if (end < 0 || text.length < end + 4 + length) return;
    const body = text.subarray(end + 4, end + 4 + length);
    text = text.subarray(end + 4 + length);
    handle(JSON.parse(body.toString()));
  }
});
process.stdin.on("end", () => process.exit(0));
`;

const quiet: Log = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const never = new CancellationTokenSource().token;

describe("the bridge's client", { skip: process.platform === "win32" && "the stand-in is a shell script" }, () => {
  let folder: string;
  let command: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "crane-client-"));
    writeFileSync(path.join(folder, "server.js"), SERVER);
    command = path.join(folder, "python");
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${path.join(folder, "server.js")}"\n`);
    chmodSync(command, 0o755);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = () => BridgeClient.start(command, folder, "0.1.0", quiet, []);

  test("a request is answered, stages are told, non-ASCII survives", async () => {
    const client = await start();
    const stages: string[] = [];
    client.onStage((stage) => stages.push(stage.stage));
    const raw = "é🦩\n";
    const { verdict } = await client.request("parseReply", { raw, target: { source: "x" } }, never);
    assert.equal(verdict.reasoning, raw);
    assert.deepEqual(stages, ["reading_reply"]);
    await client.stop();
    assert.equal(client.isRunning, false);
  });

  test("an error keeps its kind and its hint, and gets its ways out", async () => {
    const client = await start();
    await assert.rejects(
      client.request("models", {}, never),
      (error) =>
        error instanceof Problem &&
        error.kind === "auth" &&
        error.text === "The key was refused. Set another key." &&
        error.waysOut[0]?.command === "crane.setApiKey",
    );
    await client.stop();
  });

  test("stopping to wait is told to the bridge, and ends the waiting at once", async () => {
    const client = await start();
    const source = new CancellationTokenSource();
    const waiting = client.request("testKey", {}, source.token);
    source.cancel();
    await assert.rejects(waiting, { name: "Cancelled" });
    for (let tries = 0; tries < 100 && client.stderrTail !== "cancelled"; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(client.stderrTail, "cancelled");
    await client.stop();
  });

  test("a bridge that dies ends every request with its last words", async () => {
    const client = await start();
    await assert.rejects(
      client.request("config", {}, never),
      (error) => error instanceof Problem && error.kind === "bridge_ended" && /last words/.test(error.hint),
    );
    assert.equal(client.isRunning, false);
  });

  test("a bridge that does not start says what Python said", async () => {
    process.env.FAKE_MODE = "dies";
    try {
      await assert.rejects(
        start(),
        (error) =>
          error instanceof Problem &&
          error.kind === "bridge_start" &&
          /No module named 'crane_bridge'/.test(error.hint),
      );
    } finally {
      delete process.env.FAKE_MODE;
    }
  });

  test("an interpreter that is not there is said as such", async () => {
    await assert.rejects(BridgeClient.start(path.join(folder, "absent"), folder, "0.1.0", quiet, []), {
      kind: "bridge_start",
    });
  });
});
