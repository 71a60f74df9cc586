import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { status as codes, Metadata, type ServerErrorResponse } from "@grpc/grpc-js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../src/generated/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "../src/generated/google/rpc/status_pb.js";

/** How a call is to fail. */
export interface Refusal {
  code: keyof typeof codes;
  message?: string;
  reason?: string;
  domain?: string;
  metadata?: Record<string, string>;
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
  /** Details that are no message. */
  mangled?: boolean;
}

class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** A handler that fails so. */
export function refuse(refusal: Refusal): () => never {
  return () => {
    throw new Refused(refusal);
  };
}

/** The status of a failure as google.rpc has it. */
export function rpcStatus(refusal: Refusal): Status {
  const message = refusal.message ?? "";
  return create(StatusSchema, { code: codes[refusal.code], message, details: detailsOf(refusal) });
}

/** Returns what grpc-js sends for what a handler threw. */
export function statusOf(error: unknown): ServerErrorResponse {
  if (!(error instanceof Refused)) {
    return Object.assign(new Error(String(error)), { code: codes.UNKNOWN, details: String(error) });
  }
  const { refusal } = error;
  const metadata = new Metadata();
  const bytes = toBinary(StatusSchema, rpcStatus(refusal));
  if (
    refusal.mangled ||
    refusal.reason ||
    refusal.fields ||
    refusal.retryAfterSeconds !== undefined
  ) {
    const details = refusal.mangled
      ? Buffer.from("\xff\xfe no message", "latin1")
      : Buffer.from(bytes);
    metadata.set("grpc-status-details-bin", details);
  }
  const details = refusal.message ?? "";
  return Object.assign(new Error(details), { code: codes[refusal.code], details, metadata });
}

function detailsOf(refusal: Refusal): Any[] {
  const { reason, domain = "camillo.v1", metadata = {}, fields, retryAfterSeconds } = refusal;
  return [
    ...(reason ? [packed(ErrorInfoSchema, { reason, domain, metadata })] : []),
    ...(fields ? [packed(BadRequestSchema, { fieldViolations: violations(fields) })] : []),
    ...(retryAfterSeconds === undefined ? [] : [packed(RetryInfoSchema, delay(retryAfterSeconds))]),
  ];
}

function violations(fields: Record<string, string>) {
  return Object.entries(fields).map(([field, description]) => ({ field, description }));
}

function delay(seconds: number) {
  const whole = Math.floor(seconds);
  return { retryDelay: { seconds: BigInt(whole), nanos: Math.round((seconds - whole) * 1e9) } };
}

function packed<Desc extends DescMessage>(desc: Desc, value: MessageInitShape<Desc>): Any {
  return anyPack(desc, create(desc, value));
}
