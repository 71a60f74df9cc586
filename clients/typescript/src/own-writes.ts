import { type DescMessage, type DescMethod, isMessage, type Message } from "@bufbuild/protobuf";
import { Demand } from "./demand.js";
import { errorOfStatus } from "./errors/failures.js";
import { RevisionUnknown } from "./errors/requests.js";
import { SkillLevel } from "./generated/camillo/v1/knowledge_pb.js";
import {
  type BatchRecallRequest,
  BatchRecallRequestSchema,
  type BatchRecallResponse,
} from "./generated/camillo/v1/memory_service_pb.js";
import { fieldsOf } from "./message-fields.js";
import { SHARED } from "./request-headers.js";
import type { Prepared } from "./requests.js";
import { revisionOf, sharedRevisionOf, WrittenRevisions } from "./written-revisions.js";

// Done twice, they make the same: they need no request id, and are writes all the same.
const REPAIRS: ReadonlySet<string> = new Set([
  "camillo.v1.EventService.RebuildChunks",
  "camillo.v1.LifecycleService.Reindex",
]);

/** A write, as what is kept of it depends on. */
export interface Write {
  /** Whose scope it changes. */
  readonly agentId: string;
  /** The request id was the caller's own: it may have been used before. */
  readonly isRepeatable: boolean;
}

/** Keeps reads from missing what this client has written, on whichever replica they land. */
export class OwnWrites {
  readonly #written = new WrittenRevisions();

  /** Sends a request: demands the client's own writes of a read, and remembers the revision of a write. */
  async send<I extends DescMessage, R extends Message>(
    method: DescMethod,
    request: Prepared<I>,
    send: () => Promise<R>,
  ): Promise<R> {
    if (isWrite(method, request)) {
      return this.write({ ...request, agentId: scopeOf(method, request) }, send);
    }
    const { message } = request;
    if (isMessage(message, BatchRecallRequestSchema)) {
      return this.#recallEach(message, send as () => Promise<never>);
    }
    const demand =
      "freshness" in method.input.field && Demand.carry(this.#written, message, request);
    return demand ? read(demand, send) : send();
  }

  /** Sends a write, whatever calls that takes, and remembers its revision. */
  async write<R extends Message>(
    { agentId, isRepeatable }: Write,
    send: () => Promise<R>,
  ): Promise<R> {
    const ticket = this.#written.begin(agentId);
    const answer = await send();
    const revision = sharedRevisionOf(answer) ?? revisionOf(answer);
    this.#written.wrote(ticket, revision, isRepeatable);
    return answer;
  }

  /** Each recall demands for itself; where a demand is void, the batch is asked once more. */
  async #recallEach(
    batch: BatchRecallRequest,
    send: () => Promise<BatchRecallResponse>,
  ): Promise<never> {
    const demands = batch.requests.map((part) => Demand.carry(this.#written, part, part));
    const answer = await send();
    const isVoid = answer.results.map(({ outcome }, place) => isRefused(outcome, demands[place]));
    return (isVoid.includes(true) ? await send() : answer) as never;
  }
}

async function read<R extends Message>(demand: Demand, send: () => Promise<R>): Promise<R> {
  try {
    const answer = await send();
    demand.met(answer);
    return answer;
  } catch (error) {
    if (!(error instanceof RevisionUnknown)) {
      throw error;
    }
    demand.drop();
    return send();
  }
}

/** Whether a recall was refused for a demand of ours. */
function isRefused(
  outcome: BatchRecallResponse["results"][number]["outcome"],
  demand: Demand | undefined,
): boolean {
  if (outcome.case === "response") {
    demand?.met(outcome.value);
  }
  const isUnknown =
    outcome.case === "error" && errorOfStatus(outcome.value) instanceof RevisionUnknown;
  if (!demand || !isUnknown) {
    return false;
  }
  demand.drop();
  return true;
}

/** Whether later reads have to see what the call does; a dry run does nothing. */
function isWrite(method: DescMethod, request: Prepared<DescMessage>): boolean {
  const isMutation =
    request.requestId !== "" || REPAIRS.has(`${method.parent.typeName}.${method.name}`);
  const { field } = method.output;
  const isTold = "revision" in field || "sharedRevision" in field;
  return isMutation && isTold && !fieldsOf(request.message).dryRun;
}

/** Whose scope a write changes: that of its agent, or the tenant's, of which documents, actions and its skills are. */
function scopeOf(method: DescMethod, { message, agentId }: Prepared<DescMessage>): string {
  const isTenants = fieldsOf(message).level === SkillLevel.TENANT;
  return isTenants || "sharedRevision" in method.output.field ? SHARED : agentId;
}
