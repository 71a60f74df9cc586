import type { Camillo } from "camillo-client";
import { type Fetch, withMemory } from "./fetch.js";
import { Memory, type MemoryOptions } from "./memory.js";

/** What clients of OpenAI and Anthropic have in common. */
export interface Copyable {
  withOptions(options: { fetch: Fetch }): unknown;
}

/** By a `fetch` with memory, the one without. */
const ORIGINALS = new WeakMap<Fetch, Fetch>();

/**
 * A copy of a client with memory around its calls: `remembering(new OpenAI(), camillo.forUser("42"), { sessionId: "a" })`.
 *
 * Around `chat.completions.create` and `responses.create` of OpenAI and `messages.create` of Anthropic, streams and the helpers
 * that call these included. Before a call, hits for the last message of the user are added to the instructions; afterwards the
 * message and the answer are recorded in the background. Errors of memory never fail a call. Copies made by `withOptions` have the
 * memory, too; the client that was given has none. TypeError for another object.
 */
export function remembering<C extends Copyable>(
  client: C,
  camillo: Camillo,
  options: MemoryOptions,
): C {
  if (typeof client?.withOptions !== "function") {
    throw new TypeError("not a client of OpenAI or Anthropic");
  }
  const own = (client as { fetch?: Fetch }).fetch ?? globalThis.fetch;
  // One that has memory already gets this one in its place.
  const original = ORIGINALS.get(own) ?? own;
  const fetch = withMemory(original, new Memory(camillo, options));
  ORIGINALS.set(fetch, original);
  return client.withOptions({ fetch }) as C;
}
