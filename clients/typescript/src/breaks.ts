import { backOff } from "./back-off.js";
import type { Calls } from "./calls.js";
import { CamilloError } from "./errors/camillo-error.js";
import { Unavailable } from "./errors/groups.js";
import { Overloaded } from "./errors/requests.js";

// In a row, without anything between them.
const MAX_FAILURES = 3;

/** Whether a stream that failed so can be gone on with. */
export function isBreak(error: unknown): error is Unavailable | Overloaded {
  return error instanceof Unavailable || error instanceof Overloaded;
}

/** How long to bear with breaks of a stream. */
export class Patience {
  readonly #calls: Calls;
  readonly #signal: AbortSignal | undefined;
  #failures = 0;

  constructor(calls: Calls, signal: AbortSignal | undefined) {
    this.#calls = calls;
    this.#signal = signal;
  }

  /** Something came, or went: the count begins anew. */
  renew(): void {
    this.#failures = 0;
  }

  /** Waits before the next attempt; throws the failure if it is one too many. */
  async waitAfter(error: unknown): Promise<void> {
    this.#failures += 1;
    if (!(error instanceof CamilloError) || this.#failures > MAX_FAILURES) {
      throw error;
    }
    await this.#calls.pause(backOff(this.#failures, error.retryAfterSeconds), this.#signal);
  }
}
