import { CamilloError } from "./errors/camillo-error.js";
import { errorOfStatus } from "./errors/failures.js";
import type { Status } from "./generated/google/rpc/status_pb.js";

/** Holds what a batch tells of one of its elements. */
type Outcome<T> =
  | { readonly case: "memory" | "recorded" | "response"; readonly value: T }
  | { readonly case: "error"; readonly value: Status }
  | { readonly case: undefined };

/** The outcome of an element of a batch: an error, too, where a newer server tells of something else. */
export function outcomeOf<T>(outcome: Outcome<T>): T | CamilloError {
  switch (outcome.case) {
    case "error":
      return errorOfStatus(outcome.value);
    case undefined:
      return new CamilloError({ code: "UNKNOWN", message: "told is no outcome known here" });
    default:
      return outcome.value;
  }
}
