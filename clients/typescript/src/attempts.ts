import { setTimeout } from "node:timers/promises";
import type { CamilloError } from "./errors/camillo-error.js";
import { Cancelled } from "./errors/groups.js";
import { Overloaded } from "./errors/requests.js";
import type { RetryPolicy } from "./retry-policy.js";

const OVERLOADED_RETRIES = 3;
// Clients that failed together shall not come back together.
const SPREAD = 0.2;
// Timers take anything longer for no time at all.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits so many milliseconds, or until the signal is given. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits in real time; rejects if the signal is given meanwhile. */
export const realPause: Pause = async (milliseconds, signal) => {
  const length = Math.min(milliseconds, LONGEST_TIMER_MS);
  await setTimeout(length, undefined, signal ? { signal } : {});
};

/** Counts the failures of one call and knows how long to wait after each. */
export class Attempts {
  readonly #policy: RetryPolicy | undefined;
  #failures = 0;
  #overloads = 0;

  constructor(policy: RetryPolicy | undefined) {
    this.#policy = policy;
  }

  /** How many milliseconds to wait before the next attempt; undefined if there is to be none. */
  waitAfter(error: CamilloError): number | undefined {
    if (error instanceof Overloaded) {
      return this.#afterOverload(error);
    }
    if (error instanceof Cancelled) {
      // By the caller: what a server cancels is unavailable.
      return undefined;
    }
    this.#failures += 1;
    if (!this.#policy?.codes.includes(error.code) || this.#failures >= this.#policy.maxAttempts) {
      return undefined;
    }
    const asked = error.retryAfterSeconds;
    return asked === undefined ? this.#backOff(this.#policy) : asked * 1000;
  }

  #afterOverload(error: Overloaded): number | undefined {
    this.#overloads += 1;
    const seconds = error.retryAfterSeconds;
    const isEnough = seconds === undefined || this.#overloads > OVERLOADED_RETRIES;
    return isEnough ? undefined : seconds * 1000;
  }

  #backOff({ initialBackoffMs, maxBackoffMs, backoffMultiplier }: RetryPolicy): number {
    const longest = initialBackoffMs * backoffMultiplier ** (this.#failures - 1);
    return Math.min(longest, maxBackoffMs) * (1 + SPREAD * (2 * Math.random() - 1));
  }
}
