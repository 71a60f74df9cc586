import { create } from "@bufbuild/protobuf";
import {
  type Freshness,
  FreshnessSchema,
  type Revision,
} from "./generated/camillo/v1/consistency_pb.js";

/** A write or a read of one scope, and how many writes had completed when it began. */
export interface Ticket {
  readonly agentId: string;
  readonly completed: number;
}

interface Scope {
  completed: number;
  revision: Revision | undefined;
  /** Whether `revision` is known to cover every write that completed. */
  coversAll: boolean;
}

/**
 * The newest revision of this client's writes, by agent id.
 *
 * A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began
 * after every earlier one had completed has the newest revision of them all. One that overlapped with another may be
 * older or newer, and so may one that repeats an earlier request id, for it gets the first answer. Then nobody knows
 * which to demand, and the next read asks for full consistency; the revision that it is answered from covers them all.
 */
export class WrittenRevisions {
  readonly #scopes = new Map<string, Scope>();

  /** To be called before a write or a read is sent. */
  begin(agentId: string): Ticket {
    return { agentId, completed: this.#scope(agentId).completed };
  }

  /** A write completed; `isRepeatable` if its request id was the caller's and may have been used before. */
  wrote(ticket: Ticket, revision: Revision | undefined, isRepeatable = false): void {
    if (!revision?.token) {
      return;
    }
    const scope = this.#scope(ticket.agentId);
    const wasAlone = ticket.completed === scope.completed;
    scope.coversAll = wasAlone && (!isRepeatable || scope.revision === undefined);
    scope.revision = revision;
    scope.completed += 1;
  }

  /** What a read has to ask for to see the writes; undefined if there were none. */
  demand(ticket: Ticket): Freshness | undefined {
    const { revision, coversAll } = this.#scope(ticket.agentId);
    if (!revision) {
      return undefined;
    }
    return coversAll ? atLeastAsFresh(revision) : fullyConsistent();
  }

  /** A read that met the demand was answered from this revision: it covers what had been written by then. */
  read(ticket: Ticket, revision: Revision | undefined): void {
    const scope = this.#scope(ticket.agentId);
    const isLast = scope.completed === ticket.completed;
    if (isLast && revision?.token && !scope.coversAll) {
      scope.revision = revision;
      scope.coversAll = true;
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

  #scope(agentId: string): Scope {
    const known = this.#scopes.get(agentId);
    const scope = known ?? { completed: 0, revision: undefined, coversAll: true };
    this.#scopes.set(agentId, scope);
    return scope;
  }
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
