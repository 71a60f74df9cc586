import type { JsonValue } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import { type ChannelLike, channelNumber } from "./channels.js";
import type { CamilloError } from "./errors/camillo-error.js";
import {
  type NewSlot,
  NewSlotSchema,
  type Slot,
  type SlotChange,
  SlotSchema,
} from "./generated/camillo/v1/slot_pb.js";
import {
  ListSlotsRequestSchema,
  SetMemoryRequestSchema,
  type SlotEntry,
  SlotService,
} from "./generated/camillo/v1/slot_service_pb.js";
import { MAX_BATCH_BYTES, packs } from "./packs.js";
import { pages } from "./pages.js";
import { Part, present } from "./part.js";
import { inBatches } from "./remember-many.js";
import {
  jsonText,
  type NewSlotFields,
  type SlotConditions,
  type SlotView,
  type SourceLike,
  slotSource,
} from "./slot-fields.js";
import { stated } from "./stated-fields.js";
import { changes, startOf, type WatchOptions, type WatchStart, watch } from "./watches.js";
import { type Written, writtenOf } from "./written.js";

/** Slots of one batch. */
const MAX_SLOTS = 100;

/** How a slot is written. */
export interface SetMemoryOptions extends NewSlotFields, WriteOptions {}

/** How an earlier version is written again. */
export interface RestoreSlotOptions extends WriteOptions {
  /** As of {@link SetMemoryOptions}. */
  ifVersion?: bigint | number;
  /** Where the answer will be shown; default: private. */
  channel?: ChannelLike;
}

/** Slots: JSON under keys, of which the last write is in force. Failures are {@link CamilloError}s. */
export class Slots extends Part {
  /**
   * Writes content under a key: a string is JSON text, kept byte for byte; null is a tombstone. ProvenanceRequired where
   * content from outside does not tell all of its source. The version is 0 while the write is spooled.
   */
  async setMemory(
    key: string,
    content: JsonValue,
    source: SourceLike,
    options: SetMemoryOptions = {},
  ): Promise<Written<Slot>> {
    const { requestId, sensitivity, ifVersion, unindexed } = options;
    const fields = {
      requestId,
      key,
      jsonContent: jsonText(content),
      sensitivity,
      ifVersion,
      unindexed,
    };
    const request = stated(SetMemoryRequestSchema, fields);
    request.source = slotSource(source);
    const { setMemory } = SlotService.method;
    const answer = await this.calls.unary(setMemory, request, callOptions(options));
    this.tell(answer.redactions);
    return writtenOf(SlotSchema, answer.slot, answer);
  }

  /**
   * Writes slots in the order given, and returns their versions; {@link newSlot} makes them. Sent in batches of up to 100 as
   * `rememberMany` sends memories; each is written as a whole or not at all.
   */
  async setMany(slots: Iterable<NewSlot>, options: WriteOptions = {}): Promise<Slot[]> {
    const written: Slot[] = [];
    const batches = packs(NewSlotSchema, slots, MAX_BATCH_BYTES, MAX_SLOTS);
    await inBatches(batches, options, async (pack, requestId) => {
      const unary = { ...callOptions(options), isNewId: !options.requestId };
      const { batchSetMemory } = SlotService.method;
      const answer = await this.calls.unary(batchSetMemory, { requestId, slots: pack }, unary);
      this.tell(answer.results.flatMap(({ redactions }) => redactions));
      written.push(...answer.results.map(({ slot }) => present(slot)));
    });
    return written;
  }

  /** The newest version of a slot; SlotNotFound if it has no content. */
  async get(key: string, options: SlotView & CallOptions = {}): Promise<Slot> {
    const request = { key, ...viewOf(options) };
    const answer = await this.calls.unary(
      SlotService.method.getSlot,
      request,
      callOptions(options),
    );
    return present(answer.slot);
  }

  /** The slots below a prefix, in the order of keys, over all pages; the timeout is that of each page. */
  async *list(
    prefix = "",
    options: SlotConditions & SlotView & CallOptions & { pageSize?: number } = {},
  ): AsyncGenerator<SlotEntry, void, undefined> {
    const request = stated(ListSlotsRequestSchema, { ...options, prefix });
    const { listSlots } = SlotService.method;
    for await (const page of pages(this.calls, listSlots, request, callOptions(options))) {
      yield* page.entries;
    }
  }

  /** Every version of a slot, the newest first, tombstones among them; the timeout is that of each page. */
  async *history(
    key: string,
    options: SlotView & CallOptions & { pageSize?: number } = {},
  ): AsyncGenerator<Slot, void, undefined> {
    const request = { key, ...viewOf(options), pageSize: options.pageSize ?? 0 };
    const { listSlotHistory } = SlotService.method;
    for await (const page of pages(this.calls, listSlotHistory, request, callOptions(options))) {
      yield* page.versions;
    }
  }

  /** Writes the content of an earlier version again, as the newest one. */
  async restore(
    key: string,
    version: bigint | number,
    options: RestoreSlotOptions = {},
  ): Promise<Slot> {
    const { requestId = "", ifVersion, channel } = options;
    const request = {
      requestId,
      key,
      version: BigInt(version),
      channel: channelNumber(channel),
      ...(ifVersion === undefined ? {} : { ifVersion: BigInt(ifVersion) }),
    };
    const { restoreSlot } = SlotService.method;
    const answer = await this.calls.unary(restoreSlot, request, callOptions(options));
    return present(answer.slot);
  }

  /**
   * Every version of the slots below a prefix as it is written, and which slots were forgotten, checkpoints among them, without
   * end; begins and resumes as `Camillo.watch`. With `triggersAfter`, slots whose `trigger_at` comes after that moment, too.
   */
  watch(
    prefix: string,
    options: WatchStart & WatchOptions & SlotView & { triggersAfter?: Date },
  ): AsyncGenerator<SlotChange, void, undefined> {
    const { triggersAfter } = options;
    const request = {
      start: startOf(options),
      prefix,
      ...viewOf(options),
      ...(triggersAfter === undefined ? {} : { triggersAfter: timestampFromDate(triggersAfter) }),
    };
    return changes(watch(this.calls, SlotService.method.watchSlots, request, options));
  }
}

function viewOf({ channel, shared = false }: SlotView): { channel: number; shared: boolean } {
  return { channel: channelNumber(channel), shared };
}
