import type {
  DescMessage,
  DescMethod,
  DescMethodServerStreaming,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { backOff } from "./back-off.js";
import type { CallOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { Unavailable } from "./errors/groups.js";
import type { Revision } from "./generated/camillo/v1/consistency_pb.js";
import { copied, fieldsOf } from "./message-fields.js";

const MAX_RECONNECTS = 10;

/** Where a watch begins, at one place at most; default: with what happens from now on. */
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

/** The start as the contract has it; TypeError for several places. */
export function startOf({ resumeToken, afterRevision, fromBeginning }: WatchStart) {
  const places = [
    resumeToken ? ({ case: "resumeToken", value: resumeToken } as const) : undefined,
    afterRevision ? ({ case: "afterRevision", value: afterRevision } as const) : undefined,
    fromBeginning ? ({ case: "fromBeginning", value: true } as const) : undefined,
  ].filter((place) => place !== undefined);
  if (places.length > 1) {
    throw new TypeError("a watch begins at one place: token, revision or beginning");
  }
  return places[0] ?? { case: undefined };
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
  let failures = 0;
  for (;;) {
    let breakOff = ended();
    try {
      for await (const answer of calls.stream(method, request as MessageInitShape<I>, options)) {
        failures = 0;
        goOnBehind(request, answer);
        yield answer;
      }
    } catch (error) {
      breakOff = unavailable(error);
    }
    failures += 1;
    if (failures > maxReconnects) {
      throw breakOff;
    }
    await calls.pause(backOff(failures, breakOff.retryAfterSeconds), options.signal);
  }
}

function goOnBehind<I extends DescMessage, O extends DescMessage>(
  request: MessageShape<I>,
  answer: MessageShape<O>,
): void {
  const { change } = fieldsOf(answer) as { change?: { resumeToken?: string } };
  if (change?.resumeToken) {
    fieldsOf(request).start = { case: "resumeToken", value: change.resumeToken };
  }
}

/** A watch has no end: a server that closes one in good order is going away. */
function ended(): Unavailable {
  return new Unavailable({ code: "UNAVAILABLE", message: "the server ended the watch" });
}

function unavailable(error: unknown): Unavailable {
  if (error instanceof Unavailable) {
    return error;
  }
  throw error;
}
