import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CamilloError,
  create,
  enumName,
  InvalidField,
  newMemory,
  Unavailable,
} from "../src/index.js";
import {
  type ImportMemoriesRequest,
  MemoryKindSchema,
  MemorySchema,
  MemoryService,
  RevisionSchema,
} from "../src/v1.js";
import { all, pair } from "./pair.js";
import { refuse, rpcStatus } from "./refusals.js";

const { remember, batchRemember, recall, batchRecall } = MemoryService.method;
const { updateMemory, forgetMemories, listMemories, importMemories } = MemoryService.method;

test("what is said of a memory arrives", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => ({ memory: { memoryId: "m1", version: 1n } }));
  const occurredAt = new Date("2026-01-02T03:04:05.006Z");
  const memory = await client.remember("Ada prefers tea", {
    kind: "task_outcome",
    tags: ["drinks"],
    importance: 0,
    metadata: { cups: 2, hot: true },
    occurredAt,
    sensitivity: "restricted",
    vector: new Float32Array([1, 2]),
    sessionId: "s1",
    requestId: "r1",
  });
  assert.equal(memory.memoryId, "m1");
  const [request] = server.requests(remember);
  const sent = request?.memory;
  assert.deepEqual([request?.requestId, sent?.content, sent?.kind], ["r1", "Ada prefers tea", 4]);
  assert.deepEqual([sent?.tags, sent?.importance, sent?.sensitivity], [["drinks"], 0, 4]);
  assert.deepEqual([sent?.metadata, sent?.vector?.values], [{ cups: 2, hot: true }, [1, 2]]);
  assert.deepEqual([sent?.occurredAt?.seconds, sent?.occurredAt?.nanos], [1767323045n, 6_000_000]);
});

test("a kind that is none is refused before it is sent", async (t) => {
  const { server, client } = await pair(t);
  await assert.rejects(
    client.remember("tea", { kind: "teapot" as never }),
    /none of fact, preference/,
  );
  assert.equal(server.calls.length, 0);
});

test("secrets that were taken out are told", async (t) => {
  const told: string[] = [];
  const { server, client } = await pair(t, { onRedaction: ({ kind }) => told.push(kind) });
  server.answer(remember, () => ({
    memory: {},
    redactions: [{ field: "content", kind: "token" }],
  }));
  await client.remember("my token");
  assert.deepEqual(told, ["token"]);
});

test("many memories are sent in batches, each with its own outcome", async (t) => {
  const { server, client } = await pair(t);
  const invalid = rpcStatus({ code: "INVALID_ARGUMENT", reason: "INVALID_FIELD" });
  server.answer(batchRemember, ({ memories }) => ({
    results: memories.map(({ content }) =>
      content === ""
        ? { outcome: { case: "error" as const, value: invalid } }
        : { outcome: { case: "memory" as const, value: { content } } },
    ),
  }));
  const many = [newMemory("tea", { pinned: true }), "", ...Array<string>(1100).fill("milk")];
  const outcomes = await client.rememberMany(many, { requestId: "r1" });
  assert.equal(outcomes.length, 1102);
  assert.ok(outcomes[1] instanceof InvalidField);
  assert.equal(outcomes.filter((outcome) => outcome instanceof CamilloError).length, 1);
  const requests = server.requests(batchRemember);
  assert.deepEqual(
    requests.map(({ memories }) => memories.length),
    [1000, 102],
  );
  assert.deepEqual(
    requests.map(({ requestId }) => requestId),
    ["r1", "r1.1"],
  );
});

test("an outcome of a newer server is an error in its place", async (t) => {
  const { server, client } = await pair(t);
  const stored = { outcome: { case: "memory" as const, value: { content: "milk" } } };
  server.answer(batchRemember, () => ({ results: [{}, stored] }));
  server.answer(batchRecall, () => ({ results: [{}] }));
  const [unknown, memory] = await client.rememberMany(["tea", "milk"]);
  assert.ok(unknown instanceof CamilloError);
  assert.ok(memory && "content" in memory && memory.content === "milk");
  const [answer] = await client.recallMany(["tea"]);
  assert.ok(answer instanceof CamilloError);
});

test("a text is not taken for several", async (t) => {
  const { server, client } = await pair(t);
  for (const failing of [client.rememberMany("secret"), client.recallMany("secret")]) {
    await assert.rejects(
      failing,
      (error) => error instanceof TypeError && !/secret/.test(error.message),
    );
  }
  assert.equal(server.calls.length, 0);
});

test("batches stay below what a server takes in one message", async (t) => {
  const { server, client } = await pair(t);
  server.answer(batchRemember, () => ({}));
  await client.rememberMany(Array<string>(5).fill("tea ".repeat(250_000)));
  const sizes = server.requests(batchRemember).map(({ memories }) => memories.length);
  assert.deepEqual(sizes, [3, 2]);
});

test("a batch that fails as a whole can be repeated from the beginning", async (t) => {
  const { server, client } = await pair(t);
  server.answer(batchRemember, () => ({}), refuse({ code: "UNAVAILABLE" }));
  const failing = client.rememberMany(Array<string>(1001).fill("tea"));
  const error = await failing.catch((reason: unknown) => reason);
  assert.ok(error instanceof Unavailable);
  assert.equal(error.requestId, server.requests(batchRemember)[0]?.requestId);
});

test("a recall says what it looks for", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({ hits: [{ score: 0.5 }] }));
  const filter = { tagsAny: ["drinks"], kinds: ["fact" as const] };
  const { hits } = await client.recall("tea", {
    limit: 3,
    filter,
    profile: "evidence",
    sources: ["event"],
  });
  await client.recall("", { vector: [1, 2] });
  assert.equal(hits.length, 1);
  const [text, vector] = server.requests(recall);
  assert.deepEqual([text?.query.value, text?.limit, text?.sources], ["tea", 3, [2]]);
  assert.deepEqual([text?.filter?.tagsAny, text?.filter?.kinds], [["drinks"], [1]]);
  assert.equal(text?.profile?.profile.value, "evidence");
  assert.equal(vector?.query.case, "vector");
  await assert.rejects(client.recall(""), TypeError);
  await assert.rejects(client.recall("tea", { vector: [1] }), TypeError);
});

test("an update names what it changes, also what gets its default", async (t) => {
  const { server, client } = await pair(t);
  server.answer(updateMemory, () => ({ memory: { version: 3n } }));
  const changed = await client.update("m1", 2n, { sessionId: "s1", importance: null, tags: [] });
  assert.equal(changed.version, 3n);
  const [request] = server.requests(updateMemory);
  assert.deepEqual(request?.updateMask?.paths, ["session_id", "importance", "tags"]);
  assert.deepEqual([request?.expectedVersion, request?.memory?.sessionId], [2n, "s1"]);
  assert.equal(request?.memory?.importance, undefined);
});

test("memories are forgotten by ids or by filter", async (t) => {
  const { server, client } = await pair(t);
  server.answer(forgetMemories, () => ({ forgotten: 1n }));
  await client.forget(["m1"], { includeEvents: true });
  await client.forget({ tagsAll: ["tea"] }, { dryRun: true });
  const [byIds, byFilter] = server.requests(forgetMemories);
  assert.deepEqual([byIds?.selector.case, byIds?.includeEvents], ["memoryIds", true]);
  assert.deepEqual([byFilter?.selector.case, byFilter?.dryRun], ["filter", true]);
});

test("memories are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listMemories,
    () => ({ memories: [{ content: "tea" }, { content: "milk" }], nextPageToken: "2" }),
    () => ({ memories: [{ content: "sugar" }] }),
  );
  const listed = await all(
    client.memories({ minImportance: 0.5, archived: "only" }, { pageSize: 2 }),
  );
  assert.deepEqual(
    listed.map(({ content }) => content),
    ["tea", "milk", "sugar"],
  );
  const [first, second] = server.requests(listMemories);
  assert.deepEqual([first?.pageToken, second?.pageToken, second?.pageSize], ["", "2", 2]);
  assert.deepEqual([second?.filter?.minImportance, second?.filter?.archived], [0.5, 3]);
});

test("a method without pages has none", async (t) => {
  const { client } = await pair(t);
  await assert.rejects(all(client.pages(recall, {})), TypeError);
});

test("values of a newer server do no harm", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => ({ memory: { kind: 99 as never } }));
  const { kind } = await client.remember("tea");
  assert.equal(enumName(MemoryKindSchema, kind), "99");
  assert.equal(enumName(MemoryKindSchema, 4), "task_outcome");
});

test("memories are imported in batches, and later reads see them", async (t) => {
  const told: string[] = [];
  const { server, client } = await pair(t, { onRedaction: ({ kind }) => told.push(kind) });
  const taken: ImportMemoriesRequest[] = [];
  server.take(importMemories, async (requests) => {
    for await (const request of requests) {
      taken.push(request);
    }
    return { imported: 1001n, redactions: { token: 2n }, revision: { token: "r7" } };
  });
  server.answer(listMemories, () => ({}));
  const many = Array.from({ length: 1001 }, (_, n) => create(MemorySchema, { content: `${n} 茶` }));
  const { imported } = await client.importMemories(many, { onConflict: "replace" });
  assert.deepEqual([imported, told], [1001n, ["token"]]);
  assert.deepEqual(
    taken.map(({ agentId, onConflict, memories }) => [agentId, onConflict, memories.length]),
    [
      ["ada", 2, 1000],
      ["ada", 2, 1],
    ],
  );
  await all(client.memories({ metadataConditions: { n: { gte: 1 }, state: { in: ["öffen"] } } }));
  const [request] = server.requests(listMemories);
  assert.deepEqual(request?.freshness?.requirement.value, {
    ...create(RevisionSchema),
    token: "r7",
  });
  assert.deepEqual(
    request?.filter?.metadataConditions.map(({ key, value }) => [key, value]),
    [
      ["n", { gte: 1 }],
      ["state", { in: ["öffen"] }],
    ],
  );
});
