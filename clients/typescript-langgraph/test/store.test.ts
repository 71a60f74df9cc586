import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { Embeddings } from "@langchain/core/embeddings";
import {
  InMemoryStore,
  InvalidNamespaceError,
  type Item,
  type Operation,
  type PutOperation,
} from "@langchain/langgraph-checkpoint";
import { ArtifactNotFound, type Camillo, MemoryNotFound } from "camillo-client";
import { CamilloStore } from "../src/index.js";
import { idOf, tagOf } from "../src/items.js";
import { Random } from "./random.js";
import { all, newPerson } from "./spaces.js";

const LABELS = [
  "a",
  "b",
  "a/b",
  "A",
  "%",
  "_",
  "a_b",
  '"',
  "\\",
  "é",
  "e\u0301",
  "猫",
  "x\n",
  "🍵",
];
const KEYS = ["k", "", "..", "a/b", "%2F", "k\u0000", "クッキー", "k".repeat(300)];
const VALUES = [
  { n: 1, color: "red" },
  { n: 2.5, color: "blue", deep: { x: [1, { y: null }] } },
  { n: -7, color: "red", tags: ["x", "y"], ok: true },
  { n: 2 ** 60, color: "цвет", text: "日本語 ".repeat(40) },
  { n: 0, color: "e\u0301", empty: {}, nul: "a\u0000b", nothing: null },
  { n: 3, color: "🍵".repeat(60) },
];
const FILTERS = [
  undefined,
  { color: "red" },
  { color: { $ne: "red" } },
  { n: { $gt: 1 } },
  { n: { $gte: 0, $lt: 3 } },
  { n: { $lte: 2 ** 61 }, color: { $eq: "цвет" } },
  { color: { $in: ["red", "🍵".repeat(60)] } },
  { color: { $nin: ["red", "blue"] } },
  { ok: true },
  { color: "é" },
  { nothing: null },
  { missing: null },
];

let camillo: Camillo;
let store: CamilloStore;
const connected: Camillo[] = [];

beforeEach(() => {
  camillo = newPerson();
  connected.push(camillo);
  store = new CamilloStore(camillo);
});
after(() => Promise.all(connected.map((each) => each.close())));

for (const seed of [1, 2, 3]) {
  test(`random operations do what the store in memory does (${seed})`, async () => {
    const [drawn, oracle] = [new Random(seed), new InMemoryStore()];
    const labels = drawn.sample(LABELS, 5);
    const namespace = (least = 1) => drawn.sample(labels, drawn.between(least, 3));
    const put = (): PutOperation => {
      return { namespace: namespace(), key: drawn.of(KEYS), value: drawn.of([...VALUES, null]) };
    };
    const same = async (ops: Operation[]) =>
      assert.deepEqual(values(await store.batch(ops)), values(await oracle.batch(ops)));
    const actions: (() => Promise<void>)[] = [
      () => same([put()]),
      () => same(Array.from({ length: drawn.between(2, 6) }, put)),
      async () => {
        const puts = Array.from({ length: 4 }, put);
        const gets = puts.map(({ namespace, key }) => ({ namespace, key }));
        // The store in memory hands out its own items, which a put changes.
        const before = values(await oracle.batch(gets));
        const results = await store.batch(puts.flatMap((op, place) => [op, gets[place] ?? op]));
        await oracle.batch(puts);
        assert.deepEqual(values(results.filter((_, place) => place % 2)), before);
        await same(gets);
      },
      async () => {
        const asked = namespace();
        await same(KEYS.map((key) => ({ namespace: asked, key })));
      },
      async () => {
        const [prefix, filter] = [namespace(0), drawn.of(FILTERS)];
        const how = { limit: 1_000, ...(filter ? { filter } : {}) };
        const found = await store.search(prefix, how);
        assert.deepEqual(facts(found), facts(await oracle.search(prefix, how)), String(filter));
      },
      async () => {
        const [prefix, filter] = [namespace(0), drawn.of(FILTERS)];
        const how = filter ? { filter } : {};
        const pages: Item[] = [];
        for (let offset = 0; offset < 30; offset += 3) {
          pages.push(...(await store.search(prefix, { ...how, limit: 3, offset })));
        }
        const expected = await oracle.search(prefix, { ...how, limit: 30 });
        assert.deepEqual(facts(pages), facts(expected));
      },
      async () => {
        // The store in memory still lists a namespace whose items are gone.
        const fresh = new InMemoryStore();
        for (const { namespace: labels, key, value } of await oracle.search([], { limit: 1_000 })) {
          await fresh.put(labels, key, value);
        }
        const prefix = [...namespace(0), ...drawn.of([[], ["*"]])];
        const maxDepth = drawn.of([undefined, 1, 2]);
        const how = {
          ...(prefix.length ? { prefix } : {}),
          ...(drawn.of([true, false]) ? { suffix: [drawn.of(labels)] } : {}),
          ...(maxDepth ? { maxDepth } : {}),
        };
        const [found, expected] = [
          await store.listNamespaces(how),
          await fresh.listNamespaces(how),
        ];
        assert.deepEqual(new Set(found.map(String)), new Set(expected.map(String)));
        assert.equal(found.length, expected.length);
      },
    ];
    for (let step = 0; step < 25; step += 1) {
      await drawn.of([...actions, ...actions.slice(0, 3)])();
    }
  });
}

function values(results: unknown[]): unknown[] {
  return results.map((each) => (each ? (each as Item).value : null));
}

function facts(items: readonly Item[]): string[] {
  return items.map(({ namespace, key, value }) => JSON.stringify([namespace, key, value])).sort();
}

test("a search with a query ranks by what texts say, and others follow without a score", async () => {
  await store.put(["users", "42"], "drink", { text: "Ada prefers tea", rank: 1 });
  await store.put(["users", "42"], "pet", { text: "Ada has a cat, 猫", rank: 2 });
  await store.put(["users", "7"], "drink", { text: "Bob prefers tea" }, false);
  const found = await store.search(["users"], { query: "what does Ada drink? tea" });
  assert.equal(found[0]?.value.text, "Ada prefers tea");
  assert.equal(typeof found[0]?.score, "number");
  assert.equal(found.length, 3);
  const [hit] = (await camillo.recall("what does Ada prefer?", { limit: 1 })).hits;
  assert.equal(
    hit?.item.case === "memory" && hit.item.value.content,
    "Ada prefers tea\n[users/42/drink]",
  );
  const listed = camillo.memories({ tagsAll: [tagOf(["users", "42"])], metadata: { rank: 1 } });
  assert.deepEqual(
    (await all(listed)).map(({ memoryId }) => memoryId),
    [idOf(["users", "42"], "drink")],
  );
});

class Counted extends Embeddings {
  constructor() {
    super({});
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map((text) => [..."abcdefgh"].map((letter) => text.split(letter).length - 1));
  }

  async embedQuery(text: string): Promise<number[]> {
    return (await this.embedDocuments([text]))[0] ?? [];
  }
}

test("vectors of one's own rank as in memory", async () => {
  const index = { dims: 8, embeddings: new Counted(), fields: ["text", "more[*].text"] };
  const [own, oracle] = [new CamilloStore(camillo, { index }), new InMemoryStore({ index })];
  for (const each of [own, oracle]) {
    await each.put(["a"], "1", { text: "aaab" });
    await each.put(["a"], "2", { text: "bbba", other: "aaaa" });
    await each.put(["a"], "3", { more: [{ text: "cccbb" }, { n: 1 }] });
    await each.put(["a"], "4", { text: "aaaa" }, false);
  }
  for (const query of ["a", "b"]) {
    const [found, expected] = [
      await own.search(["a"], { query }),
      await oracle.search(["a"], { query }),
    ];
    assert.deepEqual(
      found.map(({ key }) => key),
      expected.map(({ key }) => key),
    );
    for (const [place, { score }] of expected.entries()) {
      assert.ok(Math.abs((found[place]?.score ?? 0) - (score ?? 0)) < 1e-5);
    }
  }
});

test("nothing of a batch with a wrong namespace or value is done", async () => {
  const right = { namespace: ["a"], key: "k", value: { n: 1 } };
  for (const wrong of [["a.b"], [""], []]) {
    const ops = [right, { ...right, namespace: wrong }];
    await assert.rejects(store.batch(ops), InvalidNamespaceError);
  }
  for (const value of [{ n: Number.NaN }, { n: 1n }]) {
    await assert.rejects(store.batch([right, { ...right, key: "other", value }]), TypeError);
  }
  assert.equal(await store.get(["a"], "k"), null);
  await store.batch([right]);
  assert.deepEqual((await store.get(["a"], "k"))?.value, { n: 1 });
});

test("an item keeps its time of creation, and one deleted is gone for good", async () => {
  await store.put(["a"], "k", { text: "a sentence of some length" });
  const first = await store.get(["a"], "k");
  await store.put(["a"], "k", { text: "another sentence" });
  const second = await store.get(["a"], "k");
  assert.deepEqual(second?.createdAt, first?.createdAt);
  assert.ok(first && second && second.updatedAt > first.updatedAt);
  assert.ok((await camillo.get(idOf(["a"], "k"))).content);
  await store.delete(["a"], "k");
  await assert.rejects(camillo.get(idOf(["a"], "k")), MemoryNotFound);
  await store.put(["a"], "k", { text: "another sentence" });
  assert.deepEqual((await store.search(["a"], { query: "sentence" })).length, 1);
});

test("a long value is an artifact that goes with its item", async () => {
  const long = { content: Array.from({ length: 3_000 }, (_, n) => `строка № ${n}`), kind: "file" };
  for (const key of ["a", "b", "c"]) {
    await store.put(["files"], key, long);
  }
  await store.delete(["files"], "c");
  assert.deepEqual((await store.get(["files"], "a"))?.value, long);
  const found = await store.search(["files"], { filter: { kind: "file" } });
  assert.deepEqual(values(found), [long, long]);
  const kept = await all(camillo.artifacts.list());
  assert.equal(kept.length, 2);
  await store.put(["files"], "a", { content: [] });
  await store.delete(["files"], "b");
  assert.deepEqual((await store.get(["files"], "a"))?.value, { content: [] });
  for (const { artifactId } of kept) {
    await assert.rejects(camillo.artifacts.read(artifactId), ArtifactNotFound);
  }
});

test("more fields than can be filtered by, and an unknown operator, are refused", async () => {
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));
  await store.put(["a"], "fits", fields(48));
  await assert.rejects(store.put(["a"], "k", fields(49)), /at most 48/);
  assert.equal((await store.search(["a"], { filter: { f47: 47 } }))[0]?.key, "fits");
  await assert.rejects(store.search(["a"], { filter: { f1: { $regex: "1" } } }), /\$regex/);
});

test("stores of two spaces see nothing of each other", async () => {
  const person = newPerson();
  connected.push(person);
  const other = new CamilloStore(person);
  await store.put(["a"], "k", { text: "tea" });
  assert.equal(await other.get(["a"], "k"), null);
  assert.deepEqual(await other.search([], { query: "tea" }), []);
  assert.equal((await store.search([], { query: "tea" })).length, 1);
});
