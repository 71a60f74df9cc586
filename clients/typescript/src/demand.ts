import { isMessage, type Message } from "@bufbuild/protobuf";
import { Source } from "./generated/camillo/v1/memory_pb.js";
import { RecallRequestSchema } from "./generated/camillo/v1/memory_service_pb.js";
import { type Fields, fieldsOf } from "./message-fields.js";
import { SHARED } from "./request-headers.js";
import { spacesOf } from "./spaces.js";
import {
  revisionOf,
  sharedRevisionOf,
  spaceRevisionOf,
  type Ticket,
  type WrittenRevisions,
} from "./written-revisions.js";

// Theirs are the tenant's, whichever agent asks.
const SHARED_SOURCES: readonly Source[] = [Source.DOCUMENT, Source.AUDIT];

type Place = "freshness" | "sharedFreshness";

interface Carried {
  readonly ticket: Ticket;
  /** The message and its field that the demand is in. */
  readonly fields: Fields;
  readonly place: Place;
  /** The space that is read beside the agent's own; absent for that one, and for the shared one. */
  readonly space?: string;
}

/** Holds what this client, not its caller, demands of a read: that it sees the client's writes. */
export class Demand {
  readonly #written: WrittenRevisions;
  readonly #carried: Carried[] = [];

  private constructor(written: WrittenRevisions) {
    this.#written = written;
  }

  /** Puts the demand into a request; undefined where there is none, or the caller's own. */
  static carry(
    written: WrittenRevisions,
    request: Message,
    { agentId }: { readonly agentId: string },
  ): Demand | undefined {
    const demand = new Demand(written);
    demand.#put(agentId, { fields: fieldsOf(request), place: "freshness" });
    if (searchesShared(request)) {
      demand.#put(SHARED, { fields: fieldsOf(request), place: "sharedFreshness" });
    }
    for (const each of spacesOf(request)) {
      const { space } = each;
      demand.#put(space, { fields: fieldsOf(each), place: "freshness", space });
    }
    return demand.#carried.length > 0 ? demand : undefined;
  }

  /** The read was answered so. */
  met(answer: Message): void {
    for (const { ticket, place, space } of this.#carried) {
      const own = place === "freshness" ? revisionOf(answer) : sharedRevisionOf(answer);
      this.#written.read(ticket, space === undefined ? own : spaceRevisionOf(answer, space));
    }
  }

  /** The server does not know the revision: the database was restored, or the scope removed. */
  drop(): void {
    for (const { ticket, fields, place } of this.#carried) {
      this.#written.drop(ticket);
      delete fields[place];
    }
  }

  #put(agentId: string, carried: Omit<Carried, "ticket">): void {
    const { fields, place } = carried;
    const ticket = this.#written.begin(agentId);
    const freshness = fields[place] ? undefined : this.#written.demand(ticket);
    if (freshness) {
      fields[place] = freshness;
      this.#carried.push({ ...carried, ticket });
    }
  }
}

/** Whether a read looks into the tenant's shared scope beside its own. */
function searchesShared(request: Message): boolean {
  return (
    isMessage(request, RecallRequestSchema) &&
    (request.includeShared || request.sources.some((source) => SHARED_SOURCES.includes(source)))
  );
}
