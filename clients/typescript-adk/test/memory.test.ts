import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, beforeEach, test } from "node:test";
import {
  BaseLlm,
  createEvent,
  createSession,
  type Event,
  InMemoryMemoryService,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
  PRELOAD_MEMORY,
  Runner,
  type SearchMemoryResponse,
} from "@google/adk";
import { connect, newMemory, SlotRecords } from "camillo-client";
import { CamilloMemoryService, CamilloSessionService } from "../src/index.js";
import { all } from "./spaces.js";

/** Answers what the script says, and keeps what it was asked. */
class Model extends BaseLlm {
  readonly asked: string[] = [];

  constructor(readonly script: LlmResponse[]) {
    super({ model: "scripted" });
  }

  async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.asked.push(JSON.stringify([request.contents, request.config]));
    yield this.script[this.asked.length - 1] as LlmResponse;
  }

  async connect(): Promise<never> {
    throw new TypeError("a script has no live connection");
  }
}

const camillo = connect({ timeoutMs: 60_000 });
const service = new CamilloMemoryService(camillo);
let user = "";

beforeEach(() => {
  user = randomUUID();
});
after(() => camillo.close());

function said(author: string, text: string): Event {
  const content = { role: author === "user" ? "user" : "model", parts: [{ text }] };
  return createEvent({ author, content, timestamp: 1_700_000_000_500, id: randomUUID() });
}

function found({ memories }: SearchMemoryResponse) {
  return memories.map(({ author, content }) => `${author}: ${content.parts?.[0]?.text}`).sort();
}

test("sessions are found as in the framework's own service", async () => {
  const own = new InMemoryMemoryService();
  const events = [
    said("user", "Minka likes tuna 猫"),
    said("cook", "Minka gets tuna at noon"),
    said("user", "xyzzy"),
    createEvent({ author: "cook" }),
  ];
  const named = { appName: "kitchen", userId: user };
  for (const each of [service, own]) {
    await each.addSessionToMemory(createSession({ ...named, id: "s", events: events.slice(0, 2) }));
    await each.addSessionToMemory(createSession({ ...named, id: "s", events }));
  }
  await service.addEventsToMemory({ ...named, sessionId: "s", events });
  for (const query of ["Minka tuna", "xyzzy"]) {
    const mine = await service.searchMemory({ ...named, query });
    const texts = found(mine);
    const other = await own.searchMemory({ ...named, query });
    assert.ok(found(other).length > 0);
    assert.deepEqual(
      found(other).filter((text) => !texts.includes(text)),
      [],
    );
    assert.equal(new Set(texts).size, texts.length);
    for (const entry of other.memories) {
      assert.ok(mine.memories.some((each) => each.timestamp === entry.timestamp));
    }
  }
  const stored = await all(camillo.forUser(user).events.list({ sessionId: "s" }));
  assert.equal(stored.length, 3);
  for (const other of [{ appName: "garden" }, { userId: `${user}-2` }]) {
    const answer = await service.searchMemory({ ...named, ...other, query: "Minka tuna" });
    assert.deepEqual(answer.memories, []);
  }
  assert.deepEqual(await service.searchMemory({ ...named, query: " " }), { memories: [] });
});

test("texts of many languages are found, without thoughts and halves of signs", async () => {
  const named = { appName: "app", userId: user };
  const texts = [
    "Ада пьёт чай без сахара",
    "أحمد يحب القهوة",
    "美雪は緑茶が好きです",
    "👩‍🍳 half \ud83d",
  ];
  const events = texts.map((text) => said("cook", text));
  events[0]?.content?.parts?.push({ text: "a secret thought", thought: true });
  await service.addSessionToMemory(createSession({ ...named, id: "s", events }));
  for (const [query, text] of [
    ["чай", texts[0]],
    ["القهوة", texts[1]],
    ["緑茶", texts[2]],
  ]) {
    const [best] = (await service.searchMemory({ ...named, query: String(query) })).memories;
    assert.deepEqual(best?.content, { role: "model", parts: [{ text }] });
    assert.equal(best?.author, "cook");
  }
  const kept = await all(camillo.forUser(user).events.list({ sessionId: "s" }));
  assert.equal(kept.at(-1)?.stated?.content.value, "👩‍🍳 half \ufffd");
  assert.ok(kept.every(({ stated }) => !String(stated?.content.value).includes("thought")));
});

test("memories of Python are found, and what Python has deleted is not kept again", async () => {
  const named = { appName: "küche", userId: user };
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");
  const events = [said("user", "The door code is 4711-0815"), said("user", "The door is green")];
  // The text that Python makes of the app, the session and the event.
  const tag = `adk-event:${sha(`["küche","s \\" 1","${events[0]?.id}"]`)}`;
  const person = camillo.forUser(user);
  const records = new SlotRecords(person, "adk");
  const key = `/adk/=k%C3%BCche/deleted/=${encodeURIComponent(tag)}`;
  await records.write([await records.slot(key, Buffer.of())]);
  await person.rememberMany([
    newMemory("The door is made of oak", { tags: [`adk:${sha("küche")}`] }),
  ]);
  await service.addSessionToMemory(createSession({ ...named, id: 's " 1', events }));
  const answer = await service.searchMemory({ ...named, query: "door" });
  const texts = answer.memories.map(({ content }) => content.parts?.[0]?.text).sort();
  assert.deepEqual(texts, ["The door is green", "The door is made of oak"]);
});

test("a runner has sessions, state and memory here", async () => {
  const told = (text: string) => ({ content: { role: "model", parts: [{ text }] } });
  const model = new Model(["Noted.", "チャイ", "You drink tea."].map(told));
  const agent = new LlmAgent({
    name: "cook",
    model,
    tools: [PRELOAD_MEMORY],
    outputKey: "user:last",
  });
  const appName = `kitchen-${user}`;
  const runner = (sessionService: CamilloSessionService) => {
    return new Runner({ appName, agent, sessionService, memoryService: service });
  };
  const sessions = new CamilloSessionService(camillo);
  const ask = async (by: Runner, sessionId: string, text: string) => {
    const newMessage = { role: "user", parts: [{ text }] };
    const events = await all(by.runAsync({ userId: user, sessionId, newMessage }));
    return events.map((event) => event.content?.parts?.[0]?.text);
  };
  const first = await sessions.createSession({ appName, userId: user });
  assert.deepEqual(await ask(runner(sessions), first.id, "I drink tea."), ["Noted."]);
  // Nothing but the server is in common.
  const again = new CamilloSessionService(camillo);
  assert.deepEqual(await ask(runner(again), first.id, "And in Japanese?"), ["チャイ"]);
  assert.match(String(model.asked[1]), /I drink tea.*Noted.*And in Japanese/s);
  const named = { appName, userId: user };
  const ended = await sessions.getSession({ ...named, sessionId: first.id });
  assert.equal(ended?.events.length, 4);
  assert.equal(ended?.state["user:last"], "チャイ");
  assert.ok(ended);
  await service.addSessionToMemory(ended);
  const second = await sessions.createSession(named);
  assert.deepEqual(second.state, { "user:last": "チャイ" });
  assert.deepEqual(await ask(runner(sessions), second.id, "What tea do I drink?"), [
    "You drink tea.",
  ]);
  assert.match(String(model.asked[2]), /I drink tea/);
});
