/** One way out of a problem, as a button: a label and the command behind it. */
export interface WayOut {
  label: string;
  command: string;
  args?: unknown[];
}

/**
 * Something a person can act on. `message` says what happened and to which thing, `hint` what to do next.
 * Everything that can go wrong on the way to a verdict ends as one of these; anything else is a fault of ours.
 */
export class Problem extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly hint: string,
    readonly waysOut: WayOut[] = [],
  ) {
    super(message);
    this.name = "Problem";
  }

  get text(): string {
    return this.hint ? `${this.message} ${this.hint}` : this.message;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
