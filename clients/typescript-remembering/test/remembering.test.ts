import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import type { Camillo } from "camillo-client";
import OpenAI from "openai";
import { flush, type MemoryOptions, remembering } from "../src/index.js";
import { ANSWER, PIECES, type ScriptedModel, scriptedModel } from "./scripted-model.js";
import { newPerson, recorded } from "./spaces.js";

const FACT = "Ada drinks tea & <b>never</b> coffee";
const QUESTION = "What does Ada drink? 茶";
const ASKED = [{ role: "user" as const, content: QUESTION }];
const OPTIONS: MemoryOptions = { sessionId: "chat", speaker: "ada", recallMs: 60_000 };

let model: ScriptedModel;
let camillo: Camillo;
const connected: Camillo[] = [];

before(async () => {
  model = await scriptedModel();
});
after(async () => {
  await model.close();
  await Promise.all(connected.map((each) => each.close()));
});
beforeEach(() => {
  camillo = newPerson();
  connected.push(camillo);
});
afterEach(() => {
  model.asked.length = 0;
  model.status = 200;
});

function openai(): OpenAI {
  return new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "any", maxRetries: 0 });
}

function anthropic(): Anthropic {
  return new Anthropic({ baseURL: model.url, apiKey: "any", maxRetries: 0 });
}

/** By method: a call of a client with memory, whole and as a stream; each returns the text that the caller saw. */
const CALLS: Record<string, (is: boolean) => Promise<string>> = {
  async chat(stream) {
    const { completions } = remembering(openai(), camillo, OPTIONS).chat;
    if (!stream) {
      const answer = await completions.create({ model: "m", messages: ASKED });
      return answer.choices[0]?.message.content ?? "";
    }
    const chunks = await completions.create({ model: "m", messages: ASKED, stream });
    return joined(chunks, (chunk) => chunk.choices[0]?.delta.content);
  },
  async responses(stream) {
    const { responses } = remembering(openai(), camillo, OPTIONS);
    const told = { model: "m", input: QUESTION, instructions: "Be brief." };
    if (!stream) {
      return (await responses.create(told)).output_text;
    }
    const events = await responses.create({ ...told, stream });
    return joined(events, (each) => (each.type === "response.output_text.delta" ? each.delta : ""));
  },
  async messages(stream) {
    const { messages } = remembering(anthropic(), camillo, OPTIONS);
    const told = { model: "m", max_tokens: 9, messages: ASKED, system: "Be brief." };
    if (!stream) {
      const { content } = await messages.create(told);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    }
    const events = await messages.create({ ...told, stream });
    return joined(events, (each) =>
      each.type === "content_block_delta" && each.delta.type === "text_delta"
        ? each.delta.text
        : "",
    );
  },
};

async function joined<T>(
  stream: AsyncIterable<T>,
  textOf: (event: T) => string | null | undefined,
): Promise<string> {
  let text = "";
  for await (const event of stream) {
    text += textOf(event) ?? "";
  }
  return text;
}

for (const [method, call] of Object.entries(CALLS)) {
  for (const stream of [false, true]) {
    test(`${method} ${stream ? "as a stream" : "as a whole"} recalls before and records after`, async () => {
      await camillo.remember(FACT);
      assert.equal(await call(stream), ANSWER);
      const sent = JSON.stringify(model.asked[0]);
      assert.ok(sent.includes("Ada drinks tea &amp; &lt;b&gt;never&lt;/b&gt; coffee"), sent);
      assert.equal(sent.split(QUESTION).length, 2);
      assert.deepEqual(ASKED, [{ role: "user", content: QUESTION }]);
      assert.deepEqual(await recorded(camillo), [
        ["ada", QUESTION],
        ["", ANSWER],
      ]);
    });
  }
}

test("instructions stay, and what was recalled stands behind them", async () => {
  await camillo.remember(FACT);
  await CALLS.responses?.(false);
  await CALLS.messages?.(false);
  assert.match(model.asked[0].instructions, /^Be brief\.\n\nRecorded earlier/);
  assert.deepEqual(model.asked[1].system[0], { type: "text", text: "Be brief." });
  assert.match(model.asked[1].system[1].text, /<memory>\n- Ada/);
});

test("a stream that is left is recorded as far as it came", async () => {
  const client = remembering(openai(), camillo, OPTIONS);
  const stream = await client.chat.completions.create({
    model: "m",
    messages: ASKED,
    stream: true,
  });
  for await (const chunk of stream) {
    assert.equal(chunk.choices[0]?.delta.content, PIECES[0]);
    break;
  }
  const [question, reply] = await recorded(camillo);
  assert.deepEqual(question, ["ada", QUESTION]);
  assert.ok(ANSWER.startsWith(reply?.[1] ?? "-"), String(reply));
});

test("errors of memory are told, and never fail a call", async () => {
  const problems: unknown[] = [];
  const away = newPerson();
  await away.close();
  const onProblem = (problem: string) => problems.push(problem);
  const client = remembering(openai(), away, { ...OPTIONS, onProblem });
  const answer = await client.chat.completions.create({ model: "m", messages: ASKED });
  assert.equal(answer.choices[0]?.message.content, ANSWER);
  await flush();
  assert.deepEqual(problems, ["nothing was recalled", "a call was not recorded"]);
});

test("errors of the model are its own, and nothing is recorded", async () => {
  const client = remembering(openai(), camillo, OPTIONS);
  const call = () => client.chat.completions.create({ model: "m", messages: ASKED });
  model.status = 400;
  await assert.rejects(call, OpenAI.BadRequestError);
  assert.deepEqual(await recorded(camillo), []);
  model.status = 200;
  await call();
  assert.equal((await recorded(camillo)).length, 2);
});

test("one client serves many people, and stays as it was", async () => {
  const client = openai();
  const other = newPerson();
  connected.push(other);
  await camillo.remember(FACT);
  const mine = remembering(client, camillo, OPTIONS).withOptions({ timeout: 30_000 });
  for (const each of [mine, remembering(mine, other, OPTIONS), client]) {
    await each.chat.completions.create({ model: "m", messages: ASKED });
  }
  const shown = model.asked.map((asked) => JSON.stringify(asked).includes("<memory>"));
  assert.deepEqual(shown, [true, false, false]);
  assert.equal((await recorded(camillo)).length, 2);
  assert.equal((await recorded(other)).length, 2);
});

test("results of tools are no question", async () => {
  await camillo.remember(FACT);
  const content = [{ type: "tool_result" as const, tool_use_id: "t1", content: "Ada drinks tea" }];
  const messages = [{ role: "user" as const, content }];
  await remembering(anthropic(), camillo, OPTIONS).messages.create({
    model: "m",
    max_tokens: 9,
    messages,
  });
  assert.ok(!JSON.stringify(model.asked[0]).includes("<memory>"));
  assert.deepEqual(await recorded(camillo), [["", ANSWER]]);
});

test("other methods and the raw answer are as they were", async () => {
  const client = remembering(openai(), camillo, OPTIONS);
  const { data, response } = await client.chat.completions
    .create({ model: "m", messages: ASKED })
    .withResponse();
  assert.equal(data.choices[0]?.message.content, ANSWER);
  assert.equal(new URL(response.url).pathname, "/v1/chat/completions");
  await client.embeddings.create({ model: "m", input: QUESTION }).catch(() => undefined);
  assert.deepEqual(model.asked[1], { model: "m", input: QUESTION, encoding_format: "base64" });
  assert.equal((await recorded(camillo)).length, 2);
});

test("a client without options to change is refused", () => {
  const nothing = {} as OpenAI;
  assert.throws(() => remembering(nothing, camillo, OPTIONS), TypeError);
});
