// The real local model server (model_server.py), and a way to stop it in the middle of a story.
import { once } from "node:events";
import path from "node:path";
import readline from "node:readline";
import { here, tools } from "./paths.ts";
import { end, start } from "./processes.ts";

export interface ModelServer {
  baseUrl: string;
  model: string;
  stop(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const child = start(tools.python, [path.join(here, "model_server.py")], { stdio: ["pipe", "pipe", "ignore"] });
  if (!child.stdout) {
    throw new Error("no standard output");
  }
  const lines = readline.createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line", { signal: AbortSignal.timeout(90_000) })) as [string];
  const { base_url, model } = JSON.parse(line) as { base_url: string; model: string };
  return { baseUrl: base_url, model, stop: () => end(child) };
}
