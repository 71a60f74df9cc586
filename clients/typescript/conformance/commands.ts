import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import {
  type Camillo,
  CamilloError,
  type ConnectOptions,
  connect,
  findRefs,
  itemOf,
  renderRef,
} from "../src/index.js";
import {
  ArtifactSchema,
  BundleSchema,
  MemoryService,
  OffloadOutputResponseSchema,
  PublishDocumentResponseSchema,
  type RecallRequest,
  RecallResponseSchema,
  RecordedEventSchema,
} from "../src/v1.js";
import { json, requestOf, serverStream, unary } from "./methods.js";
import { tlsOf } from "./tls.js";

/** Holds what the suite asks: `do` says what the other fields mean. */
export interface Command {
  readonly id: number;
  readonly do: string;
  readonly [field: string]: unknown;
}

/** Holds what came of a command. */
export type Answer = { id: number; ok: unknown } | { id: number; error: object };

class UnknownCommand extends Error {}

/** The clients that were connected, and what is asked of them. */
export class Commands {
  readonly #clients = new Map<string, Camillo>();
  readonly #byName: Readonly<Record<string, (command: Command) => unknown>> = {
    connect: (command) => this.#connect(command),
    bind: (command) => this.#bind(command),
    call: (command) => this.#call(command),
    hits: (command) => this.#hits(command),
    recall: (command) => this.#recall(command),
    bundle: (command) => this.#bundle(command),
    record: (command) => this.#record(command),
    pages: (command) => this.#pages(command),
    stream: (command) => this.#stream(command),
    put: (command) => this.#put(command),
    publish: (command) => this.#publish(command),
    read: (command) => this.#read(command),
    offload: (command) => this.#offload(command),
    render_ref: ({ artifact_id, description }) => renderRef(String(artifact_id), text(description)),
    parse_refs: (command) => refsIn(text(command.text)),
    close: (command) => this.#close(command),
  };

  /** Returns what came of a command; a failure of it is an answer, too. */
  async answer(command: Command): Promise<Answer> {
    try {
      return { id: command.id, ok: (await this.#named(command.do)(command)) ?? null };
    } catch (error) {
      return { id: command.id, error: told(error) };
    }
  }

  /** Closes all clients. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  #named(name: string): (command: Command) => unknown {
    const known = Object.hasOwn(this.#byName, name) ? this.#byName[name] : undefined;
    if (!known) {
      throw new UnknownCommand(`no command is named ${name}`);
    }
    return known;
  }

  #client(command: Command): Camillo {
    const client = this.#clients.get(text(command.client));
    if (!client) {
      throw new TypeError(`no client is named ${text(command.client)}`);
    }
    return client;
  }

  #connect(command: Command): void {
    const options: ConnectOptions = {
      // They would tell of secrets on the standard error; answers tell of them, too.
      onRedaction: () => {},
      ...given("address", command.address as string | undefined),
      ...given("key", command.key as string | undefined),
      ...given("agentId", command.agent_id as string | undefined),
      ...given("tls", tlsOf(command.tls)),
      ...given("timeoutMs", milliseconds(command.timeout_seconds)),
      ...given("maxMessageBytes", command.max_message_bytes as number | undefined),
    };
    this.#clients.set(text(command.client), connect(options));
  }

  #bind({ client, of, user, project, team, space, beside }: Command): void {
    const made = this.#client({ id: 0, do: "bind", client: of });
    const bound =
      user !== undefined
        ? made.forUser(text(user))
        : project !== undefined
          ? made.forProject(text(project))
          : team !== undefined
            ? made.forTeam(text(team))
            : made.forSpace(text(space));
    this.#clients.set(
      text(client),
      beside ? bound.withSpaces({ read: beside as string[] }) : bound,
    );
  }

  async #call(command: Command): Promise<unknown> {
    const method = unary(command.method);
    const request = requestOf(method, command.request);
    const answer = await this.#client(command).call(method, request, timeout(command));
    return json(method.output, answer);
  }

  async #hits(command: Command): Promise<unknown> {
    const { recall } = MemoryService.method;
    const request = requestOf(recall, command.request) as RecallRequest;
    const { hits } = await this.#client(command).call(recall, request, timeout(command));
    return hits.map(itemOf).map(({ occurredAt, citation, ...item }) => ({
      ...item,
      occurred_at_ms: occurredAt?.getTime() ?? null,
      ...given("citation", citation?.documentId),
    }));
  }

  async #recall(command: Command): Promise<unknown> {
    const client = this.#client(command);
    return json(RecallResponseSchema, await client.recall(text(command.text), zone(command)));
  }

  async #bundle(command: Command): Promise<unknown> {
    const { context } = this.#client(command);
    return json(BundleSchema, await context.bundle(text(command.text), zone(command)));
  }

  async #record(command: Command): Promise<unknown> {
    const { events } = this.#client(command);
    const recorded = await events.record(text(command.text), {
      sessionId: text(command.session_id),
    });
    return json(RecordedEventSchema, recorded);
  }

  async #pages(command: Command): Promise<unknown> {
    const method = unary(command.method);
    const all: unknown[] = [];
    const request = requestOf(method, command.request);
    for await (const page of this.#client(command).pages(method, request, timeout(command))) {
      all.push(json(method.output, page));
    }
    return all;
  }

  async #stream(command: Command): Promise<unknown> {
    const method = serverStream(command.method);
    const taken: unknown[] = [];
    const request = requestOf(method, command.request);
    for await (const message of this.#client(command).stream(method, request, timeout(command))) {
      taken.push(json(method.output, message));
      if (taken.length === command.take) {
        break;
      }
    }
    return taken;
  }

  async #put(command: Command): Promise<unknown> {
    const source = { path: text(command.path) };
    const options = given("name", command.name as string | undefined);
    const artifact = await this.#client(command).artifacts.put(source, options);
    return json(ArtifactSchema, artifact);
  }

  async #publish(command: Command): Promise<unknown> {
    const options = {
      ...given("categories", command.categories as string[] | undefined),
      ...given("expectedVersion", command.expected_version as number | undefined),
      ...given("requestId", command.request_id as string | undefined),
    };
    const source = { path: text(command.path) };
    const { documents } = this.#client(command);
    const answer = await documents.publish(text(command.name), source, options);
    return json(PublishDocumentResponseSchema, answer);
  }

  async #read(command: Command): Promise<unknown> {
    const sha256 = createHash("sha256");
    let bytes = 0;
    const file = await open(text(command.path), "w");
    try {
      for await (const { data } of this.#client(command).artifacts.stream(text(command.artifact))) {
        await file.write(data);
        sha256.update(data);
        bytes += data.length;
      }
    } finally {
      await file.close();
    }
    return { bytes, sha256: sha256.digest("hex") };
  }

  async #offload(command: Command): Promise<unknown> {
    const { artifacts } = this.#client(command);
    const options = given("tool", command.tool as string | undefined);
    const { response } = await artifacts.offload(text(command.text), options);
    return json(OffloadOutputResponseSchema, response);
  }

  async #close(command: Command): Promise<void> {
    await this.#client(command).close();
    this.#clients.delete(text(command.client));
  }
}

function refsIn(text: string) {
  return findRefs(text).map(({ artifactId, description }) => ({
    artifact_id: artifactId,
    description,
  }));
}

function told(error: unknown): object {
  if (!(error instanceof CamilloError)) {
    const code = error instanceof UnknownCommand ? "UNKNOWN_COMMAND" : "RUNNER";
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { code, type: name, message };
  }
  return {
    code: error.code,
    reason: error.reason,
    type: error.name,
    message: error.message,
    metadata: error.metadata,
    fields: error.fieldViolations.map(({ field }) => field),
    retry_after_seconds: error.retryAfterSeconds ?? null,
    request_id: error.requestId,
  };
}

function zone(command: Command): { timeZone?: string } {
  return given("timeZone", command.time_zone as string | undefined);
}

function timeout(command: Command): { timeoutMs?: number } {
  return given("timeoutMs", milliseconds(command.timeout_seconds));
}

function milliseconds(seconds: unknown): number | undefined {
  return typeof seconds === "number" ? seconds * 1000 : undefined;
}

/** An option, unless the command leaves it to its default. */
function given<Name extends string, T>(name: Name, value: T | undefined): { [key in Name]?: T } {
  return (value === undefined || value === null ? {} : { [name]: value }) as { [key in Name]?: T };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
