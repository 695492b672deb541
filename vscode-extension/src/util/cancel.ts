import type { Subscription } from "./emitter";

/** What is used of the editor's cancellation token: enough to be made without the editor. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): Subscription;
}

/** Thrown where a person stopped waiting. Never shown as a failure. */
export class Cancelled extends Error {
  constructor() {
    super("Cancelled");
    this.name = "Cancelled";
  }
}

/** The promise's outcome, unless a person stops waiting first: then `Cancelled`; the work itself goes on and is dropped. */
export async function untilCancelled<T>(work: Promise<T>, token: Cancellation): Promise<T> {
  if (token.isCancellationRequested) {
    work.catch(() => undefined);
    throw new Cancelled();
  }
  let subscription: Subscription | undefined;
  const stopped = new Promise<never>((_, reject) => {
    subscription = token.onCancellationRequested(() => reject(new Cancelled()));
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    subscription?.dispose();
    work.catch(() => undefined);
  }
}
