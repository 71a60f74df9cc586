import assert from "node:assert/strict";
import { test } from "node:test";
import { realPause } from "../src/attempts.js";
import { crc32c } from "../src/crc32c.js";
import { type Camillo, CamilloError, Cancelled, Unavailable } from "../src/index.js";
import { ArtifactService, MemoryService } from "../src/v1.js";
import { FakeStore } from "./fake-store.js";
import { all, first, pair } from "./pair.js";
import { refuse } from "./refusals.js";
import type { Received, ScriptedServer } from "./scripted-server.js";

const { remember, recall, exportMemories, watchMemories } = MemoryService.method;
const { readArtifact, putArtifact } = ArtifactService.method;
// The answer of a stopping server to calls that it accepted and never took.
const GONE = refuse({ code: "CANCELLED", message: "CANCELLED" });
const stored = () => ({ memory: { memoryId: "m1" } });

test("a server that stopped is asked again under one request id", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, GONE, GONE, stored);
  assert.equal((await client.remember("tea")).memoryId, "m1");
  const ids = server.requests(remember).map(({ requestId }) => requestId);
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
});

test("a server that stopped is unavailable in the end", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, GONE);
  server.stream(exportMemories, GONE);
  await assert.rejects(client.recall("tea"), isUnavailable);
  await assert.rejects(all(client.stream(exportMemories, {})), isUnavailable);
  assert.equal(server.received(recall).length, 4);
  assert.equal(server.received(exportMemories).length, 1);
});

test("streams go on with another server than the one that stopped", async (t) => {
  const { server, client } = await pair(t);
  const data = Buffer.from("tea");
  server.stream(watchMemories, GONE, async function* () {
    yield { change: { resumeToken: "1" } };
  });
  server.stream(readArtifact, GONE, async function* () {
    yield { data, crc32c: crc32c(data), rangeBytes: 3n };
  });
  assert.equal((await first(client.watch({ fromBeginning: true }), 1)).length, 1);
  assert.ok(data.equals(await client.artifacts.read("tea_log")));
  const store = new FakeStore(server);
  server.take(putArtifact, GONE, async () => ({ artifact: { artifactId: "tea_log" } }));
  assert.equal((await client.artifacts.put("tea")).artifactId, "tea_log");
  assert.equal(store.headers.length, 0);
});

test("a call that its caller gives up is not repeated", async (t) => {
  const { server, client, pauses } = await pair(t);
  const giveUp = new AbortController();
  server.answer(recall, (async (_: unknown, { left }: Received) => {
    giveUp.abort();
    await left;
    GONE();
  }) as never);
  await assert.rejects(client.recall("tea", { signal: giveUp.signal }), Cancelled);
  assert.equal(server.calls.length, 1);
  assert.deepEqual(pauses, []);
});

test("who gives up during a pause is told so, with the request id", async (t) => {
  for (const begin of beginnings()) {
    const giveUp = new AbortController();
    const pause = async (_: number, signal?: AbortSignal) => {
      giveUp.abort();
      await realPause(60_000, signal);
    };
    const { server, client } = await pair(t, { pause });
    scriptAway(server);
    const error = await begin(client, giveUp.signal).catch((reason: unknown) => reason);
    assert.ok(error instanceof Cancelled, String(error));
    assert.equal(server.calls.length, 1);
    assert.equal(error.requestId, requestIdOf(server));
  }
});

test("closing the client ends a pause, too", async (t) => {
  for (const begin of beginnings()) {
    const closing: { now?: () => Promise<void> } = {};
    const pause = async (_: number, signal?: AbortSignal) => {
      await closing.now?.();
      await realPause(60_000, signal);
    };
    const { server, client } = await pair(t, { pause });
    closing.now = () => client.close();
    scriptAway(server);
    await assert.rejects(begin(client), Cancelled);
    assert.equal(server.calls.length, 1);
  }
});

test("closing the client ends the calls under way for good", async (t) => {
  const { server, client, pauses } = await pair(t);
  server.answer(recall, (async (_: unknown, { left }: Received) => {
    await client.close();
    await left;
  }) as never);
  await assert.rejects(client.recall("tea"), Cancelled);
  assert.equal(server.calls.length, 1);
  assert.deepEqual(pauses, []);
});

test("each call of a closed client has an error of its own", async (t) => {
  const { client } = await pair(t);
  await client.close();
  const failing = [
    client.remember("tea", { requestId: "r1" }),
    client.artifacts.put("tea", { requestId: "r2" }),
  ];
  const errors = await Promise.all(failing.map((each) => each.catch((error: unknown) => error)));
  const ids = errors.map((error) => error instanceof Cancelled && error.requestId);
  assert.deepEqual(ids, ["r1", "r2"]);
});

test("a pause of a month is none of a millisecond", async () => {
  const month = 31 * 24 * 60 * 60 * 1000;
  await assert.rejects(realPause(month, AbortSignal.timeout(50)));
});

/** A call, a read, an upload and a watch. */
function beginnings(): ((client: Camillo, signal?: AbortSignal) => Promise<unknown>)[] {
  const given = (signal?: AbortSignal) => (signal ? { signal } : {});
  return [
    (client, signal) => client.remember("tea", given(signal)),
    (client, signal) => client.artifacts.read("tea_log", undefined, given(signal)),
    (client, signal) => client.artifacts.put("tea", given(signal)),
    (client, signal) => all(client.watch({ fromBeginning: true, ...given(signal) })),
  ];
}

function scriptAway(server: ScriptedServer): void {
  const away = refuse({ code: "UNAVAILABLE", reason: "SERVER_DRAINING" });
  server.answer(remember, away);
  server.stream(readArtifact, away);
  server.stream(watchMemories, away);
  server.take(putArtifact, async (requests) => {
    for await (const { part } of requests) {
      uploads.set(server, part.case === "header" ? part.value.requestId : "");
      break;
    }
    return away();
  });
}

const uploads = new WeakMap<ScriptedServer, string>();

function requestIdOf(server: ScriptedServer): string {
  return server.requests(remember)[0]?.requestId ?? uploads.get(server) ?? "";
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Unavailable && error instanceof CamilloError && error.code === "UNAVAILABLE"
  );
}
