import type { JsonObject } from "@bufbuild/protobuf";
import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import type { CamilloError } from "./errors/camillo-error.js";
import {
  type AuditChange,
  type AuditEntry,
  type AuditHead,
  type AuditPolicy,
  AuditPolicySchema,
  NewAuditActionSchema,
} from "./generated/camillo/v1/audit_pb.js";
import {
  AuditFilterSchema,
  AuditService,
  type RecordAuditEntryResponse,
  type VerifyAuditResponse,
} from "./generated/camillo/v1/audit_service_pb.js";
import type { SensitivityLike } from "./memory-fields.js";
import { pages } from "./pages.js";
import { Part, present } from "./part.js";
import { stated } from "./stated-fields.js";
import { changes, type WatchOptions, watch } from "./watches.js";

/** Fields of an action; the limits are those of `NewAuditAction`. */
export interface ActionFields {
  /** Details: any JSON object. */
  meta?: JsonObject;
  /** The conversation. */
  sessionId?: string;
  /** Default: internal. */
  sensitivity?: SensitivityLike;
  /** When it was done; default: now. */
  occurredAt?: Date;
}

/** Conditions that all have to hold; the limits are those of `AuditFilter`. */
export interface AuditConditions {
  /** The agent whose scope was changed, or `SHARED`. */
  scopeAgentId?: string;
  /** Or a service with its slash, such as `MemoryService/`. */
  method?: string;
  /** The id of an API key, or the subject of a token. */
  credential?: string;
  /** An id that the entry names, of whatever kind. */
  id?: string;
  atFrom?: Date;
  atBefore?: Date;
}

/** Holds what the audit trail holds, and for how long. */
export interface PolicyFields {
  /** 31 to 36,500; default: for ever. */
  retentionDays?: number;
  /** Reads leave entries, too. */
  auditReads?: boolean;
}

/**
 * The audit trail of the tenant. All but {@link record} is for keys of tenant administrators that reach every agent. Failures
 * are {@link CamilloError}s.
 */
export class Audit extends Part {
  /** Enters an action of the agent's runtime, such as `invoice.approved`; every agent of the tenant finds it. */
  async record(
    action: string,
    message: string,
    options: ActionFields & WriteOptions = {},
  ): Promise<RecordAuditEntryResponse> {
    const entered = stated(NewAuditActionSchema, { ...options, action, message });
    const request = { requestId: options.requestId ?? "", action: entered };
    const { recordAuditEntry } = AuditService.method;
    const answer = await this.calls.unary(recordAuditEntry, request, callOptions(options));
    this.tell(answer.redactions);
    return answer;
  }

  /** Entries that pass all conditions, the last committed first; the timeout is that of each page. */
  async *list(
    conditions: AuditConditions = {},
    options: CallOptions & { pageSize?: number } = {},
  ): AsyncGenerator<AuditEntry, void, undefined> {
    const filter = stated(AuditFilterSchema, conditions);
    const request = { filter, pageSize: options.pageSize ?? 0 };
    const { listAuditEntries } = AuditService.method;
    for await (const page of pages(this.calls, listAuditEntries, request, callOptions(options))) {
      yield* page.entries;
    }
  }

  /**
   * Entries that pass all conditions in the order of their commits, without end, from the oldest one or from behind a resume
   * token, with checkpoints without an entry among them; resumes as `Camillo.watch`.
   */
  watch(
    conditions: AuditConditions = {},
    options: WatchOptions & { resumeToken?: string } = {},
  ): AsyncGenerator<AuditChange, void, undefined> {
    const filter = stated(AuditFilterSchema, conditions);
    const request = { filter, resumeToken: options.resumeToken ?? "" };
    return changes(watch(this.calls, AuditService.method.watchAudit, request, options));
  }

  /**
   * Checks every chain of the tenant: what was found of each, by agent. Known heads are those that an earlier check has told.
   * There is no timeout unless one is given.
   */
  verify(
    knownHeads: readonly AuditHead[] = [],
    options: CallOptions = {},
  ): AsyncGenerator<VerifyAuditResponse, void, undefined> {
    const request = { knownHeads: [...knownHeads] };
    return this.calls.stream(AuditService.method.verifyAudit, request, callOptions(options));
  }

  /** How long the tenant keeps entries, and whether reads leave any. */
  async policy(options: CallOptions = {}): Promise<AuditPolicy> {
    return present(
      (await this.calls.unary(AuditService.method.getAuditPolicy, {}, options)).policy,
    );
  }

  /** Changes that, all of it. */
  async setPolicy(policy: PolicyFields, options: WriteOptions = {}): Promise<AuditPolicy> {
    const request = {
      requestId: options.requestId ?? "",
      policy: stated(AuditPolicySchema, policy),
    };
    const { setAuditPolicy } = AuditService.method;
    return present((await this.calls.unary(setAuditPolicy, request, callOptions(options))).policy);
  }
}
