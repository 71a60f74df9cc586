import { create, type JsonObject } from "@bufbuild/protobuf";
import type { NameOf } from "./enum-names.js";
import type { WorkflowStatus } from "./generated/camillo/v1/actor_pb.js";
import {
  type ArchivedFilter,
  type MemoryFilter,
  MemoryFilterSchema,
  type MemoryKind,
  type NewMemory,
  NewMemorySchema,
  type Sensitivity,
  type Vector,
  VectorSchema,
} from "./generated/camillo/v1/memory_pb.js";
import { MetadataConditionSchema } from "./generated/camillo/v1/metadata_condition_pb.js";
import type { ValidityFilter } from "./generated/camillo/v1/recall_pb.js";
import { stated } from "./stated-fields.js";

/** A kind of memory, by name or number. */
export type KindLike = NameOf<typeof MemoryKind> | MemoryKind;
/** Who may be shown something, by name or number. */
export type SensitivityLike = NameOf<typeof Sensitivity> | Sensitivity;
/** How a step of a workflow stands, by name or number. */
export type WorkflowStatusLike = NameOf<typeof WorkflowStatus> | WorkflowStatus;
/** An embedding: numbers of the server's model, or a message that names another. */
export type VectorLike = readonly number[] | Float32Array | Vector;

/** Fields of a memory. */
export interface MemoryFields {
  /** Default: a fact. */
  kind?: KindLike | null;
  tags?: readonly string[] | null;
  /** 0 to 1; default 0.5. */
  importance?: number | null;
  /** The conversation that it comes from. */
  sessionId?: string | null;
  /** When that which it tells happened; default: now. */
  occurredAt?: Date | null;
  /** Default: internal. */
  sensitivity?: SensitivityLike | null;
  /** Flat. */
  metadata?: JsonObject | null;
  /** Default: by the lifetime of its kind, unless pinned or `neverExpires`. */
  expiresAt?: Date | null;
  pinned?: boolean | null;
  /** Ids of what it rests on. */
  sourceRefs?: readonly string[] | null;
  /** Default: the server embeds the content. */
  vector?: VectorLike | null;
  /** From when on that which it tells is true; default: unknown. */
  validFrom?: Date | null;
  /** From when on it is true no longer; default: it still is, as far as is known. */
  validUntil?: Date | null;
}

/** Fields of a new memory. */
export interface NewMemoryFields extends MemoryFields {
  /** A UUID, to make a repeated import harmless; default: the server makes one. */
  memoryId?: string;
  /** Without `expiresAt`: it has no end, whatever its kind. */
  neverExpires?: boolean;
  /** Ids of memories whose place it takes. */
  supersedes?: readonly string[];
}

/** Holds what may be changed. A field given as null gets its default, one left out or undefined stays as it is. */
export interface ChangedFields extends MemoryFields {
  content?: string;
  archived?: boolean;
}

/** Conditions that all have to hold; the limits are those of `MemoryFilter`. */
export interface MemoryConditions {
  tagsAny?: readonly string[];
  tagsAll?: readonly string[];
  kinds?: readonly KindLike[];
  sessionId?: string;
  occurredFrom?: Date;
  occurredBefore?: Date;
  /** 0 to 1. */
  minImportance?: number;
  maxSensitivity?: SensitivityLike;
  /** Default: exclude. */
  archived?: NameOf<typeof ArchivedFilter> | ArchivedFilter;
  metadata?: JsonObject;
  /** By key: comparisons such as `{ gte: 10, lt: 20 }`, `{ ne: "open" }`, `{ in: ["open", null] }` or `{ exists: false }`. */
  metadataConditions?: Readonly<Record<string, JsonObject>>;
  /** Documents must have at least one of these; it restricts no other source. */
  documentCategories?: readonly string[];
  /** A step of this workflow. */
  workflow?: string;
  /** A step of this name. */
  workflowStep?: string;
  /** A step that ended so. */
  workflowStatus?: WorkflowStatusLike;
  /** A call or a result of this tool. */
  tool?: string;
  /** True at the moment that is asked for; default: of a recall `true`, elsewhere `any`. */
  validity?: NameOf<typeof ValidityFilter> | ValidityFilter;
}

/** A memory to be remembered; the limits are those of `NewMemory`. */
export function newMemory(content: string, fields: NewMemoryFields = {}): NewMemory {
  return stated(NewMemorySchema, { ...fields, vector: vectorOf(fields.vector), content });
}

/** The filter of a list, a recall or a forgetting. */
export function memoryFilter(conditions: MemoryConditions): MemoryFilter {
  const { metadataConditions = {}, ...others } = conditions;
  const filter = stated(MemoryFilterSchema, others);
  filter.metadataConditions = Object.entries(metadataConditions).map(([key, value]) =>
    create(MetadataConditionSchema, { key, value }),
  );
  return filter;
}

/** The vector of some numbers; a message passes as it is. */
export function vectorOf(vector: VectorLike | null | undefined): Vector | null | undefined {
  if (vector instanceof Float32Array || Array.isArray(vector)) {
    return create(VectorSchema, { values: Array.from(vector) });
  }
  return vector as Vector | null | undefined;
}
