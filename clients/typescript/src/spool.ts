import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import { enumNumber, type NameOf } from "./enum-names.js";
import {
  type SpooledWrite,
  type SpoolPolicy,
  SpoolPolicySchema,
  type SpoolState,
  SpoolStateSchema,
} from "./generated/camillo/v1/spool_pb.js";
import {
  type RetrySpooledResponse,
  SpoolService,
} from "./generated/camillo/v1/spool_service_pb.js";
import { pages } from "./pages.js";
import { Part } from "./part.js";

/** A tenant's wishes for its writes while Postgres is away, by name or number. */
export type SpoolPolicyLike = NameOf<typeof SpoolPolicy> | SpoolPolicy;

/** Which spooled writes are listed. */
export interface ListSpooledOptions extends CallOptions {
  /** Default: any. */
  state?: NameOf<typeof SpoolState> | SpoolState;
  /** Writes of a page; default: the server's choice. */
  pageSize?: number;
}

/**
 * Writes that were acknowledged while Postgres was away and are not stored, and what the tenant wants of them. For keys of tenant
 * administrators. Failures are {@link CamilloError}s.
 */
export class Spool extends Part {
  /**
   * Failed writes, then those that wait on the disk of the server that answers, each the oldest first, over all pages; the
   * timeout is that of each page. Failed writes are not seen while Postgres is away.
   */
  async *list(options: ListSpooledOptions = {}): AsyncGenerator<SpooledWrite, void, undefined> {
    const { state = 0, pageSize = 0 } = options;
    const request = { state: enumNumber(SpoolStateSchema, state), pageSize };
    const { listSpooled } = SpoolService.method;
    for await (const page of pages(this.calls, listSpooled, request, callOptions(options))) {
      yield* page.writes;
    }
  }

  /** Tries up to 100 writes again that failed, in the order given: how many are stored now, and which failed again. */
  async retry(
    spoolIds: readonly string[],
    options: WriteOptions = {},
  ): Promise<RetrySpooledResponse> {
    const request = { requestId: options.requestId ?? "", spoolIds: [...spoolIds] };
    return this.calls.unary(SpoolService.method.retrySpooled, request, callOptions(options));
  }

  /** Removes up to 1,000 writes that failed, for good; how many there were. */
  async discard(spoolIds: readonly string[], options: WriteOptions = {}): Promise<number> {
    const request = { requestId: options.requestId ?? "", spoolIds: [...spoolIds] };
    const { discardSpooled } = SpoolService.method;
    return (await this.calls.unary(discardSpooled, request, callOptions(options))).discarded;
  }

  /** The tenant's wishes for its writes while Postgres is away. */
  async policy(options: CallOptions = {}): Promise<SpoolPolicy> {
    return (await this.calls.unary(SpoolService.method.getSpoolPolicy, {}, options)).policy;
  }

  /** Changes that; every server follows within 15 seconds. */
  async setPolicy(policy: SpoolPolicyLike, options: WriteOptions = {}): Promise<SpoolPolicy> {
    const request = {
      requestId: options.requestId ?? "",
      policy: enumNumber(SpoolPolicySchema, policy),
    };
    const { setSpoolPolicy } = SpoolService.method;
    return (await this.calls.unary(setSpoolPolicy, request, callOptions(options))).policy;
  }
}
