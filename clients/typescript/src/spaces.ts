import { create, type DescMessage, getOption, isMessage, type Message } from "@bufbuild/protobuf";
import { type SpaceRead, SpaceReadSchema } from "./generated/camillo/v1/consistency_pb.js";
import { RecallRequestSchema } from "./generated/camillo/v1/memory_service_pb.js";
import { Form, FormSchema, pattern } from "./generated/camillo/v1/options_pb.js";
import { fieldsOf } from "./message-fields.js";
import { SHARED } from "./request-headers.js";

// As RecallRequest.spaces allows.
const MAX_BESIDE = 7;

/** Which spaces a client reads and writes. */
export interface SpacesOptions {
  /** Up to 7 spaces that its recalls and bundles read beside its own, and `SHARED` for what the tenant shares. */
  read: readonly string[];
  /** Its own; default: that of the client it is made from. */
  write?: string;
}

/** The spaces that reads of a client take in beside its own. */
export interface Beside {
  readonly paths: readonly string[];
  /** The one that the tenant shares. */
  readonly withShared: boolean;
}

export const NOTHING: Beside = { paths: [], withShared: false };

/** The name of a space, as the contract has it; TypeError for any other text. */
export function checkedSpace(space: string): string {
  const form = FormSchema.values.find(({ number }) => number === Form.AGENT);
  const { regex, rule } = getOption(form ?? missingForm(), pattern);
  if (typeof space !== "string" || !new RegExp(`^(?:${regex})$`).test(space)) {
    throw new TypeError(`a space is @shared, ${rule}`);
  }
  return space;
}

/** The space of a person; TypeError for an id that is no single part of a path. */
export function userSpace(userId: string): string {
  if (userId.includes("/")) {
    throw new TypeError("the id of a user has no slash");
  }
  return checkedSpace(`users/${userId}`);
}

/** These spaces beside a client's own, each once; TypeError for too many, and for what is no space. */
export function besideOf(read: readonly string[], own: string): Beside {
  if (typeof read === "string") {
    throw new TypeError("read takes a list of spaces");
  }
  const named = new Set(read.map(checkedSpace));
  const withShared = named.delete(SHARED) && own !== SHARED;
  named.delete(own);
  if (named.size > MAX_BESIDE) {
    throw new TypeError(`a client reads up to ${MAX_BESIDE} spaces beside its own`);
  }
  return { paths: [...named], withShared };
}

/** Names them in a request that can read several and names none. */
export function fillBeside(desc: DescMessage, request: Message, beside: Beside): void {
  const isOpen = desc.field.spaces?.message === SpaceReadSchema && spacesOf(request).length === 0;
  if (!isOpen) {
    return;
  }
  fieldsOf(request).spaces = beside.paths.map((space) => create(SpaceReadSchema, { space }));
  // Bundles read what the tenant shares in any case.
  if (isMessage(request, RecallRequestSchema)) {
    request.includeShared ||= beside.withShared;
  }
}

/** Returns what a read names beside its own space. */
export function spacesOf(read: Message): readonly SpaceRead[] {
  return (fieldsOf(read).spaces ?? []) as readonly SpaceRead[];
}

function missingForm(): never {
  throw new TypeError("the contract of this client has no form of spaces");
}
