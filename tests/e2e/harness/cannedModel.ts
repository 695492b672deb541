// An OpenAI-compatible endpoint with replies that a story chooses: for what a person sees of each kind of reply, at once.
// What passes over the wire with a real model is model.test.ts's affair.
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export const MODEL = "canned-model";
const PIECES = 4;

export class CannedModel {
  /** What is answered next, and until it is changed. */
  reply = "";
  /** What the model says instead of a reply where it declines. */
  refusal: string | null = null;
  /** How long an answer takes, in milliseconds. */
  delay = 0;
  /** Milliseconds between the pieces of an answer; 0: it comes in one. */
  pace = 0;
  /** The answer's status, and its body where it is no answer of a model. */
  fault: { status: number; body: string } | null = null;
  /** The texts that were sent, one per request. */
  readonly received: string[] = [];
  /** The keys that came with any request. */
  readonly keys: string[] = [];
  private readonly server: Server;

  /** The settings with which the extension asks this model. */
  get settings(): Record<string, string> {
    return { "crane.model.baseUrl": this.baseUrl, "crane.model.name": MODEL };
  }

  private constructor(server: Server) {
    this.server = server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  get host(): string {
    return new URL(this.baseUrl).host;
  }

  static async start(): Promise<CannedModel> {
    const server = createServer();
    const model = new CannedModel(server);
    server.on("request", (request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const messages = request.url?.endsWith("/chat/completions");
        if (messages) {
          model.received.push(body);
        }
        model.keys.push((request.headers.authorization ?? "").replace(/^Bearer /, ""));
        if (messages && model.fault) {
          response.writeHead(model.fault.status, { "content-type": model.fault.body.startsWith("{") ? "application/json" : "text/html" }).end(model.fault.body);
          return;
        }
        if (messages && model.pace > 0) {
          setTimeout(() => void model.stream(response), model.delay);
          return;
        }
        const answer = messages ? model.completion() : { object: "list", data: [{ id: MODEL, object: "model" }] };
        setTimeout(
          () => response.setHeader("content-type", "application/json").end(JSON.stringify(answer)),
          messages ? model.delay : 0,
        );
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return model;
  }

  /** A prediction in the shape that is asked for. */
  predict(prediction: boolean, reasoning: string, more: Record<string, unknown> = {}): void {
    const rest = { exception: null, line: null, variables: [], fix: null, ...more };
    this.reply = JSON.stringify({ reasoning, prediction, ...rest });
  }

  async stop(): Promise<void> {
    if (!this.server.listening) {
      return;
    }
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async stream(response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const size = Math.ceil(this.reply.length / PIECES);
    for (let start = 0; start < this.reply.length && !response.destroyed; start += size) {
      const delta = { role: "assistant", content: this.reply.slice(start, start + size) };
      const chunk = { id: "canned", object: "chat.completion.chunk", created: 0, model: MODEL };
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
      await sleep(this.pace);
    }
    response.end("data: [DONE]\n\n");
  }

  private completion(): object {
    const message = { role: "assistant", content: this.refusal === null ? this.reply : null, refusal: this.refusal };
    return {
      id: "canned",
      object: "chat.completion",
      created: 0,
      model: MODEL,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 1210, completion_tokens: 84, total_tokens: 1294 },
    };
  }
}
