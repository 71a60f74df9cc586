import type { Message } from "@bufbuild/protobuf";
import type { Revision } from "./generated/camillo/v1/consistency_pb.js";
import { fieldsOf } from "./message-fields.js";
import type { Ticket, WrittenRevisions } from "./written-revisions.js";

/** What this client, not its caller, demands of a read: that it sees the client's writes. */
export class Demand {
  readonly #written: WrittenRevisions;
  readonly #ticket: Ticket;
  readonly #request: Message;

  private constructor(written: WrittenRevisions, ticket: Ticket, request: Message) {
    this.#written = written;
    this.#ticket = ticket;
    this.#request = request;
  }

  /** Puts the demand into a request; undefined where there is none, or the caller's own. */
  static carry(
    written: WrittenRevisions,
    request: Message,
    { agentId }: { readonly agentId: string },
  ): Demand | undefined {
    const ticket = written.begin(agentId);
    const freshness = fieldsOf(request).freshness ? undefined : written.demand(ticket);
    if (!freshness) {
      return undefined;
    }
    fieldsOf(request).freshness = freshness;
    return new Demand(written, ticket, request);
  }

  /** The read was answered from this revision. */
  met(revision: Revision | undefined): void {
    this.#written.read(this.#ticket, revision);
  }

  /** The server does not know the revision: the database was restored, or the scope removed. */
  drop(): void {
    this.#written.drop(this.#ticket);
    delete fieldsOf(this.#request).freshness;
  }
}
