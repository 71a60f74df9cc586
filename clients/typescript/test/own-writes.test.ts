import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { fullyConsistent, minimizeLatency, RevisionUnknown, recallRequest } from "../src/index.js";
import {
  EventService,
  type Freshness,
  MemoryService,
  RevisionSchema,
  SnapshotService,
} from "../src/v1.js";
import { type Ticket, WrittenRevisions } from "../src/written-revisions.js";
import { all, pair } from "./pair.js";
import { refuse, rpcStatus } from "./refusals.js";

const { remember, recall, batchRecall, listMemories, forgetMemories } = MemoryService.method;
const UNKNOWN = refuse({ code: "OUT_OF_RANGE", reason: "REVISION_UNKNOWN" });
const revision = (token: string) => ({ revision: { token } });
const atLeast = (token: string) => ({ case: "atLeastAsFresh", token });

interface Step {
  do: "begin" | "wrote" | "demand" | "read" | "drop";
  ticket: string;
  agent_id?: string;
  revision?: string;
  repeatable?: boolean;
  expected?: null | "fully_consistent" | { at_least_as_fresh: string };
}

const place = new URL("../../../own_writes.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(place, "utf8")) as {
  cases: { name: string; steps: Step[] }[];
};

for (const { name, steps } of cases) {
  test(`${name}, as in every client`, () => {
    const written = new WrittenRevisions();
    const tickets = new Map<string, Ticket>();
    for (const step of steps) {
      play(step, written, tickets);
    }
  });
}

test("a read demands the revision of the last write", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    remember,
    () => revision("r1"),
    () => revision("r2"),
  );
  server.answer(recall, () => ({}));
  await client.recall("tea");
  await assert.rejects(client.remember("tea"), TypeError);
  await assert.rejects(client.remember("milk"), TypeError);
  await client.recall("tea");
  assert.deepEqual(server.requests(recall).map(demand), [undefined, atLeast("r2")]);
});

test("writes of every part of the client count, also the one without a request id", async (t) => {
  const { server, client } = await pair(t);
  server.answer(EventService.method.recordEvent, () => ({ recorded: {}, ...revision("e1") }));
  server.answer(EventService.method.rebuildChunks, () => revision("e2"));
  server.answer(recall, () => ({}));
  await client.events.record("tea?", { sessionId: "s1", actor: "human:ada" });
  await client.recall("tea");
  await client.call(EventService.method.rebuildChunks, {});
  await client.recall("tea");
  assert.deepEqual(server.requests(recall).map(demand), [atLeast("e1"), atLeast("e2")]);
});

test("a dry run and a list of events are no writes", async (t) => {
  const { server, client } = await pair(t);
  server.answer(forgetMemories, () => revision("r1"));
  server.answer(EventService.method.listEvents, () => revision("r2"));
  server.answer(recall, () => ({}));
  await client.forget(["m1"], { dryRun: true });
  await all(client.events.list());
  await client.recall("tea");
  assert.deepEqual(server.requests(recall).map(demand), [undefined]);
});

test("the caller's demand goes before", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => revision("r1"));
  server.answer(recall, () => ({}));
  await client.call(remember, {});
  await client.recall("tea", { freshness: minimizeLatency() });
  await client.recall("tea", { freshness: create(RevisionSchema, { token: "r9" }) });
  await client.recall("tea", { freshness: fullyConsistent() });
  const demands = server.requests(recall).map((request) => demand(request)?.case);
  assert.deepEqual(demands, ["minimizeLatency", "atLeastAsFresh", "fullyConsistent"]);
});

test("after a request id of the caller the next read asks for full consistency once", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    remember,
    () => revision("r1"),
    () => revision("r2"),
  );
  server.answer(recall, () => revision("r3"));
  await client.call(remember, {});
  await client.call(remember, { requestId: "mine" });
  await client.recall("tea");
  await client.recall("tea");
  const demands = server.requests(recall).map(demand);
  assert.deepEqual(demands, [{ case: "fullyConsistent", token: undefined }, atLeast("r3")]);
});

test("batches of a fresh id are no repetitions", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => revision("r1"));
  server.answer(MemoryService.method.batchRemember, () => revision("r2"));
  server.answer(recall, () => ({}));
  await client.call(remember, {});
  await client.rememberMany(["tea"]);
  await client.recall("tea");
  assert.deepEqual(server.requests(recall).map(demand), [atLeast("r2")]);
});

test("a restored database is asked once more without the revision", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => revision("r1"));
  server.answer(recall, UNKNOWN, () => ({}));
  await client.call(remember, {});
  await client.recall("tea");
  await client.recall("tea");
  assert.deepEqual(server.requests(recall).map(demand), [atLeast("r1"), undefined, undefined]);
});

test("an unknown revision of the caller is the caller's error", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, UNKNOWN);
  const freshness = create(RevisionSchema, { token: "other" });
  await assert.rejects(client.recall("tea", { freshness }), RevisionUnknown);
  assert.equal(server.calls.length, 1);
});

test("each page of a list demands the last write by then", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    remember,
    () => revision("r1"),
    () => revision("r2"),
  );
  server.answer(
    listMemories,
    () => ({ nextPageToken: "2" }),
    () => ({}),
  );
  await client.call(remember, {});
  for await (const _ of client.pages(listMemories, {})) {
    await client.call(remember, {});
  }
  assert.deepEqual(server.requests(listMemories).map(demand), [atLeast("r1"), atLeast("r2")]);
});

test("recalls of a batch demand for themselves, and are asked once more where a demand is void", async (t) => {
  const { server, client } = await pair(t);
  const unknown = rpcStatus({ code: "OUT_OF_RANGE", reason: "REVISION_UNKNOWN" });
  const answered = { outcome: { case: "response" as const, value: revision("r2") } };
  const refused = { outcome: { case: "error" as const, value: unknown } };
  server.answer(remember, () => revision("r1"));
  server.answer(
    batchRecall,
    () => ({ results: [answered, answered, refused] }),
    () => ({ results: [refused, answered, answered] }),
    () => ({ results: [answered, answered, answered] }),
  );
  const mine = recallRequest("tea", { freshness: minimizeLatency() });
  const other = create(recall.input, { agentId: "bob", query: { case: "text", value: "tea" } });
  await client.call(remember, {});
  const outcomes = await client.recallMany(["tea", mine, other]);
  assert.ok(outcomes[2] instanceof RevisionUnknown);
  await client.recallMany(["tea", mine, other]);
  const [first, second, third] = server.requests(batchRecall).map(({ requests }) => requests);
  const unset = [undefined, { case: "minimizeLatency", token: undefined }, undefined];
  assert.deepEqual(first?.map(demand), [atLeast("r1"), ...unset.slice(1)]);
  assert.deepEqual(
    first?.map(({ agentId }) => agentId),
    ["ada", "ada", "bob"],
  );
  assert.deepEqual(second?.map(demand), first?.map(demand));
  assert.deepEqual(third?.map(demand), unset);
});

test("recalls of a batch are left to the caller as they were", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => revision("r1"));
  server.answer(batchRecall, () => ({}));
  const mine = recallRequest("tea");
  await client.call(remember, {});
  await client.recallMany([mine]);
  await client.call(batchRecall, { requests: [mine] });
  assert.deepEqual([mine.agentId, mine.freshness], ["", undefined]);
});

test("agents that are only read are not kept", () => {
  const written = new WrittenRevisions();
  const ticket = written.begin("reader");
  written.demand(ticket);
  written.read(ticket, create(RevisionSchema, { token: "r1" }));
  written.drop(ticket);
  assert.equal(written.size, 0);
});

test("of many agents those called last are held", () => {
  const written = new WrittenRevisions(2);
  write(written, "a", "r1");
  write(written, "b", "r2");
  demandOf(written, "a");
  write(written, "c", "r3");
  assert.deepEqual(demandOf(written, "a"), { at_least_as_fresh: "r1" });
  assert.deepEqual(demandOf(written, "c"), { at_least_as_fresh: "r3" });
  assert.equal(demandOf(written, "b"), "fully_consistent");
  assert.equal(written.size, 2);
});

test("what is not held any more is still read", () => {
  const written = new WrittenRevisions(1);
  write(written, "a", "r1");
  write(written, "b", "r2");
  written.read(written.begin("a"), create(RevisionSchema, { token: "r3" }));
  assert.deepEqual(demandOf(written, "a"), { at_least_as_fresh: "r3" });
});

test("a write that began before its agent was let go is not taken for the newest", () => {
  const written = new WrittenRevisions(1);
  const slow = written.begin("a");
  write(written, "a", "r2");
  write(written, "b", "r3");
  written.wrote(slow, create(RevisionSchema, { token: "r1" }));
  assert.equal(demandOf(written, "a"), "fully_consistent");
});

test("bundles see the client's writes, too", async (t) => {
  const { server, client } = await pair(t);
  const { buildBundle } = SnapshotService.method;
  server.answer(
    remember,
    () => revision("r1"),
    () => revision("r2"),
  );
  server.answer(buildBundle, () => ({ bundle: revision("r3") }));
  await client.call(remember, {});
  await client.call(remember, { requestId: "mine" });
  await client.context.bundle("tea");
  await client.context.bundle("tea");
  const demands = server.requests(buildBundle).map(demand);
  assert.deepEqual(demands, [{ case: "fullyConsistent", token: undefined }, atLeast("r3")]);
});

function demand({ freshness }: { freshness?: Freshness | undefined }) {
  if (!freshness) {
    return undefined;
  }
  const { requirement } = freshness;
  const token = requirement.case === "atLeastAsFresh" ? requirement.value.token : undefined;
  return { case: requirement.case, token };
}

function play(step: Step, written: WrittenRevisions, tickets: Map<string, Ticket>): void {
  if (step.do === "begin") {
    tickets.set(step.ticket, written.begin(step.agent_id ?? ""));
    return;
  }
  const ticket = tickets.get(step.ticket) ?? assert.fail(`${step.ticket} was not begun`);
  const token = create(RevisionSchema, { token: step.revision ?? "" });
  const steps = {
    wrote: () => written.wrote(ticket, token, step.repeatable),
    read: () => written.read(ticket, token),
    drop: () => written.drop(ticket),
    demand: () => assert.deepEqual(told(written.demand(ticket)), step.expected),
  };
  steps[step.do]();
}

function told(freshness: Freshness | undefined): Step["expected"] {
  const told = freshness && demand({ freshness });
  if (!told) {
    return null;
  }
  return told.token === undefined ? "fully_consistent" : { at_least_as_fresh: told.token };
}

function write(written: WrittenRevisions, agentId: string, token: string): void {
  written.wrote(written.begin(agentId), create(RevisionSchema, { token }));
}

function demandOf(written: WrittenRevisions, agentId: string): Step["expected"] {
  return told(written.demand(written.begin(agentId)));
}
