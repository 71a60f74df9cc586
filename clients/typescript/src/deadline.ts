// Holds what the header of gRPC holds in milliseconds; 27 hours.
const MAX_TIMEOUT_MS = 99_999_999;

/** A timeout as it can be sent; Infinity is as long as that allows. */
export function timeoutOf(milliseconds: number): number {
  return Math.min(Math.ceil(milliseconds), MAX_TIMEOUT_MS);
}

/** The moment by which a call has to be answered, repetitions included. */
export class Deadline {
  readonly #end: number;

  constructor(timeoutMs: number) {
    this.#end = performance.now() + timeoutMs;
  }

  /** Milliseconds until then; not above 0 when it has passed. */
  get left(): number {
    return this.#end - performance.now();
  }
}
