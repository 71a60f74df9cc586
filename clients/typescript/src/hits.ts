import { timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "./enum-names.js";
import { EventKindSchema } from "./generated/camillo/v1/actor_pb.js";
import type { FoundDecision } from "./generated/camillo/v1/decision_service_pb.js";
import {
  type Chunk,
  type Memory,
  MemoryKindSchema,
  type RecallHit,
  SourceSchema,
} from "./generated/camillo/v1/memory_pb.js";

/** What was found, whether it is a memory, a passage of an event or a decision. */
export interface FoundItem {
  /** A memory's content, a passage, or what was decided. */
  readonly text: string;
  /** Its own id, which no other hit of an answer has. */
  readonly id: string;
  /** The id of the whole memory, event or decision, which `refs` cites; passages of one event have the same. */
  readonly ref: string;
  /** The kind of the memory (`preference`) or of the event (`message`), or `decision`. */
  readonly kind: string;
  /** When it happened. */
  readonly occurredAt: Date | undefined;
}

/** Text, id, ref, kind and time of a hit. All are empty where a newer server found what this client does not know. */
export function itemOf(hit: RecallHit | FoundDecision): FoundItem {
  if (hit.$typeName === "camillo.v1.FoundDecision") {
    return decisionItem(hit);
  }
  switch (hit.item.case) {
    case "memory":
      return memoryItem(hit.item.value);
    case "chunk":
      return chunkItem(hit.item.value);
    default:
      return { text: "", id: "", ref: "", kind: "", occurredAt: undefined };
  }
}

function memoryItem({ content, memoryId, kind, occurredAt }: Memory): FoundItem {
  return {
    text: content,
    id: memoryId,
    ref: memoryId,
    kind: enumName(MemoryKindSchema, kind),
    occurredAt: occurredAt && timestampDate(occurredAt),
  };
}

function chunkItem({ text, chunkId, originId, eventKind, source, occurredAt }: Chunk): FoundItem {
  return {
    text,
    id: chunkId,
    ref: originId,
    kind: eventKind ? enumName(EventKindSchema, eventKind) : enumName(SourceSchema, source),
    occurredAt: occurredAt && timestampDate(occurredAt),
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
  };
}
