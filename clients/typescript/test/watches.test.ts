import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryNotFound, ServerDraining, Unavailable } from "../src/index.js";
import {
  ArtifactService,
  EventService,
  MemoryService,
  type WatchMemoriesRequest,
} from "../src/v1.js";
import { all, first, pair } from "./pair.js";
import { refuse } from "./refusals.js";
import { Wire } from "./wire.js";

const { watchMemories } = MemoryService.method;
const AWAY = refuse({ code: "UNAVAILABLE" });
const change = (resumeToken: string) => ({ change: { resumeToken } });

test("a watch goes on behind the last change handed out", async (t) => {
  const { server, client } = await pair(t);
  server.stream(
    watchMemories,
    async function* () {
      yield change("1");
      yield change("2");
      AWAY();
    },
    async function* () {
      yield change("3");
    },
    async function* () {
      yield change("4");
    },
  );
  const changes = await first(client.watch({ fromBeginning: true }), 4);
  assert.deepEqual(
    changes.map(({ resumeToken }) => resumeToken),
    ["1", "2", "3", "4"],
  );
  assert.deepEqual(server.requests(watchMemories).map(startOf), [true, "2", "3"]);
});

test("a watch goes on when the connection breaks", async (t) => {
  const { server } = await pair(t);
  const wire = await Wire.to(server.port);
  t.after(() => wire.close());
  const { client } = await pair(t, { address: wire.address });
  server.stream(watchMemories, async function* (request, { left }) {
    yield change(startOf(request) === "1" ? "2" : "1");
    await left;
  });
  const tokens: string[] = [];
  for await (const { resumeToken } of client.watch({ fromBeginning: true })) {
    tokens.push(resumeToken);
    if (tokens.length === 2) {
      break;
    }
    wire.drop();
  }
  assert.deepEqual(tokens, ["1", "2"]);
});

test("a watch waits longer each time and gives up", async (t) => {
  const { server, client, pauses } = await pair(t);
  server.stream(watchMemories, async function* () {
    AWAY();
  });
  await assert.rejects(all(client.watch({ fromBeginning: true, maxReconnects: 3 })), Unavailable);
  assert.equal(server.calls.length, 4);
  for (const [place, most] of [100, 200, 400].entries()) {
    const pause = pauses[place] ?? 0;
    assert.ok(pause >= most / 2 && pause <= most);
  }
});

test("a watch waits as long as the server asks", async (t) => {
  const { server, client, pauses } = await pair(t);
  const draining = refuse({ code: "UNAVAILABLE", reason: "SERVER_DRAINING", retryAfterSeconds: 3 });
  server.stream(
    watchMemories,
    async function* () {
      draining();
    },
    async function* () {
      yield change("1");
    },
  );
  await first(client.watch({ fromBeginning: true }), 1);
  assert.deepEqual(pauses, [3000]);
});

test("a change makes the count of attempts begin anew", async (t) => {
  const { server, client } = await pair(t);
  const silent = async function* () {};
  const speaking = async function* () {
    yield change("1");
  };
  server.stream(watchMemories, silent, speaking, silent, speaking, silent);
  const watching = client.watch({ fromBeginning: true, maxReconnects: 2 });
  await assert.rejects(all(watching), /the server ended the watch/);
  assert.equal(server.calls.length, 6);
});

test("other failures end a watch", async (t) => {
  const { server, client } = await pair(t);
  server.stream(watchMemories, async function* () {
    refuse({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" })();
  });
  await assert.rejects(all(client.watch({ fromBeginning: true })), MemoryNotFound);
  assert.equal(server.calls.length, 1);
});

test("closing the client ends a watch", async (t) => {
  const { server, client } = await pair(t);
  server.stream(watchMemories, async function* (_, { left }) {
    yield change("1");
    await left;
  });
  const watching = (async () => {
    for await (const _ of client.watch({ fromBeginning: true })) {
      await client.close();
    }
  })();
  await assert.rejects(watching, /closed|aborted/);
  assert.equal(server.calls.length, 1);
});

test("a watch begins at one place, and says so at once", async (t) => {
  const { client } = await pair(t);
  assert.throws(() => client.watch({}), TypeError);
  assert.throws(() => client.watch({ resumeToken: "1", fromBeginning: true }), TypeError);
  assert.throws(() => client.events.watch({}, {}), TypeError);
});

test("a watch of an overloaded server goes on", async (t) => {
  const { server, client } = await pair(t);
  const overloaded = refuse({
    code: "RESOURCE_EXHAUSTED",
    reason: "OVERLOADED",
    retryAfterSeconds: 1,
  });
  server.stream(watchMemories, overloaded, async function* () {
    yield change("1");
  });
  assert.equal((await first(client.watch({ fromBeginning: true }), 1)).length, 1);
});

test("no stream is held up for longer than a minute", async (t) => {
  const { server, client, pauses } = await pair(t);
  const { readArtifact, putArtifact } = ArtifactService.method;
  const away = refuse({ code: "UNAVAILABLE", reason: "SERVER_DRAINING", retryAfterSeconds: 61 });
  server.stream(watchMemories, away);
  server.stream(readArtifact, away);
  server.take(putArtifact, away);
  await assert.rejects(all(client.watch({ fromBeginning: true })), ServerDraining);
  await assert.rejects(client.artifacts.read("tea_log"), ServerDraining);
  await assert.rejects(client.artifacts.put("tea"), ServerDraining);
  assert.deepEqual(pauses, []);
});

test("watches of events and by the generic way go on, too", async (t) => {
  const { server, client } = await pair(t);
  const { watchEvents } = EventService.method;
  const once = (token: string) =>
    async function* () {
      yield change(token);
    };
  server.stream(watchEvents, once("1"), once("2"));
  server.stream(watchMemories, once("3"), once("4"));
  await first(
    client.events.watch({ tagsAny: ["tea"] }, { fromBeginning: true, channel: "team" }),
    2,
  );
  await first(client.stream(watchMemories, {}), 2);
  const [, resumed] = server.requests(watchEvents);
  assert.deepEqual(
    [resumed?.start.value, resumed?.filter?.tagsAny, resumed?.channel],
    ["1", ["tea"], 3],
  );
  assert.deepEqual(server.requests(watchMemories).map(startOf), [undefined, "3"]);
});

function startOf({ start }: WatchMemoriesRequest) {
  return start.value;
}
