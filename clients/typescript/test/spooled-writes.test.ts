import assert from "node:assert/strict";
import { test } from "node:test";
import { toJson } from "../src/index.js";
import { Durability, EventService, MemorySchema, MemoryService, SlotService } from "../src/v1.js";
import { pair } from "./pair.js";

const { remember, recall } = MemoryService.method;
const { recordEvent } = EventService.method;
const { setMemory } = SlotService.method;
const spooled = { durability: Durability.SPOOLED, spoolId: "s1" };
const committed = { durability: Durability.COMMITTED, revision: { token: "r1" } };

test("a spooled write tells where it is, and is demanded of no read", async (t) => {
  const { server, client } = await pair(t);
  const step = { recorded: { eventId: "e1" } };
  server.answer(remember, () => ({ memory: { memoryId: "m1" }, ...spooled }));
  server.answer(recordEvent, () => ({ ...step, ...spooled }));
  server.answer(setMemory, () => ({ slot: { key: "/茶" }, ...spooled }));
  server.answer(recall, () => ({ hits: [{ isSpooled: true }] }));
  const written = [
    await client.remember("茶 before dinner"),
    await client.remember("茶 before dinner", { requestId: "mine" }),
    await client.events.record("есть чай?", { sessionId: "s1", actor: "human:ada" }),
    await client.workflows.record("backup", "copy"),
    await client.slots.setMemory("/茶", 1, "chat"),
  ];
  for (const { durability, spoolId } of written) {
    assert.deepEqual({ durability, spoolId }, spooled);
  }
  const { hits } = await client.recall("茶");
  assert.deepEqual(
    hits.map(({ isSpooled }) => isSpooled),
    [true],
  );
  const [{ freshness } = assert.fail()] = server.requests(recall);
  assert.equal(freshness, undefined);
});

test("what was stored before and after it is demanded", async (t) => {
  const { server, client } = await pair(t);
  const memory = { memory: { memoryId: "m1", content: "ชา" } };
  server.answer(
    remember,
    () => ({ ...memory, ...committed }),
    () => ({ ...memory, ...spooled }),
    () => ({ ...memory, ...committed, revision: { token: "r2" } }),
  );
  server.answer(recall, () => ({}));
  const stored = await client.remember("ชา");
  assert.deepEqual([stored.durability, stored.spoolId], [Durability.COMMITTED, undefined]);
  assert.deepEqual(toJson(MemorySchema, stored), { memoryId: "m1", content: "ชา" });
  await client.remember("ชา");
  await client.recall("ชา");
  await client.remember("ชา");
  await client.recall("ชา");
  const demanded = server.requests(recall).map(({ freshness }) => freshness?.requirement.value);
  const revision = { $typeName: "camillo.v1.Revision" };
  assert.deepEqual(demanded, [
    { ...revision, token: "r1" },
    { ...revision, token: "r2" },
  ]);
});

test("a dropped write has nothing but that, and any other has what it wrote", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    remember,
    () => ({ durability: Durability.DROPPED }),
    () => spooled,
  );
  const { durability, spoolId, memoryId } = await client.remember("tea");
  assert.deepEqual([durability, spoolId, memoryId], [Durability.DROPPED, undefined, ""]);
  await assert.rejects(client.remember("tea"), TypeError);
});
