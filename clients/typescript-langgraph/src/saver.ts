import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { type Camillo, VersionConflict } from "camillo-client";
import type { Slot } from "camillo-client/v1";
import {
  checkpointKey,
  MAX_ARTIFACTS,
  MAX_INLINE,
  MIN_ARTIFACT,
  name,
  namespaceKey,
  placeOf,
  Records,
  ROOT,
  threadKey,
} from "./records.js";
import { compareTexts } from "./texts.js";

const [CHECKPOINT, WRITES, RUN] = ["langgraph.checkpoint", "langgraph.writes", "run:"];
const MAX_TAG = 128;
// Checkpoints whose artifacts this process knows.
const MAX_KNOWN = 1_000;
// Slots of the first page of a read, and of those behind it; most of a list.
const [FIRST_PAGE, MAX_PAGE, LIST_PAGE] = [3, 1_000, 100];

/** A type of the serializer, with its bytes or the id of the artifact that holds them. */
type Value = [type: string, data: Uint8Array | string];
type ChannelValue = [channel: string, value: Value];
type CheckpointRecord = [parentId: string | null, Value, metadata: Value, ChannelValue[]];
type WriteRecord = [index: number, channel: string, Value, taskPath: string];

/**
 * Keeps the checkpoints of threads in the space of a client: the same slots that the Python package keeps.
 *
 * A checkpoint is one slot with all its channel values, written by one call; so are the writes of a task. They are in no recall and no
 * digest. Deleting removes them for good. Failed calls throw CamilloErrors.
 */
export class CamilloSaver extends BaseCheckpointSaver {
  readonly #records: Records;
  /** Artifacts of channels, by the key of the checkpoint that names them. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  constructor(camillo: Camillo, serde?: SerializerProtocol) {
    super(serde);
    this.#records = new Records(camillo);
  }

  /** The checkpoint that the config names, or the newest of its thread and namespace. */
  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace, checkpointId } = partsOf(config);
    if (threadId === undefined) {
      return undefined;
    }
    const prefix = checkpointId
      ? checkpointKey(threadId, namespace, checkpointId)
      : namespaceKey(threadId, namespace);
    // One call: the checkpoint, the writes of a task, and the checkpoint before, with which it is complete.
    const first: Slot[] = [];
    for await (const slot of this.#records.under(prefix, FIRST_PAGE)) {
      if (first.push(slot) === FIRST_PAGE) {
        break;
      }
    }
    const keys = new Set(first.map(({ key }) => placeOf(key).checkpoint));
    const isComplete = first.length < FIRST_PAGE || (keys.size > 1 && isCheckpoint(first[0]));
    const slots = isComplete ? first : this.#records.under(prefix, MAX_PAGE);
    for await (const [slot, writes] of grouped(slots)) {
      return this.#tuple(slot, writes);
    }
    return undefined;
  }

  /** Checkpoints, newest first in each thread and namespace; without a thread those of every one. */
  async *list(
    config: RunnableConfig,
    { limit = Number.POSITIVE_INFINITY, before, filter }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { threadId, namespace, checkpointId } = partsOf(config);
    const isAnyNamespace = config.configurable?.checkpoint_ns === undefined;
    const end = before && getCheckpointId(before);
    const wanted = Object.entries(filter ?? {});
    // A page holds what its reader will probably use.
    const pageSize = wanted.length ? LIST_PAGE : Math.min(2 * limit + 8, LIST_PAGE);
    let left = limit;
    for await (const [slot, writes] of grouped(this.#records.under(prefixOf(config), pageSize))) {
      const place = placeOf(slot.key);
      const isElsewhere =
        (threadId !== undefined && place.threadId !== threadId) ||
        (!isAnyNamespace && place.namespace !== namespace);
      const isOther = checkpointId && place.checkpointId !== checkpointId;
      if (left > 0 && !isElsewhere && !isOther && !(end && place.checkpointId >= end)) {
        const found = await this.#tuple(slot, writes);
        const metadata = found.metadata as Record<string, unknown> | undefined;
        if (wanted.every(([key, value]) => metadata?.[key] === value)) {
          yield found;
          left -= 1;
        }
      }
      if (left <= 0) {
        return;
      }
    }
  }

  /** Stores a checkpoint whole; its parent is the one that the config names. Without a parent, only what is new is kept. */
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, namespace, checkpointId: parentId } = partsOf(config);
    if (threadId === undefined) {
      throw new TypeError("a checkpoint needs a thread_id in its config");
    }
    const { channel_values: values, ...rest } = checkpoint;
    const known = this.#known.get(checkpointKey(threadId, namespace, parentId)) ?? new Map();
    const kept = Object.keys(values).filter((channel) => parentId || channel in newVersions);
    const channels = await this.#packed(
      kept.map((channel) => [channel, values[channel]]),
      (channel) => (channel in newVersions ? undefined : known.get(channel)),
    );
    const record: CheckpointRecord = [
      parentId || null,
      await this.serde.dumpsTyped(rest),
      await this.serde.dumpsTyped(metadata),
      channels,
    ];
    const key = checkpointKey(threadId, namespace, checkpoint.id);
    const { run_id: run } = metadata as { run_id?: string };
    const tags = run ? [`${RUN}${run}`.slice(0, MAX_TAG)] : [];
    const artifacts = artifactsOf(channels.map(([, value]) => value));
    await this.#records.write(key, record, { type: CHECKPOINT, artifacts, tags });
    this.#remember(key, channels);
    return configOf(threadId, namespace, checkpoint.id);
  }

  /** Stores the writes of a task beside their checkpoint. One that is there stays, but for errors, interrupts and such. */
  async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const { threadId, namespace, checkpointId } = partsOf(config);
    if (threadId === undefined || !checkpointId) {
      throw new TypeError("writes need a thread_id and a checkpoint_id in their config");
    }
    const key = `${checkpointKey(threadId, namespace, checkpointId)}/${name(taskId)}`;
    const channels = await this.#packed(writes);
    const news = channels.map(([channel, value], place): WriteRecord => {
      return [WRITES_IDX_MAP[channel] ?? place, channel, value, taskPath];
    });
    let stored: WriteRecord[] = [];
    for (let ifVersion = 0n; ; ) {
      const merged = new Map(news.map((write) => [write[0], write]));
      for (const write of stored) {
        if (write[0] >= 0 || !merged.has(write[0])) {
          merged.set(write[0], write);
        }
      }
      const record = [...merged.values()].sort(([one], [other]) => one - other);
      const artifacts = artifactsOf(record.map(([, , value]) => value));
      try {
        await this.#records.write(key, record, { type: WRITES, artifacts, ifVersion });
        return;
      } catch (error) {
        if (!(error instanceof VersionConflict)) {
          throw error;
        }
      }
      for await (const slot of this.#records.under(key, 1)) {
        [ifVersion, stored] = [slot.version, await this.#records.read<WriteRecord[]>(slot)];
      }
    }
  }

  /** Removes a thread for good: checkpoints, writes, artifacts. */
  async deleteThread(threadId: string): Promise<void> {
    const slots: Slot[] = [];
    for await (const slot of this.#records.under(threadKey(threadId), MAX_PAGE)) {
      slots.push(slot);
    }
    await this.#records.forget(slots);
    // An artifact that is gone is not named again.
    this.#known.clear();
  }

  async #tuple(slot: Slot, taskSlots: readonly Slot[]): Promise<CheckpointTuple> {
    const { threadId, namespace, checkpointId } = placeOf(slot.key);
    const [parentId, stored, metadata, channels] = await this.#records.read<CheckpointRecord>(slot);
    this.#remember(slot.key, channels);
    const values = channels.map(async ([channel, value]) => [channel, await this.#loaded(value)]);
    const checkpoint: Checkpoint = await this.#loaded(stored);
    checkpoint.channel_values = Object.fromEntries(await Promise.all(values));
    const parentConfig = parentId ? configOf(threadId, namespace, parentId) : undefined;
    if (checkpoint.v < 4 && parentConfig) {
      await this.#addPendingSends(checkpoint, parentConfig);
    }
    return {
      config: configOf(threadId, namespace, checkpointId),
      checkpoint,
      metadata: await this.#loaded(metadata),
      pendingWrites: await this.#writes(taskSlots),
      ...(parentConfig ? { parentConfig } : {}),
    };
  }

  /** Earlier versions of LangGraph kept what was sent to tasks with the writes of the checkpoint before. */
  async #addPendingSends(checkpoint: Checkpoint, parentConfig: RunnableConfig): Promise<void> {
    const { pendingWrites = [] } = (await this.getTuple(parentConfig)) ?? {};
    const sends = pendingWrites.filter(([, channel]) => channel === TASKS);
    checkpoint.channel_values[TASKS] = sends.map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    const newest = versions.length
      ? maxChannelVersion(...versions)
      : this.getNextVersion(undefined);
    checkpoint.channel_versions[TASKS] = newest;
  }

  /** The writes of tasks, in the order in which a run applies them. */
  async #writes(slots: readonly Slot[]): Promise<[string, string, unknown][]> {
    const tasks = await Promise.all(
      slots.map(async (slot) => {
        const { taskId } = placeOf(slot.key);
        const writes = await this.#records.read<WriteRecord[]>(slot);
        return writes.map(([index, channel, value, path]) => ({
          path,
          taskId,
          index,
          channel,
          value,
        }));
      }),
    );
    const sorted = tasks.flat().sort((one, other) => {
      const byPath = compareTexts(one.path, other.path);
      return byPath || compareTexts(one.taskId, other.taskId) || one.index - other.index;
    });
    return Promise.all(
      sorted.map(async ({ taskId, channel, value }): Promise<[string, string, unknown]> => {
        return [taskId, channel, await this.#loaded(value)];
      }),
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: the serializer's own type
  async #loaded([type, data]: Value): Promise<any> {
    const bytes = typeof data === "string" ? await this.#records.get(data) : data;
    return this.serde.loadsTyped(type, bytes);
  }

  /** Values, of which the long ones are artifacts where all of them are too long for a slot. */
  async #packed(
    values: readonly (readonly [string, unknown])[],
    known: (channel: string) => string | undefined = () => undefined,
  ): Promise<ChannelValue[]> {
    const dumped = await Promise.all(values.map(([, value]) => this.serde.dumpsTyped(value)));
    const sum = dumped.reduce((bytes, [, data]) => bytes + data.length, 0);
    const count = dumped.filter(([, data]) => data.length >= MIN_ARTIFACT).length;
    // Where there are too many, the record becomes one artifact.
    const isLong = sum > MAX_INLINE && count <= MAX_ARTIFACTS;
    return Promise.all(
      values.map(async ([channel], place): Promise<ChannelValue> => {
        const [type, data] = dumped[place] as [string, Uint8Array];
        const isApart = isLong && data.length >= MIN_ARTIFACT;
        const apart = isApart && (known(channel) ?? (await this.#records.put(data)));
        return [channel, [type, apart || data]];
      }),
    );
  }

  #remember(key: string, channels: readonly ChannelValue[]): void {
    const artifacts = channels.flatMap(([channel, [, data]]): [string, string][] =>
      typeof data === "string" ? [[channel, data]] : [],
    );
    this.#known.delete(key);
    this.#known.set(key, new Map(artifacts));
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MAX_KNOWN) {
      this.#known.delete(oldest);
    }
  }
}

function partsOf({ configurable = {} }: RunnableConfig) {
  const { thread_id: threadId, checkpoint_ns: namespace } = configurable;
  return {
    threadId: threadId === undefined ? undefined : String(threadId),
    namespace: String(namespace ?? ""),
    checkpointId: getCheckpointId({ configurable }),
  };
}

function configOf(threadId: string, namespace: string, checkpointId: string): RunnableConfig {
  const configurable = {
    thread_id: threadId,
    checkpoint_ns: namespace,
    checkpoint_id: checkpointId,
  };
  return { configurable };
}

function prefixOf(config: RunnableConfig): string {
  const { threadId, namespace, checkpointId } = partsOf(config);
  if (threadId === undefined) {
    return ROOT;
  }
  if (config.configurable?.checkpoint_ns === undefined) {
    return threadKey(threadId);
  }
  return checkpointId
    ? checkpointKey(threadId, namespace, checkpointId)
    : namespaceKey(threadId, namespace);
}

/** Checkpoints with the slots of their tasks; writes without a checkpoint are left out. */
async function* grouped(
  slots: Iterable<Slot> | AsyncIterable<Slot>,
): AsyncGenerator<[Slot, Slot[]], void, undefined> {
  let group: Slot[] = [];
  for await (const slot of slots) {
    const [first] = group;
    if (first && placeOf(first.key).checkpoint !== placeOf(slot.key).checkpoint) {
      yield* isCheckpoint(first) ? [[first, group.slice(1)] as [Slot, Slot[]]] : [];
      group = [];
    }
    group.push(slot);
  }
  const [first, ...writes] = group;
  if (first && isCheckpoint(first)) {
    yield [first, writes];
  }
}

function isCheckpoint(slot: Slot | undefined): boolean {
  return slot?.type === CHECKPOINT;
}

function artifactsOf(values: readonly Value[]): string[] {
  const ids = values.flatMap(([, data]) => (typeof data === "string" ? [data] : []));
  return [...new Set(ids)].sort();
}
