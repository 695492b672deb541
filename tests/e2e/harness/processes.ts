// Child processes of the suite: started in a group of their own, with bounded waits, and ended for certain.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const running = new Set<ChildProcess>();

export function start(command: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

// A suite that is stopped in the middle leaves nothing behind: the groups of its children would not hear the signal.
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.once(name, () => {
    for (const child of running) {
      signalGroup(child, "SIGKILL");
    }
    process.exit(1);
  });
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid as number), name);
  } catch {
    // it ended by itself in the meantime
  }
}

/** Ends a process and everything it started. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
    return;
  }
  const gone = once(child, "exit");
  signalGroup(child, "SIGTERM");
  await Promise.race([gone, sleep(3000)]);
  signalGroup(child, "SIGKILL");
}

/** Repeats `attempt` until it gives something other than undefined or null; an error counts as not yet. */
export async function until<T>(
  what: string,
  milliseconds: number,
  attempt: () => Promise<T | undefined | null>,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await attempt();
      if (value !== undefined && value !== null) {
        return value;
      }
      last = undefined;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  throw new Error(`${what}: not within ${milliseconds / 1000} s`, { cause: last });
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") {
    throw new Error("no port");
  }
  return address.port;
}
