import assert from "node:assert/strict";
import { test } from "node:test";
import { SHARED, SkillNotFound, VersionConflict } from "../src/index.js";
import { KnowledgeService, MemoryService, SnapshotService } from "../src/v1.js";
import { all, pair } from "./pair.js";
import { refuse } from "./refusals.js";

const { putSkill, getSkill, listSkills, deleteSkill } = KnowledgeService.method;
const { recall } = MemoryService.method;
const TEXT = "---\nname: tea\ndescription: 泡茶 🍵\n---\nשלום e\u0301\n";

test("a skill is put as it is, at the level that is named", async (t) => {
  const { server, client } = await pair(t);
  server.answer(putSkill, () => ({ skill: { name: "tea", version: 1n }, unchanged: true }));
  const answer = await client.skills.put(TEXT);
  assert.deepEqual([answer.skill?.version, answer.unchanged], [1n, true]);
  await client.skills.put("Use tabs.", {
    name: "agents",
    description: "house rules",
    level: "tenant",
    expectedVersion: 0,
    agentId: SHARED,
  });
  const sent = server.requests(putSkill);
  assert.deepEqual(
    sent.map(({ agentId, text, name, level, expectedVersion }) => [
      agentId,
      text,
      name,
      level,
      expectedVersion,
    ]),
    [
      ["ada", TEXT, "", 0, undefined],
      [SHARED, "Use tabs.", "agents", 2, 0n],
    ],
  );
  assert.equal(new Set(sent.map(({ requestId }) => requestId)).size, 2);
});

test("a skill that the caller has not seen is not replaced", async (t) => {
  const { server, client } = await pair(t);
  const metadata = { expected_version: "1", actual_version: "2" };
  server.answer(putSkill, refuse({ code: "ABORTED", reason: "VERSION_CONFLICT", metadata }));
  await assert.rejects(
    client.skills.put(TEXT, { expectedVersion: 1n }),
    (error) => error instanceof VersionConflict && error.actual === 2n,
  );
});

test("a skill is read by its name, or is not found", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    getSkill,
    () => ({ skill: { name: "tea", text: TEXT } }),
    refuse({ code: "NOT_FOUND", reason: "SKILL_NOT_FOUND", metadata: { name: "tea" } }),
  );
  assert.equal((await client.skills.get("tea", { level: "global", version: 2 })).text, TEXT);
  await assert.rejects(client.skills.get("tea"), SkillNotFound);
  assert.deepEqual(
    server.requests(getSkill).map(({ name, level, version }) => [name, level, version]),
    [
      ["tea", 1, 2n],
      ["tea", 0, undefined],
    ],
  );
  await assert.rejects(client.skills.get("tea", { level: "planet" as never }), /none of global/);
});

test("skills are listed over all pages, and removed", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listSkills,
    () => ({ skills: [{ name: "coffee" }], nextPageToken: "2" }),
    () => ({ skills: [{ name: "tea" }] }),
  );
  server.answer(deleteSkill, () => ({}));
  const listed = await all(client.skills.list({ level: "agent", pageSize: 1 }));
  assert.deepEqual(
    listed.map(({ name }) => name),
    ["coffee", "tea"],
  );
  await client.skills.delete("tea", { level: "tenant" });
  const [removed] = server.requests(deleteSkill);
  assert.deepEqual([removed?.name, removed?.level], ["tea", 2]);
});

test("a skill of the tenant is a write of its shared scope, one's own a write of one's own", async (t) => {
  const { server, client } = await pair(t);
  const tokens = ["s1", "r1"];
  server.answer(putSkill, () => ({ skill: {}, revision: { token: tokens.shift() ?? "" } }));
  server.answer(recall, () => ({}));
  await client.skills.put(TEXT, { level: "tenant" });
  await client.skills.put(TEXT);
  await client.recall("tea", { includeShared: true });
  const [request] = server.requests(recall);
  assert.deepEqual(
    [request?.freshness, request?.sharedFreshness].map((demand) => demand?.requirement.value),
    [
      { $typeName: "camillo.v1.Revision", token: "r1" },
      { $typeName: "camillo.v1.Revision", token: "s1" },
    ],
  );
});

test("a bundle loads skills whole", async (t) => {
  const { server, client } = await pair(t);
  const { buildBundle } = SnapshotService.method;
  server.answer(buildBundle, () => ({ bundle: {} }));
  await client.context.bundle("tea", { skills: ["tea"] });
  assert.deepEqual(server.requests(buildBundle)[0]?.skills, ["tea"]);
});
