import type { MastraDBMessage, StorageThreadType } from "@mastra/core/memory";
import {
  calculatePagination,
  filterByDateRange,
  jsonValueEquals,
  MemoryStorage,
  normalizePerPage,
  type StorageCloneThreadInput,
  type StorageCopyThreadOutput,
  type StorageListMessagesByResourceIdInput,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
  type StorageResourceType,
  storageMessageMatchesMetadataFilter,
  validateStorageMetadataFilter,
} from "@mastra/core/storage";
import { type Camillo, slotName } from "camillo-client";
import { type Change, MAX_BATCH, Rows } from "./rows.js";

const ROOT = "/mastra";
const [THREADS, MESSAGES, IDS, RESOURCES] = ["threads", "messages", "ids", "resources"].map(
  (kind) => `${ROOT}/${kind}`,
) as [string, string, string, string];
const [MESSAGES_PER_PAGE, THREADS_PER_PAGE] = [40, 100];

type Include = NonNullable<StorageListMessagesInput["include"]>;
type Update = Parameters<MemoryStorage["updateMessages"]>[0]["messages"][number];
type Query = Omit<StorageListMessagesByResourceIdInput, "resourceId">;
type Read = <T extends object>(key: string) => Promise<T | undefined>;

/** Says in which thread a message is. */
interface Id {
  readonly threadId: string;
}

/**
 * Keeps threads, messages and resources of Mastra's `Memory` in the space of a client, each as a slot.
 *
 * A message and the thread that it changes are written at once; so are up to 18 messages. Changes are made on what is stored when they are
 * made: none of several processes is lost. They are in no recall and no digest. Deleting removes for good. Observational memory is not
 * supported. Failed calls throw CamilloErrors.
 */
export class CamilloMemory extends MemoryStorage {
  override readonly supportsPartialThreadUpdate = true;
  readonly #rows: Rows;

  constructor(camillo: Camillo) {
    super();
    this.#rows = new Rows(camillo);
  }

  /** Removes every thread, message and resource for good. */
  async dangerouslyClearAll(): Promise<void> {
    await this.#rows.remove(ROOT);
  }

  // Threads

  override async getThreadById({
    threadId,
    resourceId,
  }: {
    threadId: string;
    resourceId?: string;
  }) {
    const thread = await this.#rows.get<StorageThreadType>(at(THREADS, threadId));
    return thread && (resourceId === undefined || thread.resourceId === resourceId) ? thread : null;
  }

  override async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    const change = { key: at(THREADS, thread.id), row: thread };
    return this.#rows.change(async () => [[change], thread]);
  }

  override async updateThread(args: {
    id: string;
    title?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageThreadType> {
    const { id, title, metadata } = args;
    return this.#changeThread(id, (thread) => ({
      ...thread,
      ...(title === undefined ? {} : { title }),
      metadata: { ...thread.metadata, ...metadata },
    }));
  }

  /** Changes the metadata of a thread by what it is then, also where several processes do so. */
  override async updateThreadMetadata(args: {
    id: string;
    resourceId?: string;
    update: (thread: StorageThreadType) => Record<string, unknown> | undefined;
  }): Promise<StorageThreadType | null> {
    const key = at(THREADS, args.id);
    return this.#rows.change(async (read): Promise<[Change[], StorageThreadType | null]> => {
      const thread = await read<StorageThreadType>(key);
      if (!thread || (args.resourceId !== undefined && thread.resourceId !== args.resourceId)) {
        return [[], null];
      }
      const metadata = args.update({ ...thread, metadata: { ...thread.metadata } });
      if (metadata === undefined) {
        return [[], thread];
      }
      const row = {
        ...thread,
        metadata: { ...thread.metadata, ...metadata },
        updatedAt: new Date(),
      };
      return [[{ key, row }], row];
    });
  }

  override async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    const prefix = at(MESSAGES, threadId);
    const messages = await this.#rows.below<MastraDBMessage>(prefix);
    await this.#rows.remove(
      at(THREADS, threadId),
      prefix,
      ...messages.map(({ id }) => at(IDS, id)),
    );
  }

  override async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const { page = 0, perPage: given, orderBy, filter } = args;
    const { field, direction } = this.parseOrderBy(orderBy);
    this.validatePaginationInput(page, given ?? THREADS_PER_PAGE);
    this.validateMetadataKeys(filter?.metadata);
    const wanted = Object.entries(filter?.metadata ?? {});
    const threads = (await this.#rows.below<StorageThreadType>(THREADS)).filter((thread) => {
      const isOwn = !filter?.resourceId || thread.resourceId === filter.resourceId;
      return (
        isOwn && wanted.every(([key, value]) => jsonValueEquals(thread.metadata?.[key], value))
      );
    });
    const found = sorted(threads, field, direction);
    const size = normalizePerPage(given, THREADS_PER_PAGE);
    const { offset, perPage } = calculatePagination(page, given, size);
    const hasMore = offset + size < found.length;
    const total = found.length;
    return { threads: found.slice(offset, offset + size), total, page, perPage, hasMore };
  }

  override async copyThread(args: StorageCloneThreadInput): Promise<StorageCopyThreadOutput> {
    const { sourceThreadId, newThreadId = crypto.randomUUID(), resourceId, options } = args;
    const source = await this.getThreadById({ threadId: sourceThreadId });
    if (!source) {
      throw new Error(`Source thread with id ${sourceThreadId} not found`);
    }
    if (await this.getThreadById({ threadId: newThreadId })) {
      throw new Error(`Thread with id ${newThreadId} already exists`);
    }
    const { messageIds = [], startDate, endDate } = options?.messageFilter ?? {};
    const all = await this.#messages([sourceThreadId]);
    const chosen = sorted(all, "createdAt", "ASC").filter(
      ({ id, createdAt }) =>
        (!messageIds.length || messageIds.includes(id)) &&
        (!startDate || createdAt >= startDate) &&
        (!endDate || createdAt <= endDate),
    );
    const copied = options?.messageLimit ? chosen.slice(-options.messageLimit) : chosen;
    const [now, last] = [new Date(), copied.at(-1)?.id];
    const clone = { sourceThreadId, clonedAt: now, ...(last ? { lastMessageId: last } : {}) };
    const title = args.title || (source.title ? `Clone of ${source.title}` : undefined);
    const thread: StorageThreadType = {
      id: newThreadId,
      resourceId: resourceId || source.resourceId,
      ...(title ? { title } : {}),
      metadata: { ...args.metadata, clone },
      createdAt: now,
      updatedAt: now,
    };
    const messageIdMap = Object.fromEntries(copied.map(({ id }) => [id, crypto.randomUUID()]));
    const copies = copied.map((message) => ({
      ...message,
      id: messageIdMap[message.id] ?? "",
      threadId: newThreadId,
      ...(resourceId ? { resourceId } : {}),
    }));
    // The thread comes last: until then nobody sees its messages.
    await this.saveMessages({ messages: copies });
    await this.saveThread({ thread });
    return { thread, messageIdMap };
  }

  // Messages

  override async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const threadIds = [args.threadId].flat();
    if (!threadIds.length || threadIds.some((id) => !id.trim())) {
      throw new Error("threadId must be a non-empty string or array of non-empty strings");
    }
    const { resourceId } = args;
    const all = await this.#messages(threadIds);
    return this.#listed(
      resourceId ? all.filter((each) => each.resourceId === resourceId) : all,
      args,
    );
  }

  override async listMessagesByResourceId(
    args: StorageListMessagesByResourceIdInput,
  ): Promise<StorageListMessagesOutput> {
    const all = await this.#rows.below<MastraDBMessage>(MESSAGES);
    return this.#listed(
      all.filter(({ resourceId }) => resourceId === args.resourceId),
      args,
    );
  }

  override async listMessagesById({ messageIds }: { messageIds: string[] }) {
    return { messages: await this.#byId(messageIds) };
  }

  override async saveMessages({ messages }: { messages: MastraDBMessage[] }) {
    // Of several with one id the last counts.
    const rows = [...new Map(messages.map((message) => [message.id, message])).values()];
    const size = MAX_BATCH / 2 - 2;
    for (let start = 0; start < rows.length; start += size) {
      const batch = rows.slice(start, start + size);
      await this.#rows.change(async (read) => {
        const changes = await all(batch, (row) => this.#saved(row, read));
        const threadIds = new Set(batch.flatMap(({ threadId }) => threadId ?? []));
        return [[...changes.flat(), ...(await this.#touched(threadIds, read))], undefined];
      });
    }
    return { messages };
  }

  override async updateMessages({ messages }: { messages: Update[] }): Promise<MastraDBMessage[]> {
    const updated: MastraDBMessage[] = [];
    for (const update of messages) {
      const changed = await this.#rows.change(
        async (read): Promise<[Change[], MastraDBMessage | undefined]> => {
          const id = await read<Id>(at(IDS, update.id));
          const old = id && (await read<MastraDBMessage>(messageKey(id.threadId, update.id)));
          if (!old) {
            return [[], undefined];
          }
          const row = merged(old, update);
          const threadIds = new Set([old.threadId ?? "", row.threadId ?? ""]);
          const touched = await this.#touched(threadIds, read);
          return [[...(await this.#saved(row, read)), ...touched], row];
        },
      );
      updated.push(...(changed ? [changed] : []));
    }
    return updated;
  }

  override async deleteMessages(messageIds: string[]): Promise<void> {
    for (const messageId of new Set(messageIds)) {
      await this.#rows.change(async (read) => {
        const id = await read<Id>(at(IDS, messageId));
        if (!id) {
          return [[], undefined];
        }
        const keys = [messageKey(id.threadId, messageId), at(IDS, messageId)];
        const gone = keys.map((key): Change => ({ key, row: undefined }));
        return [[...gone, ...(await this.#touched(new Set([id.threadId]), read))], undefined];
      });
    }
  }

  // Resources

  override async getResourceById({ resourceId }: { resourceId: string }) {
    return (await this.#rows.get<StorageResourceType>(at(RESOURCES, resourceId))) ?? null;
  }

  override async saveResource({ resource }: { resource: StorageResourceType }) {
    const change = { key: at(RESOURCES, resource.id), row: resource };
    return this.#rows.change(async () => [[change], resource]);
  }

  override async updateResource(args: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageResourceType> {
    const { resourceId: id, workingMemory, metadata } = args;
    return this.#rows.change(async (read) => {
      const now = new Date();
      const old = await read<StorageResourceType>(at(RESOURCES, id));
      const row: StorageResourceType = {
        ...(old ?? { id, createdAt: now }),
        ...(workingMemory === undefined ? {} : { workingMemory }),
        metadata: { ...old?.metadata, ...metadata },
        updatedAt: now,
      };
      return [[{ key: at(RESOURCES, id), row }], row];
    });
  }

  async #changeThread(
    id: string,
    change: (thread: StorageThreadType) => StorageThreadType,
  ): Promise<StorageThreadType> {
    return this.#rows.change(async (read) => {
      const thread = await read<StorageThreadType>(at(THREADS, id));
      if (!thread) {
        throw new Error(`Thread with id ${id} not found`);
      }
      const row = { ...change(thread), updatedAt: later(thread.updatedAt) };
      return [[{ key: at(THREADS, id), row }], row];
    });
  }

  /** Moves a thread to another resource, with its messages. */
  override async updateThreadResourceId(args: { threadId: string; resourceId: string }) {
    const { threadId, resourceId } = args;
    const messages = await this.#messages([threadId]);
    const thread = await this.#changeThread(threadId, (each) => ({ ...each, resourceId }));
    await this.updateMessages({ messages: messages.map(({ id }) => ({ id, resourceId })) });
    return thread;
  }

  async #messages(threadIds: readonly string[]): Promise<MastraDBMessage[]> {
    const found = await all([...new Set(threadIds)], (id) => {
      return this.#rows.below<MastraDBMessage>(at(MESSAGES, id));
    });
    return found.flat();
  }

  async #byId(messageIds: readonly string[]): Promise<MastraDBMessage[]> {
    const ids = await this.#rows.getAll<Id>(messageIds.map((id) => at(IDS, id)));
    const keys = ids.flatMap((id, place) =>
      id ? [messageKey(id.threadId, messageIds[place] ?? "")] : [],
    );
    const found = await this.#rows.getAll<MastraDBMessage>(keys);
    return found.flatMap((message) => message ?? []);
  }

  /** A page of messages, and those that are included with it. */
  async #listed(
    messages: MastraDBMessage[],
    query: Query & { resourceId?: string; threadId?: string | string[] },
  ) {
    const { include = [], filter, perPage: given, page = 0, orderBy, resourceId, threadId } = query;
    const metadata = validateStorageMetadataFilter(filter?.metadata);
    const { field, direction } = this.parseOrderBy(orderBy, "ASC");
    const size = normalizePerPage(given, MESSAGES_PER_PAGE);
    this.validatePagination(page, size);
    const { offset, perPage } = calculatePagination(page, given, size);
    const dated = filterByDateRange(messages, ({ createdAt }) => createdAt, filter?.dateRange);
    const matching = size
      ? dated.filter(({ content }) => storageMessageMatchesMetadataFilter(content, metadata))
      : [];
    const shown = sorted(matching, field, direction).slice(offset, offset + size);
    const known = new Set(shown.map(({ id }) => id));
    const others = (await this.#included(include, resourceId)).filter(({ id }) => !known.has(id));
    const found = sorted([...shown, ...others], field, direction);
    const inThread = found.filter((each) => each.threadId === threadId).length;
    const seen = include.length && threadId && !metadata ? inThread : offset + shown.length;
    const hasMore = size > 0 && seen < matching.length;
    return { messages: found, total: matching.length, page, perPage, hasMore };
  }

  /** Messages by their ids, with those around them in their threads, of one resource where one is given. */
  async #included(include: Include, resourceId?: string): Promise<MastraDBMessage[]> {
    const found = new Map<string, MastraDBMessage>();
    for (const { id, withPreviousMessages = 0, withNextMessages = 0 } of include) {
      const [target] = await this.#byId([id]);
      const around = target?.threadId ? await this.#messages([target.threadId]) : [];
      const own = around.filter((each) => !resourceId || each.resourceId === resourceId);
      const thread = sorted(own, "createdAt", "ASC");
      const place = thread.findIndex((each) => each.id === id);
      const start = Math.max(0, place - withPreviousMessages);
      for (const each of place < 0 ? [] : thread.slice(start, place + withNextMessages + 1)) {
        found.set(each.id, each);
      }
    }
    return [...found.values()];
  }

  /** A message in its thread; it leaves the one that it was in. */
  async #saved(message: MastraDBMessage, read: Read): Promise<Change[]> {
    const { id, threadId = "" } = message;
    const old = await read<Id>(at(IDS, id));
    const moved = old && old.threadId !== threadId ? [messageKey(old.threadId, id)] : [];
    return [
      { key: messageKey(threadId, id), row: message },
      { key: at(IDS, id), row: { threadId } },
      ...moved.map((key): Change => ({ key, row: undefined })),
    ];
  }

  /** The threads, as far as they are there, changed now. */
  async #touched(threadIds: ReadonlySet<string>, read: Read): Promise<Change[]> {
    const changes = await all([...threadIds], async (id) => {
      const thread = id ? await read<StorageThreadType>(at(THREADS, id)) : undefined;
      const key = at(THREADS, id);
      return thread ? [{ key, row: { ...thread, updatedAt: later(thread.updatedAt) } }] : [];
    });
    return changes.flat();
  }
}

function at(kind: string, id: string): string {
  return `${kind}/${slotName(id)}`;
}

function messageKey(threadId: string, id: string): string {
  return `${at(MESSAGES, threadId)}/${slotName(id)}`;
}

/** Now, and later than before. */
function later(before: Date): Date {
  return new Date(Math.max(Date.now(), before.getTime() + 1));
}

function merged(old: MastraDBMessage, { content, ...fields }: Update): MastraDBMessage {
  const metadata = { ...old.content.metadata, ...content?.metadata };
  const isMore = old.content.metadata && content?.metadata;
  const changed = { ...old.content, ...content, ...(isMore ? { metadata } : {}) };
  const stated = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...old, ...Object.fromEntries(stated), content: changed };
}

function sorted<T extends object>(
  items: readonly T[],
  field: string,
  direction: "ASC" | "DESC",
): T[] {
  const timeOf = (item: T) => Number((item as Record<string, Date>)[field] ?? 0);
  const sign = direction === "ASC" ? 1 : -1;
  return [...items].sort((one, other) => sign * (timeOf(one) - timeOf(other)));
}

async function all<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  return Promise.all(items.map(run));
}
