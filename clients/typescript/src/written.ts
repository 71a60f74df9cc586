import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { Durability } from "./generated/camillo/v1/consistency_pb.js";
import { present } from "./part.js";

/** A write, and where it is by the time that it is answered. */
export type Written<T> = T & {
  /** Unspecified where the server does not know of it. */
  readonly durability: Durability;
  /** Names a write that was spooled, for `spool.list`. */
  readonly spoolId: string | undefined;
};

/** The write of an answer that says where it is; a write that was dropped may have left nothing. */
export function writtenOf<D extends DescMessage>(
  desc: D,
  message: MessageShape<D> | undefined,
  answer: { readonly durability: Durability; readonly spoolId: string },
): Written<MessageShape<D>> {
  const { durability, spoolId } = answer;
  const isDropped = durability === Durability.DROPPED;
  const told = isDropped ? (message ?? create(desc)) : present(message);
  return Object.assign(told, { durability, spoolId: spoolId || undefined });
}
