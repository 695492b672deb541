import { type KernelEnd, type KernelReply, MIME_END, MIME_REPLY } from "../protocol";

/** The part of an output that is read here: mime type and bytes. */
export interface OutputItems {
  items: { mime: string; data: Uint8Array }[];
}

const ERROR_MIME = "application/vnd.code.notebook.error";
const decoder = new TextDecoder();

/** Gathers the answer to one request out of a kernel's outputs. Whole only once the sentinel has come. */
export class ReplyReader {
  private reply: Partial<KernelReply> | undefined;
  private mountError: string | undefined;
  private raised: string | undefined;
  private ended = false;

  constructor(private readonly id: string) {}

  add(output: OutputItems): void {
    for (const { mime, data } of output.items) {
      if (mime === MIME_REPLY) {
        this.addReply(parse<KernelReply>(data));
      } else if (mime === MIME_END) {
        this.ended ||= parse<KernelEnd>(data)?.id === this.id;
      } else if (mime === ERROR_MIME) {
        const error = parse<{ name?: string; message?: string }>(data);
        this.raised = `${error?.name ?? "Error"}: ${error?.message ?? ""}`.trim();
      }
    }
  }

  result(): ReplyOutcome {
    if (this.reply?.missing) {
      return this.mountError ? { kind: "error", message: this.mountError } : { kind: "missing" };
    }
    if (this.reply?.error) {
      return { kind: "error", message: `${this.reply.error.type}: ${this.reply.error.message}` };
    }
    if (this.reply && this.ended) {
      return { kind: "result", value: this.reply.result };
    }
    const raised = this.raised ?? this.mountError;
    return raised ? { kind: "error", message: raised } : { kind: "silent" };
  }

  private addReply(reply: Partial<KernelReply> | undefined): void {
    if (reply?.id === this.id) {
      this.reply = reply;
    } else if (reply?.id === "mount" && reply.error) {
      this.mountError = `${reply.error.type}: ${reply.error.message}`;
    }
  }
}

/** `silent`: the call ended without its sentinel, as happens when the kernel is interrupted while the call waits. */
export type ReplyOutcome =
  | { kind: "result"; value: unknown }
  | { kind: "missing" }
  | { kind: "error"; message: string }
  | { kind: "silent" };

function parse<T>(data: Uint8Array): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(data));
    return typeof value === "object" && value !== null ? (value as Partial<T>) : undefined;
  } catch {
    return undefined;
  }
}
