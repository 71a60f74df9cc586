import { Code, ConnectError } from "@connectrpc/connect";
import { CamilloError } from "./camillo-error.js";
import { typedError } from "./failures.js";
import { type StatusCode, statusCode } from "./status-code.js";

// Text of Connect where the connection went away under a call, and no status came from the server.
const BROKEN = /^http\/2 stream closed with error code|missing (trailer|status)/;
// Text of Connect for a request that is no message of its type, and was not sent.
const UNSENDABLE = /^serialize binary: /;
const AMBIGUOUS: readonly Code[] = [Code.Aborted, Code.Internal, Code.Unknown];

/** Holds what a call was about, for its error. */
export interface FailedCall {
  /** Id of the mutation, if it was one. */
  readonly requestId?: string;
  /** Whether the caller gave up. */
  readonly isGivenUp?: boolean;
  /** Holds what is said where the key is refused, in place of the server's words. */
  readonly refusal?: string;
}

/** The typed error of whatever a transport threw. */
export function errorOf(reason: unknown, call: FailedCall = {}): CamilloError {
  if (reason instanceof CamilloError) {
    return reason;
  }
  const error = ConnectError.from(reason);
  const code = codeOf(error, call.isGivenUp ?? false);
  const details = error.details.flatMap((detail) => ("type" in detail ? [detail] : []));
  const said = isStopped(error, code) ? "the server went away" : error.rawMessage;
  const failure = {
    code,
    message: (code === "UNAUTHENTICATED" && call.refusal) || said,
    requestId: call.requestId ?? "",
    // The server's words are in the error itself.
    ...(isFromServer(error) ? {} : { cause: error }),
  };
  return typedError(failure, details);
}

function codeOf(error: ConnectError, isGivenUp: boolean): StatusCode {
  if (error.code === Code.Canceled) {
    return isGivenUp ? "CANCELLED" : "UNAVAILABLE";
  }
  if (isFromServer(error) || !AMBIGUOUS.includes(error.code)) {
    return statusCode(error.code);
  }
  if (UNSENDABLE.test(error.rawMessage)) {
    return "INVALID_ARGUMENT";
  }
  if (isGivenUp) {
    return "CANCELLED";
  }
  return isBroken(error) ? "UNAVAILABLE" : statusCode(error.code);
}

function isFromServer(error: ConnectError): boolean {
  return error.metadata.has("grpc-status") || error.metadata.has("grpc-status-details-bin");
}

/** A server that stops answers CANCELLED to calls that it accepted and never took. */
function isStopped(error: ConnectError, code: StatusCode): boolean {
  return error.code === Code.Canceled && code === "UNAVAILABLE" && isFromServer(error);
}

function isBroken(error: ConnectError): boolean {
  return BROKEN.test(error.rawMessage) || isOfSocket(error.cause);
}

/** Whether the network or TLS failed: Node gives those errors a code of their own. */
function isOfSocket(cause: unknown): boolean {
  if (!(cause instanceof Error)) {
    return false;
  }
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  // ERR_INVALID_... are mistakes of a caller, which no repetition mends.
  return (code !== "" && !code.startsWith("ERR_INVALID_")) || isOfSocket(cause.cause);
}
