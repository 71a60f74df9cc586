import { isDeepStrictEqual } from "node:util";
import type { AgentInputItem } from "@openai/agents-core";
import {
  type ActorLike,
  type Camillo,
  create,
  type JsonObject,
  type JsonValue,
  type NewEventFields,
  newEvent,
} from "camillo-client";
import { type Event, type NewEvent, ToolResultSchema } from "camillo-client/v1";

/** Marks the events of sessions among others of the same conversation. */
export const TAG = "openai-agents";
// Bytes of an item as JSON that an event takes, and that stay in the event itself.
const [MAX_BYTES, MAX_JSON_BYTES, MAX_LEVELS, MAX_ID] = [8 * 1024 * 1024, 512 * 1024, 30, 120];
// Fields that stay of an item that the server refuses because it repeats a forgotten value.
const KEPT: ReadonlySet<string> = new Set(["type", "role", "id", "callId", "name", "status"]);

/** An item has more than 8 MiB as JSON. Nothing was stored. */
export class ItemTooLarge extends RangeError {}

type Shape = (role: string, id: string, text: string) => JsonObject;

/** Items that say nothing but a text, an id and a role are stored as that text: recalls and bundles show what was said. */
const SPOKEN: Readonly<Record<string, Shape>> = {
  input: (role, _, content) => ({ role, content }),
  message: (role, _, content) => ({ type: "message", role, content }),
  "input-text": (role, _, text) => {
    return { type: "message", role, content: [{ type: "input_text", text }] };
  },
  "output-text": (_, id, text) => output(id, { text }),
  "output-annotations": (_, id, text) => {
    return { ...output(id, { text, providerData: { annotations: [] } }), providerData: {} };
  },
  "output-annotations-logprobs": (_, id, text) => {
    const providerData = { annotations: [], logprobs: [] };
    return { ...output(id, { text, providerData }), providerData: {} };
  },
};

/** Forms that the Python package writes, as this SDK has them. */
const SPOKEN_IN_PYTHON: Readonly<Record<string, Shape>> = {
  output: (_, id, text) => output(id, { text }),
  "output-logprobs": (_, id, text) => output(id, { text }),
};

function output(id: string, content: JsonObject): JsonObject {
  const message = { type: "message", role: "assistant", status: "completed" };
  const parts = [{ type: "output_text", ...content }];
  return { ...message, content: parts, ...(id ? { id } : {}) };
}

/** An item as JSON, without fields that are undefined. TypeError for what JSON does not have, ItemTooLarge. */
export function plain(item: AgentInputItem): JsonObject {
  const text = JSON.stringify(item, (_, value) => {
    if (ArrayBuffer.isView(value) || (typeof value === "number" && !Number.isFinite(value))) {
      throw new TypeError(
        "an item has a value that JSON does not have, such as bytes: give them as base64",
      );
    }
    return value;
  });
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES) {
    throw new ItemTooLarge(`an item has ${size} bytes as JSON, at most ${MAX_BYTES} are stored`);
  }
  return JSON.parse(text);
}

/** The event that an item is stored as: a text, its JSON, or where that is long the text of its JSON as the result of a tool. */
export function eventOf(
  item: JsonObject,
  sessionId: string,
  batch: string,
  speaker: string,
): NewEvent {
  const [role, id] = [String(item.role ?? ""), String(item.id ?? "")];
  const tags = [TAG, `add:${batch}`];
  const actor = actorOf(role, speaker);
  const fields: NewEventFields = { sessionId, tags, ...(actor ? { actor } : {}) };
  const spoken = id.length < MAX_ID ? textOf(item) : "";
  for (const [form, shape] of spoken ? Object.entries(SPOKEN) : []) {
    if (isDeepStrictEqual(shape(role, id, spoken), item)) {
      const said = [`as:${form}`, `role:${role}`, ...(id ? [`id:${id}`] : [])];
      return newEvent(spoken, { ...fields, tags: [...tags, ...said] });
    }
  }
  const text = ascii(JSON.stringify(item));
  if (text.length <= MAX_JSON_BYTES && !/\\u0000|\\ud[89ab]/.test(text.replace(PAIRS, ""))) {
    if (levelsOf(item) <= MAX_LEVELS) {
      return newEvent({ json: { item } }, fields);
    }
  }
  const result = create(ToolResultSchema, { tool: TAG, excerptText: text });
  return newEvent({ toolResult: result }, { sessionId, tags });
}

/** The item that an event was made of; a long one is read from its artifact. */
export async function itemOf({ stated }: Event, camillo: Camillo): Promise<AgentInputItem> {
  const content = stated?.content;
  switch (content?.case) {
    case "text": {
      const known = Object.fromEntries(
        (stated?.tags ?? []).map((tag) => [tag.split(":", 1)[0], tag.slice(tag.indexOf(":") + 1)]),
      );
      const shape = { ...SPOKEN_IN_PYTHON, ...SPOKEN }[known.as ?? ""] ?? SPOKEN.message;
      return shape?.(known.role ?? "", known.id ?? "", content.value) as AgentInputItem;
    }
    case "json":
      return content.value.item as unknown as AgentInputItem;
    case "toolResult": {
      const { artifactId, excerptText } = content.value;
      return JSON.parse(artifactId ? await camillo.artifacts.readText(artifactId) : excerptText);
    }
    default:
      throw new TypeError("an event of the session holds no item");
  }
}

/** An item whose texts are gone, while calls and their outputs still belong together. */
export function withoutTexts(item: JsonValue, name = ""): JsonValue {
  if (Array.isArray(item)) {
    return item.map((each) => withoutTexts(each, name));
  }
  if (item && typeof item === "object") {
    const fields = Object.entries(item).map(([key, each]): [string, JsonValue] => {
      return [key, KEPT.has(key) ? each : withoutTexts(each, key)];
    });
    return Object.fromEntries(fields);
  }
  return typeof item === "string" ? (name === "arguments" ? "{}" : "[forgotten]") : item;
}

function actorOf(role: string, speaker: string): ActorLike | undefined {
  const actors: Readonly<Record<string, ActorLike>> = {
    user: `human:${speaker}`,
    system: "system:system",
    developer: "system:developer",
  };
  return actors[role];
}

/** The text of an item that may say nothing else; empty if it has none, or one that no event takes. */
function textOf({ content }: JsonObject): string {
  const [part] = Array.isArray(content) && content.length === 1 ? content : [];
  const isPart = part && typeof part === "object" && !Array.isArray(part);
  const text = isPart ? part.text : content;
  const isText = typeof text === "string" && !text.includes("\0") && text.isWellFormed();
  return isText && Buffer.byteLength(text) <= MAX_JSON_BYTES ? text : "";
}

const PAIRS = /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/g;

function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function levelsOf(value: JsonValue): number {
  const inner = value && typeof value === "object" ? Object.values(value) : [];
  return 1 + Math.max(0, ...inner.map(levelsOf));
}
