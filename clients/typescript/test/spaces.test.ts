import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { minimizeLatency, recallRequest, SHARED } from "../src/index.js";
import {
  MemoryService,
  type RecallRequest,
  SlotService,
  SnapshotService,
  SpaceReadSchema,
} from "../src/v1.js";
import { pair } from "./pair.js";
import { refuse } from "./refusals.js";

const { remember, recall, batchRecall } = MemoryService.method;
const { buildBundle, buildSnapshot, buildWorkingMemory, buildDigest } = SnapshotService.method;
// Seen as one method: of their requests only what all have is asked.
const BUILDS = [
  buildBundle,
  buildSnapshot,
  buildWorkingMemory,
  buildDigest,
] as unknown as (typeof buildBundle)[];
const REVISIONS = { "users/42": "r42", "projects/shop": "rshop" } as Record<string, string>;
const written = (token: string | undefined) => ({ revision: { token: token ?? "r" } });

/** Returns what each recall read: its space, those beside it with what was demanded of them, and whether the shared one. */
function read(request: RecallRequest) {
  return [request.agentId, beside(request), request.includeShared];
}

function beside({ spaces }: Pick<RecallRequest, "spaces">) {
  return spaces.map(({ space, freshness }) => [space, token(freshness)]);
}

function token(freshness: RecallRequest["freshness"]): string | undefined {
  const requirement = freshness?.requirement;
  return requirement?.case === "atLeastAsFresh" ? requirement.value.token : requirement?.case;
}

test("every part of a client for a space names the space", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => written("r1"));
  server.answer(recall, () => ({}));
  server.answer(SlotService.method.getSlot, () => ({ slot: {} }));
  const ana = client.forUser("42");
  await ana.call(remember, {});
  await ana.recall("茶");
  await ana.slots.get("/user/tea");
  for (const bound of [
    client.forProject("github.com/acme/shop"),
    client.forTeam("eu/ops"),
    client.forSpace(SHARED),
    ana.forUser("43"),
    client,
  ]) {
    await bound.recall("tea");
  }
  assert.deepEqual(
    server.requests(recall).map(({ agentId, freshness }) => [agentId, token(freshness)]),
    [
      ["users/42", "r1"],
      ["projects/github.com/acme/shop", undefined],
      ["teams/eu/ops", undefined],
      ["@shared", undefined],
      ["users/43", undefined],
      ["ada", undefined],
    ],
  );
  assert.equal(server.requests(SlotService.method.getSlot)[0]?.agentId, "users/42");
});

test("what a client reads beside its own is in each recall, as fresh as it was written", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, ({ agentId }) => written(REVISIONS[agentId]));
  server.answer(recall, () => ({}));
  const answered = { outcome: { case: "response" as const, value: {} } };
  server.answer(batchRecall, () => ({ results: [answered, answered] }));
  await client.forProject("shop").call(remember, {});
  const ana = client.withSpaces({
    read: ["users/42", "projects/shop", "teams/eu", SHARED],
    write: "users/42",
  });
  await ana.call(remember, {});
  await ana.recall("tea");
  await ana.searchMyMemories("tea");
  await ana.call(recall, recallRequest("tea"));
  const told = [
    "users/42",
    [
      ["projects/shop", "rshop"],
      ["teams/eu", undefined],
    ],
    true,
  ];
  assert.deepEqual(server.requests(recall).map(read), [told, told, told]);
  assert.equal(token(server.requests(recall)[0]?.freshness), "r42");
  await ana.recallMany(["tea", { ...recallRequest("tea"), agentId: "users/43" }]);
  const [batch] = server.requests(batchRecall);
  assert.deepEqual(batch?.requests.map(read), [told, ["users/43", [], false]]);
});

test("spaces weigh beside any profile", () => {
  const plain = recallRequest("tea", { spaceWeights: { users: 1, shared: 0 } }).profile;
  assert.deepEqual(
    [plain?.spaceWeights?.users, plain?.spaceWeights?.shared, plain?.spaceWeights?.teams],
    [1, 0, undefined],
  );
  const { profile } = recallRequest("tea", { profile: "blended", spaceWeights: { teams: 0.9 } });
  assert.deepEqual(profile?.profile, { case: "name", value: "blended" });
  assert.equal(recallRequest("tea").profile, undefined);
});

test("a call that says what it reads reads that alone", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  const shop = client.withSpaces({ read: ["projects/shop", SHARED] });
  await shop.recall("tea");
  await shop.call(recall, recallRequest("tea"), { agentId: "users/43" });
  await shop.recall("tea", { spaces: ["teams/eu"] });
  await shop.forUser("42").recall("tea");
  await client.recall("tea");
  assert.deepEqual(server.requests(recall).map(read), [
    ["ada", [["projects/shop", undefined]], true],
    ["users/43", [], false],
    ["ada", [["teams/eu", undefined]], false],
    ["users/42", [], false],
    ["ada", [], false],
  ]);
});

test("a demand of the caller's goes before, and one that is void is dropped", async (t) => {
  const { server, client } = await pair(t);
  server.answer(remember, () => written("r1"));
  server.answer(
    recall,
    () => ({}),
    refuse({ code: "OUT_OF_RANGE", reason: "REVISION_UNKNOWN" }),
    () => ({}),
  );
  await client.forProject("shop").call(remember, {});
  const mine = create(SpaceReadSchema, { space: "projects/shop", freshness: minimizeLatency() });
  await client.recall("tea", { spaces: [mine] });
  await client.recall("tea", { spaces: ["projects/shop"] });
  await client.recall("tea", { spaces: ["projects/shop"] });
  const demands = server.requests(recall).map(({ spaces }) => token(spaces[0]?.freshness));
  assert.deepEqual(demands, ["minimizeLatency", "r1", undefined, undefined]);
});

test("of writes that overlapped, the revision that a space was read at covers both", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    remember,
    () => written("r1"),
    () => written("r2"),
  );
  server.answer(recall, () => ({ spaces: [{ space: "users/42", revision: { token: "r9" } }] }));
  const ana = client.forUser("42");
  await ana.call(remember, {});
  await ana.call(remember, { requestId: "mine" });
  await client.recall("tea", { spaces: ["users/42"] });
  await client.recall("tea", { spaces: ["users/42"] });
  const demands = server.requests(recall).map(({ spaces }) => token(spaces[0]?.freshness));
  assert.deepEqual(demands, ["fullyConsistent", "r9"]);
});

for (const build of BUILDS) {
  test(`${build.name} reads what its client reads, and tells what it was read at`, async (t) => {
    const { server, client } = await pair(t);
    server.answer(remember, ({ agentId }) => written(REVISIONS[agentId]));
    const spaces = [{ space: "projects/shop", revision: { token: "r9" } }];
    server.answer(
      build,
      () => ({ bundle: { spaces } }),
      () => ({ bundle: {} }),
      refuse({ code: "OUT_OF_RANGE", reason: "REVISION_UNKNOWN" }),
      () => ({ bundle: {} }),
    );
    const shop = client.forProject("shop");
    await shop.call(remember, {});
    const ana = client.withSpaces({
      read: ["projects/shop", "teams/eu", SHARED],
      write: "users/42",
    });
    await ana.call(remember, {});
    await shop.call(remember, { requestId: "mine" });
    for (const spaces of [[], [], [{ space: "teams/eu" }], []]) {
      await ana.call(build, { spaces });
    }
    await ana.call(build, {}, { agentId: "users/43" });
    const told = server.requests(build).map((sent) => [sent.agentId, beside(sent)]);
    const team = ["teams/eu", undefined];
    assert.deepEqual(told, [
      ["users/42", [["projects/shop", "fullyConsistent"], team]],
      ["users/42", [["projects/shop", "r9"], team]],
      // Refused for the demand on the own space, which was dropped.
      ["users/42", [team]],
      ["users/42", [team]],
      ["users/42", [["projects/shop", "r9"], team]],
      ["users/43", []],
    ]);
    assert.equal(token(server.requests(build)[0]?.freshness), "r42");
  });
}

test("a name that no space has is refused before a call", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  const names = ["", " ", "a/", "/a", "a//b", "-a", "a b", "a\n", "..", "a".repeat(129), "a/b/c/d"];
  for (const name of [...names, "日本"]) {
    for (const bind of ["forUser", "forProject", "forTeam", "forSpace"] as const) {
      assert.throws(() => client[bind](name), TypeError, `${bind} ${name}`);
    }
    assert.throws(() => client.withSpaces({ read: [`users/${name}`] }), TypeError);
    assert.throws(() => client.withSpaces({ read: [], write: `users/${name}` }), TypeError);
  }
  const many = Array.from({ length: 8 }, (_, number) => `users/${number}`);
  assert.throws(() => client.withSpaces({ read: many }), /up to 7/);
  await client.withSpaces({ read: [...many.slice(1), "users/1", SHARED] }).recall("tea");
  assert.equal(server.requests(recall)[0]?.spaces.length, 7);
});
