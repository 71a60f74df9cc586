import assert from "node:assert/strict";
import { test } from "node:test";
import { BudgetTooSmall, EventTooLarge, newEvent, RefNotFound } from "../src/index.js";
import { EventService, SnapshotService } from "../src/v1.js";
import { all, pair } from "./pair.js";
import { refuse, rpcStatus } from "./refusals.js";

const { recordEvent, batchRecordEvents, listEvents } = EventService.method;
const { buildBundle } = SnapshotService.method;

test("what an event tells arrives, and decides its kind", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recordEvent, () => ({ recorded: { eventId: "e1" } }));
  const said = { sessionId: "s1", actor: "human:ada:lovelace" } as const;
  assert.equal((await client.events.record("tea?", said)).eventId, "e1");
  await client.events.record({ json: { cups: 2 } });
  await client.events.record({ toolCall: { tool: "shelf" } });
  await client.events.record({ toolResult: { tool: "shelf", excerptText: "2 tins" } });
  const sent = server.requests(recordEvent).map(({ event }) => event);
  assert.deepEqual(
    sent.map((event) => event?.content.case),
    ["text", "json", "toolCall", "toolResult"],
  );
  assert.deepEqual(
    sent.map((event) => event?.kind),
    [0, 0, 2, 3],
  );
  assert.deepEqual([sent[0]?.actor?.type, sent[0]?.actor?.id], [1, "ada:lovelace"]);
});

test("an actor without a name is nobody", () => {
  assert.throws(() => newEvent("tea", { actor: "human:" }), /names nobody/);
  assert.throws(() => newEvent("tea", { actor: "teapot:x" as never }), /none of human/);
});

test("an event that is too large is not sent", async (t) => {
  const { server, client } = await pair(t);
  const large = "č".repeat(512 * 1024 + 1);
  await assert.rejects(client.events.record(large), EventTooLarge);
  assert.doesNotThrow(() => newEvent({ toolResult: { tool: "shelf", excerptText: large } }));
  assert.equal(server.calls.length, 0);
});

test("many events have an outcome each", async (t) => {
  const { server, client } = await pair(t);
  const error = rpcStatus({
    code: "FAILED_PRECONDITION",
    reason: "REF_NOT_FOUND",
    metadata: { ref: "m9" },
  });
  server.answer(batchRecordEvents, () => ({
    results: [
      { outcome: { case: "recorded" as const, value: { eventId: "e1" } } },
      { outcome: { case: "error" as const, value: error } },
    ],
  }));
  const [stored, refused] = await client.events.recordMany([newEvent("tea"), newEvent("milk")]);
  assert.ok(stored && "eventId" in stored && stored.eventId === "e1");
  assert.ok(refused instanceof RefNotFound && refused.ref === "m9");
});

test("events are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listEvents,
    () => ({ events: [{ eventId: "e1" }], nextPageToken: "2" }),
    () => ({ events: [{ eventId: "e2" }] }),
  );
  const conditions = { kinds: ["tool_result" as const], actorTypes: ["agent" as const] };
  const listed = await all(client.events.list(conditions, { newestFirst: true }));
  assert.deepEqual(
    listed.map(({ eventId }) => eventId),
    ["e1", "e2"],
  );
  const [request] = server.requests(listEvents);
  assert.deepEqual([request?.filter?.kinds, request?.filter?.actorTypes], [[3], [2]]);
  assert.equal(request?.newestFirst, true);
});

test("a bundle is built as it is asked for", async (t) => {
  const { server, client } = await pair(t);
  server.answer(buildBundle, () => ({ bundle: { prompt: "tea" } }));
  const options = { sessionId: "s1", maxTokens: 2000, channel: "public", recipe: "mine" } as const;
  assert.equal((await client.context.bundle("how much tea?", options)).prompt, "tea");
  const [request] = server.requests(buildBundle);
  assert.deepEqual(
    [request?.queryText, request?.sessionId, request?.maxTokens],
    ["how much tea?", "s1", 2000],
  );
  assert.deepEqual([request?.channel, request?.recipe], [1, "mine"]);
});

test("a budget that is too small tells so", async (t) => {
  const { server, client } = await pair(t);
  server.answer(buildBundle, refuse({ code: "FAILED_PRECONDITION", reason: "BUDGET_TOO_SMALL" }));
  await assert.rejects(client.context.bundle("tea", { maxTokens: 1 }), BudgetTooSmall);
});

test("forgotten sentences of many events are left out where the caller says so", async (t) => {
  const { server, client } = await pair(t);
  const { batchRecordEvents } = EventService.method;
  server.answer(batchRecordEvents, ({ events }) => ({
    results: events.map(() => ({ outcome: { case: "recorded" as const, value: {} } })),
  }));
  for (const omitForgotten of [true, false]) {
    await client.events.recordMany([newEvent("tea")], { omitForgotten });
  }
  await client.events.recordMany([newEvent("tea")]);
  const asked = server.requests(batchRecordEvents).map((request) => request.omitForgotten);
  assert.deepEqual(asked, [true, false, false]);
});
