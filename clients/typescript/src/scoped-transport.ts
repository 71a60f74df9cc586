import type {
  DescMessage,
  DescMethodStreaming,
  DescMethodUnary,
  MessageInitShape,
} from "@bufbuild/protobuf";
import type { ContextValues, StreamResponse, Transport, UnaryResponse } from "@connectrpc/connect";
import type { RequestHeaders } from "./request-headers.js";

/** A transport whose calls carry the credential and the scope, also those of bare stubs. */
export class ScopedTransport implements Transport {
  readonly #transport: Transport;
  readonly #headers: RequestHeaders;
  readonly #agentId: string;

  constructor(transport: Transport, headers: RequestHeaders, agentId: string) {
    this.#transport = transport;
    this.#headers = headers;
    this.#agentId = agentId;
  }

  /** The same for another space. */
  inSpace(space: string): ScopedTransport {
    return new ScopedTransport(this.#transport, this.#headers, space);
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: MessageInitShape<I>,
    values?: ContextValues,
  ): Promise<UnaryResponse<I, O>> {
    const headers = await this.#headers.of(this.#scope(input), header);
    return this.#transport.unary(method, signal, timeoutMs, headers, input, values);
  }

  /** The requests of a stream come later: for a scope other than the client's, its header has to be given. */
  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: AsyncIterable<MessageInitShape<I>>,
    values?: ContextValues,
  ): Promise<StreamResponse<I, O>> {
    const headers = await this.#headers.of(this.#agentId, header);
    return this.#transport.stream(method, signal, timeoutMs, headers, input, values);
  }

  #scope(input: object): string {
    const agentId = "agentId" in input ? input.agentId : undefined;
    return typeof agentId === "string" && agentId ? agentId : this.#agentId;
  }
}
