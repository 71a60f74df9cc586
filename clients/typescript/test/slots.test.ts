import assert from "node:assert/strict";
import { test } from "node:test";
import {
  newSlot,
  ProvenanceRequired,
  SHARED,
  SlotNotFound,
  VersionConflict,
} from "../src/index.js";
import { SlotService, SnapshotService } from "../src/v1.js";
import { all, first, pair } from "./pair.js";
import { refuse } from "./refusals.js";

const { setMemory, batchSetMemory, getSlot, listSlots, listSlotHistory, restoreSlot, watchSlots } =
  SlotService.method;
const KEY = "/user/calendar/2026-02-23_10-00_牙科复诊";

test("JSON text is sent as it is, and other values as their JSON", async (t) => {
  const { server, client } = await pair(t);
  server.answer(setMemory, ({ jsonContent }) => ({ slot: { key: KEY, jsonContent } }));
  const text = '{"b": 1.0,  "a": "e\u0301 שלום 🍵"}\n';
  assert.equal((await client.slots.setMemory(KEY, text, "chat")).jsonContent, text);
  await client.slots.setMemory(KEY, { text: "牙科", n: 1 }, "chat");
  await client.slots.setMemory(KEY, null, "chat", { ifVersion: 0, sensitivity: "public" });
  const sent = server.requests(setMemory);
  assert.deepEqual(
    sent.map(({ jsonContent }) => jsonContent),
    [text, '{"text":"牙科","n":1}', "null"],
  );
  assert.deepEqual(
    sent.map(({ ifVersion, sensitivity }) => [ifVersion, sensitivity]),
    [
      [undefined, 0],
      [undefined, 0],
      [0n, 1],
    ],
  );
  assert.deepEqual(sent[0]?.source?.stated, { case: "text", value: "chat" });
  assert.equal(new Set(sent.map(({ requestId }) => requestId)).size, 3);
});

test("a provenance is sent whole", async (t) => {
  const { server, client } = await pair(t);
  server.answer(setMemory, () => ({ slot: { key: "/kb/tea" } }));
  const retrievedAt = new Date("2026-02-22T10:00:00Z");
  const locator = { url: "https://example.com/茶", at: [1, { b: null }] };
  const page = { kind: "web", name: "example.com", retrievedAt, locator } as const;
  await client.slots.setMemory("/kb/tea", "1", page, { agentId: SHARED });
  const [request] = server.requests(setMemory);
  assert.equal(request?.agentId, SHARED);
  assert.equal(request?.source?.stated.case, "provenance");
  const { kind, name, locator: sent } = request.source.stated.value;
  assert.deepEqual([kind, name, sent], [5, "example.com", locator]);
  assert.equal(
    request.source.stated.value.retrievedAt?.seconds,
    BigInt(retrievedAt.getTime() / 1000),
  );
  await assert.rejects(
    client.slots.setMemory("/kb", "1", { kind: "rumour" as never }),
    /none of user/,
  );
});

test("what a slot is refused for is typed", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    setMemory,
    refuse({
      code: "FAILED_PRECONDITION",
      reason: "PROVENANCE_REQUIRED",
      metadata: { missing: "locator" },
    }),
    refuse({
      code: "ABORTED",
      reason: "VERSION_CONFLICT",
      metadata: { expected_version: "1", actual_version: "2" },
    }),
  );
  server.answer(getSlot, refuse({ code: "NOT_FOUND", reason: "SLOT_NOT_FOUND" }));
  await assert.rejects(
    client.slots.setMemory("/kb/tea", "1", "chat"),
    (error) => error instanceof ProvenanceRequired && error.metadata.missing === "locator",
  );
  await assert.rejects(
    client.slots.setMemory(KEY, "1", "chat", { ifVersion: 1n }),
    (error) => error instanceof VersionConflict && error.actual === 2n,
  );
  await assert.rejects(client.slots.get(KEY, { channel: "team", shared: true }), SlotNotFound);
  const [request] = server.requests(getSlot);
  assert.deepEqual([request?.key, request?.channel, request?.shared], [KEY, 3, true]);
});

test("slots and versions are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listSlots,
    () => ({ entries: [{ key: "/user/a" }, { key: "/user/b" }], nextPageToken: "2" }),
    () => ({ entries: [{ key: "/user/c", isDirectory: true }] }),
  );
  server.answer(
    listSlotHistory,
    () => ({ versions: [{ version: 2n }], nextPageToken: "1" }),
    () => ({ versions: [{ version: 1n, valid: true }] }),
  );
  const since = new Date("2026-02-23T18:00:00Z");
  const conditions = { oneLevel: true, types: ["reminder"], tagsAny: ["牙"], triggerBefore: since };
  const listed = await all(
    client.slots.list("/user", { ...conditions, channel: "public", pageSize: 2, agentId: "bob" }),
  );
  assert.deepEqual(
    listed.map(({ key }) => key),
    ["/user/a", "/user/b", "/user/c"],
  );
  const sent = server.requests(listSlots);
  assert.deepEqual(
    sent.map(({ agentId, prefix, oneLevel, types, tagsAny, channel, pageSize, pageToken }) => [
      agentId,
      prefix,
      oneLevel,
      types,
      tagsAny,
      channel,
      pageSize,
      pageToken,
    ]),
    ["", "2"].map((token) => ["bob", "/user", true, ["reminder"], ["牙"], 1, 2, token]),
  );
  assert.equal(sent[0]?.triggerBefore?.seconds, BigInt(since.getTime() / 1000));
  const versions = await all(client.slots.history(KEY, { pageSize: 1, shared: true }));
  assert.deepEqual(
    versions.map(({ version }) => version),
    [2n, 1n],
  );
  assert.deepEqual(
    server.requests(listSlotHistory).map(({ key, shared, pageToken }) => [key, shared, pageToken]),
    [
      [KEY, true, ""],
      [KEY, true, "1"],
    ],
  );
});

test("an earlier version is written again", async (t) => {
  const { server, client } = await pair(t);
  server.answer(restoreSlot, () => ({ slot: { version: 3n } }));
  assert.equal((await client.slots.restore(KEY, 1, { ifVersion: 2 })).version, 3n);
  const [request] = server.requests(restoreSlot);
  assert.deepEqual([request?.key, request?.version, request?.ifVersion], [KEY, 1n, 2n]);
  assert.ok(request?.requestId);
});

test("a watch of slots goes on behind the last change handed out", async (t) => {
  const { server, client } = await pair(t);
  const written = (resumeToken: string) =>
    ({ change: { resumeToken, change: { case: "written", value: { key: KEY } } } }) as const;
  server.stream(
    watchSlots,
    async function* () {
      yield written("1");
      refuse({ code: "UNAVAILABLE" })();
    },
    async function* () {
      yield written("2");
    },
  );
  const triggersAfter = new Date("2026-02-23T18:00:00Z");
  const options = { fromBeginning: true, shared: true, channel: "team", triggersAfter } as const;
  const changes = await first(client.slots.watch("/user", options), 2);
  assert.deepEqual(
    changes.map(({ change }) => change.case === "written" && change.value.key),
    [KEY, KEY],
  );
  const [begun, resumed] = server.requests(watchSlots);
  assert.deepEqual([begun?.prefix, begun?.shared, begun?.channel], ["/user", true, 3]);
  assert.equal(begun?.triggersAfter?.seconds, BigInt(triggersAfter.getTime() / 1000));
  assert.deepEqual(resumed?.start, { case: "resumeToken", value: "1" });
});

test("a digest is asked for in the words of the contract", async (t) => {
  const { server, client } = await pair(t);
  const { buildDigest } = SnapshotService.method;
  server.answer(buildDigest, () => ({ bundle: { prompt: "- user/style 茶" } }));
  const currentTime = new Date("2026-02-23T18:00:00Z");
  const digest = await client.context.digest({ tokenLimit: 100, tags: ["茶"], currentTime });
  assert.equal(digest.prompt, "- user/style 茶");
  const [request] = server.requests(buildDigest);
  assert.deepEqual([request?.tokenLimit, request?.tags], [100, ["茶"]]);
  assert.equal(request?.currentTime?.seconds, BigInt(currentTime.getTime() / 1000));
});

test("many slots are written in batches, each whole", async (t) => {
  const { server, client } = await pair(t);
  server.answer(batchSetMemory, ({ slots }) => ({
    results: slots.map(({ key, jsonContent }) => ({ slot: { key, jsonContent } })),
  }));
  const slots = Array.from({ length: 101 }, (_, n) =>
    newSlot(`/a/${n}`, { n }, "chat", { ifVersion: n, unindexed: true }),
  );
  const written = await client.slots.setMany(slots, { requestId: "r1" });
  assert.deepEqual([written.length, written[100]?.jsonContent], [101, '{"n":100}']);
  const sent = server.requests(batchSetMemory);
  assert.deepEqual(
    sent.map(({ requestId, slots: [first] }) => [requestId, first?.ifVersion, first?.unindexed]),
    [
      ["r1", 0n, true],
      ["r1.1", 100n, true],
    ],
  );
  server.answer(batchSetMemory, refuse({ code: "ABORTED", reason: "VERSION_CONFLICT" }));
  await assert.rejects(client.slots.setMany([newSlot("/a", null, "chat")]), VersionConflict);
});
