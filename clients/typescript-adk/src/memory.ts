import type {
  BaseMemoryService,
  Event,
  MemoryEntry,
  SearchMemoryRequest,
  SearchMemoryResponse,
  Session,
} from "@google/adk";
import {
  type ActorLike,
  type Camillo,
  CamilloError,
  create,
  itemOf,
  memoryFilter,
  newEvent,
  SlotRecords,
  slotName,
} from "camillo-client";
import { ActorSchema, ActorType, type NewEvent } from "camillo-client/v1";
import { digest } from "./stored.js";

const [MAX_RESULTS, MAX_TAGS, MAX_QUERY, MAX_NAME, MAX_BYTES] = [10, 64, 2_000, 128, 1_000_000];
// Begins the tag that one event alone has.
const ONE = "adk-event:";

/** Events of a user, of one session or of none. */
interface NewEvents {
  appName: string;
  userId: string;
  events: readonly Event[];
  sessionId?: string;
}

/**
 * Keeps events in the space of their user, as the Python package does.
 *
 * A search finds events, and memories of Python's service, by meaning and words: at most 10, those of the same app. Each event is kept once, with its texts alone, and
 * not again once Python's service has deleted it. The process warns where the server refuses a text. Methods throw CamilloErrors, and
 * TypeError for a user id with a slash.
 */
export class CamilloMemoryService implements BaseMemoryService {
  readonly #camillo: Camillo;

  /** Takes a client whose key may act for any agent. */
  constructor(camillo: Camillo) {
    this.#camillo = camillo;
  }

  async addSessionToMemory({ appName, userId, id, events }: Session): Promise<void> {
    await this.addEventsToMemory({ appName, userId, sessionId: id, events });
  }

  /** Keeps events that are not there yet. */
  async addEventsToMemory(request: NewEvents): Promise<void> {
    const { appName, userId, sessionId = "", events } = request;
    const user = this.#camillo.forUser(userId);
    const news = new Map<string, NewEvent>();
    for (const event of events) {
      const text = textOf(event.content);
      if (text.trim()) {
        const tag = ONE + digest(JSON.stringify([appName, sessionId, event.id]));
        const actor = actorOf(event.author, userId);
        const fields = { tags: [appTag(appName), tag], occurredAt: new Date(event.timestamp) };
        const said = { sessionId: cut(sessionId), ...(actor ? { actor } : {}) };
        news.set(tag, newEvent(text, { ...fields, ...said }));
      }
    }
    if (news.size) {
      for await (const { key } of new SlotRecords(user, "adk").below(deletedKey(appName))) {
        news.delete(ONE + key.slice(-digest("").length));
      }
    }
    const tags = [...news.keys()];
    for (let at = 0; at < tags.length; at += MAX_TAGS) {
      const known = user.events.list(
        { tagsAny: tags.slice(at, at + MAX_TAGS) },
        { pageSize: 1_000 },
      );
      for await (const { stated } of known) {
        for (const tag of stated?.tags ?? []) {
          news.delete(tag);
        }
      }
    }
    warnOfRefused(news.size ? await user.events.recordMany(news.values()) : []);
  }

  async searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    const { appName, userId, query } = request;
    if (!query.trim()) {
      return { memories: [] };
    }
    const { hits } = await this.#camillo.forUser(userId).recall(cut(query, MAX_QUERY), {
      limit: MAX_RESULTS,
      sources: ["memory", "event"],
      filter: memoryFilter({ tagsAny: [appTag(appName)] }),
    });
    const memories = hits.map((hit): MemoryEntry => {
      const { text, occurredAt } = itemOf(hit);
      const actor = hit.item.value?.actor?.id ?? "";
      const author = actor === userId ? "user" : actor;
      // A passage begins with the name of who said it.
      const isSaid = hit.item.case === "chunk" && text.startsWith(`${actor}: `);
      const said = isSaid ? text.slice(actor.length + 2) : text;
      const role = author === "user" ? "user" : "model";
      return {
        content: { role, parts: [{ text: said.trim() }] },
        ...(author ? { author } : {}),
        ...(occurredAt ? { timestamp: occurredAt.toISOString() } : {}),
      };
    });
    return { memories };
  }
}

/** The text that an event may say: without thoughts, and what no event takes. */
function textOf(content: Event["content"]): string {
  const parts = content?.parts?.filter((part) => part.text && !part.thought) ?? [];
  const text = parts.map((part) => part.text).join("\n");
  const bytes = Buffer.from(text.replaceAll("\0", "").toWellFormed());
  if (bytes.length > MAX_BYTES) {
    const said = `of a text of ${bytes.length} bytes, the first ${MAX_BYTES} are kept`;
    process.emitWarning(said, "LongText");
  }
  return new TextDecoder().decode(bytes.subarray(0, MAX_BYTES), { stream: true });
}

function actorOf(author: string | undefined, userId: string): ActorLike | undefined {
  const id = author === "user" ? userId : cut(author ?? "");
  const type = author === "user" ? ActorType.HUMAN : ActorType.AGENT;
  return id ? create(ActorSchema, { type, id }) : undefined;
}

function warnOfRefused(outcomes: readonly unknown[]): void {
  const refused = outcomes.filter((outcome) => outcome instanceof CamilloError);
  if (refused[0]) {
    const why = refused[0].reason || refused[0].code;
    process.emitWarning(`${refused.length} entries were not kept: ${why}`, "RefusedText");
  }
}

function cut(text: string, most = MAX_NAME): string {
  return text.length > most ? Array.from(text).slice(0, most).join("") : text;
}

function appTag(app: string): string {
  return `adk:${digest(app)}`;
}

function deletedKey(app: string): string {
  return `/adk/${slotName(app)}/deleted`;
}
