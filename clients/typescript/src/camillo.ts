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
import type { Pause } from "./attempts.js";
import { Audit } from "./audit.js";
import type { CallOptions } from "./call-options.js";
import { Context } from "./context.js";
import { Documents } from "./documents.js";
import { Events } from "./events.js";
import { AdminService, type WhoAmIResponse } from "./generated/camillo/v1/admin_service_pb.js";
import { Links } from "./links.js";
import { Memories } from "./memories.js";
import { pages } from "./pages.js";
import type { OnRedaction } from "./redactions.js";
import { Runs } from "./runs.js";
import { Skills } from "./skills.js";
import { Slots } from "./slots.js";
import { besideOf, checkedSpace, type SpacesOptions, userSpace } from "./spaces.js";
import { Spool } from "./spool.js";
import type { Tls } from "./tls.js";
import { View } from "./view.js";
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
  readonly #view: View;

  constructor(options?: ConnectOptions);
  /** @internal */
  constructor(view: View);
  constructor(given: ConnectOptions | View = {}) {
    const shared = given instanceof View ? given : View.open(given);
    super(shared);
    this.#view = shared;
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

  /**
   * This client for the memories of one person, `users/<userId>`, whichever agent speaks to them; as {@link forSpace}. TypeError for
   * an id with a slash.
   */
  forUser(userId: string): Camillo {
    return this.forSpace(userSpace(userId));
  }

  /** This client for the memories of one project, such as `shop` or `github.com/acme/shop`; as {@link forSpace}. */
  forProject(project: string): Camillo {
    return this.forSpace(`projects/${project}`);
  }

  /** This client for the memories of one team, such as `eu/ops`; as {@link forSpace}. */
  forTeam(team: string): Camillo {
    return this.forSpace(`teams/${team}`);
  }

  /**
   * This client, with another space in place of its own agent's: a path such as `users/42`, an agent's id, or `SHARED`. Cheap enough
   * for each request; needs a key that may act for any agent, or was granted the space.
   *
   * It has the connection in common with this client, and closing either closes it; both see each other's writes. TypeError for a text
   * that names no space.
   */
  forSpace(space: string): Camillo {
    return new Camillo(this.#view.inSpace(checkedSpace(space)));
  }

  /**
   * This client, whose recalls and bundles read other spaces as one collection with the one that it writes to; as
   * {@link forSpace}.
   *
   * Each is read at least as fresh as this client's own writes there. A call that names an `agentId` or `spaces` itself reads what it
   * names.
   */
  withSpaces({ read, write }: SpacesOptions): Camillo {
    const own = write === undefined ? this.calls.agentId({}) : checkedSpace(write);
    return new Camillo(this.#view.inSpace(own, besideOf(read, own)));
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
    return createClient(service, this.#view.transport);
  }

  /** Who the caller is, and what it is talking to. */
  async whoAmI(options: CallOptions = {}): Promise<WhoAmIResponse> {
    return this.calls.unary(AdminService.method.whoAmI, {}, options);
  }

  /** Ends all calls and the connection. */
  async close(): Promise<void> {
    this.#view.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
