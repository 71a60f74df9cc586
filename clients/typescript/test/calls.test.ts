import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { Cancelled, connect, DeadlineExceeded, Overloaded, Unavailable } from "../src/index.js";
import {
  AdminService,
  ArtifactService,
  CreateKeyRequestSchema,
  LifecycleService,
  MemoryService,
  RunService,
} from "../src/v1.js";
import { all, pair } from "./pair.js";
import { refuse } from "./refusals.js";
import type { Received } from "./scripted-server.js";

const { remember, recall, getMemory, exportMemories, updateMemory } = MemoryService.method;
const UNAVAILABLE = refuse({ code: "UNAVAILABLE", message: "away" });
const stored = () => ({ memory: { memoryId: "m1" } });

test("the key is sent as a bearer token and the scope as a digest", async (t) => {
  const { server, client } = await pair(t, { key: " secret\n" });
  server.answer(recall, () => ({}));
  await client.recall("tea");
  await client.recall("tea", { agentId: "bob" });
  const [own, other] = server.received(recall);
  assert.equal(own?.metadata.authorization, "Bearer secret");
  assert.match(own?.metadata["user-agent"] ?? "", /^camillo-client\//);
  assert.equal(own?.metadata["camillo-scope"], scope("secret\0ada"));
  assert.equal(other?.metadata["camillo-scope"], scope("secret\0bob"));
});

test("without a key none is sent, and the scope is that of the agent", async (t) => {
  const { server, client } = await pair(t, { key: "" });
  server.answer(recall, () => ({}));
  await client.recall("tea");
  const [call] = server.received(recall);
  assert.equal(call?.metadata.authorization, undefined);
  assert.equal(call?.metadata["camillo-scope"], scope("\0ada"));
});

test("streams and uploads carry the credential and the scope, too", async (t) => {
  const { server, client } = await pair(t);
  server.stream(exportMemories, async function* () {});
  server.take(ArtifactService.method.putArtifact, async () => ({ artifact: {} }));
  await all(client.stream(exportMemories, { agentId: "bob" }));
  await client.artifacts.put("tea");
  const [exported, put] = server.calls;
  assert.equal(exported?.metadata.authorization, "Bearer secret");
  assert.equal(exported?.metadata["camillo-scope"], scope("secret\0bob"));
  assert.equal(put?.metadata["camillo-scope"], scope("secret\0ada"));
});

test("a bare stub carries the credential and the scope", async (t) => {
  const { server, client } = await pair(t);
  server.answer(getMemory, () => ({}));
  await client.stub(MemoryService).getMemory({ agentId: "bob", memoryId: "m1" });
  const [call] = server.received(getMemory);
  assert.equal(call?.metadata.authorization, "Bearer secret");
  assert.equal(call?.metadata["camillo-scope"], scope("secret\0bob"));
});

test("an agent and a request id are filled in where the caller gives none", async (t) => {
  const { server, client } = await pair(t);
  server.answer(RunService.method.startRun, () => ({}));
  const { startRun } = RunService.method;
  await client.call(startRun, {});
  await client.call(startRun, { agentId: "bob", requestId: "r1" });
  await client.call(startRun, {}, { agentId: "" });
  const [filled, given, shared] = server.requests(startRun);
  assert.equal(filled?.agentId, "ada");
  assert.match(filled?.requestId ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual([given?.agentId, given?.requestId, shared?.agentId], ["bob", "r1", ""]);
});

test("an agent is not filled in where it would be another choice", async (t) => {
  const { server, client } = await pair(t);
  server.answer(AdminService.method.deleteAgent, () => ({}));
  server.answer(AdminService.method.createKey, () => ({}));
  await client.call(AdminService.method.deleteAgent, { confirmAgentId: "bob" });
  await client.call(AdminService.method.createKey, {});
  assert.equal(server.requests(AdminService.method.deleteAgent)[0]?.agentId, "");
  server.answer(LifecycleService.method.getUsage, () => ({}));
  await client.call(LifecycleService.method.getUsage, { allScopes: true });
  assert.equal(server.requests(LifecycleService.method.getUsage)[0]?.agentId, "");
  const [key] = server.requests(AdminService.method.createKey);
  assert.deepEqual(key?.reach, create(CreateKeyRequestSchema).reach);
});

test("a request of the caller is left as it is", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => ({ revision: { token: "r1" } }));
  server.answer(recall, () => ({}));
  const request = create(recall.input, { query: { case: "text", value: "tea" } });
  await client.call(remember, {});
  await client.call(recall, request);
  assert.equal(request.agentId, "");
  assert.equal(request.freshness, undefined);
});

test("a mutation is retried under one request id", async (t) => {
  const { server, client, pauses } = await pair(t);
  server.answer(remember, UNAVAILABLE, UNAVAILABLE, stored);
  assert.equal((await client.remember("tea")).memoryId, "m1");
  const ids = server.requests(remember).map(({ requestId }) => requestId);
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(pauses.map((pause) => Math.round(pause / 100)).length, 2);
});

test("each pause is three times the one before, a fifth more or less", async (t) => {
  const { server, client, pauses } = await pair(t);
  server.answer(recall, UNAVAILABLE);
  await assert.rejects(client.recall("tea"), Unavailable);
  assert.equal(pauses.length, 3);
  for (const [place, middle] of [100, 300, 900].entries()) {
    const pause = pauses[place] ?? 0;
    assert.ok(pause >= middle * 0.8 && pause <= middle * 1.2, `${pause} is not about ${middle}`);
  }
});

test("an unavailable server is asked again when it says", async (t) => {
  const { server, client, pauses } = await pair(t);
  const draining = refuse({
    code: "UNAVAILABLE",
    reason: "SERVER_DRAINING",
    retryAfterSeconds: 1.5,
  });
  server.answer(recall, draining, () => ({}));
  await client.recall("tea");
  assert.deepEqual(pauses, [1500]);
});

test("nothing else is retried", async (t) => {
  const { server, client, pauses } = await pair(t);
  server.answer(recall, refuse({ code: "INTERNAL" }));
  server.answer(updateMemory, refuse({ code: "ABORTED", reason: "VERSION_CONFLICT" }));
  await assert.rejects(client.recall("tea"));
  await assert.rejects(client.update("m1", 1, { content: "tea" }));
  assert.equal(server.calls.length, 2);
  assert.deepEqual(pauses, []);
});

test("a method that the service config does not name is tried once", async (t) => {
  const { server, client } = await pair(t);
  server.stream(exportMemories, UNAVAILABLE);
  await assert.rejects(all(client.stream(exportMemories, {})), Unavailable);
  assert.equal(server.calls.length, 1);
});

test("an overloaded server is asked again when it says, three times at most", async (t) => {
  const { server, client, pauses } = await pair(t);
  const overloaded = { code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED" } as const;
  server.answer(recall, refuse({ ...overloaded, retryAfterSeconds: 0.25 }));
  await assert.rejects(client.recall("tea"), Overloaded);
  assert.deepEqual(pauses, [250, 250, 250]);
  server.answer(recall, refuse(overloaded));
  await assert.rejects(client.recall("tea"), Overloaded);
  assert.equal(server.calls.length, 5);
});

test("nothing is waited for past the deadline", async (t) => {
  const { server, client, pauses } = await pair(t);
  const late = { retryAfterSeconds: 30 };
  server.answer(
    recall,
    refuse({ code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED", ...late }),
    refuse({ code: "UNAVAILABLE", ...late }),
  );
  await assert.rejects(client.recall("tea"), Overloaded);
  await assert.rejects(client.recall("tea"), Unavailable);
  assert.deepEqual(pauses, []);
});

test("a call has ten seconds unless told otherwise, a stream has no end", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  server.stream(exportMemories, async function* () {});
  await client.recall("tea");
  await client.recall("tea", { timeoutMs: 3000 });
  await all(client.stream(exportMemories, {}));
  const [usual, short, stream] = server.calls.map(({ seconds }) => seconds);
  assert.ok(usual && usual > 8 && usual <= 10.5);
  assert.ok(short && short > 2 && short <= 3.5);
  assert.equal(stream, Number.POSITIVE_INFINITY);
});

test("a call may have all the time there is", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  await client.recall("tea", { timeoutMs: Number.POSITIVE_INFINITY });
  assert.ok((server.calls[0]?.seconds ?? 0) > 99_000);
});

test("repetitions have what is left of the time", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, UNAVAILABLE, () => ({}));
  await client.recall("tea", { timeoutMs: 5000 });
  const [before, after] = server.received(recall).map(({ seconds }) => seconds);
  assert.ok(before && after && after <= before + 0.1);
});

test("a server that takes too long is a typed error with the request id", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, ((_: unknown, { left }: Received) => left) as never);
  const failing = client.remember("tea", { timeoutMs: 100, requestId: "r1" });
  await assert.rejects(
    failing,
    (error) => error instanceof DeadlineExceeded && error.requestId === "r1",
  );
});

test("a call is not sent when its time has passed", async (t) => {
  const { server, client } = await pair(t);
  for (const timeoutMs of [0, -1, Number.NaN]) {
    await assert.rejects(client.recall("tea", { timeoutMs }), DeadlineExceeded);
    await assert.rejects(all(client.stream(exportMemories, {}, { timeoutMs })), DeadlineExceeded);
  }
  assert.equal(server.calls.length, 0);
});

test("a caller that gives up cancels the call", async (t) => {
  const { server, client } = await pair(t);
  const giveUp = new AbortController();
  const arrived = new Promise<Received>((resolve) => {
    server.answer(recall, ((_: unknown, received: Received) => {
      resolve(received);
      return received.left;
    }) as never);
  });
  const failing = assert.rejects(client.recall("tea", { signal: giveUp.signal }), Cancelled);
  const { left } = await arrived;
  giveUp.abort();
  await failing;
  await left;
});

test("leaving a stream cancels it at the server", async (t) => {
  const { server, client } = await pair(t);
  let left: Promise<void> | undefined;
  server.stream(exportMemories, async function* (_, received) {
    left = received.left;
    yield {};
    await received.left;
  });
  for await (const _ of client.stream(exportMemories, {})) {
    break;
  }
  await left;
});

test("a closed client calls nobody", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  await client.recall("tea");
  await client.close();
  await assert.rejects(client.recall("tea"), Cancelled);
  await assert.rejects(all(client.stream(exportMemories, {})), Cancelled);
  assert.equal(server.calls.length, 1);
});

test("no server and no such name are unavailable", async () => {
  for (const address of ["127.0.0.1:1", "no-such-name.invalid:7070"]) {
    const client = connect({ address, pause: async () => {} });
    await assert.rejects(client.whoAmI(), Unavailable);
    await client.close();
  }
});

test("a server that does not speak TLS is unavailable to a client that does", async (t) => {
  const { client, pauses } = await pair(t, { tls: {} });
  await assert.rejects(client.whoAmI(), Unavailable);
  assert.equal(pauses.length, 3);
});

function scope(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
