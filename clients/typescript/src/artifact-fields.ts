import { create, type JsonObject } from "@bufbuild/protobuf";
import type { NameOf } from "./enum-names.js";
import {
  type ArtifactFilter,
  ArtifactFilterSchema,
  type ArtifactRange,
  ArtifactRangeSchema,
  type ContentKind,
  type NewArtifact,
  NewArtifactSchema,
} from "./generated/camillo/v1/artifact_pb.js";
import type { SensitivityLike } from "./memory-fields.js";
import { stated } from "./stated-fields.js";

const AROUND_DEFAULT = 20;

/** Fields of a new artifact. */
export interface NewArtifactFields {
  /** A file name or another short name. */
  name?: string;
  /** The text in the memory ref; default: made from the content. */
  description?: string;
  /** Such as `text/csv`; a hint only. */
  mediaType?: string;
  /** The tool that made it, its command, and how that ended. */
  tool?: string;
  command?: string;
  exitCode?: number;
  /** The conversation it belongs to. */
  sessionId?: string;
  tags?: readonly string[];
  /** Default: internal. */
  sensitivity?: SensitivityLike;
  /** Flat. */
  metadata?: JsonObject;
  /** Default: never, or as the server's retention says. */
  expiresAt?: Date;
  pinned?: boolean;
  sourceRefs?: readonly string[];
  /** In the tenant's shared scope, where every agent of the tenant may read it. */
  shared?: boolean;
}

/** Conditions that all have to hold; the limits are those of `ArtifactFilter`. */
export interface ArtifactConditions {
  sessionId?: string;
  tool?: string;
  kinds?: readonly (NameOf<typeof ContentKind> | ContentKind)[];
  createdFrom?: Date;
  createdBefore?: Date;
  minSizeBytes?: number;
  maxSizeBytes?: number;
  tagsAny?: readonly string[];
  tagsAll?: readonly string[];
  maxSensitivity?: SensitivityLike;
  /** A memory of the same scope. */
  citedByMemoryId?: string;
}

/** Which part of an artifact is wanted; in bytes `end` is not among them, in lines it is, and both count from 1 there. */
export type RangeLike =
  | { start?: number; end?: number }
  | { lines: readonly [first: number, last?: number] }
  | { head: number }
  | { tail: number }
  | { around: number; context?: number }
  | { jsonPointer: string; jsonSlice?: readonly [start?: number, end?: number] };

/** Fields of a new artifact. */
export function newArtifact(fields: NewArtifactFields): NewArtifact {
  return stated(NewArtifactSchema, { ...fields, isShared: fields.shared });
}

/** The filter of a list of artifacts. */
export function artifactFilter(conditions: ArtifactConditions): ArtifactFilter {
  return stated(ArtifactFilterSchema, conditions);
}

/** The range of the contract; RangeError for an end that would mean another one. */
export function artifactRange(range: RangeLike): ArtifactRange {
  return create(ArtifactRangeSchema, { range: rangeCase(range) });
}

function rangeCase(range: RangeLike) {
  if ("lines" in range) {
    const [first, last] = range.lines;
    return { case: "lines", value: { first: BigInt(first), last: end(last) } } as const;
  }
  if ("head" in range) {
    return { case: "headLines", value: BigInt(range.head) } as const;
  }
  if ("tail" in range) {
    return { case: "tailLines", value: BigInt(range.tail) } as const;
  }
  if ("around" in range) {
    return around(range.around, range.context);
  }
  if ("jsonPointer" in range) {
    return json(range.jsonPointer, range.jsonSlice);
  }
  return {
    case: "bytes",
    value: { start: BigInt(range.start ?? 0), end: end(range.end) },
  } as const;
}

function around(line: number, context = AROUND_DEFAULT) {
  const at = BigInt(line);
  // In the contract a context of 0 is the default.
  return context === 0
    ? ({ case: "lines", value: { first: at, last: at } } as const)
    : ({ case: "around", value: { line: at, context } } as const);
}

function json(pointer: string, [start, stop]: readonly [start?: number, end?: number] = []) {
  const value = {
    pointer,
    ...(start === undefined ? {} : { start: BigInt(start) }),
    ...(stop === undefined ? {} : { end: BigInt(stop) }),
  };
  return { case: "json", value } as const;
}

function end(place: number | undefined): bigint {
  // In the contract 0 is "to the end", which somebody who computed a 0 does not mean.
  if (place !== undefined && place < 1) {
    throw new RangeError("the end of a range is 1 or more, or left out: to the end");
  }
  return BigInt(place ?? 0);
}
