import {
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromJson,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { findMethod, registry } from "../src/index.js";

/** A unary method by its full name; TypeError for anything else. */
export function unary(name: unknown): DescMethodUnary {
  const method = known(name);
  if (method.methodKind !== "unary") {
    throw new TypeError(`${method.name} has no single answer`);
  }
  return method as DescMethodUnary;
}

/** A method that answers with a stream, by its full name; TypeError for anything else. */
export function serverStream(name: unknown): DescMethodServerStreaming {
  const method = known(name);
  if (method.methodKind !== "server_streaming") {
    throw new TypeError(`${method.name} answers with no stream`);
  }
  return method as DescMethodServerStreaming;
}

/** A request of proto3 JSON. */
export function requestOf(method: DescMethod, request: unknown): Message {
  return fromJson(method.input, (request ?? {}) as JsonValue, { registry });
}

/** A message as proto3 JSON. */
export function json(desc: DescMessage, message: Message): JsonValue {
  return toJson(desc, message, { registry });
}

function known(name: unknown): DescMethod {
  const method = findMethod(String(name));
  if (!method) {
    throw new TypeError(`no method is named ${name}`);
  }
  return method;
}
