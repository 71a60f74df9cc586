import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, beforeEach, test } from "node:test";
import {
  type BaseSessionService,
  createEvent,
  type Event,
  InMemorySessionService,
  type Session,
} from "@google/adk";
import { type Camillo, connect, SlotRecords } from "camillo-client";
import { CamilloSessionService, SessionExists, SessionNotFound } from "../src/index.js";
import { Random } from "./random.js";
import { all } from "./spaces.js";

const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const PARTS = [
  { text: "Кошка, 猫, قطة 🐈\u2028two\u0000" },
  { text: "hm", thought: true, thoughtSignature: BYTES.toString("base64") },
  { inlineData: { data: BYTES.toString("base64"), mimeType: "image/png" } },
  { functionCall: { id: "c1", name: "look", args: { n: 1.5, deep_er: { a_b: [1, null] } } } },
  { functionResponse: { id: "c1", name: "look", response: { row_s: [1, 2.5, "é"] } } },
];

const camillo = connect({ timeoutMs: 60_000 });
const service = new CamilloSessionService(camillo);
let [app, user] = ["", ""];

beforeEach(() => {
  [app, user] = [`app-${randomUUID()}`, randomUUID()];
});
after(() => camillo.close());

function said(text: string, state = {}, timestamp = 1_000, id: string = randomUUID()): Event {
  const content = { role: "user", parts: [{ text }] };
  return createEvent({ author: "user", content, actions: acted(state), timestamp, id });
}

function acted(stateDelta: Record<string, unknown>) {
  return { ...createEvent().actions, stateDelta };
}

/** Without fields that are undefined, and prototypes. */
function clean<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

function textsOf(session: Session | undefined) {
  return session?.events.map((event) => event.content?.parts?.[0]?.text);
}

test("events and state come back as they were", async () => {
  const kept = { n: 1, deep: { é_e: [null, true, "x"] }, "app:a": [1], "user:u": { k_1: 2 } };
  const state = { ...kept, "temp:t": 3 };
  const named = { appName: app, userId: user, sessionId: "s/1 " };
  const session = await service.createSession({ ...named, state });
  assert.deepEqual([session.id, session.state], ["s/1 ", kept]);
  const rich = createEvent({
    ...said("first", {}, 2_500),
    ...{ author: "cook", invocationId: "i1", branch: "a.b", longRunningToolIds: ["c1"] },
    content: { role: "model", parts: PARTS },
    customMetadata: { a_b: { c_d: null } },
  });
  const routed = { ...rich, id: "routed", route: ["a", "b"] } as Event;
  const changed = said("second", { n: null, "app:a": 2, "user:v": "w", "temp:x": 1 }, 1.5);
  for (const event of [rich, routed, changed]) {
    assert.equal(await service.appendEvent({ session, event }), event);
  }
  const back = await service.getSession(named);
  assert.deepEqual(clean(back?.events), clean([rich, routed, changed]));
  assert.deepEqual(back?.state, { ...kept, n: null, "app:a": 2, "user:v": "w" });
  assert.deepEqual(clean(session), clean(back));
  assert.equal(back?.lastUpdateTime, 1.5);
});

test("long events and long state are kept whole, and their artifacts go with them", async () => {
  const noise = randomBytes(300_000);
  const named = { appName: app, userId: user, sessionId: "s" };
  const session = await service.createSession({ ...named, state: { b: noise.toString("hex") } });
  const long = said("long");
  long.content = { parts: [{ inlineData: { data: noise.toString("base64"), mimeType: "a/b" } }] };
  await service.appendEvent({ session, event: long });
  const b = noise.reverse().toString("hex");
  await service.appendEvent({ session, event: said("next", { b }) });
  const back = await service.getSession(named);
  assert.deepEqual(clean(back?.events[0]), clean(long));
  assert.deepEqual(back?.state, { b });
  // Two events and the state; the state before is gone.
  const { artifacts } = camillo.forUser(user);
  assert.equal((await all(artifacts.list())).length, 3);
  await service.deleteSession(named);
  assert.equal((await all(artifacts.list())).length, 0);
});

for (const seed of [1, 2]) {
  test(`random changes do what they do in the framework's own service (${seed})`, async () => {
    const [drawn, own] = [new Random(seed), new InMemorySessionService()];
    const [services, users] = [
      [service, own],
      [user, `${user}-2`],
    ];
    const held = new Map<string, Session[]>();
    const both = <T>(ask: (each: BaseSessionService) => Promise<T>) => {
      return Promise.all(services.map(ask));
    };
    for (let step = 0; step < 20; step += 1) {
      const named = { appName: app, userId: drawn.of(users), sessionId: drawn.of(["a", "b"]) };
      const place = named.userId + named.sessionId;
      const copies = held.get(place);
      const names = drawn.sample(["x", "y", "app:x", "user:x", "temp:x"], drawn.between(0, 2));
      const state = Object.fromEntries(names.map((name) => [name, step]));
      const change = drawn.of(["create", "append", "append", "append", "again", "load", "delete"]);
      const event = said(String(step), state, (step + 1) * 1_000, `${seed} ${step}`);
      if (change === "create" && !copies) {
        const plain = { x: step, "temp:x": 1 };
        held.set(place, await both((each) => each.createSession({ ...named, state: plain })));
      } else if (change === "delete") {
        await both((each) => each.deleteSession(named));
        held.delete(place);
      } else if (copies && change !== "load") {
        const before = copies[0]?.events.length ? drawn.of(copies[0].events) : event;
        event.id = change === "again" ? before.id : event.id;
        await both((each) => {
          const session = copies[services.indexOf(each as CamilloSessionService)] as Session;
          return each.appendEvent({ session, event: structuredClone(event) });
        });
        assert.deepEqual(clean(copies[0]?.events), clean(copies[1]?.events));
      }
      const config = {
        numRecentEvents: drawn.of([0, 1, 3]),
        afterTimestamp: drawn.of([0, step * 500]),
      };
      for (const each of change === "load" ? [{ ...named, config }] : [named]) {
        const [mine, other] = (await both((one) => one.getSession(each))).map(clean);
        assert.deepEqual(
          mine && { ...mine, lastUpdateTime: 0 },
          other && { ...other, lastUpdateTime: 0 },
        );
        if (mine?.events.length) {
          assert.equal(mine.lastUpdateTime, other?.lastUpdateTime);
        }
      }
      const [limit, offset] = [drawn.of([undefined, 0, 1, 2]), drawn.of([undefined, 1])];
      const paged = {
        ...{ appName: app, order: drawn.of(["asc", "desc"] as const) },
        ...{ ...(limit === undefined ? {} : { limit }), ...(offset ? { offset } : {}) },
        ...(limit === undefined ? {} : drawn.of([{}, { page: 2 }])),
      };
      const [mine, other] = await both((each) => each.listSessions({ ...paged, userId: user }));
      // Sessions without events were made at moments that differ.
      const shape = { ...mine, sessions: mine?.sessions.length };
      assert.deepEqual(shape, { ...other, sessions: other?.sessions.length });
      const [everyone, others] = await both((each) =>
        each.listSessions({ appName: app, userId: user }),
      );
      assert.deepEqual(idsOf(everyone?.sessions), idsOf(others?.sessions));
    }
  });
}

function idsOf(sessions: readonly Session[] = []) {
  return sessions.map(({ userId, id, state }) => [userId, id, clean(state)]).sort();
}

test("a page has the sessions that were changed last, of one user or of all", async () => {
  for (const [place, userId] of [user, `${user}-2`, user].entries()) {
    const session = await service.createSession({ appName: app, userId, sessionId: `s${place}` });
    await service.appendEvent({ session, event: said("a", {}, (place + 1) * 1_000) });
  }
  const of = async (request: object) => {
    const { sessions, ...counts } = await service.listSessions({
      appName: app,
      ...request,
    } as never);
    return [sessions.map(({ id }) => id), counts];
  };
  const counts = { page: 1, limit: 2, totalItems: 3, totalPages: 2 };
  assert.deepEqual(await of({ order: "desc", limit: 2 }), [["s2", "s1"], counts]);
  assert.deepEqual(await of({ limit: 2, page: 2 }), [["s2"], { ...counts, page: 2 }]);
  assert.deepEqual((await of({ userId: user }))[0], ["s0", "s2"]);
});

test("of many writers none loses an event or state", async () => {
  const named = { appName: app, userId: user, sessionId: "s" };
  await service.createSession(named);
  const numbers = Array.from({ length: 6 }, (_, number) => number);
  await Promise.all(
    numbers.map(async (number) => {
      const other = new CamilloSessionService(camillo);
      const session = (await other.getSession(named)) as Session;
      const state = { [`k${number}`]: 1, [`user:k${number}`]: 2, [`app:k${number}`]: 3 };
      await other.appendEvent({ session, event: said(String(number), state) });
    }),
  );
  const back = await service.getSession(named);
  assert.deepEqual(textsOf(back)?.sort(), numbers.map(String));
  assert.equal(Object.keys(back?.state ?? {}).length, 18);
});

test("of several who make one session one succeeds, and all get it who ask for it", async () => {
  const named = { appName: app, userId: user, sessionId: "s" };
  const makers = [1, 2, 3].map((n) => service.createSession({ ...named, state: { n } }));
  const outcomes = await Promise.allSettled(makers);
  const reasons = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  assert.equal(reasons.length, 2);
  assert.ok(reasons.every((reason) => reason instanceof SessionExists));
  const won = outcomes.find((each) => each.status === "fulfilled");
  const state = won?.status === "fulfilled" && won.value.state;
  assert.deepEqual((await service.getSession(named))?.state, state);
  const wanted = { ...named, sessionId: "t" };
  const got = await Promise.all([1, 2, 3].map(() => service.getOrCreateSession(wanted)));
  assert.deepEqual(new Set(got.map(({ id }) => id)), new Set(["t"]));
});

test("a deleted session is gone, and a new one begins empty", async () => {
  const named = { appName: app, userId: user, sessionId: "s" };
  for (const sessionId of ["s", "t"]) {
    const session = await service.createSession({ ...named, sessionId, state: { "user:k": 1 } });
    await service.appendEvent({ session, event: said("same words") });
  }
  const late = (await service.getSession(named)) as Session;
  await service.deleteSession(named);
  assert.equal(await service.getSession(named), undefined);
  await assert.rejects(
    service.appendEvent({ session: late, event: said("late") }),
    SessionNotFound,
  );
  assert.deepEqual(textsOf(await service.getSession({ ...named, sessionId: "t" })), ["same words"]);
  const keys = await all(camillo.forUser(user).slots.list(`/adk/=${app}`));
  const kinds = keys.map(({ key }) => key.split("/")[3]).sort();
  assert.deepEqual(kinds, ["events", "sessions", "sessions", "user"]);
  const again = await service.createSession(named);
  assert.deepEqual([again.events, again.state], [[], { "user:k": 1 }]);
});

test("a session is in no recall, and with no other user or app", async () => {
  const named = { appName: app, userId: user, sessionId: "s" };
  const session = await service.createSession(named);
  await service.appendEvent({ session, event: said("The cat is called Minka") });
  const person: Camillo = camillo.forUser(user);
  await person.remember("The dog is called Rex");
  const sources = ["memory", "event", "slot"] as const;
  const { hits } = await person.recall("what are the cat and the dog called?", { sources });
  assert.deepEqual(
    hits.map((hit) => hit.item.case === "memory" && hit.item.value.content),
    ["The dog is called Rex"],
  );
  assert.equal((await service.getSession(named))?.events.length, 1);
  assert.equal(await service.getSession({ ...named, userId: `${user}-2` }), undefined);
  assert.equal(await service.getSession({ ...named, appName: `${app}-2` }), undefined);
  await assert.rejects(service.getSession({ ...named, userId: "a/b" }), TypeError);
});

test("a session that Python wrote is read and goes on, and its numbers stay exact", async () => {
  const records = new SlotRecords(camillo.forUser(user), "adk");
  const [run, key] = ["0123", `/adk/=${app}/sessions/=s`];
  const event = {
    id: "e1",
    invocation_id: "i1",
    author: "user",
    error_code: null,
    timestamp: 1_700_000_000.123456,
    content: {
      role: null,
      parts: [
        { inline_data: { data: "-vv8_f7_", mime_type: "a/b", display_name: null }, text: null },
        { function_call: { id: "c1", name: "f", args: { a_b: null } } },
      ],
    },
    actions: {
      state_delta: { a_b: 1 },
      artifact_delta: {},
      requested_auth_configs: { my_call: { raw_auth_credential: null, credential_key: "k" } },
      requested_tool_confirmations: {},
      route: "left",
    },
    long_running_tool_ids: null,
  };
  const text = '{"big": 12345678901234567890, "float": 2.0, "none": NaN, "said": "NaN \\" é"}';
  const head = { run, id: "s", count: 1, time: 1_700_000_000.5 };
  const rows: Record<string, string> = {
    [`/adk/=${app}/events/=s/${run}/ffffffff`]: JSON.stringify(event),
    [`${key}/${run}`]: text,
    [key]: JSON.stringify(head),
  };
  const slots = Object.entries(rows).map(([at, row]) => records.slot(at, Buffer.from(row)));
  await records.write(await Promise.all(slots));
  const named = { appName: app, userId: user, sessionId: "s" };
  const session = (await service.getSession(named)) as Session;
  assert.equal(session.lastUpdateTime, 1_700_000_000_500);
  assert.equal(session.state.said, 'NaN " é');
  assert.deepEqual(clean(session.events), [
    {
      id: "e1",
      invocationId: "i1",
      author: "user",
      timestamp: 1_700_000_000_123.456,
      route: "left",
      content: {
        parts: [
          { inlineData: { data: "+vv8/f7/", mimeType: "a/b" } },
          { functionCall: { id: "c1", name: "f", args: { a_b: null } } },
        ],
      },
      actions: {
        stateDelta: { a_b: 1 },
        artifactDelta: {},
        requestedAuthConfigs: { my_call: { credentialKey: "k" } },
        requestedToolConfirmations: {},
      },
      longRunningToolIds: [],
    },
  ]);
  await service.appendEvent({ session, event: said("half \ud83d", { more: "猫" }, 2_000, "e2") });
  const state = await records.newest(`${key}/${run}`);
  const written = Buffer.from(await records.data(state as never)).toString();
  assert.equal(
    written,
    '{"big":12345678901234567890,"float":2.0,"none":null,"said":"NaN \\" é","more":"猫"}',
  );
  const [added] = await all(records.below(`/adk/=${app}/events`));
  const { content, timestamp } = JSON.parse(
    Buffer.from(await records.data(added as never)).toString(),
  );
  assert.deepEqual([content.parts[0].text, timestamp], ["half \ufffd", 2]);
});
