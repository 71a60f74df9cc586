import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import { type ChannelLike, channelNumber } from "./channels.js";
import type { CamilloError } from "./errors/camillo-error.js";
import {
  type EventConditions,
  type EventContent,
  eventFilter,
  type NewEventFields,
  newEvent,
} from "./event-fields.js";
import {
  type Event,
  type EventChange,
  type NewEvent,
  NewEventSchema,
} from "./generated/camillo/v1/event_pb.js";
import {
  EventService,
  type RecordedEvent,
  RecordedEventSchema,
} from "./generated/camillo/v1/event_service_pb.js";
import { outcomeOf } from "./outcomes.js";
import { packs } from "./packs.js";
import { pages } from "./pages.js";
import { Part } from "./part.js";
import { inBatches } from "./remember-many.js";
import { changes, startOf, type WatchOptions, type WatchStart, watch } from "./watches.js";
import { type Written, writtenOf } from "./written.js";

/** How events are listed. */
export interface ListEventsOptions extends CallOptions {
  /** Where they will be shown; default: private. */
  channel?: ChannelLike;
  /** The latest first. */
  newestFirst?: boolean;
  /** Events of a page; default: the server's choice. */
  pageSize?: number;
}

/** How many events are recorded. */
export interface RecordManyOptions extends WriteOptions {
  /** Stores texts without forgotten sentences, instead of refusing their events. */
  omitForgotten?: boolean;
}

/** Events: what an agent was told and did. Append-only. Failures are {@link CamilloError}s. */
export class Events extends Part {
  /** Stores one event. EventTooLarge, before it is sent, where it should be an artifact. */
  async record(
    content: EventContent,
    options: NewEventFields & WriteOptions = {},
  ): Promise<Written<RecordedEvent>> {
    const request = { requestId: options.requestId ?? "", event: newEvent(content, options) };
    const { recordEvent } = EventService.method;
    const answer = await this.calls.unary(recordEvent, request, callOptions(options));
    const recorded = writtenOf(RecordedEventSchema, answer.recorded, answer);
    this.tell(recorded.redactions);
    return recorded;
  }

  /**
   * Returns what was stored or an error for each, in the order given; {@link newEvent} makes them. Sent in batches as
   * `rememberMany` sends memories.
   */
  async recordMany(
    events: Iterable<NewEvent>,
    options: RecordManyOptions = {},
  ): Promise<(RecordedEvent | CamilloError)[]> {
    const outcomes: (RecordedEvent | CamilloError)[] = [];
    await inBatches(packs(NewEventSchema, events), options, async (pack, requestId) => {
      const { omitForgotten = false } = options;
      const request = { requestId, events: pack, omitForgotten };
      const unary = { ...callOptions(options), isNewId: !options.requestId };
      const answer = await this.calls.unary(EventService.method.batchRecordEvents, request, unary);
      for (const { outcome } of answer.results) {
        if (outcome.case === "recorded") {
          this.tell(outcome.value.redactions);
        }
        outcomes.push(outcomeOf<RecordedEvent>(outcome));
      }
    });
    return outcomes;
  }

  /** Events that pass all conditions, in the order of recording or against it; the timeout is that of each page. */
  async *list(
    conditions: EventConditions = {},
    options: ListEventsOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    const request = {
      filter: eventFilter(conditions),
      channel: channelNumber(options.channel),
      newestFirst: options.newestFirst ?? false,
      pageSize: options.pageSize ?? 0,
    };
    const { listEvents } = EventService.method;
    for await (const page of pages(this.calls, listEvents, request, callOptions(options))) {
      yield* page.events;
    }
  }

  /** The events of the scope as they are recorded, checkpoints among them, without end; begins and resumes as `Camillo.watch`. */
  watch(
    conditions: EventConditions,
    options: WatchStart & WatchOptions & { channel?: ChannelLike },
  ): AsyncGenerator<EventChange, void, undefined> {
    const request = {
      start: startOf(options),
      filter: eventFilter(conditions),
      channel: channelNumber(options.channel),
    };
    const { watchEvents } = EventService.method;
    return changes(watch(this.calls, watchEvents, request, options));
  }
}
