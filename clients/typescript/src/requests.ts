import { randomUUID } from "node:crypto";
import {
  clone,
  type DescMessage,
  type DescMethod,
  isMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  BatchRecallRequestSchema,
  RecallRequestSchema,
} from "./generated/camillo/v1/memory_service_pb.js";
import { copied, fieldsOf, hasText, textOf } from "./message-fields.js";
import { type Beside, fillBeside } from "./spaces.js";

// There `agent_id` names the agent that is made or removed, not the scope of the call.
const WITHOUT_SCOPE = "camillo.v1.AdminService";

/** A request as it is sent. */
export interface Prepared<I extends DescMessage> {
  readonly message: MessageShape<I>;
  /** The scope that it is about. */
  readonly agentId: string;
  /** Empty for a read. */
  readonly requestId: string;
  /** The request id was the caller's own: it may have been used before. */
  readonly isRepeatable: boolean;
}

/** The space of a call, where its request names none, and what is read beside it then. */
export interface Space {
  readonly agentId: string;
  readonly beside: Beside;
}

/** An id that nobody else uses. */
export function newRequestId(): string {
  return randomUUID().replaceAll("-", "");
}

/**
 * A copy of the request with the client's space and a fresh request id where the caller gave none; `isNewId` tells of a
 * request id that it has already that nobody has used before.
 */
export function prepared<I extends DescMessage>(
  method: DescMethod & { readonly input: I },
  init: MessageInitShape<I>,
  space: Space,
  isNewId = false,
): Prepared<I> {
  const message = copied<I>(method.input, init);
  const isScoped = method.parent.typeName !== WITHOUT_SCOPE;
  const given = textOf(message, "requestId");
  if (isScoped) {
    fillSpace(method.input, message, space);
  }
  fill(method.input, message, "requestId", newRequestId);
  return {
    message,
    agentId: (isScoped && textOf(message, "agentId")) || space.agentId,
    requestId: textOf(message, "requestId"),
    isRepeatable: given !== "" && !isNewId,
  };
}

/** In a batch each recall names its own; who asks for all scopes means none. */
function fillSpace(desc: DescMessage, message: Message, space: Space): void {
  if (isMessage(message, BatchRecallRequestSchema)) {
    // A copy of the batch has the caller's own recalls in it.
    message.requests = message.requests.map((part) => clone(RecallRequestSchema, part));
    for (const part of message.requests) {
      fillSpace(RecallRequestSchema, part, space);
    }
  } else if (!fieldsOf(message).allScopes && textOf(message, "agentId") === "") {
    fill(desc, message, "agentId", () => space.agentId);
    fillBeside(desc, message, space.beside);
  }
}

function fill(desc: DescMessage, message: Message, name: string, value: () => string): void {
  if (hasText(desc, name) && textOf(message, name) === "") {
    fieldsOf(message)[name] = value();
  }
}
