import { randomUUID } from "node:crypto";
import type { AgentInputItem, Session } from "@openai/agents-core";
import { type Camillo, CamilloError, type JsonObject, newEvent } from "camillo-client";
import { type Event, EventService, type NewEvent, WorkflowStatus } from "camillo-client/v1";
import { eventOf, itemOf, plain, TAG, withoutTexts } from "./items.js";

const [MIN_PAGE, MAX_PAGE] = [20, 1_000];

/** Who speaks in a session. */
export interface SessionOptions {
  /** The person who says what messages of the role `user` say; default: `user`. */
  speaker?: string;
}

/**
 * A `Session` for the space of a client: `new CamilloSession("chat-7", camillo.forUser("42"))`.
 *
 * Items are events of the conversation (1 to 128 characters), in the order of recording. Items that are popped or cleared leave the
 * session, and recalls still find them. Up to 1,000 items and 3 MiB are added all or none, in one transaction; more go in several.
 * Methods throw CamilloErrors, and ItemTooLarge or TypeError before anything is stored.
 */
export class CamilloSession implements Session {
  readonly #sessionId: string;
  readonly #camillo: Camillo;
  readonly #speaker: string;

  constructor(sessionId: string, camillo: Camillo, { speaker = "user" }: SessionOptions = {}) {
    this.#sessionId = sessionId;
    this.#camillo = camillo;
    this.#speaker = speaker;
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId;
  }

  /** The newest items, the oldest of them first; without a limit all. */
  async getItems(limit = Number.POSITIVE_INFINITY): Promise<AgentInputItem[]> {
    const found: Event[] = [];
    if (limit > 0) {
      for await (const [event, marker] of this.#walk(limit)) {
        if (!marker && found.push(event) >= limit) {
          break;
        }
      }
    }
    return Promise.all(found.reverse().map((event) => itemOf(event, this.#camillo)));
  }

  /**
   * Adds items behind those that are there. An item that repeats what was forgotten is added without its texts, and the process warns
   * of it.
   */
  async addItems(items: AgentInputItem[]): Promise<void> {
    const stated = items.map(plain);
    let [batch, errors] = await this.#record(stated, []);
    if (errors.some(Boolean)) {
      // Items of this batch that were stored count no longer; those that were refused come without their texts.
      const changed = stated.map((item, place) => {
        return errors[place] ? (withoutTexts(item) as JsonObject) : item;
      });
      const refused = errors.filter(Boolean).length;
      process.emitWarning(`${refused} items are stored without texts`, "ForgottenText");
      [batch, errors] = await this.#record(changed, [this.#marker("void", batch)]);
    }
    const error = errors.find(Boolean);
    if (error) {
      await this.#mark("void", batch);
      throw error;
    }
  }

  /** Takes the newest item out of the session, for one caller alone; undefined if there is none. */
  async popItem(): Promise<AgentInputItem | undefined> {
    for (;;) {
      const newest = await this.#first(([, marker]) => !marker);
      if (!newest) {
        return undefined;
      }
      const mine = await this.#mark("pop", newest[0].eventId);
      const popped = await this.#first(([{ eventId }]) => eventId === newest[0].eventId);
      if (popped?.[1] === mine) {
        return itemOf(newest[0], this.#camillo);
      }
      // Another caller was faster: this marker is about nothing, and must not be about something later.
      const selector = { case: "eventIds" as const, value: { ids: [mine] } };
      await this.#camillo.call(EventService.method.forgetEvents, { selector });
    }
  }

  /** Takes all items out of the session. */
  async clearSession(): Promise<void> {
    await this.#mark("clear", "");
  }

  async #first(is: (each: [Event, string]) => boolean): Promise<[Event, string] | undefined> {
    for await (const each of this.#walk(MIN_PAGE)) {
      if (is(each)) {
        return each;
      }
    }
    return undefined;
  }

  /**
   * The items since the session was cleared, the newest first, each with the id of the marker that popped it, or nothing. A marker
   * pops the item that it names if that was the newest one when the marker was recorded: so of several markers the first counts, and a
   * forgotten item takes no other with it.
   */
  async *#walk(items: number): AsyncGenerator<[Event, string], void, undefined> {
    const pending: [about: string, marker: string][] = [];
    const gone = new Set<string>();
    const conditions = { sessionId: this.#sessionId, tagsAll: [TAG] };
    const pageSize = Math.max(MIN_PAGE, Math.min(items, MAX_PAGE));
    const how = { newestFirst: true, pageSize };
    for await (const event of this.#camillo.events.list(conditions, how)) {
      const { content, tags = [] } = event.stated ?? {};
      const step = content?.case === "workflowStep" ? content.value : undefined;
      if (step?.step === "clear") {
        return;
      }
      if (step?.step === "pop") {
        pending.push([step.run, event.eventId]);
      } else if (step?.step === "void") {
        gone.add(`add:${step.run}`);
      } else if (!tags.some((tag) => gone.has(tag))) {
        while (pending.length && pending.at(-1)?.[0] !== event.eventId) {
          pending.pop();
        }
        yield [event, pending.pop()?.[1] ?? ""];
      }
    }
  }

  /** Records items behind other events; the id of their batch, and for each item why it was refused. */
  async #record(
    items: readonly JsonObject[],
    before: readonly NewEvent[],
  ): Promise<[string, (CamilloError | undefined)[]]> {
    const batch = randomUUID().replaceAll("-", "");
    const events = items.map((item) => eventOf(item, this.#sessionId, batch, this.#speaker));
    const all = [...before, ...events];
    const outcomes = await this.#camillo.events.recordMany(all, { omitForgotten: true });
    const errors = outcomes.slice(before.length).map((outcome) => {
      return outcome instanceof CamilloError ? outcome : undefined;
    });
    return [batch, errors];
  }

  async #mark(step: string, about: string): Promise<string> {
    const [outcome] = await this.#camillo.events.recordMany([this.#marker(step, about)]);
    if (!outcome || outcome instanceof CamilloError) {
      throw outcome ?? new TypeError("the server's answer is empty");
    }
    return outcome.eventId;
  }

  #marker(step: string, run: string): NewEvent {
    const fields = { sessionId: this.#sessionId, tags: [TAG], importance: 0 };
    return newEvent(
      { workflowStep: { workflow: TAG, step, run, status: WorkflowStatus.SUCCEEDED } },
      fields,
    );
  }
}
