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
      { item: { case: "memory" as const, value: memory }, source: Source.MEMORY },
      { item: { case: "chunk" as const, value: { ...said, eventKind: EventKind.TOOL_RESULT } } },
      { item: { case: "chunk" as const, value: { ...decided, occurredAt } } },
    ],
  }));
  const { hits } = await client.recall("tea", { sources: ["memory", "event", "decision"] });
  const alone = { occurredAt: noon, source: "", citation: undefined, equalRefs: [] };
  assert.deepEqual(hits.map(itemOf), [
    { text: "tea", id: "m1", ref: "m1", kind: "preference", ...alone, source: "memory" },
    { text: "ada: 茶?", id: "c1", ref: "e1", kind: "tool_result", ...alone },
    { text: "Order tea", id: "c2", ref: "d1", kind: "decision", ...alone },
  ]);
});

test("a passage of a document tells where it is, and what says the same", async (t) => {
  const { server, client } = await pair(t);
  const citation = { documentId: "d1", name: "handbook/茶.md", heading: "茶 > 水", byteFrom: 3n };
  const source = Source.DOCUMENT;
  const value = { chunkId: "c1", originId: "d1", text: "80 °C", source, citation };
  server.answer(MemoryService.method.recall, () => ({
    hits: [{ item: { case: "chunk" as const, value }, source, equalRefs: ["m1", "e2"] }],
  }));
  const { hits } = await client.searchMyMemories("水", { limit: 3 });
  const [found] = hits.map(itemOf);
  assert.deepEqual(
    [found?.kind, found?.source, found?.equalRefs, found?.citation?.heading],
    ["document", "document", ["m1", "e2"], "茶 > 水"],
  );
  const [request] = server.requests(MemoryService.method.recall);
  const { MEMORY, AUDIT, WORKFLOW_STEP, DOCUMENT } = Source;
  assert.deepEqual(request?.sources, [MEMORY, AUDIT, WORKFLOW_STEP, DOCUMENT]);
  assert.deepEqual(
    [request?.profile?.profile, request?.limit],
    [{ case: "name", value: "blended" }, 3],
  );
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
    source: "decision",
    citation: undefined,
    equalRefs: [],
  });
});

test("what a newer server found is empty, a kind of it a number", () => {
  const empty = { text: "", id: "", ref: "", kind: "", source: "", equalRefs: [] };
  const unknown = { ...empty, occurredAt: undefined, citation: undefined };
  assert.deepEqual(itemOf(create(RecallHitSchema)), unknown);
  const value = { kind: 77 as MemoryKind };
  assert.equal(itemOf(create(RecallHitSchema, { item: { case: "memory", value } })).kind, "77");
});
