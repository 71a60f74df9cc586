import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { Artifacts } from "./artifacts.js";
import { type Pause, realPause } from "./attempts.js";
import { Audit } from "./audit.js";
import type { CallOptions } from "./call-options.js";
import { type CallSettings, Calls } from "./calls.js";
import { type Connection, openConnection } from "./connection.js";
import { Context } from "./context.js";
import { Documents } from "./documents.js";
import { Events } from "./events.js";
import { AdminService, type WhoAmIResponse } from "./generated/camillo/v1/admin_service_pb.js";
import { Links } from "./links.js";
import { type Credential, resolvedCredential } from "./local-key.js";
import { Memories } from "./memories.js";
import { pages } from "./pages.js";
import type { Shared } from "./part.js";
import { warnOfPlaintext } from "./plaintext-keys.js";
import { type OnRedaction, warnOfRedaction } from "./redactions.js";
import { RequestHeaders } from "./request-headers.js";
import { ownPolicies } from "./retry-policy.js";
import { Runs } from "./runs.js";
import { ScopedTransport } from "./scoped-transport.js";
import { Skills } from "./skills.js";
import { Slots } from "./slots.js";
import { Spool } from "./spool.js";
import {
  DEFAULT_TIMEOUT_MS,
  KEEPALIVE_MS,
  MAX_MESSAGE_BYTES,
  resolvedAddress,
  resolvedKey,
} from "./target.js";
import type { Tls } from "./tls.js";
import { isWatch, type WatchOptions, watch } from "./watches.js";
import { Workflows } from "./workflows.js";

/** Which server to talk to, as whom, and how. */
export interface ConnectOptions {
  /** `host:port`; default: CAMILLO_ADDRESS, then localhost:7070. */
  address?: string;
  /** Default: CAMILLO_KEY, then, for a server on this machine, the root key in this user's data directory. */
  key?: string;
  /** For keys that may act for any agent: whose scope is meant; default: CAMILLO_AGENT, then `default`. */
  agentId?: string;
  /** Without it nothing is encrypted, the key neither: a `KeyUnprotected` warning tells of one that leaves this machine. */
  tls?: Tls;
  /** Milliseconds for a unary call, repetitions included; default 10,000. */
  timeoutMs?: number;
  /** Bytes of one message, in either direction; default 64 MiB. */
  maxMessageBytes?: number;
  /** Milliseconds without data after which the connection is tested; default 330,000. */
  keepaliveMs?: number;
  /** Is told of each secret that the server took out of a write; default: a warning of the process. */
  onRedaction?: OnRedaction;
  /** Instead of gRPC over HTTP/2 to `address`: another transport of Connect, which `close` leaves open. */
  transport?: Transport;
  /** How to wait between attempts; default: in real time. */
  pause?: Pause;
}

/** A client of one server; it connects with the first call. */
export function connect(options: ConnectOptions = {}): Camillo {
  return new Camillo(options);
}

/**
 * A memory service, as one credential sees it.
 *
 * `agentId` and `timeoutMs` of a call stand for that call in place of the client's own. Reads see the writes that this
 * client has completed, on whichever replica they land; one that was spooled, see {@link Written}, once it is stored. Failures are
 * {@link CamilloError}s.
 */
export class Camillo extends Memories {
  readonly events: Events;
  readonly context: Context;
  readonly artifacts: Artifacts;
  readonly runs: Runs;
  readonly slots: Slots;
  readonly documents: Documents;
  readonly skills: Skills;
  readonly links: Links;
  readonly audit: Audit;
  readonly spool: Spool;
  readonly workflows: Workflows;
  readonly #connection: Connection;
  readonly #transport: Transport;
  readonly #closing: AbortController;

  constructor(options: ConnectOptions = {}) {
    const { key, refusal } = credentialOf(options);
    const connection = connectionOf(options, key);
    const headers = new RequestHeaders(key);
    const transport = new ScopedTransport(connection.transport, headers, options.agentId ?? "");
    const closing = new AbortController();
    const shared = sharedParts(options, { transport, key, refusal, closed: closing.signal });
    super(shared);
    this.#connection = connection;
    this.#transport = transport;
    this.#closing = closing;
    this.events = new Events(shared);
    this.context = new Context(shared);
    this.artifacts = new Artifacts(shared);
    this.runs = new Runs(shared);
    this.slots = new Slots(shared);
    this.documents = new Documents(shared);
    this.skills = new Skills(shared);
    this.links = new Links(shared);
    this.audit = new Audit(shared);
    this.spool = new Spool(shared);
    this.workflows = new Workflows(shared);
  }

  /** The answer of any unary method, such as `RunService.method.startRun`. */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return this.calls.unary(method, request, options);
  }

  /** All pages of any list, each asked for when the one before has been taken; the timeout is that of each page. */
  pages<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    return pages(this.calls, method, request, options);
  }

  /**
   * The messages of any server stream; to leave the loop cancels the call. A watch goes on by itself when the server
   * goes away, see {@link watch}. There is no timeout unless one is given; it is that of each connection.
   */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: WatchOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    return isWatch(method)
      ? watch(this.calls, method, request, options)
      : this.calls.stream(method, request, options);
  }

  /** Connect's own client of a service: with the credential, but without anything else that this client does by itself. */
  stub<S extends DescService>(service: S): Client<S> {
    return createClient(service, this.#transport);
  }

  /** Who the caller is, and what it is talking to. */
  async whoAmI(options: CallOptions = {}): Promise<WhoAmIResponse> {
    return this.calls.unary(AdminService.method.whoAmI, {}, options);
  }

  /** Ends all calls and the connection. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
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

function sharedParts(
  options: ConnectOptions,
  connected: Pick<CallSettings, "transport" | "key" | "refusal" | "closed">,
): Shared {
  const calls = new Calls({
    ...connected,
    agentId: options.agentId ?? "",
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    policies: ownPolicies(),
    pause: options.pause ?? realPause,
  });
  return { calls, onRedaction: options.onRedaction ?? warnOfRedaction };
}
