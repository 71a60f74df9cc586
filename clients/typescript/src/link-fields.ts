import { create } from "@bufbuild/protobuf";
import { enumNumber, type NameOf } from "./enum-names.js";
import {
  type Entity,
  EntitySchema,
  type EntityType,
  EntityTypeSchema,
  type LinkEnd,
  LinkEndSchema,
  type LinkType,
  LinkTypeSchema,
  type NewLink,
  NewLinkSchema,
} from "./generated/camillo/v1/link_pb.js";
import { Source } from "./generated/camillo/v1/memory_pb.js";

/** Holds what a link says of its ends, by name or number. */
export type LinkTypeLike = NameOf<typeof LinkType> | LinkType;
/** Holds what a mention names, by name or number. */
export type EntityTypeLike = NameOf<typeof EntityType> | EntityType;
/** `event:ID`, `decision:ID`, `document:ID`, `memory:ID` or an id alone for a memory, and `/key` for a slot. */
export type EndLike = string | LinkEnd;
/** From what, what the link says, to what. */
export type LinkLike = readonly [from: EndLike, type: LinkTypeLike, to: EndLike] | NewLink;

const SOURCES: Readonly<Record<string, Source>> = {
  memory: Source.MEMORY,
  event: Source.EVENT,
  document: Source.DOCUMENT,
  decision: Source.DECISION,
};

/** The end that is written short; TypeError for a word before the colon that names nothing to link. */
export function linkEnd(end: EndLike): LinkEnd {
  if (typeof end !== "string") {
    return end;
  }
  if (end.startsWith("/")) {
    return create(LinkEndSchema, { source: Source.SLOT, id: end });
  }
  const colon = end.lastIndexOf(":");
  const word = colon < 0 ? "memory" : end.slice(0, colon);
  if (!Object.hasOwn(SOURCES, word)) {
    const words = Object.keys(SOURCES).join(", ");
    throw new TypeError(`${JSON.stringify(word)} is none of ${words}; a slot is its key alone`);
  }
  return create(LinkEndSchema, { source: SOURCES[word] as Source, id: end.slice(colon + 1) });
}

/** A link to state; TypeError for an end or a type that is none. */
export function newLink(link: LinkLike): NewLink {
  if ("$typeName" in link) {
    return link;
  }
  const [from, type, to] = link;
  return create(NewLinkSchema, { type: linkType(type), from: linkEnd(from), to: linkEnd(to) });
}

/** The number of a type of link. */
export function linkType(type: LinkTypeLike): LinkType {
  return enumNumber(LinkTypeSchema, type);
}

/** Returns what a text mentions, in its normal form. */
export function entity(type: EntityTypeLike, name: string): Entity {
  return create(EntitySchema, { type: enumNumber(EntityTypeSchema, type), name });
}
