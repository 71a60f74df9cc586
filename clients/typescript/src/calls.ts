import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodStreaming,
  DescMethodUnary,
  Message,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { Attempts, type Pause } from "./attempts.js";
import type { CallOptions, UnaryOptions } from "./call-options.js";
import { Deadline, timeoutOf } from "./deadline.js";
import { Cancelled, DeadlineExceeded, Unavailable } from "./errors/groups.js";
import { errorOf } from "./errors/transport-failures.js";
import { OwnWrites, type Write } from "./own-writes.js";
import { SCOPE_HEADER, scopeOf } from "./request-headers.js";
import { type Prepared, prepared, type Space } from "./requests.js";
import type { RetryPolicies } from "./retry-policy.js";
import { type Beside, NOTHING } from "./spaces.js";

/** Holds what the calls of a client have in common. */
export interface CallSettings {
  readonly transport: Transport;
  readonly key: string;
  readonly agentId: string;
  /** Holds what is read beside the space of the agent, unless a call says itself what it reads. */
  readonly beside: Beside;
  readonly timeoutMs: number;
  readonly policies: RetryPolicies;
  readonly pause: Pause;
  /** Holds what is said where the server refuses a key that the caller did not give; else empty. */
  readonly refusal: string;
  /** Given when the client is closed. */
  readonly closed: AbortSignal;
}

/** The one path of every call: scope, ids, the client's own writes, deadline, repetition, typed errors. */
export class Calls {
  readonly #settings: CallSettings;
  readonly #ownWrites: OwnWrites;

  constructor(settings: CallSettings, ownWrites = new OwnWrites()) {
    this.#settings = settings;
    this.#ownWrites = ownWrites;
  }

  /** The same for another space; both know what the other writes. */
  inSpace(space: Pick<CallSettings, "transport" | "agentId" | "beside">): Calls {
    return new Calls({ ...this.#settings, ...space }, this.#ownWrites);
  }

  /** The answer to a unary call. */
  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    init: MessageInitShape<I>,
    options: UnaryOptions = {},
  ): Promise<MessageShape<O>> {
    const request = prepared<I>(method, init, this.#space(options), options.isNewId);
    const deadline = new Deadline(options.timeoutMs ?? this.#settings.timeoutMs);
    return this.#ownWrites.send(method, request, () =>
      this.#repeated(method, request, deadline, options.signal),
    );
  }

  /** The messages of a server stream; to leave the loop cancels the call. */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    init: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const request = prepared<I>(method, init, this.#space(options));
    const left = new AbortController();
    const call = { ...options, agentId: request.agentId };
    try {
      const response = await this.#open(method, once<I>(request.message), call, left.signal);
      yield* response.message;
    } catch (reason) {
      throw this.#error(reason, options.signal);
    } finally {
      left.abort();
    }
  }

  /** The answer to a client stream, whose requests are ended with it. */
  async upload<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    requests: AsyncGenerator<MessageInitShape<I>, void, undefined>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    try {
      const response = await this.#open(method, requests, options);
      let answer: MessageShape<O> | undefined;
      for await (const message of response.message) {
        answer = message;
      }
      return answer ?? missingAnswer();
    } catch (reason) {
      throw this.#error(reason, options.signal);
    } finally {
      // A transport may leave them as they are. Nobody waits for a source that is stuck.
      requests.return().catch(() => {});
    }
  }

  /** The answer to a write that takes several calls, which later reads see. */
  async written<R extends Message>(write: Write, send: () => Promise<R>): Promise<R> {
    return this.#ownWrites.write(write, send);
  }

  /** Whose scope a call is about, unless its request says so itself. */
  agentId(options: CallOptions): string {
    return options.agentId ?? this.#settings.agentId;
  }

  /** Waits as clients do between two attempts; Cancelled if the caller gives up or the client is closed meanwhile. */
  async pause(milliseconds: number, signal?: AbortSignal, requestId = ""): Promise<void> {
    try {
      await this.#settings.pause(milliseconds, either(this.#settings.closed, signal));
    } catch (reason) {
      throw this.#error(reason, signal, requestId);
    }
  }

  #space(options: CallOptions): Space {
    const beside = options.agentId === undefined ? this.#settings.beside : NOTHING;
    return { agentId: this.agentId(options), beside };
  }

  async #repeated<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: Prepared<I>,
    deadline: Deadline,
    signal: AbortSignal | undefined,
  ): Promise<MessageShape<O>> {
    const attempts = new Attempts(this.#settings.policies.of(method));
    for (;;) {
      try {
        return await this.#attempt(method, request, deadline, signal);
      } catch (reason) {
        const error = this.#error(reason, signal, request.requestId);
        const wait = attempts.waitAfter(error);
        if (wait === undefined || wait >= deadline.left) {
          throw error;
        }
        await this.pause(wait, signal, request.requestId);
      }
    }
  }

  async #attempt<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: Prepared<I>,
    deadline: Deadline,
    signal: AbortSignal | undefined,
  ): Promise<MessageShape<O>> {
    this.#checkOpen(request.requestId);
    const left = timeLeft(deadline.left, request.requestId);
    const header = this.#scope(request.agentId);
    const init = request.message as MessageInitShape<I>;
    return (await this.#settings.transport.unary(method, signal, left, header, init)).message;
  }

  #open<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    requests: AsyncIterable<MessageInitShape<I>>,
    options: CallOptions,
    left?: AbortSignal,
  ) {
    this.#checkOpen();
    const signal = either(options.signal, left);
    const header = this.#scope(this.agentId(options));
    const timeout = options.timeoutMs === undefined ? undefined : timeLeft(options.timeoutMs);
    return this.#settings.transport.stream(method, signal, timeout, header, requests);
  }

  #checkOpen(requestId = ""): void {
    if (this.#settings.closed.aborted) {
      throw new Cancelled({ code: "CANCELLED", message: "the client is closed", requestId });
    }
  }

  #scope(agentId: string): HeadersInit {
    return { [SCOPE_HEADER]: scopeOf(this.#settings.key, agentId) };
  }

  #error(reason: unknown, signal: AbortSignal | undefined, requestId = "") {
    const isGivenUp = (signal?.aborted ?? false) || this.#settings.closed.aborted;
    return errorOf(reason, { requestId, isGivenUp, refusal: this.#settings.refusal });
  }
}

function either(one?: AbortSignal, other?: AbortSignal): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

async function* once<I extends DescMessage>(
  message: MessageShape<I>,
): AsyncGenerator<MessageInitShape<I>> {
  yield message as MessageInitShape<I>;
}

/** Returns what to send of a timeout: transports take none for one without end. */
function timeLeft(milliseconds: number, requestId = ""): number {
  const left = timeoutOf(milliseconds);
  if (!(left > 0)) {
    const message = "the timeout had passed before the call was sent";
    throw new DeadlineExceeded({ code: "DEADLINE_EXCEEDED", message, requestId });
  }
  return left;
}

function missingAnswer(): never {
  const message = "the server ended the call without an answer";
  throw new Unavailable({ code: "UNAVAILABLE", message });
}
