import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { ArtifactNotFound, type Camillo } from "camillo-client";
import { CamilloSaver } from "../src/index.js";
import { all, newPerson } from "./spaces.js";

const LONG = "длинный текст ".repeat(8_000);
const STATE = Annotation.Root({
  said: Annotation<string[]>({ reducer: (one, other) => [...one, ...other], default: () => [] }),
  log: Annotation<string>,
});
const SAID = { source: "loop" as const, step: 1, parents: {} };

let camillo: Camillo;
let saver: CamilloSaver;
const connected: Camillo[] = [];

beforeEach(() => {
  camillo = newPerson();
  connected.push(camillo);
  saver = new CamilloSaver(camillo);
});
after(() => Promise.all(connected.map((each) => each.close())));

function graphOn(checkpointer: CamilloSaver) {
  return new StateGraph(STATE)
    .addNode("logs", ({ said }) => ({ log: LONG + said.length, said: ["logged"] }))
    .addNode("asks", ({ said }) => ({ said: [String(interrupt(`after ${said.length}?`))] }))
    .addEdge(START, "logs")
    .addEdge("logs", "asks")
    .addEdge("asks", END)
    .compile({ checkpointer });
}

function thread(thread_id: string) {
  return { configurable: { thread_id, checkpoint_ns: "" } };
}

test("a graph goes on in another process with values of any length", async () => {
  await graphOn(saver).invoke({ said: ["привет"] }, thread("1"));
  // Nothing but the server is in common.
  const again = graphOn(new CamilloSaver(camillo));
  const [task] = (await again.getState(thread("1"))).tasks;
  assert.equal(task?.interrupts[0]?.value, "after 2?");
  const done = await again.invoke(new Command({ resume: "да" }), thread("1"));
  assert.deepEqual(done, { said: ["привет", "logged", "да"], log: `${LONG}1` });
  const history = await all(again.getStateHistory(thread("1")));
  assert.deepEqual(
    history.map(({ values }) => values.said?.length ?? 0),
    [3, 2, 1, 0],
  );
  const fork = await again.invoke(null, history[2]?.config);
  assert.deepEqual(fork.said, ["привет", "logged"]);
  assert.equal((await again.getState(thread("1"))).values.log, `${LONG}1`);
});

test("a thread that begins anew elsewhere names no artifact that is gone", async () => {
  await graphOn(saver).invoke({ said: ["a"] }, thread("1"));
  await new CamilloSaver(camillo).deleteThread("1");
  await graphOn(saver).invoke({ said: ["a", "b"] }, thread("1"));
  const { values } = await graphOn(new CamilloSaver(camillo)).getState(thread("1"));
  assert.deepEqual(values, { said: ["a", "b", "logged"], log: `${LONG}2` });
});

test("a deleted thread leaves nothing, and others stay", async () => {
  for (const id of ["one", "two"]) {
    await graphOn(saver).invoke({ said: ["a"] }, thread(id));
  }
  const artifacts = (await all(camillo.artifacts.list())).map(({ artifactId }) => artifactId);
  assert.notEqual((await all(camillo.slots.list("/langgraph/=one"))).length, 0);
  await saver.deleteThread("one");
  assert.deepEqual(await all(camillo.slots.list("/langgraph/=one")), []);
  const left = (await all(camillo.artifacts.list())).map(({ artifactId }) => artifactId);
  const gone = artifacts.filter((each) => !left.includes(each));
  assert.ok(gone.length > 0 && left.length > 0);
  await assert.rejects(camillo.artifacts.read(String(gone[0])), ArtifactNotFound);
  assert.equal(await saver.getTuple(thread("one")), undefined);
  const done = await graphOn(saver).invoke(new Command({ resume: "b" }), thread("two"));
  assert.deepEqual(done, { said: ["a", "logged", "b"], log: `${LONG}1` });
});

test("checkpoints are in no recall", async () => {
  await graphOn(saver).invoke({ said: ["a"] }, thread("1"));
  await camillo.slots.setMemory("/user/cat", { summary: "langgraph cat checkpoint" }, "test");
  const how = { sources: ["slot"] as const, limit: 200 };
  const { hits } = await camillo.recall("langgraph cat checkpoint", how);
  const keys = hits.map(({ item }) => item.case === "chunk" && item.value.text.split("\n")[0]);
  assert.deepEqual(keys, ["/user/cat"]);
});

test("writes of one task by several at once are all kept", async () => {
  const config = await saver.put(thread("1"), emptyCheckpoint(), SAID, {});
  const write = async (number: number) => {
    const writes: [string, unknown][] = [
      ["a", number],
      ["b", number],
    ];
    await new CamilloSaver(camillo).putWrites(config, writes.slice(0, (number % 2) + 1), "task");
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(write));
  const { pendingWrites = [] } = (await saver.getTuple(config)) ?? {};
  assert.deepEqual(
    pendingWrites.map(([, channel]) => channel),
    ["a", "b"],
  );
});

test("writes of tasks are in the order of their paths", async () => {
  const config = await saver.put(thread("1"), emptyCheckpoint(), SAID, {});
  for (const [task, path] of Object.entries({ задача: "~b", "🍵": "~a", x: "\ue000", y: "🍵" })) {
    await saver.putWrites(config, [["a", task]], task, path);
  }
  const { pendingWrites = [] } = (await saver.getTuple(config)) ?? {};
  const values = pendingWrites.map(([, , value]) => value);
  assert.deepEqual(values, ["🍵", "задача", "x", "y"]);
});

test("a record of many short values fits", async () => {
  const checkpoint = emptyCheckpoint();
  // Random texts cannot be compressed.
  for (let number = 0; number < 3_000; number += 1) {
    checkpoint.channel_values[`channel ${number}`] = crypto.randomUUID();
    checkpoint.channel_versions[`channel ${number}`] = 1;
  }
  const config = await saver.put(thread("1"), checkpoint, SAID, checkpoint.channel_versions);
  const found = await saver.getTuple(config);
  assert.deepEqual(found?.checkpoint.channel_values, checkpoint.channel_values);
  await saver.deleteThread("1");
  assert.deepEqual(await all(camillo.artifacts.list()), []);
});

test("threads of any name are apart", async () => {
  const names = ["a/b", "..", "é", "e\u0301", "%2F", "x y\n", "=", "_%", "a", "it's (a*)!", "🍵"];
  for (const id of names) {
    const config = { configurable: { thread_id: id, checkpoint_ns: "n|s:1" } };
    await saver.put(config, emptyCheckpoint(), SAID, {});
  }
  const listed = async () => {
    const tuples = await all(saver.list({}));
    return tuples.map(({ config }) => config.configurable?.thread_id);
  };
  assert.deepEqual(new Set(await listed()), new Set(names));
  for (const id of names) {
    assert.equal((await all(saver.list({ configurable: { thread_id: id } }))).length, 1);
  }
  await saver.deleteThread("a");
  assert.deepEqual(new Set(await listed()), new Set(names.filter((each) => each !== "a")));
});
