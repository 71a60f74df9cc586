import assert from "node:assert/strict";
import { test } from "node:test";
import { create, itemOf, timestampFromDate } from "../src/index.js";
import {
  EventKind,
  FoundDecisionSchema,
  MemoryKind,
  MemoryService,
  RecallHitSchema,
  Source,
} from "../src/v1.js";
import { pair } from "./pair.js";

const noon = new Date("2026-05-01T12:00:00Z");
const occurredAt = timestampFromDate(noon);

test("a memory, a passage and a decision are read the same way", async (t) => {
  const { server, client } = await pair(t);
  const memory = { memoryId: "m1", content: "tea", kind: MemoryKind.PREFERENCE, occurredAt };
  const said = { chunkId: "c1", originId: "e1", text: "ada: 茶?", occurredAt };
  const decided = { chunkId: "c2", originId: "d1", text: "Order tea", source: Source.DECISION };
  server.answer(MemoryService.method.recall, () => ({
    hits: [
      { item: { case: "memory" as const, value: memory } },
      { item: { case: "chunk" as const, value: { ...said, eventKind: EventKind.TOOL_RESULT } } },
      { item: { case: "chunk" as const, value: { ...decided, occurredAt } } },
    ],
  }));
  const { hits } = await client.recall("tea", { sources: ["memory", "event", "decision"] });
  assert.deepEqual(hits.map(itemOf), [
    { text: "tea", id: "m1", ref: "m1", kind: "preference", occurredAt: noon },
    { text: "ada: 茶?", id: "c1", ref: "e1", kind: "tool_result", occurredAt: noon },
    { text: "Order tea", id: "c2", ref: "d1", kind: "decision", occurredAt: noon },
  ]);
});

test("a decision that was found is read the same way", () => {
  const stated = { decision: "Order tea", decidedAt: occurredAt };
  const found = create(FoundDecisionSchema, { decision: { decisionId: "d1", stated } });
  assert.deepEqual(itemOf(found), {
    text: "Order tea",
    id: "d1",
    ref: "d1",
    kind: "decision",
    occurredAt: noon,
  });
});

test("what a newer server found is empty, a kind of it a number", () => {
  const unknown = { text: "", id: "", ref: "", kind: "", occurredAt: undefined };
  assert.deepEqual(itemOf(create(RecallHitSchema)), unknown);
  const value = { kind: 77 as MemoryKind };
  assert.equal(itemOf(create(RecallHitSchema, { item: { case: "memory", value } })).kind, "77");
});
