import {
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  toBinary,
} from "@bufbuild/protobuf";

/** A method as grpc-js wants it, of a client or of a server. */
export interface GrpcJsMethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (message: Message) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Message;
  readonly responseSerialize: (message: Message) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Message;
  readonly originalName: string;
}

/** The methods of a service, by their names in the contract. */
export type GrpcJsServiceDefinition = Readonly<Record<string, GrpcJsMethodDefinition>>;

/**
 * A service of the contract for grpc-js: `new (grpc.makeGenericClientConstructor(definition, name))(address, ...)`, or
 * `server.addService(definition, handlers)`. Messages are those that `create` of protobuf-es makes.
 */
export function grpcJsServiceDefinition(service: DescService): GrpcJsServiceDefinition {
  return Object.fromEntries(service.methods.map((method) => [method.name, definition(method)]));
}

function definition(method: DescMethod): GrpcJsMethodDefinition {
  const [requestSerialize, requestDeserialize] = codec(method.input);
  const [responseSerialize, responseDeserialize] = codec(method.output);
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream:
      method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream:
      method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    requestSerialize,
    requestDeserialize,
    responseSerialize,
    responseDeserialize,
    originalName: method.localName,
  };
}

function codec(desc: DescMessage): [(message: Message) => Buffer, (bytes: Buffer) => Message] {
  return [(message) => Buffer.from(toBinary(desc, message)), (bytes) => fromBinary(desc, bytes)];
}
