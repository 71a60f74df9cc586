import assert from "node:assert/strict";
import { test } from "node:test";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  LinkMode,
  MemoryService,
  RecallMode,
  TimeMode,
  UnjudgedReason,
  ValidityFilter,
  Verdict,
} from "../src/v1.js";
import { all, pair } from "./pair.js";

const { listContradictions, recall, remember, supersedeMemory } = MemoryService.method;
const MOMENT = new Date("2026-01-02T03:04:05.006Z");

test("a memory says when it is true and what it supersedes", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => ({ memory: {} }));
  const validUntil = new Date(MOMENT.getTime() + 1000);
  await client.remember("tea", { validFrom: MOMENT, validUntil, supersedes: ["m0"] });
  const sent = server.requests(remember)[0]?.memory;
  assert.deepEqual(sent?.validFrom && timestampDate(sent.validFrom), MOMENT);
  assert.deepEqual(sent?.validUntil && timestampDate(sent.validUntil), validUntil);
  assert.deepEqual(sent?.supersedes, ["m0"]);
});

test("a memory takes the place of another", async (t) => {
  const { server, client } = await pair(t);
  server.answer(supersedeMemory, () => ({ memory: { memoryId: "m2" } }));
  const { memory } = await client.supersede("m1", 3, "m2", { since: MOMENT, requestId: "mine" });
  assert.equal(memory?.memoryId, "m2");
  await client.supersede("m1", 3n, "m2");
  const [sent, plain] = server.requests(supersedeMemory);
  assert.deepEqual(
    [sent?.memoryId, sent?.expectedVersion, sent?.successorId, sent?.requestId],
    ["m1", 3n, "m2", "mine"],
  );
  assert.deepEqual(sent?.since && timestampDate(sent.since), MOMENT);
  assert.equal(plain?.since, undefined);
  assert.ok(plain?.requestId);
});

test("contradictions are listed over all pages, some of which have none", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listContradictions,
    () => ({ nextPageToken: "2" }),
    () => ({ contradictions: [{ similarity: 0.5 }] }),
  );
  const listed = await all(client.contradictions({ tagsAny: ["tea"] }, { pageSize: 7 }));
  assert.deepEqual(
    listed.map(({ similarity }) => similarity),
    [0.5],
  );
  const [first, second] = server.requests(listContradictions);
  assert.deepEqual([first?.filter?.tagsAny, first?.pageSize], [["tea"], 7]);
  assert.equal(second?.pageToken, "2");
});

test("a recall says what it belongs to and how time and links count", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  await client.recall("tea", {
    mode: "precise",
    context: { sessionId: "s1", tags: ["drinks"], turns: ["お茶?"] },
    asOf: MOMENT,
    queryTime: MOMENT,
    timeMode: "only",
    linkMode: "ignore",
    rerank: { candidates: 50, budgetMs: 400 },
    filter: { validity: "any" },
  });
  await client.recall("tea", { rerank: true });
  await client.recall("tea", { rerank: false });
  const [sent, reranked, plain] = server.requests(recall);
  assert.deepEqual(
    [sent?.mode, sent?.timeMode, sent?.linkMode, sent?.filter?.validity],
    [RecallMode.PRECISE, TimeMode.ONLY, LinkMode.IGNORE, ValidityFilter.ANY],
  );
  const { sessionId, tags, turns } = sent?.context ?? {};
  assert.deepEqual([sessionId, tags, turns], ["s1", ["drinks"], ["お茶?"]]);
  assert.deepEqual(sent?.asOf && timestampDate(sent.asOf), MOMENT);
  assert.deepEqual(sent?.queryTime && timestampDate(sent.queryTime), MOMENT);
  const { enabled, candidates, budgetMs } = sent?.rerank ?? {};
  assert.deepEqual([enabled, candidates, budgetMs], [true, 50, 400]);
  assert.deepEqual([reranked?.rerank?.enabled, reranked?.rerank?.candidates], [true, 0]);
  assert.equal(plain?.rerank, undefined);
});

test("contradictions are judged where that is asked for", async (t) => {
  const { server, client } = await pair(t);
  const found = {
    contradictions: [{ judgement: { verdict: Verdict.SUPERSEDES, currentId: "m2" } }],
  };
  server.answer(
    listContradictions,
    () => found,
    () => found,
  );
  const [judged] = await all(client.contradictions({}, { judge: true }));
  await all(client.contradictions());
  assert.equal(judged?.judgement?.currentId, "m2");
  assert.deepEqual(
    server.requests(listContradictions).map((request) => request.judge),
    [true, false],
  );
});

test("each page of contradictions says why pairs were not judged", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listContradictions,
    () => ({ degraded: [UnjudgedReason.BUDGET, UnjudgedReason.TIMEOUT], nextPageToken: "2" }),
    () => ({ contradictions: [{ similarity: 0.5 }] }),
  );
  const filter = { tagsAny: ["お茶"] };
  const listed = await all(client.contradictionPages(filter, { judge: true, pageSize: 7 }));
  assert.deepEqual(
    listed.map(({ degraded, contradictions }) => [degraded, contradictions.length]),
    [
      [[UnjudgedReason.BUDGET, UnjudgedReason.TIMEOUT], 0],
      [[], 1],
    ],
  );
  const sent = server.requests(listContradictions);
  assert.deepEqual(
    sent.map(({ filter, judge, pageSize }) => [filter?.tagsAny, judge, pageSize]),
    [
      [["お茶"], true, 7],
      [["お茶"], true, 7],
    ],
  );
});
