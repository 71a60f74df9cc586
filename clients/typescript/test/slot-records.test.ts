import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, SlotRecords, slotName } from "../src/index.js";
import { LifecycleService, SlotService } from "../src/v1.js";
import { all, pair } from "./pair.js";
import { refuse } from "./refusals.js";

const { batchSetMemory, listSlots, listSlotHistory } = SlotService.method;

test("names of keys are those of the Python client", () => {
  assert.deepEqual(["a/b", "é", "it's (a*)!", ""].map(slotName), [
    "=a%2Fb",
    "=%C3%A9",
    "=it%27s%20%28a%2A%29%21",
    "=",
  ]);
  assert.equal(slotName("a".repeat(199)), `=${"a".repeat(199)}`);
  // The SHA-256 of the text.
  assert.equal(
    slotName("a".repeat(200)),
    "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5",
  );
  assert.throws(() => slotName("\ud83d"), TypeError);
});

test("a record is read as it was written, from the newest version", async (t) => {
  const { server, client } = await pair(t);
  const records = new SlotRecords(client, "test");
  const stored: JsonObject[] = [];
  server.answer(batchSetMemory, ({ slots }) => {
    stored.push(...slots.map(({ key, jsonContent }) => ({ key, jsonContent })));
    return { results: stored.map((slot) => ({ slot })) };
  });
  server.answer(listSlots, () => ({ entries: stored.map((slot) => ({ slot })) }));
  const text = "茶 and תה".repeat(3);
  await records.write([await records.slot("/test/=a", Buffer.from(text), 3n, ["t"])]);
  const [sent] = server.requests(batchSetMemory);
  assert.deepEqual([sent?.slots[0]?.ifVersion, sent?.slots[0]?.unindexed], [3n, true]);
  const [found] = await all(records.below("/test", 5, ["t"]));
  assert.ok(found);
  assert.deepEqual(JSON.parse(found.jsonContent).tags, ["t"]);
  const [asked] = server.requests(listSlots);
  assert.deepEqual([asked?.pageSize, asked?.tagsAny], [5, ["t"]]);
  assert.equal(Buffer.from(await records.data(found)).toString(), text);
  server.answer(listSlotHistory, refuse({ code: "NOT_FOUND", reason: "SLOT_NOT_FOUND" }), () => ({
    versions: [{ key: "/test/=a", version: 7n }],
  }));
  assert.equal(await records.newest("/test/=a"), undefined);
  assert.equal((await records.newest("/test/=a"))?.version, 7n);
});

test("a record that was redacted is refused, and one that is gone takes its artifacts along", async (t) => {
  const { server, client } = await pair(t);
  const records = new SlotRecords(client, "test");
  server.answer(batchSetMemory, () => ({ results: [{ slot: { jsonContent: "{}" } }] }));
  const slot = await records.slot("/test/=a", Buffer.from("a"));
  await assert.rejects(records.write([slot]), /look like a secret/);
  const { forget } = LifecycleService.method;
  server.answer(forget, () => ({}));
  const jsonContent = JSON.stringify({ tags: ["artifact:a1", "other"] });
  server.answer(listSlots, () => ({ entries: [{ slot: { slotId: "s1", jsonContent } }] }));
  await records.forget(await all(records.below("/test")));
  const [request] = server.requests(forget);
  const gone = request?.selector.case === "records" ? request.selector.value : undefined;
  assert.deepEqual([gone?.slotIds, gone?.artifactIds], [["s1"], ["a1"]]);
});
