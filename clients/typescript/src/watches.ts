import type {
  DescMessage,
  DescMethod,
  DescMethodServerStreaming,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { isBreak, Patience } from "./breaks.js";
import type { CallOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { Unavailable } from "./errors/groups.js";
import type { Overloaded } from "./errors/requests.js";
import type { Revision } from "./generated/camillo/v1/consistency_pb.js";
import { copied, fieldsOf } from "./message-fields.js";

const MAX_RECONNECTS = 10;

/** Where a watch begins: at one of these places. */
export interface WatchStart {
  /** After the change that carried this token. */
  resumeToken?: string;
  /** After this revision. */
  afterRevision?: Revision;
  /** With everything there is, then what changes. */
  fromBeginning?: boolean;
}

/** How a watch is kept up. */
export interface WatchOptions extends CallOptions {
  /** Attempts in a row that may bring nothing; default 10. */
  maxReconnects?: number;
}

/** The start as the contract has it; TypeError unless it is one place. */
export function startOf({ resumeToken, afterRevision, fromBeginning }: WatchStart) {
  const places = [
    resumeToken ? ({ case: "resumeToken", value: resumeToken } as const) : undefined,
    afterRevision ? ({ case: "afterRevision", value: afterRevision } as const) : undefined,
    fromBeginning ? ({ case: "fromBeginning", value: true } as const) : undefined,
  ].filter((place) => place !== undefined);
  const [place] = places;
  if (!place || places.length > 1) {
    throw new TypeError(
      "a watch begins at one place: say fromBeginning, afterRevision or resumeToken",
    );
  }
  return place;
}

/** Whether a stream can be gone on with behind the last change that it brought. */
export function isWatch(method: DescMethod): boolean {
  return method.input.field.resumeToken !== undefined && method.output.field.change !== undefined;
}

/** The messages of a watch, which goes on behind the last one handed out when the server goes away. */
export async function* watch<I extends DescMessage, O extends DescMessage>(
  calls: Calls,
  method: DescMethodServerStreaming<I, O>,
  init: MessageInitShape<I>,
  { maxReconnects = MAX_RECONNECTS, ...options }: WatchOptions = {},
): AsyncGenerator<MessageShape<O>, void, undefined> {
  const request = copied<I>(method.input, init);
  const patience = new Patience(calls, options.signal, maxReconnects);
  for (;;) {
    let breakOff: Unavailable | Overloaded = ended();
    try {
      for await (const answer of calls.stream(method, request as MessageInitShape<I>, options)) {
        patience.renew();
        goOnBehind(method.input, request, answer);
        yield answer;
      }
    } catch (error) {
      // Overloads, too: when a server comes back, all its watchers do.
      if (!isBreak(error)) {
        throw error;
      }
      breakOff = error;
    }
    await patience.waitAfter(breakOff);
  }
}

/** Where a watch begins is one of several places, or a token alone. */
function goOnBehind<I extends DescMessage, O extends DescMessage>(
  desc: I,
  request: MessageShape<I>,
  answer: MessageShape<O>,
): void {
  const { change } = fieldsOf(answer) as { change?: { resumeToken?: string } };
  if (!change?.resumeToken) {
    return;
  }
  if (desc.field.resumeToken?.oneof) {
    fieldsOf(request).start = { case: "resumeToken", value: change.resumeToken };
  } else {
    fieldsOf(request).resumeToken = change.resumeToken;
  }
}

/** A watch has no end: a server that closes one in good order is going away. */
function ended(): Unavailable {
  return new Unavailable({ code: "UNAVAILABLE", message: "the server ended the watch" });
}

/** Returns what is in the messages of a watch; those of a newer server that bring no change are passed over. */
export async function* changes<C>(
  answers: AsyncIterable<{ readonly change?: C | undefined }>,
): AsyncGenerator<C, void, undefined> {
  for await (const { change } of answers) {
    if (change) {
      yield change;
    }
  }
}
