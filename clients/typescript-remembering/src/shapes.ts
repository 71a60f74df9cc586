/** JSON whose form nobody has checked. */
// biome-ignore lint/suspicious/noExplicitAny: forms of three vendors, each of which may change
export type Json = any;

/** How one method states what it is asked and answers. */
export interface Shape {
  /** The last message, if it is the user's: results of tools are no question. */
  question(asked: Json): string;
  /** The request with a text added to its instructions. */
  added(asked: Json, shown: string): Json;
  /** The text of an answer. */
  reply(answer: Json): string;
  /** The text of an event of a stream. */
  delta(event: Json): string;
}

/** The text of a message, which may be in parts. */
export function textOf(content: Json): string {
  if (typeof content === "string") {
    return content;
  }
  const parts: Json[] = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => (typeof part?.text === "string" ? [part.text] : [])).join("\n");
}

/** Every text of the messages of a request. */
export function textsOf(asked: Json): string {
  const messages = asked.messages ?? asked.input;
  if (typeof messages === "string") {
    return messages;
  }
  const known: Json[] = Array.isArray(messages) ? messages : [];
  return known.map((message) => textOf(message?.content)).join("\n");
}

function lastOf(messages: Json): string {
  if (typeof messages === "string") {
    return messages;
  }
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return last?.role === "user" ? textOf(last.content) : "";
}

const CHAT: Shape = {
  question: ({ messages }) => lastOf(messages),
  added: (asked, content) => ({
    ...asked,
    messages: [...asked.messages.slice(0, -1), { role: "system", content }, asked.messages.at(-1)],
  }),
  reply: ({ choices }) => choices[0].message.content ?? "",
  delta: ({ choices }) => choices[0]?.delta?.content ?? "",
};

const RESPONSES: Shape = {
  question: ({ input }) => lastOf(input),
  added: (asked, shown) => ({
    ...asked,
    instructions: asked.instructions ? `${asked.instructions}\n\n${shown}` : shown,
  }),
  reply: ({ output }) =>
    output
      .filter(({ type }: Json) => type === "message")
      .map(({ content }: Json) => textOf(content))
      .join(""),
  delta: ({ type, delta }) => (type === "response.output_text.delta" ? delta : ""),
};

const MESSAGES: Shape = {
  question: ({ messages }) => lastOf(messages),
  // Behind what may be cached.
  added: (asked, text) => ({
    ...asked,
    system: [...blocksOf(asked.system), { type: "text", text }],
  }),
  reply: ({ content }) =>
    content
      .filter(({ type }: Json) => type === "text")
      .map(({ text }: Json) => text)
      .join(""),
  delta: ({ type, delta }) =>
    type === "content_block_delta" && delta.type === "text_delta" ? delta.text : "",
};

function blocksOf(system: Json): Json[] {
  return typeof system === "string" ? [{ type: "text", text: system }] : (system ?? []);
}

/** By the end of the path of a request. */
const SHAPES: Record<string, Shape> = {
  "/chat/completions": CHAT,
  "/responses": RESPONSES,
  "/v1/messages": MESSAGES,
};

/** The form of the method at a path, if it is one that memory knows. */
export function shapeAt(path: string): Shape | undefined {
  return Object.entries(SHAPES).find(([end]) => path.endsWith(end))?.[1];
}
