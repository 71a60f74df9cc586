import type { Calls } from "./calls.js";
import type { ArtifactRedaction } from "./generated/camillo/v1/artifact_pb.js";
import type { Redaction } from "./generated/camillo/v1/memory_pb.js";
import { type OnRedaction, oncePerKind } from "./redactions.js";

/** Holds what the parts of a client share. */
export interface Shared {
  readonly calls: Calls;
  readonly onRedaction: OnRedaction;
}

/** A part of a client: some of the methods of the contract, made handy. */
export abstract class Part {
  /** @internal */
  protected readonly calls: Calls;
  readonly #onRedaction: OnRedaction;

  /** @internal */
  constructor({ calls, onRedaction }: Shared) {
    this.calls = calls;
    this.#onRedaction = onRedaction;
  }

  /** @internal */
  protected tell(
    redactions: readonly Redaction[],
    ofBytes: readonly ArtifactRedaction[] = [],
  ): void {
    for (const redaction of [...redactions, ...oncePerKind(ofBytes)]) {
      this.#onRedaction(redaction);
    }
  }
}

/** Returns what every answer of this kind has; a server that leaves it out breaks the contract. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new TypeError("the server's answer is empty");
  }
  return value;
}
