import type { Memory } from "./memory.js";
import { type Json, type Shape, shapeAt, textsOf } from "./shapes.js";
import { heard } from "./streams.js";

/** What both SDKs send requests with. */
export type Fetch = typeof globalThis.fetch;

/** A `fetch` with memory around calls of the methods that it knows; every other request is sent as it is. */
export function withMemory(fetch: Fetch, memory: Memory): Fetch {
  return async (url, init) => {
    const call = memory.attempt("a call has a form that memory does not know", undefined, () =>
      callOf(url, init),
    );
    if (!call || !init) {
      return fetch(url, init);
    }
    const { shape, asked, question } = call;
    const shown = await memory.recalled(question, textsOf(asked), init.signal);
    const body = shown ? JSON.stringify(shape.added(asked, shown)) : init.body;
    const answer = await fetch(url, { ...init, body: body ?? null });
    const record = (reply: string) => memory.record(question, reply);
    return answer.ok && answer.body ? recorded(answer, shape, memory, record) : answer;
  };
}

/** A request of a known method, with what it asks. */
function callOf(url: Parameters<Fetch>[0], init?: RequestInit) {
  const shape = shapeAt(new URL(url instanceof Request ? url.url : url).pathname);
  if (!shape || init?.method?.toUpperCase() !== "POST" || typeof init.body !== "string") {
    return undefined;
  }
  const asked: Json = JSON.parse(init.body);
  return { shape, asked, question: shape.question(asked) };
}

/** An answer, recorded once it has ended, was left or has failed, with the text until then. */
function recorded(
  answer: Response,
  shape: Shape,
  memory: Memory,
  record: (reply: string) => void,
): Response {
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const decoder = new TextDecoder();
  const replies: string[] = [];
  let rest = "";
  const hear = (bytes: Uint8Array) => {
    rest += decoder.decode(bytes, { stream: true });
    if (isStream) {
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      replies.push(...lines.map((line) => deltaOf(line, shape)));
    }
  };
  const whole = () =>
    memory.attempt("an answer has a form that memory does not know", "", () =>
      shape.reply(JSON.parse(rest)),
    );
  const end = () => record(isStream ? replies.join("") : whole());
  const { status, statusText, headers, url } = answer;
  const body = heard(answer.body as ReadableStream<Uint8Array>, hear, end);
  const passed = new Response(body, { status, statusText, headers });
  return Object.defineProperty(passed, "url", { value: url });
}

/** The text of a line of a stream; empty for whatever memory does not know. */
function deltaOf(line: string, shape: Shape): string {
  if (!line.startsWith("data:")) {
    return "";
  }
  try {
    return shape.delta(JSON.parse(line.slice("data:".length)));
  } catch {
    return "";
  }
}
