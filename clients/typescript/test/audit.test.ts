import assert from "node:assert/strict";
import { test } from "node:test";
import { create, ScopeForbidden, SHARED } from "../src/index.js";
import { AuditHeadSchema, AuditService, MemoryService } from "../src/v1.js";
import { all, first, pair } from "./pair.js";
import { refuse } from "./refusals.js";

const { recordAuditEntry, listAuditEntries, watchAudit, verifyAudit } = AuditService.method;
const { getAuditPolicy, setAuditPolicy } = AuditService.method;
const { recall } = MemoryService.method;

test("an action is entered, and a recall of the trail sees it", async (t) => {
  const kinds: string[] = [];
  const { server, client } = await pair(t, { onRedaction: ({ kind }) => kinds.push(kind) });
  server.answer(recordAuditEntry, () => ({
    actionId: "a1",
    redactions: [{ field: "message", kind: "token" }],
    sharedRevision: { token: "s1" },
  }));
  server.answer(recall, () => ({}));
  const occurredAt = new Date("2026-05-01T12:00:00Z");
  const fields = { meta: { "€": [1, null] }, sessionId: "s", sensitivity: "public", occurredAt };
  const answer = await client.audit.record("invoice.approved", "发票 🧾", fields as never);
  assert.deepEqual([answer.actionId, kinds], ["a1", ["token"]]);
  await client.recall("发票", { sources: ["audit"] });
  const [request] = server.requests(recordAuditEntry);
  assert.equal(request?.agentId, "ada");
  assert.deepEqual(
    [request.action?.action, request.action?.message, request.action?.meta],
    ["invoice.approved", "发票 🧾", { "€": [1, null] }],
  );
  assert.deepEqual([request.action?.sessionId, request.action?.sensitivity], ["s", 1]);
  assert.equal(request.action?.occurredAt?.seconds, 1_777_636_800n);
  const [{ freshness, sharedFreshness } = assert.fail()] = server.requests(recall);
  assert.equal(freshness, undefined);
  assert.deepEqual(sharedFreshness?.requirement.value, {
    $typeName: "camillo.v1.Revision",
    token: "s1",
  });
});

test("entries are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listAuditEntries,
    () => ({ entries: [{ position: 2n }], nextPageToken: "2" }),
    () => ({ entries: [{ position: 1n }] }),
  );
  const conditions = { scopeAgentId: SHARED, method: "MemoryService/", atFrom: new Date(0) };
  const listed = await all(client.audit.list(conditions, { pageSize: 1 }));
  assert.deepEqual(
    listed.map(({ position }) => position),
    [2n, 1n],
  );
  const [request] = server.requests(listAuditEntries);
  assert.deepEqual(
    [request?.filter?.scopeAgentId, request?.filter?.method, request?.pageSize],
    [SHARED, "MemoryService/", 1],
  );
  assert.equal(request?.filter?.atFrom?.seconds, 0n);
});

test("a watch of the trail goes on behind the last change handed out", async (t) => {
  const { server, client } = await pair(t);
  server.stream(
    watchAudit,
    async function* () {
      yield { change: { entry: { position: 1n }, resumeToken: "1" } };
      refuse({ code: "UNAVAILABLE" })();
    },
    async function* () {
      yield { change: { resumeToken: "2" } };
    },
  );
  const changes = await first(client.audit.watch({ credential: "k1" }, { resumeToken: "0" }), 2);
  assert.deepEqual(
    changes.map(({ entry }) => entry?.position),
    [1n, undefined],
  );
  assert.deepEqual(
    server.requests(watchAudit).map(({ filter, resumeToken }) => [filter?.credential, resumeToken]),
    [
      ["k1", "0"],
      ["k1", "1"],
    ],
  );
});

test("chains are checked against heads that are known", async (t) => {
  const { server, client } = await pair(t);
  server.stream(verifyAudit, async function* () {
    yield { head: { agentId: "ada", position: 7n }, entries: 7n };
    yield { head: { agentId: "bob", position: 1n }, problems: [{ position: 1n, kind: 2 }] };
  });
  const known = create(AuditHeadSchema, { agentId: "ada", position: 3n, hash: new Uint8Array(32) });
  const found = await all(client.audit.verify([known]));
  assert.deepEqual(
    found.map(({ problems }) => problems.length),
    [0, 1],
  );
  const [head] = server.requests(verifyAudit)[0]?.knownHeads ?? [];
  assert.deepEqual([head?.agentId, head?.position, head?.hash.length], ["ada", 3n, 32]);
});

test("the policy is read and set, or is another's to set", async (t) => {
  const { server, client } = await pair(t);
  server.answer(getAuditPolicy, () => ({ policy: { retentionDays: 90 } }));
  server.answer(
    setAuditPolicy,
    ({ policy }) => ({ policy: policy ?? {} }),
    refuse({ code: "PERMISSION_DENIED", reason: "SCOPE_FORBIDDEN" }),
  );
  assert.equal((await client.audit.policy()).retentionDays, 90);
  const set = await client.audit.setPolicy({ retentionDays: 365, auditReads: true });
  assert.deepEqual([set.retentionDays, set.auditReads], [365, true]);
  await assert.rejects(client.audit.setPolicy({}), ScopeForbidden);
});
