import { createHash } from "node:crypto";
import { createEvent, type Event, State, trimTempState } from "@google/adk";

/** State by the names of its values. */
export type Values = Record<string, unknown>;
type Reviver = (this: unknown, name: string, value: unknown, at: { source?: string }) => unknown;

const { APP_PREFIX, USER_PREFIX } = State;
// Values of these have names of their own, below these it is the names of calls, and these are bytes.
const OPAQUE: ReadonlySet<string> = new Set([
  ...["stateDelta", "artifactDelta", "agentState", "customMetadata", "partMetadata"],
  ...["args", "response", "output", "payload"],
]);
const NAMED: ReadonlySet<string> = new Set(["requestedAuthConfigs", "requestedToolConfirmations"]);
const BYTES: ReadonlySet<string> = new Set(["data", "thoughtSignature"]);
// Texts of JSON, or what Python writes for floats that JSON does not have.
const CONSTANTS = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g;

/** A text of 64 characters that stands for another one, as the Python package has it. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** JSON as bytes; halves of surrogate pairs, which Python does not read, are replaced. */
export function encoded(value: unknown): Uint8Array {
  const text = JSON.stringify(value, (_, each) => {
    return typeof each === "string" ? each.toWellFormed() : each;
  });
  return Buffer.from(text);
}

export function decoded(bytes: Uint8Array): Values {
  return JSON.parse(textOf(bytes));
}

/** Values to be written again: integers and floats of Python that no number of JavaScript is keep their text. */
export function rewritable(bytes: Uint8Array): Values {
  const keep: Reviver = (_, value, { source }) => {
    return typeof value === "number" && source !== JSON.stringify(value) ? raw(source) : value;
  };
  return JSON.parse(textOf(bytes), keep as Parameters<typeof JSON.parse>[1]);
}

/** An event as both packages read it: seconds in place of milliseconds, and the route where Python has it. */
export function stored(event: Event): Uint8Array {
  const { route, timestamp, actions, ...others } = event as Event & { route?: unknown };
  const stateDelta = trimTempState(actions.stateDelta);
  const acted = { ...actions, stateDelta, ...(route === undefined ? {} : { route }) };
  return encoded({ ...others, actions: acted, timestamp: timestamp / 1_000 });
}

/** The event that either package has stored. */
export function eventOf(bytes: Uint8Array): Event {
  const values = decoded(bytes);
  const known = ("invocation_id" in values ? translated(values) : values) as unknown as Event;
  const { route, ...actions } = known.actions as Event["actions"] & { route?: unknown };
  const event = { ...known, ...(route === undefined ? {} : { route }), actions };
  return { ...createEvent(event as Event), timestamp: milliseconds(known.timestamp) };
}

/** Milliseconds of a time in seconds; a millionth of a second is kept. */
export function milliseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e3;
}

/** State by where it is kept, without prefixes. */
export function partsOf(state: Values = {}): Record<"app" | "user" | "session", Values> {
  const kept = Object.entries(trimTempState(state));
  const below = (prefix: string) => {
    const found = kept.filter(([name]) => name.startsWith(prefix));
    return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length), value]));
  };
  const own = kept.filter(
    ([name]) => ![APP_PREFIX, USER_PREFIX].some((each) => name.startsWith(each)),
  );
  const [app, user] = [below(APP_PREFIX), below(USER_PREFIX)];
  return { app, user, session: Object.fromEntries(own) };
}

/** Values that Python wrote, with the names and the base64 of this SDK. */
function translated(value: unknown, isNamed = false): Values {
  const each = (inner: unknown, named = false): unknown => {
    if (Array.isArray(inner)) {
      return inner.map((item) => each(item));
    }
    return inner && typeof inner === "object" ? translated(inner, named) : inner;
  };
  const entries = Object.entries(value as Values).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      const name = isNamed ? key : key.replace(/_([a-z])/g, (_, sign) => sign.toUpperCase());
      if (!isNamed && OPAQUE.has(name)) {
        return [name, inner];
      }
      if (!isNamed && BYTES.has(name) && typeof inner === "string") {
        return [name, inner.replaceAll("-", "+").replaceAll("_", "/")];
      }
      return [name, each(inner, NAMED.has(name))];
    }),
  );
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replace(CONSTANTS, (found) => (found.startsWith('"') ? found : "null"));
}

function raw(source: string | undefined): unknown {
  return (JSON as unknown as { rawJSON(text: string | undefined): unknown }).rawJSON(source);
}
