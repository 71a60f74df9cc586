import { backOff, isWorthWaiting } from "./back-off.js";
import type { Calls } from "./calls.js";
import { Unavailable } from "./errors/groups.js";
import { Overloaded, type UploadOffsetMismatch } from "./errors/requests.js";

// In a row, without anything between them.
const MAX_BREAKS = 3;

/** Whether a stream that failed so can be gone on with. */
export function isBreak(error: unknown): error is Unavailable | Overloaded {
  return error instanceof Unavailable || error instanceof Overloaded;
}

/** How long to bear with breaks of a stream. */
export class Patience {
  readonly #calls: Calls;
  readonly #signal: AbortSignal | undefined;
  readonly #maxFailures: number;
  #failures = 0;

  constructor(calls: Calls, signal: AbortSignal | undefined, maxFailures = MAX_BREAKS) {
    this.#calls = calls;
    this.#signal = signal;
    this.#maxFailures = maxFailures;
  }

  /** Something came, or went: the count begins anew. */
  renew(): void {
    this.#failures = 0;
  }

  /** Waits before the next attempt; throws the failure if it is one too many, or asks for too long a pause. */
  async waitAfter(error: Unavailable | Overloaded | UploadOffsetMismatch): Promise<void> {
    this.#failures += 1;
    if (this.#failures > this.#maxFailures || !isWorthWaiting(error.retryAfterSeconds)) {
      throw error;
    }
    await this.#calls.pause(backOff(this.#failures, error.retryAfterSeconds), this.#signal);
  }
}
