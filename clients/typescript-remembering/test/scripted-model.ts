import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../src/shapes.js";

export const ANSWER = "You drink tea, 猫 & 🍵.";
export const PIECES = ["You drink ", "tea, ", "猫 & 🍵."];

/** A model that answers the same always, and keeps what it was asked. */
export interface ScriptedModel {
  readonly url: string;
  readonly asked: Json[];
  status: number;
  close(): Promise<void>;
}

const CHAT = { id: "c1", created: 1, model: "m", object: "chat.completion" };
const PART = { type: "output_text", text: ANSWER, annotations: [] };
const ITEM = { type: "message", id: "m1", role: "assistant", status: "completed" };
const RESPONSE = {
  id: "r1",
  object: "response",
  created_at: 1,
  model: "m",
  status: "completed",
  output: [{ ...ITEM, content: [PART] }],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
const MESSAGE = {
  id: "m1",
  type: "message",
  role: "assistant",
  model: "m",
  usage: { input_tokens: 1, output_tokens: 1 },
};
const PLACE = { item_id: "m1", output_index: 0, content_index: 0, sequence_number: 0 };

/** By path: an answer, and the events of its stream. */
const ANSWERS: Record<string, [Json, Json[]]> = {
  "/v1/chat/completions": [
    {
      ...CHAT,
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: ANSWER } },
      ],
    },
    PIECES.map((content) => ({
      ...CHAT,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })),
  ],
  "/v1/responses": [
    RESPONSE,
    [
      ...PIECES.map((delta) => ({ type: "response.output_text.delta", delta, ...PLACE })),
      { type: "response.completed", response: RESPONSE, sequence_number: 9 },
    ],
  ],
  "/v1/messages": [
    { ...MESSAGE, content: [{ type: "text", text: ANSWER }], stop_reason: "end_turn" },
    [
      { type: "message_start", message: { ...MESSAGE, content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...PIECES.map((text) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_stop" },
    ],
  ],
};

/** Starts one; `close` ends it. */
export async function scriptedModel(): Promise<ScriptedModel> {
  const asked: Json[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    asked.push(body);
    const [whole, events] = ANSWERS[request.url?.split("?")[0] ?? ""] ?? [{}, []];
    response.statusCode = model.status;
    response.setHeader("content-type", body.stream ? "text/event-stream" : "application/json");
    if (!body.stream) {
      response.end(JSON.stringify(whole));
      return;
    }
    const text = events
      .map((event) => `event: ${event.type ?? ""}\ndata: ${JSON.stringify(event)}\n\n`)
      .join("");
    // In the middle of a character.
    const bytes = Buffer.from(text);
    const middle = bytes.indexOf("猫") + 1;
    response.write(bytes.subarray(0, middle));
    response.end(bytes.subarray(middle));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const model: ScriptedModel = { url: `http://127.0.0.1:${port}`, asked, status: 200, close };
  return model;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
