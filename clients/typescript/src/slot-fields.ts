import { create, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import type { ChannelLike } from "./channels.js";
import type { NameOf } from "./enum-names.js";
import {
  type NewSlot,
  NewSlotSchema,
  type ProvenanceKind,
  type SlotProvenance,
  SlotProvenanceSchema,
  type SlotSource,
  SlotSourceSchema,
} from "./generated/camillo/v1/slot_pb.js";
import type { SensitivityLike } from "./memory-fields.js";
import { stated } from "./stated-fields.js";

/** Where content comes from, so that it can be found there again. */
export interface ProvenanceFields {
  kind: NameOf<typeof ProvenanceKind> | ProvenanceKind;
  /** The name of a person, a tool, a site, a file. */
  name?: string;
  /** When it was read there. */
  retrievedAt?: Date;
  /** Where in it: any JSON object, such as `{ url: "https://example.com" }`. */
  locator?: JsonObject;
}

/** Where content comes from: words, or a provenance, which content from outside needs. */
export type SourceLike = string | ProvenanceFields | SlotProvenance;

/** Fields of a slot that is written. */
export interface NewSlotFields {
  /** Default: internal. */
  sensitivity?: SensitivityLike;
  /** VersionConflict where the slot has another version; 0: where it has any. */
  ifVersion?: bigint | number;
  /** Leaves this version out of searches and digests. */
  unindexed?: boolean;
}

/** How slots are read. */
export interface SlotView {
  /** Where they will be shown; default: private. */
  channel?: ChannelLike;
  /** Skills of the scope that all agents of the tenant share. */
  shared?: boolean;
}

/** Which slots are listed: conditions that all have to hold. */
export interface SlotConditions {
  /** Only what stands directly below the prefix; directories have entries of their own. */
  oneLevel?: boolean;
  types?: readonly string[];
  tagsAny?: readonly string[];
  updatedSince?: Date;
  /** Its `trigger_at` has come by then. */
  triggerBefore?: Date;
}

/** A slot to write, with content as of `setMemory`. */
export function newSlot(
  key: string,
  content: JsonValue,
  source: SourceLike,
  fields: NewSlotFields = {},
): NewSlot {
  const slot = stated(NewSlotSchema, { ...fields, key, jsonContent: jsonText(content) });
  slot.source = slotSource(source);
  return slot;
}

/** The source as the contract has it. */
export function slotSource(source: SourceLike): SlotSource {
  if (typeof source === "string") {
    return create(SlotSourceSchema, { stated: { case: "text", value: source } });
  }
  const value = "$typeName" in source ? source : stated(SlotProvenanceSchema, source);
  return create(SlotSourceSchema, { stated: { case: "provenance", value } });
}

/** JSON text as it is, and of any other value its JSON. */
export function jsonText(content: JsonValue): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
