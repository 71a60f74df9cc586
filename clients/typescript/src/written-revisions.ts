import { create, type Message } from "@bufbuild/protobuf";
import {
  type Freshness,
  FreshnessSchema,
  type Revision,
  type SpaceRevision,
} from "./generated/camillo/v1/consistency_pb.js";
import { fieldsOf } from "./message-fields.js";

// Some MiB of them: an operator's client may act for any number of agents.
const MAX_SCOPES = 10_000;

/** A write or a read of one scope, and which of the client's writes had been its last when it began. */
export interface Ticket {
  readonly agentId: string;
  readonly completed: number;
}

interface Scope {
  completed: number;
  revision: Revision | undefined;
  /** Whether `revision` is known to cover every write that completed; without one, that there were none. */
  coversAll: boolean;
}

/**
 * The newest revision of this client's writes, by agent id: of so many agents, those that were called last; the first read of
 * another one asks for full consistency from then on.
 *
 * A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began
 * after every earlier one had completed has the newest revision of them all. One that overlapped with another may be
 * older or newer, and so may one that repeats an earlier request id, for it gets the first answer. Then nobody knows
 * which to demand, and the next read asks for full consistency; the revision that it is answered from covers them all.
 */
export class WrittenRevisions {
  // Agents called last come last.
  readonly #scopes = new Map<string, Scope>();
  readonly #maxScopes: number;
  #completed = 0;
  // Holds what stands for the writes of scopes that were let go; 0: there were none.
  #letGoAt = 0;

  constructor(maxScopes = MAX_SCOPES) {
    this.#maxScopes = maxScopes;
  }

  /** How many scopes are held. */
  get size(): number {
    return this.#scopes.size;
  }

  /** To be called before a write or a read is sent. */
  begin(agentId: string): Ticket {
    return { agentId, completed: this.#scope(agentId).completed };
  }

  /** A write completed; `isRepeatable` if its request id was the caller's and may have been used before. */
  wrote(ticket: Ticket, revision: Revision | undefined, isRepeatable = false): void {
    if (!revision?.token) {
      return;
    }
    const scope = this.#held(ticket.agentId);
    const wasAlone = ticket.completed === scope.completed;
    const isFirst = scope.revision === undefined && scope.coversAll;
    scope.coversAll = wasAlone && (!isRepeatable || isFirst);
    scope.revision = revision;
    this.#completed += 1;
    scope.completed = this.#completed;
  }

  /** Returns what a read has to ask for to see the writes; undefined if there were none. */
  demand(ticket: Ticket): Freshness | undefined {
    const { revision, coversAll } = this.#scope(ticket.agentId);
    if (!coversAll) {
      return fullyConsistent();
    }
    return revision && atLeastAsFresh(revision);
  }

  /** A read that met the demand was answered from this revision: it covers what had been written by then. */
  read(ticket: Ticket, revision: Revision | undefined): void {
    const scope = this.#scope(ticket.agentId);
    const isLast = scope.completed === ticket.completed;
    if (isLast && revision?.token && !scope.coversAll) {
      Object.assign(this.#held(ticket.agentId), { revision, coversAll: true });
    }
  }

  /** The server does not know the revision: forget it, unless a later write has taken its place. */
  drop(ticket: Ticket): void {
    const scope = this.#scope(ticket.agentId);
    if (scope.completed === ticket.completed) {
      scope.revision = undefined;
      scope.coversAll = true;
    }
  }

  /** Holds the writes of an agent; reading holds nothing of it that was not held. */
  #scope(agentId: string): Scope {
    const held = this.#scopes.get(agentId);
    if (!held) {
      return { completed: this.#letGoAt, revision: undefined, coversAll: this.#letGoAt === 0 };
    }
    this.#scopes.delete(agentId);
    this.#scopes.set(agentId, held);
    return held;
  }

  /** The same to be changed; lets go of the one that was not called for longest, where there are too many. */
  #held(agentId: string): Scope {
    const scope = this.#scope(agentId);
    this.#scopes.set(agentId, scope);
    const [oldest] = this.#scopes.keys();
    if (oldest !== undefined && this.#scopes.size > this.#maxScopes) {
      this.#scopes.delete(oldest);
      // Later than every write so far: no ticket given out before is taken for the last.
      this.#completed += 1;
      this.#letGoAt = this.#completed;
    }
    return scope;
  }
}

/** The revision of an answer: its own, or that of the bundle that it brings. */
export function revisionOf(answer: Message): Revision | undefined {
  return readOf(answer).revision;
}

/** The revision of the tenant's shared scope that an answer tells. */
export function sharedRevisionOf(answer: Message): Revision | undefined {
  return fieldsOf(answer).sharedRevision as Revision | undefined;
}

/** The revision that an answer, or its bundle, tells of a space which was read beside the agent's own. */
export function spaceRevisionOf(answer: Message, space: string): Revision | undefined {
  const { spaces } = readOf(answer);
  return spaces?.find((each) => each.space === space)?.revision;
}

/** Where an answer tells what it was read at: a bundle that it brings says so itself. */
function readOf(answer: Message): { revision?: Revision; spaces?: readonly SpaceRevision[] } {
  return fieldsOf((fieldsOf(answer).bundle as Message | undefined) ?? answer);
}

/** The answer of whatever the replica holds. */
export function minimizeLatency(): Freshness {
  return create(FreshnessSchema, { requirement: { case: "minimizeLatency", value: true } });
}

/** The answer from this revision or a later one. */
export function atLeastAsFresh(revision: Revision): Freshness {
  return create(FreshnessSchema, { requirement: { case: "atLeastAsFresh", value: revision } });
}

/** The answer from everything committed when the call arrives; costs a question to Postgres. */
export function fullyConsistent(): Freshness {
  return create(FreshnessSchema, { requirement: { case: "fullyConsistent", value: true } });
}
