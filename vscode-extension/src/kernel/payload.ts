import { readFileSync } from "node:fs";
import type { KernelRequest } from "../protocol";

/** Written by `crane_bridge.payload` when the extension is built. */
export interface Payload {
  version: string;
  module: string;
  /** Statement that mounts the package and arms its recorder. */
  mount: string;
  /** Statement around one request, with `MARKER` in its place. */
  call: string;
}

const MARKER = "@REQUEST@";

export function loadPayload(file: string): Payload {
  const read = JSON.parse(readFileSync(file, "utf8")) as Partial<Payload>;
  if (!read.version || !read.module || !read.mount || !read.call?.includes(MARKER)) {
    throw new Error(`${file} is no kernel payload: the extension was not built completely.`);
  }
  return read as Payload;
}

/** A JSON string literal in ASCII, which Python reads as the same string. */
export function asciiLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function callCode(payload: Payload, request: KernelRequest): string {
  const literal = asciiLiteral(JSON.stringify(request));
  return payload.call.split(MARKER).join(literal);
}

/** Mount and call in one text: one round trip for the first contact with a kernel. */
export function mountAndCallCode(payload: Payload, request: KernelRequest): string {
  return `${payload.mount}\n${callCode(payload, request)}`;
}
