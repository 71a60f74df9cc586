import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../generated/google/rpc/error_details_pb.js";
import type { Status } from "../generated/google/rpc/status_pb.js";
import { CamilloError, type Failure } from "./camillo-error.js";
import { BY_CODE, BY_REASON } from "./classes.js";
import { statusCode } from "./status-code.js";

const DOMAIN = "camillo.v1";

/** A detail of an error, by the full name of its type. */
export interface Detail {
  readonly type: string;
  readonly value: Uint8Array;
}

/** The typed error of one item of a batch. */
export function errorOfStatus(status: Status, requestId = ""): CamilloError {
  const failure = { code: statusCode(status.code), message: status.message, requestId };
  const details = status.details.map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
  return typedError(failure, details);
}

/** The error of the class that the details, or else the code, ask for. */
export function typedError(failure: Failure, details: readonly Detail[]): CamilloError {
  const info = find(details, ErrorInfoSchema);
  const told: Failure = {
    ...failure,
    message: messageOf(failure),
    reason: info?.reason ?? "",
    metadata: { ...info?.metadata },
    fieldViolations: (find(details, BadRequestSchema)?.fieldViolations ?? []).map(
      ({ field, description }) => ({ field, description }),
    ),
    retryAfterSeconds: seconds(find(details, RetryInfoSchema)?.retryDelay),
  };
  const known = info?.domain === DOMAIN ? BY_REASON.get(info.reason) : undefined;
  return new (known ?? BY_CODE.get(failure.code) ?? CamilloError)(told);
}

function find<Desc extends DescMessage>(
  details: readonly Detail[],
  schema: Desc,
): MessageShape<Desc> | undefined {
  const detail = details.find(({ type }) => type === schema.typeName);
  try {
    return detail && fromBinary(schema, detail.value);
  } catch {
    // Whatever mangled it on the way: the code and the message still stand.
    return undefined;
  }
}

function messageOf({ code, message = "" }: Failure): string {
  return code === "UNIMPLEMENTED" ? `not supported by this server: ${message}` : message;
}

function seconds(delay: Duration | undefined): number | undefined {
  // There is no waiting backwards.
  return delay && Math.max(0, Number(delay.seconds) + delay.nanos / 1e9);
}
