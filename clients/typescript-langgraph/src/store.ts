import { randomUUID } from "node:crypto";
import {
  BaseStore,
  type IndexConfig,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import {
  type Camillo,
  CamilloError,
  create,
  errorOfStatus,
  type MemoryFields,
  MemoryIdTaken,
  MemoryNotFound,
  memoryFilter,
  newMemory,
  recallRequest,
  timestampDate,
  timestampFromDate,
} from "camillo-client";
import {
  LifecycleService,
  type Memory,
  MemorySchema,
  type NewMemory,
  type Vector,
  VectorSchema,
} from "camillo-client/v1";
import {
  checkNamespace,
  conditionsOf,
  contentOf,
  fieldsOf,
  ITEM,
  idOf,
  matches,
  passes,
  tagOf,
  tagsOf,
} from "./items.js";
import { compareTexts, jsonOf, leaves, textsAt } from "./texts.js";

// Most hits of one recall, memories of a page, ids of one forgetting.
const [MAX_HITS, MAX_PAGE, MAX_IDS] = [200, 1_000, 1_000];
// A longer value is an artifact: a memory's metadata has 16 KiB.
const MAX_INLINE = 8 * 1024;
const READS_AT_ONCE = 8;

/** How a store ranks. */
export interface StoreOptions {
  /** Ranks by vectors of one's own, not by the server's model and words; with its `fields`. */
  index?: IndexConfig;
  /** Which texts of a value count, where there is no `index`; default: all of them. */
  fields?: readonly string[];
}

/** An item with the id of the memory that holds it. */
interface Stored extends SearchItem {
  readonly memoryId: string;
}

/**
 * Keeps items in the space of a client, each as a memory with the texts of its value: the same that the Python package keeps.
 *
 * A search with a query ranks by the server's model and words, or with `index` by these vectors alone. Without a query the newest
 * come first. The new items of a batch are stored in one transaction, and so are those that replace others; reads of a batch see what
 * was before it. Deleting removes for good. Failed calls throw CamilloErrors.
 */
export class CamilloStore extends BaseStore {
  readonly #camillo: Camillo;
  readonly #index: IndexConfig | undefined;
  readonly #fields: readonly string[];

  constructor(camillo: Camillo, { index, fields }: StoreOptions = {}) {
    super();
    this.#camillo = camillo;
    this.#index = index;
    this.#fields = index?.fields ?? fields ?? ["$"];
  }

  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const op of operations) {
      if ("namespace" in op) {
        checkNamespace(op.namespace);
      } else if ("namespacePrefix" in op && op.namespacePrefix.length) {
        checkNamespace(op.namespacePrefix);
      }
    }
    const ranked = await this.#ranked(operations.filter((op) => "namespacePrefix" in op));
    const results = await atOnce(operations, async (op) => this.#read(op, ranked));
    // The last of several for one item counts.
    const puts = new Map<string, PutOperation>();
    for (const op of operations) {
      if ("value" in op) {
        puts.set(idOf(op.namespace, op.key), op);
      }
    }
    await this.#put([...puts.values()].filter(({ value }) => value !== null));
    await this.#delete([...puts].filter(([, { value }]) => value === null).map(([id]) => id));
    return results as OperationResults<Op>;
  }

  async #read(op: Operation, ranked: ReadonlyMap<SearchOperation, Stored[]>) {
    if ("namespacePrefix" in op) {
      return (await this.#filled(op, ranked.get(op) ?? [])).map(({ memoryId: _, ...item }) => item);
    }
    if ("value" in op) {
      return null;
    }
    return "key" in op ? this.#get(idOf(op.namespace, op.key)) : this.#namespaces(op);
  }

  async #get(memoryId: string): Promise<Item | null> {
    const memory = await found(this.#camillo.get(memoryId));
    const stored = memory && (await this.#stored(memory));
    if (!stored) {
      return null;
    }
    const { memoryId: _, score: __, ...item } = stored;
    return item;
  }

  /** The page of a search: its ranked hits, and behind them items that have no score. */
  async #filled(op: SearchOperation, ranked: readonly Stored[]): Promise<Stored[]> {
    const { offset = 0, limit = 10, filter } = op;
    const hits = ranked.filter(({ value }) => passes(value, filter));
    const seen = new Set(ranked.map(({ memoryId }) => memoryId));
    const { wanted, isComplete } = filterOf(op);
    const pageSize = isComplete ? Math.min(offset + limit + seen.size, MAX_PAGE) : MAX_PAGE;
    if (hits.length < offset + limit) {
      for await (const stored of this.#listed(wanted, Math.max(pageSize, 1))) {
        if (!seen.has(stored.memoryId) && passes(stored.value, filter)) {
          hits.push(stored);
        }
        if (hits.length >= offset + limit) {
          break;
        }
      }
    }
    return hits.slice(offset, offset + limit);
  }

  /** The hits of each search that has a query. */
  async #ranked(ops: readonly SearchOperation[]): Promise<Map<SearchOperation, Stored[]>> {
    const asked = (await atOnce(ops, (op) => this.#request(op))).flatMap((each) => each ?? []);
    const answers = asked.length
      ? await this.#camillo.recallMany(asked.map(({ request }) => request))
      : [];
    const ranked = new Map<SearchOperation, Stored[]>();
    for (const [place, answer] of answers.entries()) {
      if (answer instanceof CamilloError) {
        throw answer;
      }
      const stored = await atOnce(answer.hits, async ({ item, score, breakdown }) => {
        const own = this.#index ? breakdown?.dense?.raw : score;
        return item.case === "memory" ? this.#stored(item.value, own) : undefined;
      });
      const op = asked[place]?.op;
      if (op) {
        ranked.set(
          op,
          stored.flatMap((each) => each ?? []),
        );
      }
    }
    return ranked;
  }

  async #request(op: SearchOperation) {
    const { query, offset = 0, limit = 10 } = op;
    const { wanted: filter, isComplete } = filterOf(op);
    const most = isComplete ? Math.min(offset + limit, MAX_HITS) : MAX_HITS;
    if (!query || most < 1) {
      return undefined;
    }
    if (!this.#index) {
      return { op, request: recallRequest(query, { filter, limit: most }) };
    }
    const vector = this.#vector(await this.#index.embeddings.embedQuery(query));
    const how = { filter, limit: most, profile: "similarity", explain: true };
    return vector && { op, request: recallRequest("", { ...how, vector }) };
  }

  async *#listed(wanted: ReturnType<typeof memoryFilter>, pageSize: number) {
    for await (const memory of this.#camillo.memories(wanted, { pageSize })) {
      const stored = await this.#stored(memory);
      if (stored) {
        yield stored;
      }
    }
  }

  /** The item of a memory; undefined where its time is over. */
  async #stored(memory: Memory, score?: number): Promise<Stored | undefined> {
    const { memoryId, metadata, expiresAt, createdAt, updatedAt } = memory;
    if (expiresAt && timestampDate(expiresAt).getTime() <= Date.now()) {
      return undefined;
    }
    const [namespace, key, inline, , artifact] = JSON.parse(String(metadata?.[ITEM]));
    const value = artifact
      ? JSON.parse(Buffer.from(await this.#camillo.artifacts.read(artifact)).toString())[1]
      : inline;
    const times = {
      createdAt: createdAt ? timestampDate(createdAt) : new Date(0),
      updatedAt: updatedAt ? timestampDate(updatedAt) : new Date(0),
    };
    return { memoryId, namespace, key, value, ...times, ...(score === undefined ? {} : { score }) };
  }

  /** Reads every item below the labels that a prefix names. */
  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation) {
    const prefixes = matchConditions
      .filter(({ matchType }) => matchType === "prefix")
      .map(({ path }) => (path.includes("*") ? path.slice(0, path.indexOf("*")) : path));
    const known = prefixes.sort((one, other) => other.length - one.length)[0] ?? [];
    const wanted = memoryFilter({ tagsAll: [tagOf(known)], archived: "include" });
    const names = new Map<string, string[]>();
    for await (const { namespace } of this.#listed(wanted, MAX_PAGE)) {
      if (matchConditions.every((condition) => matches(condition, namespace))) {
        const name = namespace.slice(0, maxDepth);
        names.set(JSON.stringify(name), name);
      }
    }
    return [...names.values()].sort(byLabels).slice(offset, offset + limit);
  }

  async #put(ops: readonly PutOperation[]): Promise<void> {
    const news = await this.#news(ops);
    const outcomes = news.length ? await this.#camillo.rememberMany(news) : [];
    const taken: NewMemory[] = [];
    for (const [place, outcome] of outcomes.entries()) {
      if (outcome instanceof MemoryIdTaken) {
        taken.push(news[place] as NewMemory);
      } else if (outcome instanceof CamilloError) {
        throw outcome;
      }
    }
    if (!taken.length) {
      return;
    }
    const old = await this.#memories(taken.map(({ memoryId }) => memoryId));
    const replacements = taken.map((memory, place) => replacement(memory, old[place]));
    const answer = await this.#camillo.importMemories(replacements, { onConflict: "replace" });
    const [failure] = answer.failures;
    if (failure?.error) {
      throw errorOfStatus(failure.error);
    }
    await this.#forget([], old.flatMap(artifactsOf));
  }

  async #news(ops: readonly PutOperation[]): Promise<NewMemory[]> {
    const values = ops.map(({ value }) => JSON.parse(jsonOf(value)));
    const texts = ops.map(({ index }, place) => this.#texts(values[place], index));
    const vectors = await this.#vectors(texts);
    return atOnce(ops, async ({ namespace, key }, place) => {
      const value = values[place];
      // No two artifacts are equal: what is forgotten goes with what repeats it.
      const written = jsonOf([randomUUID(), value]);
      const put = { mediaType: "application/json" };
      const artifact =
        written.length > MAX_INLINE
          ? (await this.#camillo.artifacts.put(Buffer.from(written), put)).artifactId
          : null;
      const item = jsonOf([namespace, key, artifact ? null : value, null, artifact]);
      const fields: MemoryFields = {
        tags: tagsOf(namespace),
        importance: 0.5,
        metadata: { ...fieldsOf(value), [ITEM]: item },
        vector: vectors[place] ?? null,
      };
      const content = contentOf(namespace, key, texts[place] ?? []);
      return newMemory(content, { ...fields, memoryId: idOf(namespace, key), neverExpires: true });
    });
  }

  /** The texts of a value to search in. */
  #texts(value: unknown, index: PutOperation["index"]): string[] {
    if (index === false) {
      return [];
    }
    const paths = index ?? this.#fields;
    return paths.length === 1 && paths[0] === "$" && !this.#index
      ? leaves(value)
      : paths.flatMap((path) => textsAt(value, path));
  }

  /** The vector of each item: of several texts, their mean. */
  async #vectors(texts: readonly string[][]): Promise<(Vector | undefined)[]> {
    const all = texts.flat();
    const embedded = this.#index && all.length ? this.#index.embeddings.embedDocuments(all) : [];
    const rest = [...(await embedded)];
    return texts.map((said) => {
      const own = rest.splice(0, said.length);
      const sums = (own[0] ?? []).map((_, at) =>
        own.reduce((sum, each) => sum + (each[at] ?? 0), 0),
      );
      return this.#vector(sums.map((sum) => sum / own.length));
    });
  }

  /** Vectors of different functions are never compared. */
  #vector(values: number[]): Vector | undefined {
    const modelId = `langgraph:${this.#index?.dims}`;
    return values.some(Boolean) ? create(VectorSchema, { modelId, values }) : undefined;
  }

  async #delete(ids: readonly string[]): Promise<void> {
    await this.#forget(ids, (await this.#memories(ids)).flatMap(artifactsOf));
  }

  async #forget(ids: readonly string[], artifacts: readonly string[]): Promise<void> {
    for (let at = 0; at < Math.max(ids.length, artifacts.length); at += MAX_IDS) {
      const memoryIds = ids.slice(at, at + MAX_IDS);
      const artifactIds = artifacts.slice(at, at + MAX_IDS);
      const selector = { case: "records" as const, value: { memoryIds, artifactIds } };
      const request = { selector, allowRestating: true };
      await this.#camillo.call(LifecycleService.method.forget, request);
    }
  }

  async #memories(ids: readonly string[]): Promise<(Memory | undefined)[]> {
    return atOnce(ids, (id) => found(this.#camillo.get(id)));
  }
}

/** The artifact that holds the value of an item, if one does. */
function artifactsOf(memory: Memory | undefined): string[] {
  const artifact = memory && JSON.parse(String(memory.metadata?.[ITEM]))[4];
  return artifact ? [artifact] : [];
}

/** The filter that the server has for a search, which passes more where it is not complete. */
function filterOf({ namespacePrefix, filter = {} }: SearchOperation) {
  const [metadataConditions, isComplete] = conditionsOf(filter);
  const tagsAll = [tagOf(namespacePrefix)];
  const wanted = memoryFilter({ tagsAll, archived: "include", metadataConditions });
  return { wanted, isComplete };
}

/** The new memory in the place of the one that has its id. */
function replacement(given: NewMemory, old: Memory | undefined): Memory {
  const { memoryId, content, tags, importance = 0.5, metadata, vector } = given;
  const fields = { memoryId, content, tags, importance, ...(metadata ? { metadata } : {}) };
  const createdAt = old?.createdAt;
  const times = createdAt && { createdAt, updatedAt: timestampFromDate(new Date()) };
  return create(MemorySchema, { ...fields, ...times, ...(vector ? { vector } : {}) });
}

async function found(memory: Promise<Memory>): Promise<Memory | undefined> {
  try {
    return await memory;
  } catch (error) {
    if (error instanceof MemoryNotFound) {
      return undefined;
    }
    throw error;
  }
}

/** The results, in the order given; a few at once. */
async function atOnce<T, R>(
  items: readonly T[],
  run: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const work = async () => {
    for (const [place, item] of rest) {
      results[place] = await run(item, place);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return results;
}

function byLabels(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((label, place) => label !== other[place]);
  return at < 0 ? one.length - other.length : compareTexts(one[at] ?? "", other[at] ?? "");
}
