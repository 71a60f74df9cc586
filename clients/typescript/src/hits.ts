import { timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "./enum-names.js";
import { EventKindSchema } from "./generated/camillo/v1/actor_pb.js";
import type { DocumentCitation } from "./generated/camillo/v1/citation_pb.js";
import type { FoundDecision } from "./generated/camillo/v1/decision_service_pb.js";
import {
  type Chunk,
  type Memory,
  MemoryKindSchema,
  type RecallHit,
  SourceSchema,
} from "./generated/camillo/v1/memory_pb.js";

/** Holds what was found, whether it is a memory, a passage of an event or a document, or a decision. */
export interface FoundItem {
  /** A memory's content, a passage, or what was decided. */
  readonly text: string;
  /** Its own id, which no other hit of an answer has. */
  readonly id: string;
  /** The id of the whole memory, event, document or decision, which `refs` cites; passages of one event have the same. */
  readonly ref: string;
  /** The kind of the memory (`preference`) or of the event (`message`), or `decision`. */
  readonly kind: string;
  /** When it happened. */
  readonly occurredAt: Date | undefined;
  /** Where it was found: `memory`, `event`, `document` and so on. */
  readonly source: string;
  /** Where in its document a passage is. */
  readonly citation: DocumentCitation | undefined;
  /** Ids of what says exactly the same and is no hit of its own. */
  readonly equalRefs: readonly string[];
}

type Content = Omit<FoundItem, "source" | "equalRefs">;

/** Text, id, ref, kind, time and source of a hit. All are empty where a newer server found what this client does not know. */
export function itemOf(hit: RecallHit | FoundDecision): FoundItem {
  if (hit.$typeName === "camillo.v1.FoundDecision") {
    return decisionItem(hit);
  }
  const source = hit.source ? enumName(SourceSchema, hit.source) : "";
  return { ...contentOf(hit), source, equalRefs: hit.equalRefs };
}

function contentOf({ item }: RecallHit): Content {
  switch (item.case) {
    case "memory":
      return memoryItem(item.value);
    case "chunk":
      return chunkItem(item.value);
    default:
      return { text: "", id: "", ref: "", kind: "", occurredAt: undefined, citation: undefined };
  }
}

function memoryItem({ content, memoryId, kind, occurredAt }: Memory): Content {
  return {
    text: content,
    id: memoryId,
    ref: memoryId,
    kind: enumName(MemoryKindSchema, kind),
    occurredAt: occurredAt && timestampDate(occurredAt),
    citation: undefined,
  };
}

function chunkItem(chunk: Chunk): Content {
  const { text, chunkId, originId, eventKind, source, occurredAt, citation } = chunk;
  return {
    text,
    id: chunkId,
    ref: originId,
    kind: eventKind ? enumName(EventKindSchema, eventKind) : enumName(SourceSchema, source),
    occurredAt: occurredAt && timestampDate(occurredAt),
    citation,
  };
}

function decisionItem({ decision }: FoundDecision): FoundItem {
  const id = decision?.decisionId ?? "";
  const decidedAt = decision?.stated?.decidedAt;
  return {
    text: decision?.stated?.decision ?? "",
    id,
    ref: id,
    kind: "decision",
    occurredAt: decidedAt && timestampDate(decidedAt),
    source: "decision",
    citation: undefined,
    equalRefs: [],
  };
}
