import type {
  DescMessage,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { CallOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { copied, fieldsOf, hasText, textOf } from "./message-fields.js";

/** All pages of a list, each asked for when the one before has been taken. TypeError for what is no list. */
export async function* pages<I extends DescMessage, O extends DescMessage>(
  calls: Calls,
  method: DescMethodUnary<I, O>,
  init: MessageInitShape<I>,
  options: CallOptions = {},
): AsyncGenerator<MessageShape<O>, void, undefined> {
  if (!hasText(method.input, "pageToken") || !hasText(method.output, "nextPageToken")) {
    throw new TypeError(`${method.name} does not answer in pages`);
  }
  const request = copied<I>(method.input, init);
  do {
    const page = await calls.unary(method, request as MessageInitShape<I>, options);
    yield page;
    fieldsOf(request).pageToken = textOf(page, "nextPageToken");
  } while (textOf(request, "pageToken"));
}
