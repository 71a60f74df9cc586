import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";

/** Elements of one batch. */
export const MAX_BATCH = 1000;
// Below the 4 MiB that a gRPC server takes in one message unless told otherwise; what is larger travels alone.
export const MAX_BATCH_BYTES = 3 * 1024 * 1024;
// The tag and the length of an element of a repeated field, at most.
const ELEMENT_OVERHEAD_BYTES = 6;

/** The messages in the order given, in packs within the limits of number and size. */
export function* packs<Desc extends DescMessage>(
  desc: Desc,
  messages: Iterable<MessageShape<Desc>>,
  maxBytes = MAX_BATCH_BYTES,
  maxLength = MAX_BATCH,
): Generator<MessageShape<Desc>[], void, undefined> {
  let pack: MessageShape<Desc>[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = toBinary(desc, message).length + ELEMENT_OVERHEAD_BYTES;
    if (pack.length > 0 && (pack.length >= maxLength || bytes + size > maxBytes)) {
      yield pack;
      pack = [];
      bytes = 0;
    }
    pack.push(message);
    bytes += size;
  }
  if (pack.length > 0) {
    yield pack;
  }
}

/** TypeError for a single text where several are expected: its letters would be taken for them. */
export function rejectText(values: unknown): void {
  if (typeof values === "string") {
    // Its text stays out of logs.
    throw new TypeError("several texts are expected, not one");
  }
}
