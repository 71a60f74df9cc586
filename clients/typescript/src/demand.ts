import { isMessage, type Message } from "@bufbuild/protobuf";
import { Source } from "./generated/camillo/v1/memory_pb.js";
import { RecallRequestSchema } from "./generated/camillo/v1/memory_service_pb.js";
import { fieldsOf } from "./message-fields.js";
import { SHARED } from "./request-headers.js";
import {
  revisionOf,
  sharedRevisionOf,
  type Ticket,
  type WrittenRevisions,
} from "./written-revisions.js";

// Theirs are the tenant's, whichever agent asks.
const SHARED_SOURCES: readonly Source[] = [Source.DOCUMENT, Source.AUDIT];

type Place = "freshness" | "sharedFreshness";

/** Holds what this client, not its caller, demands of a read: that it sees the client's writes. */
export class Demand {
  readonly #written: WrittenRevisions;
  readonly #request: Message;
  readonly #tickets = new Map<Place, Ticket>();

  private constructor(written: WrittenRevisions, request: Message) {
    this.#written = written;
    this.#request = request;
  }

  /** Puts the demand into a request; undefined where there is none, or the caller's own. */
  static carry(
    written: WrittenRevisions,
    request: Message,
    { agentId }: { readonly agentId: string },
  ): Demand | undefined {
    const demand = new Demand(written, request);
    demand.#put("freshness", agentId);
    if (searchesShared(request)) {
      demand.#put("sharedFreshness", SHARED);
    }
    return demand.#tickets.size > 0 ? demand : undefined;
  }

  /** The read was answered so. */
  met(answer: Message): void {
    for (const [place, ticket] of this.#tickets) {
      const revision = place === "freshness" ? revisionOf(answer) : sharedRevisionOf(answer);
      this.#written.read(ticket, revision);
    }
  }

  /** The server does not know the revision: the database was restored, or the scope removed. */
  drop(): void {
    for (const [place, ticket] of this.#tickets) {
      this.#written.drop(ticket);
      delete fieldsOf(this.#request)[place];
    }
  }

  #put(place: Place, agentId: string): void {
    const ticket = this.#written.begin(agentId);
    const freshness = fieldsOf(this.#request)[place] ? undefined : this.#written.demand(ticket);
    if (freshness) {
      fieldsOf(this.#request)[place] = freshness;
      this.#tickets.set(place, ticket);
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
