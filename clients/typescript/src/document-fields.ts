import type { JsonObject } from "@bufbuild/protobuf";
import type { ChannelLike } from "./channels.js";
import type { NameOf } from "./enum-names.js";
import {
  type DocumentFilter,
  DocumentFilterSchema,
  type NewDocument,
  NewDocumentSchema,
} from "./generated/camillo/v1/knowledge_pb.js";
import type { GetDocumentRequest } from "./generated/camillo/v1/knowledge_service_pb.js";
import type { ArchivedFilter } from "./generated/camillo/v1/memory_pb.js";
import type { SensitivityLike } from "./memory-fields.js";
import { stated } from "./stated-fields.js";

/** Holds what may be changed of a document. A field given as null gets its default, one left out or undefined stays as it is. */
export interface ChangedDocumentFields {
  /** Default: its first heading, or else the last part of its name. */
  title?: string | null;
  /** Holds what it is about, by which keys and recipes grant it. */
  categories?: readonly string[] | null;
  tags?: readonly string[] | null;
  /** Default: internal. */
  sensitivity?: SensitivityLike | null;
  /** Where it comes from. */
  sourceUrl?: string | null;
  /** Who made it, when it was fetched and the like; flat. */
  provenance?: JsonObject | null;
  /** Not found before this time; default: at once. */
  effectiveFrom?: Date | null;
  /** Not found from this time on; default: always. */
  effectiveUntil?: Date | null;
}

/** Fields of a document that is published. */
export interface DocumentFields extends ChangedDocumentFields {
  /** Such as `text/markdown`; default: by its name, or else by its content. */
  mediaType?: string;
}

/** Conditions that all have to hold; the limits are those of `DocumentFilter`. */
export interface DocumentConditions {
  namePrefix?: string;
  categoriesAny?: readonly string[];
  tagsAny?: readonly string[];
  /** Default: exclude. */
  archived?: NameOf<typeof ArchivedFilter> | ArchivedFilter;
}

/** Which part of a document is read. */
export interface DocumentView {
  /** An earlier version; default: the newest. */
  version?: bigint | number;
  /** Where it will be shown; default: private. */
  channel?: ChannelLike;
  /** The first byte, and the one behind the last; moved to whole characters. Default: all that a message holds. */
  bytes?: readonly [from: number, until?: number];
  /** Leave the text out. */
  omitText?: boolean;
}

/** Which document: by its id, or by its name. */
export type DocumentKey = GetDocumentRequest["document"];

/** Returns what is said of a document. */
export function newDocument(name: string, fields: DocumentFields): NewDocument {
  return stated(NewDocumentSchema, { ...fields, name });
}

/** The filter of a list of documents. */
export function documentFilter(conditions: DocumentConditions): DocumentFilter {
  return stated(DocumentFilterSchema, conditions);
}
