import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodStreaming,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { grpcJsServiceDefinition } from "../src/grpc-js.js";
import type { Fields } from "../src/message-fields.js";
import { services } from "../src/methods.js";
import { statusOf } from "./refusals.js";

/** A call as it arrived. */
export interface Received {
  readonly method: string;
  readonly request: Message;
  readonly metadata: Readonly<Record<string, string>>;
  /** Seconds that the client gives it; Infinity without a deadline. */
  readonly seconds: number;
  /** Given when the client leaves the call. */
  readonly left: Promise<void>;
}

type Handler = (input: never, received: Received) => unknown;

/** A real gRPC server in the test's process that answers what the test scripts. */
export class ScriptedServer {
  /** All calls, in their order. */
  readonly calls: Received[] = [];
  readonly #server: grpc.Server;
  readonly #handlers = new Map<string, Handler>();
  #port = 0;

  private constructor(server: grpc.Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedServer> {
    const limit = 16 * 1024 * 1024;
    const options = {
      "grpc.max_receive_message_length": limit,
      "grpc.max_send_message_length": limit,
    };
    const scripted = new ScriptedServer(new grpc.Server(options));
    for (const service of services) {
      const definition = grpcJsServiceDefinition(service);
      const handlers = service.methods.map((method) => [method.name, scripted.#handlerOf(method)]);
      scripted.#server.addService(definition, Object.fromEntries(handlers));
    }
    await scripted.#listen();
    return scripted;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** Returns what a unary method answers; handlers given are used in turn, the last one again and again. */
  answer<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    ...handlers: ((request: MessageShape<I>, received: Received) => MessageInitShape<O>)[]
  ): void {
    this.#handlers.set(nameOf(method), inTurn(handlers));
  }

  /** Returns what a server stream answers. */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    ...handlers: ((
      request: MessageShape<I>,
      received: Received,
    ) => AsyncIterable<MessageInitShape<O>>)[]
  ): void {
    this.#handlers.set(nameOf(method), inTurn(handlers));
  }

  /** Returns what a client stream is answered. */
  take<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    ...handlers: ((requests: AsyncIterable<MessageShape<I>>) => Promise<MessageInitShape<O>>)[]
  ): void {
    this.#handlers.set(nameOf(method), inTurn(handlers));
  }

  /** The requests that a method got, in their order. */
  requests<I extends DescMessage>(method: DescMethod & { input: I }): MessageShape<I>[] {
    return this.received(method).map(({ request }) => request as MessageShape<I>);
  }

  /** The calls that a method got, in their order. */
  received(method: { parent: { typeName: string }; name: string }): Received[] {
    return this.calls.filter((call) => call.method === nameOf(method));
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  async #listen(): Promise<void> {
    this.#port = await new Promise((resolve, reject) => {
      const credentials = grpc.ServerCredentials.createInsecure();
      this.#server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
        error ? reject(error) : resolve(port);
      });
    });
  }

  #handlerOf(method: DescMethod): grpc.UntypedHandleCall {
    switch (method.methodKind) {
      case "unary":
        return this.#unary(method) as grpc.UntypedHandleCall;
      case "server_streaming":
        return this.#serverStream(method) as grpc.UntypedHandleCall;
      default:
        return this.#clientStream(method) as grpc.UntypedHandleCall;
    }
  }

  #unary(method: DescMethod): grpc.handleUnaryCall<Message, Message> {
    return (call, callback) => {
      const received = this.#note(method, call.request, call);
      this.#answerOnce(method, call.request, received, callback);
    };
  }

  #clientStream(method: DescMethod): grpc.handleClientStreamingCall<Message, Message> {
    return (call, callback) => {
      const received = this.#note(method, create(method.input), call);
      this.#answerOnce(method, call, received, callback);
    };
  }

  #serverStream(method: DescMethod): grpc.handleServerStreamingCall<Message, Message> {
    return async (call) => {
      const received = this.#note(method, call.request, call);
      try {
        for await (const each of this.#scripted(
          method,
          call.request,
          received,
        ) as AsyncIterable<Fields>) {
          call.write(create(method.output, each));
        }
        call.end();
      } catch (error) {
        call.emit("error", statusOf(error));
      }
    };
  }

  async #answerOnce(
    method: DescMethod,
    input: unknown,
    received: Received,
    callback: grpc.sendUnaryData<Message>,
  ): Promise<void> {
    try {
      callback(
        null,
        create(method.output, (await this.#scripted(method, input, received)) as Fields),
      );
    } catch (error) {
      callback(statusOf(error));
    }
  }

  #scripted(method: DescMethod, input: unknown, received: Received): unknown {
    const handler = this.#handlers.get(nameOf(method));
    if (!handler) {
      throw new Error(`the test does not script ${method.name}`);
    }
    return handler(input as never, received);
  }

  #note(method: DescMethod, request: Message, call: ServerCall): Received {
    const metadata = Object.fromEntries(
      Object.entries(call.metadata.getMap()).map(([key, value]) => [key, String(value)]),
    );
    const deadline = call.getDeadline();
    const seconds = (Number(deadline) - Date.now()) / 1000;
    const left = new Promise<void>((resolve) => call.on("cancelled", resolve));
    const received = { method: nameOf(method), request, metadata, seconds, left };
    this.calls.push(received);
    return received;
  }
}

interface ServerCall {
  readonly metadata: grpc.Metadata;
  getDeadline(): grpc.Deadline;
  on(event: "cancelled", listener: () => void): unknown;
}

function nameOf(method: { parent: { typeName: string }; name: string }): string {
  return `${method.parent.typeName}/${method.name}`;
}

function inTurn(handlers: readonly Handler[]): Handler {
  let next = 0;
  return (input, received) => {
    const handler = handlers[Math.min(next, handlers.length - 1)];
    next += 1;
    return handler?.(input, received);
  };
}
