import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import type { MastraDBMessage } from "@mastra/core/memory";
import {
  InMemoryStore,
  MastraCompositeStore,
  type MemoryStorage,
  type StorageListMessagesInput,
} from "@mastra/core/storage";
import { Memory } from "@mastra/memory";
import type { Camillo } from "camillo-client";
import { CamilloMemory } from "../src/index.js";
import { Random } from "./random.js";
import { all, newPerson } from "./spaces.js";

const THREADS = ["t1", "t/2 é", "t3 🍵", "none"];
const RESOURCES = ["ada", "bob/..", "мир"];
const IDS = Array.from(
  { length: 12 },
  (_, number) => `m${number} ${["a", "é", "/", "猫"][number % 4]}`,
);
const TEXTS = ["tea", "お茶", "e\u0301 \u0000 null", "x".repeat(100)];
const START = Date.UTC(2026, 0, 1);

let camillo: Camillo;
let memory: CamilloMemory;
const connected: Camillo[] = [];

beforeEach(() => {
  camillo = newPerson();
  connected.push(camillo);
  memory = new CamilloMemory(camillo);
});
after(() => Promise.all(connected.map((each) => each.close())));

function message(id: string, fields: Partial<MastraDBMessage> = {}): MastraDBMessage {
  const content = { format: 2 as const, parts: [{ type: "text" as const, text: "tea" }] };
  const createdAt = new Date(START);
  const own = { id, role: "user" as const, type: "text", threadId: "t1", resourceId: "ada" };
  return { ...own, content, createdAt, ...fields };
}

function thread(id: string, resourceId = "ada") {
  const now = new Date(START);
  return {
    id,
    resourceId,
    title: `title of ${id}`,
    metadata: { a: 1 },
    createdAt: now,
    updatedAt: now,
  };
}

/** As JSON, without times that are those of a change. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each) => (key === "updatedAt" ? undefined : each)));
}

/** Without the time at which it was made. */
function untimed(resource: object | null): unknown {
  return resource && { ...resource, createdAt: undefined };
}

function byId(items: readonly { id: string }[]): unknown {
  return plain([...items].sort((one, other) => (one.id < other.id ? -1 : 1)));
}

async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return plain((await run()) ?? null);
  } catch (error) {
    return `failed: ${error instanceof Error}`;
  }
}

for (const seed of [1, 2, 3]) {
  test(`random changes do what they do in Mastra's own store (${seed})`, async () => {
    const drawn = new Random(seed);
    const oracle = (await new InMemoryStore().getStore("memory")) as MemoryStorage;
    let time = START;
    const drawnMessage = () => {
      time += 1_000;
      const parts = [{ type: "text" as const, text: drawn.of(TEXTS) }];
      const metadata = drawn.of([undefined, { kind: "a", n: 1 }, { kind: "b" }]);
      return message(drawn.of(IDS), {
        threadId: drawn.of(THREADS),
        resourceId: drawn.of(RESOURCES),
        role: drawn.of(["user", "assistant"] as const),
        createdAt: new Date(time),
        content: { format: 2, parts, ...(metadata ? { metadata } : {}) },
      });
    };
    const query = () => {
      const perPage = drawn.of([undefined, 1, 3, 100, false as const]);
      const direction = drawn.of(["ASC", "DESC"] as const);
      const orderBy = { field: "createdAt" as const, direction };
      return { orderBy, ...(perPage === undefined ? {} : { perPage }) };
    };
    const both = async (run: (each: MemoryStorage) => Promise<unknown>) => {
      const [found, expected] = [
        await outcome(() => run(memory)),
        await outcome(() => run(oracle)),
      ];
      assert.deepEqual(found, expected);
    };
    const changes: (() => Promise<void>)[] = [
      async () => {
        const saved = thread(drawn.of(THREADS.slice(0, 3)), drawn.of(RESOURCES));
        await both((each) => each.saveThread({ thread: structuredClone(saved) }));
      },
      async () => {
        const messages = Array.from({ length: drawn.between(1, 4) }, drawnMessage);
        await both(
          async (each) => void (await each.saveMessages({ messages: structuredClone(messages) })),
        );
      },
      async () => {
        const { threadId, content, role } = drawnMessage();
        const update = drawn.of([
          { threadId },
          { content },
          { role },
          { content: { metadata: { c: 2 } } },
        ]);
        const messages = [{ id: drawn.of(IDS), ...update }] as Parameters<
          MemoryStorage["updateMessages"]
        >[0]["messages"];
        await both((each) => each.updateMessages({ messages: structuredClone(messages) }));
      },
      async () => {
        const ids = drawn.sample(IDS, drawn.between(0, 3));
        await both((each) => each.deleteMessages(ids));
      },
      async () => {
        const given = drawn.of([
          { title: "new" },
          { metadata: { b: "é" } },
          { title: "", metadata: {} },
        ]);
        await both((each) => each.updateThread({ id: drawn.of(THREADS.slice(0, 1)), ...given }));
      },
      async () => {
        const threadId = drawn.next() < 0.3 ? drawn.of(THREADS) : "none";
        await both((each) => each.deleteThread({ threadId }));
      },
      async () => {
        const given = drawn.of([{ workingMemory: "tea" }, { metadata: { a: "猫" } }]);
        const resourceId = drawn.of(RESOURCES);
        await both(async (each) => untimed(await each.updateResource({ resourceId, ...given })));
        await both(async (each) => untimed(await each.getResourceById({ resourceId })));
      },
      async () => {
        const threadId = drawn.of([drawn.of(THREADS), drawn.sample(THREADS, 2)]);
        const filter: StorageListMessagesInput["filter"] = drawn.of([
          undefined,
          { metadata: { kind: "a" } },
          {
            dateRange: { start: new Date(START + 5_000), end: new Date(time), endExclusive: true },
          },
        ]);
        const resourceId = drawn.of([undefined, drawn.of(RESOURCES)]);
        const asked = { threadId, ...query(), ...(resourceId ? { resourceId } : {}) };
        await both((each) => each.listMessages({ ...asked, ...(filter ? { filter } : {}) }));
      },
      async () => {
        const include = drawn.sample(IDS, 2).map((id) => ({
          id,
          withPreviousMessages: drawn.between(0, 2),
          withNextMessages: drawn.between(0, 2),
        }));
        const asked = {
          threadId: drawn.of(THREADS),
          ...query(),
          perPage: drawn.of([0, 2]),
          include,
        };
        await both((each) => each.listMessages(asked));
      },
      async () => {
        const asked = { resourceId: drawn.of(RESOURCES), ...query() };
        await both((each) => each.listMessagesByResourceId(asked));
      },
      async () => {
        const filter = drawn.of([
          {},
          { resourceId: drawn.of(RESOURCES) },
          { metadata: { a: 1, b: "é" } },
        ]);
        await both(async (each) => byId((await each.listThreads({ filter })).threads));
        const messageIds = drawn.sample(IDS, 5);
        await both(async (each) => byId((await each.listMessagesById({ messageIds })).messages));
      },
    ];
    for (let step = 0; step < 50; step += 1) {
      await drawn.of([...changes, ...changes.slice(1, 2)])();
    }
    for (const threadId of THREADS) {
      await both((each) => each.listMessages({ threadId, perPage: false }));
      await both((each) => each.getThreadById({ threadId }));
    }
  });
}

test("messages that several processes save at once are all kept", async () => {
  await memory.saveThread({ thread: thread("t1") });
  const save = (number: number) => {
    const createdAt = new Date(START + number);
    return new CamilloMemory(camillo).saveMessages({
      messages: [message(`m${number}`, { createdAt })],
    });
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(save));
  const { total } = await memory.listMessages({ threadId: "t1" });
  assert.equal(total, 6);
  const add = (id: string) =>
    new CamilloMemory(camillo).updateThreadMetadata({ id: "t1", update: () => ({ [id]: id }) });
  await Promise.all(["b", "c", "d"].map(add));
  const { metadata } = (await memory.getThreadById({ threadId: "t1" })) ?? {};
  assert.deepEqual(metadata, { a: 1, b: "b", c: "c", d: "d" });
});

test("a long message is an artifact that goes with it", async () => {
  // Random texts cannot be compressed.
  const text = Array.from({ length: 3_000 }, () => crypto.randomUUID()).join(" 長 ");
  const content = { format: 2 as const, parts: [{ type: "text" as const, text }] };
  await memory.saveThread({ thread: thread("t1") });
  await memory.saveMessages({ messages: [message("m1", { content }), message("m2")] });
  const { messages } = await memory.listMessagesById({ messageIds: ["m1"] });
  assert.deepEqual(messages[0]?.content, content);
  assert.equal((await all(camillo.artifacts.list())).length, 1);
  const read = { ...content, metadata: { read: true } };
  await memory.updateMessages({ messages: [{ id: "m1", content: read }] });
  assert.equal((await all(camillo.artifacts.list())).length, 1);
  await memory.deleteMessages(["m1"]);
  assert.deepEqual(await all(camillo.artifacts.list()), []);
  assert.equal((await memory.listMessages({ threadId: "t1" })).total, 1);
});

test("a deleted thread leaves nothing, and others stay", async () => {
  for (const id of ["t1", "t2"]) {
    await memory.saveThread({ thread: thread(id) });
    await memory.saveMessages({ messages: [message(`m of ${id}`, { threadId: id })] });
  }
  await memory.deleteThread({ threadId: "t1" });
  const keys = (await all(camillo.slots.list("/mastra"))).map(({ key }) => key);
  assert.deepEqual(keys, [
    "/mastra/ids/=m%20of%20t2",
    "/mastra/messages/=t2/=m%20of%20t2",
    "/mastra/threads/=t2",
  ]);
  const { hits } = await camillo.recall("tea", { sources: ["slot"], limit: 50 });
  assert.deepEqual(hits, []);
  await memory.dangerouslyClearAll();
  assert.deepEqual(await all(camillo.slots.list("/mastra")), []);
});

test("Mastra's Memory goes on with a thread, and clones it", async () => {
  const domains = { memory };
  const used = new Memory({ storage: new MastraCompositeStore({ id: "camillo", domains }) });
  await used.createThread({ threadId: "t1", resourceId: "ada", title: "Tea" });
  const messages = ["one", "two 猫"].map((id, place) => {
    return message(id, { createdAt: new Date(START + place) });
  });
  await used.saveMessages({ messages });
  // Nothing but the server is in common.
  const storage = new MastraCompositeStore({
    id: "c",
    domains: { memory: new CamilloMemory(camillo) },
  });
  const again = new Memory({ storage });
  const recalled = await again.recall({ threadId: "t1", resourceId: "ada" });
  assert.deepEqual(
    recalled.messages.map(({ id }) => id),
    ["one", "two 猫"],
  );
  const { thread: copy } = await again.cloneThread({ sourceThreadId: "t1", newThreadId: "t2" });
  assert.equal(copy.title, "Clone of Tea");
  const { messages: cloned } = await again.recall({ threadId: "t2", resourceId: "ada" });
  assert.deepEqual(
    cloned.map(({ content }) => content),
    messages.map(({ content }) => content),
  );
});
