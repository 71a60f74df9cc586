import { realPause } from "./attempts.js";
import { Calls } from "./calls.js";
import type { ConnectOptions } from "./camillo.js";
import { type Connection, openConnection } from "./connection.js";
import { type Credential, resolvedCredential } from "./local-key.js";
import type { Shared } from "./part.js";
import { warnOfPlaintext } from "./plaintext-keys.js";
import { type OnRedaction, warnOfRedaction } from "./redactions.js";
import { RequestHeaders } from "./request-headers.js";
import { ownPolicies } from "./retry-policy.js";
import { ScopedTransport } from "./scoped-transport.js";
import { type Beside, NOTHING } from "./spaces.js";
import {
  DEFAULT_TIMEOUT_MS,
  KEEPALIVE_MS,
  MAX_MESSAGE_BYTES,
  resolvedAddress,
  resolvedKey,
} from "./target.js";

/** Holds what a client of one space is made of; those of several share the connection, and know each other's writes. */
export class View implements Shared {
  readonly #connection: Connection;
  readonly #closing: AbortController;

  private constructor(
    readonly calls: Calls,
    readonly onRedaction: OnRedaction,
    readonly transport: ScopedTransport,
    connection: Connection,
    closing: AbortController,
  ) {
    this.#connection = connection;
    this.#closing = closing;
  }

  /** The view of a new connection. */
  static open(options: ConnectOptions): View {
    const { key, refusal } = credentialOf(options);
    const connection = connectionOf(options, key);
    const agentId = options.agentId ?? "";
    const transport = new ScopedTransport(connection.transport, new RequestHeaders(key), agentId);
    const closing = new AbortController();
    const calls = new Calls({
      transport,
      key,
      refusal,
      closed: closing.signal,
      agentId,
      beside: NOTHING,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      policies: ownPolicies(),
      pause: options.pause ?? realPause,
    });
    const onRedaction = options.onRedaction ?? warnOfRedaction;
    return new View(calls, onRedaction, transport, connection, closing);
  }

  /** For this space, and what is read beside it. */
  inSpace(space: string, beside: Beside = NOTHING): View {
    const transport = this.transport.inSpace(space);
    const calls = this.calls.inSpace({ transport, agentId: space, beside });
    return new View(calls, this.onRedaction, transport, this.#connection, this.#closing);
  }

  /** Ends all calls and the connection. */
  close(): void {
    this.#closing.abort();
    this.#connection.close();
  }
}

function connectionOf(options: ConnectOptions, key: string): Connection {
  if (options.transport) {
    return { transport: options.transport, close: () => {} };
  }
  const target = {
    address: resolvedAddress(options.address),
    tls: options.tls,
    maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    keepaliveMs: options.keepaliveMs ?? KEEPALIVE_MS,
  };
  warnOfPlaintext(target, key);
  return openConnection(target);
}

function credentialOf({ address, key, tls, transport }: ConnectOptions): Credential {
  return transport
    ? { key: resolvedKey(key), refusal: "" }
    : resolvedCredential(key, resolvedAddress(address), tls);
}
