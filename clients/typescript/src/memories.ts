import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import type { CamilloError } from "./errors/camillo-error.js";
import type {
  Memory,
  MemoryChange,
  MemoryFilter,
  NewMemory,
} from "./generated/camillo/v1/memory_pb.js";
import { MemorySchema, RedactionSchema } from "./generated/camillo/v1/memory_pb.js";
import {
  type ForgetMemoriesRequestSchema,
  type ForgetMemoriesResponse,
  type ImportMemoriesResponse,
  MemoryService,
  type RecallRequest,
  type RecallResponse,
} from "./generated/camillo/v1/memory_service_pb.js";
import type {
  Contradiction,
  ListContradictionsResponse,
  SupersedeMemoryResponse,
} from "./generated/camillo/v1/supersession_pb.js";
import { type ImportOptions, importAll } from "./import-memories.js";
import {
  type ChangedFields,
  type MemoryConditions,
  memoryFilter,
  type NewMemoryFields,
  newMemory,
  vectorOf,
} from "./memory-fields.js";
import { pages } from "./pages.js";
import { Part, present } from "./part.js";
import { recallAll } from "./recall-many.js";
import { MY_MEMORIES, type RecallOptions, recallRequest } from "./recalls.js";
import { rememberAll } from "./remember-many.js";
import { maskOf, stated } from "./stated-fields.js";
import { changes, startOf, type WatchOptions, type WatchStart, watch } from "./watches.js";
import { type Written, writtenOf } from "./written.js";

/** How a memory takes the place of another. */
export interface SupersedeOptions extends WriteOptions {
  /** From when on the successor is true, and the other no longer; default: as the successor says. */
  since?: Date;
}

/** How to look for contradictions. */
export interface ContradictionOptions extends CallOptions {
  /** So many memories are compared with the others for each page: 1 to 500; default 100. */
  pageSize?: number;
  /** Have the server's language model say what it thinks of each pair, and propose others. */
  judge?: boolean;
}

/** How to forget. */
export interface ForgetOptions extends WriteOptions {
  /** Only tell what would go. */
  dryRun?: boolean;
  /** Their statements may be stated again. */
  allowRestating?: boolean;
  /** Forget the events that they rest on, too. */
  includeEvents?: boolean;
}

/** Memories: what an agent has distilled and keeps. Failures are {@link CamilloError}s. */
export class Memories extends Part {
  /** Stores one memory, or adds to the one that says exactly the same. Secrets are never stored. */
  async remember(
    content: string,
    options: NewMemoryFields & WriteOptions = {},
  ): Promise<Written<Memory>> {
    const request = { requestId: options.requestId ?? "", memory: newMemory(content, options) };
    const { remember } = MemoryService.method;
    const answer = await this.calls.unary(remember, request, callOptions(options));
    this.tell(answer.redactions);
    return writtenOf(MemorySchema, answer.memory, answer);
  }

  /**
   * The stored memory or an error for each, in the order given.
   *
   * Sent in batches of up to 1,000, each one transaction with the timeout for itself. If one fails as a whole, its error
   * is thrown and those before it stay stored; repeated with the same memories and the `requestId` of that error, the
   * call stores the rest and returns everything.
   */
  async rememberMany(
    memories: Iterable<string | NewMemory>,
    options: WriteOptions = {},
  ): Promise<(Memory | CamilloError)[]> {
    return rememberAll(this.calls, memories, options, (redactions) => this.tell(redactions));
  }

  /**
   * Stores memories with their ids, times and statistics. After a failure, import the same again with `onConflict: "skip"`. There is
   * no timeout unless one is given.
   */
  async importMemories(
    memories: Iterable<Memory>,
    options: ImportOptions = {},
  ): Promise<ImportMemoriesResponse> {
    const answer = await importAll(this.calls, memories, options);
    this.tell(
      Object.keys(answer.redactions).map((kind) =>
        create(RedactionSchema, { field: "an imported memory", kind }),
      ),
    );
    return answer;
  }

  /** The best hits for a text, or for `vector` where the text is empty; best first. */
  async recall(text: string, options: RecallOptions & CallOptions = {}): Promise<RecallResponse> {
    const request = recallRequest(text, options);
    return this.calls.unary(MemoryService.method.recall, request, callOptions(options));
  }

  /**
   * Everything that the agent remembers, was done in the tenant, in workflows, or is written in its documents: a recall from memories, audit
   * entries, workflow steps and documents by the profile `blended`, unless the options say otherwise.
   */
  async searchMyMemories(
    query: string,
    options: RecallOptions & CallOptions = {},
  ): Promise<RecallResponse> {
    return this.recall(query, { ...MY_MEMORIES, ...options });
  }

  /** An answer or an error for each query, in the order given; `recallRequest` makes those that are more than a text. */
  async recallMany(
    queries: Iterable<string | RecallRequest>,
    options: CallOptions = {},
  ): Promise<(RecallResponse | CamilloError)[]> {
    return recallAll(this.calls, queries, options);
  }

  /** One memory by its id, archived or not; MemoryNotFound if there is none. */
  async get(memoryId: string, options: CallOptions = {}): Promise<Memory> {
    const answer = await this.calls.unary(MemoryService.method.getMemory, { memoryId }, options);
    return present(answer.memory);
  }

  /** Changes the fields given; VersionConflict if the memory is no longer at that version. */
  async update(
    memoryId: string,
    version: bigint | number,
    changes: ChangedFields,
    options: WriteOptions = {},
  ): Promise<Memory> {
    const request = {
      requestId: options.requestId ?? "",
      memoryId,
      expectedVersion: BigInt(version),
      updateMask: maskOf(MemorySchema, changes),
      memory: stated(MemorySchema, { ...changes, vector: vectorOf(changes.vector) }),
    };
    const { updateMemory } = MemoryService.method;
    const answer = await this.calls.unary(updateMemory, request, callOptions(options));
    this.tell(answer.redactions);
    return present(answer.memory);
  }

  /**
   * Puts a memory in the place of another, which stays readable as history; VersionConflict if that is no longer at that
   * version, or was superseded already.
   */
  async supersede(
    memoryId: string,
    version: bigint | number,
    successorId: string,
    options: SupersedeOptions = {},
  ): Promise<SupersedeMemoryResponse> {
    const { requestId = "", since } = options;
    const request = {
      requestId,
      memoryId,
      expectedVersion: BigInt(version),
      successorId,
      ...(since === undefined ? {} : { since: timestampFromDate(since) }),
    };
    return this.calls.unary(MemoryService.method.supersedeMemory, request, callOptions(options));
  }

  /**
   * Pairs of memories that probably contradict each other, the newest first; nothing is changed by itself. The timeout is
   * that of each page, for which up to `pageSize` memories are compared with the others. With `judge`, the server's language
   * model says of each pair what it thinks of it, and proposes others; allow more time for that. `contradictionPages` also
   * tells why it could not.
   */
  async *contradictions(
    filter: MemoryConditions | MemoryFilter = {},
    options: ContradictionOptions = {},
  ): AsyncGenerator<Contradiction, void, undefined> {
    for await (const page of this.contradictionPages(filter, options)) {
      yield* page.contradictions;
    }
  }

  /** The pages of `contradictions`, each with the reasons (`degraded`) for which pairs were not judged. */
  contradictionPages(
    filter: MemoryConditions | MemoryFilter = {},
    options: ContradictionOptions = {},
  ): AsyncGenerator<ListContradictionsResponse, void, undefined> {
    const { pageSize = 0, judge = false } = options;
    const request = { filter: filterOf(filter), pageSize, judge };
    const { listContradictions } = MemoryService.method;
    return pages(this.calls, listContradictions, request, callOptions(options));
  }

  /**
   * Removes memories for good with what was derived from them, by ids or by filter. Their statements may not be stated
   * again unless `allowRestating`; with `dryRun` it only tells which would go.
   */
  async forget(
    which: readonly string[] | MemoryConditions | MemoryFilter,
    options: ForgetOptions = {},
  ): Promise<ForgetMemoriesResponse> {
    const { dryRun = false, allowRestating = false, includeEvents = false } = options;
    const request = {
      requestId: options.requestId ?? "",
      selector: selectorOf(which),
      dryRun,
      allowRestating,
      includeEvents,
    };
    return this.calls.unary(MemoryService.method.forgetMemories, request, callOptions(options));
  }

  /** Memories that pass all conditions, newest first, over all pages; the timeout is that of each page. */
  async *memories(
    filter: MemoryConditions | MemoryFilter = {},
    options: CallOptions & { pageSize?: number } = {},
  ): AsyncGenerator<Memory, void, undefined> {
    const request = { filter: filterOf(filter), pageSize: options.pageSize ?? 0 };
    const { listMemories } = MemoryService.method;
    for await (const page of pages(this.calls, listMemories, request, callOptions(options))) {
      yield* page.memories;
    }
  }

  /**
   * The changes of the scope in the order of their revisions, checkpoints among them, without end. When the server goes
   * away, the watch resumes behind the last change handed out; it gives up after `maxReconnects` attempts in a row that
   * brought nothing. The timeout is that of each connection. TypeError unless the options say where it begins.
   */
  watch(options: WatchStart & WatchOptions): AsyncGenerator<MemoryChange, void, undefined> {
    const request = { start: startOf(options) };
    const { watchMemories } = MemoryService.method;
    return changes(watch(this.calls, watchMemories, request, options));
  }
}

function selectorOf(
  which: readonly string[] | MemoryConditions | MemoryFilter,
): NonNullable<MessageInitShape<typeof ForgetMemoriesRequestSchema>["selector"]> {
  return Array.isArray(which)
    ? { case: "memoryIds", value: { ids: [...which] } }
    : { case: "filter", value: filterOf(which as MemoryConditions | MemoryFilter) };
}

function filterOf(filter: MemoryConditions | MemoryFilter): MemoryFilter {
  return "$typeName" in filter ? filter : memoryFilter(filter);
}
