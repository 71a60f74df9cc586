import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, beforeEach, test } from "node:test";
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  Runner,
  tool,
  user as userMessage,
} from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { type Camillo, itemOf, newEvent } from "camillo-client";
import { CamilloSession, ItemTooLarge } from "../src/index.js";
import { Random } from "./random.js";
import { newPerson } from "./spaces.js";

const PROVIDER = { annotations: [], logprobs: [] };

/** Without fields that are undefined. */
function clean<T>(item: T): T {
  return JSON.parse(JSON.stringify(item));
}

function user(text: string) {
  return clean(userMessage(text));
}

const ITEMS: AgentInputItem[] = clean([
  user("Ада пьёт чай"),
  { type: "message", role: "user", content: "e\u0301 猫 🍵" },
  { role: "user", content: "" } as AgentInputItem,
  assistantMessage("お茶です"),
  assistantMessage("with an id", { id: "msg_1" }),
  {
    ...assistantMessage("", { id: "msg_2", providerData: {} }),
    content: [{ type: "output_text", text: "as OpenAI's model says it", providerData: PROVIDER }],
  },
  assistantMessage("with more", { providerData: { phase: 1.5, deep: [{ a: null }] } }),
  functionCall("weather", { city: "e\u0301" }, { callId: "c1", id: "fc_1" }),
  {
    type: "function_call_result",
    name: "weather",
    callId: "c1",
    status: "completed",
    output: { type: "text", text: "nul \u0000 and half \ud83d" },
  },
  { type: "reasoning", id: "rs_1", content: [{ type: "input_text", text: "x".repeat(700_000) }] },
]);

let camillo: Camillo;
let session: CamilloSession;
const connected: Camillo[] = [];

beforeEach(() => {
  camillo = newPerson();
  connected.push(camillo);
  session = new CamilloSession("chat", camillo);
});
after(() => Promise.all(connected.map((each) => each.close())));

test("items come back as they were", async () => {
  await session.addItems(ITEMS);
  assert.deepEqual(await session.getItems(), ITEMS);
  for (const [place, item] of [...ITEMS].reverse().entries()) {
    assert.deepEqual(await session.popItem(), item, String(place));
  }
  assert.equal(await session.popItem(), undefined);
  await session.addItems([
    { type: "message", role: "user", content: "a", providerData: undefined },
  ]);
  assert.deepEqual(await session.getItems(), [{ type: "message", role: "user", content: "a" }]);
});

test("messages are stored as what was said, by whom", async () => {
  await session.addItems(ITEMS.slice(0, 7));
  const { hits } = await camillo.recall("what does Ада drink? чай", {
    sources: ["event"],
    limit: 50,
  });
  const texts = hits.map((hit) => itemOf(hit).text);
  for (const text of ["user: Ада пьёт чай", "as OpenAI's model says it", "with an id"]) {
    assert.ok(
      texts.some((each) => each.endsWith(text)),
      `${text} is not in ${texts}`,
    );
  }
});

test("what is too long, or not JSON, is refused before anything is stored", async () => {
  const long = user("x".repeat(8 * 1024 * 1024));
  await assert.rejects(session.addItems([user("fits"), long]), ItemTooLarge);
  const bytes = { ...user("a"), providerData: { image: new Uint8Array(2) } };
  await assert.rejects(session.addItems([user("fits"), bytes]), TypeError);
  assert.deepEqual(await session.getItems(), []);
  await session.addItems([user("fits")]);
  assert.deepEqual(await session.getItems(), [user("fits")]);
});

for (const seed of [1, 2, 3]) {
  test(`random changes do what they do in the SDK's own session (${seed})`, async () => {
    const [drawn, oracle] = [new Random(seed), new MemorySession()];
    for (let step = 0; step < 30; step += 1) {
      const items = Array.from({ length: drawn.between(0, 4) }, () => drawn.of(ITEMS.slice(0, 8)));
      const limit = drawn.of([undefined, -1, 0, 1, 2, 5, 100]);
      const change = drawn.of(["add", "add", "add", "pop", "pop", "get", "get", "clear"]);
      if (change === "add") {
        await Promise.all([session, oracle].map((each) => each.addItems(items)));
      } else if (change === "pop") {
        assert.deepEqual(await session.popItem(), await oracle.popItem());
      } else if (change === "clear" && drawn.next() < 0.5) {
        await Promise.all([session, oracle].map((each) => each.clearSession()));
      }
      assert.deepEqual(await session.getItems(limit), await oracle.getItems(limit));
    }
  });
}

test("the runner goes on with a session, tools and streams included", async () => {
  const weather = tool({
    name: "weather",
    description: "Tells the weather.",
    strict: false,
    parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
    execute: async () => "sunny, 晴れ",
  });
  const model = new ScriptedModel([
    [functionCall("weather", {}, { callId: "c1" })],
    [assistantMessage("It is sunny.")],
    [assistantMessage("You asked for the weather.")],
  ]);
  const agent = new Agent({ name: "Assistant", model, tools: [weather] });
  const runner = new Runner({ tracingDisabled: true });
  const first = await runner.run(agent, "How is the weather?", { session });
  assert.equal(first.finalOutput, "It is sunny.");
  // Nothing but the server is in common.
  const again = new CamilloSession("chat", camillo);
  const second = await runner.run(agent, "What did I ask?", { session: again, stream: true });
  await second.completed;
  assert.equal(second.finalOutput, "You asked for the weather.");
  const types = (await session.getItems()).map((item) => item.type);
  const turn = ["message", "function_call", "function_call_result", "message"];
  assert.deepEqual(types, [...turn, "message", "message"]);
  const input = model.calls.at(-1)?.request.input;
  assert.ok(JSON.stringify(input).includes("sunny, 晴れ"), JSON.stringify(input));
});

test("two processes share a session, and each pops items of its own", async () => {
  const other = new CamilloSession("chat", camillo);
  await session.addItems([0, 1, 2, 3, 4, 5].map((number) => user(String(number))));
  const callers = [session, other, session, other, session, other, session, other];
  const popped = await Promise.all(callers.map((each) => each.popItem()));
  const texts = popped.flatMap((item) => (item ? [JSON.stringify(item)] : []));
  assert.equal(new Set(texts).size, 6);
  assert.equal(texts.length, 6);
  await other.addItems([user("later")]);
  assert.deepEqual(await session.getItems(), [user("later")]);
});

test("a forgotten item takes no other with it", async () => {
  await session.addItems([user("stays"), user("goes"), user("was popped")]);
  assert.deepEqual(await session.popItem(), user("was popped"));
  const { forgetEvents } = (await import("camillo-client/v1")).EventService.method;
  for (const gone of ["was popped", "goes"]) {
    for await (const { eventId, stated } of camillo.events.list({ sessionId: "chat" })) {
      if (stated?.content.value === gone) {
        const selector = { case: "eventIds" as const, value: { ids: [eventId] } };
        await camillo.call(forgetEvents, { selector });
      }
    }
    const left = gone === "goes" ? [user("stays")] : [user("stays"), user("goes")];
    assert.deepEqual(await session.getItems(), left);
  }
});

test("an item that repeats a forgotten value keeps its place without its texts", async () => {
  const value = "The door code is 4711-0815";
  const { memoryId } = await camillo.remember(value);
  await camillo.forget([memoryId]);
  const call = clean(functionCall("note", { text: value }, { callId: "c1" }));
  await session.addItems([user("before"), call, user("behind")]);
  assert.deepEqual(await session.getItems(), [
    user("before"),
    { ...call, arguments: "{}" },
    user("behind"),
  ]);
});

test("other events and sessions are not its items, and Python's messages are", async () => {
  await camillo.events.record("said elsewhere", { sessionId: "chat" });
  await new CamilloSession("another", camillo).addItems([user("in another")]);
  const tags = ["openai-agents", `add:${randomUUID()}`, "as:output", "role:assistant", "id:msg_1"];
  await camillo.events.recordMany([newEvent("told by Python", { sessionId: "chat", tags })]);
  await session.addItems([user("here")]);
  const told = assistantMessage("told by Python", { id: "msg_1" });
  assert.deepEqual(await session.getItems(), [told, user("here")]);
});
