import assert from "node:assert/strict";
import { test } from "node:test";
import { SpoolPolicy, SpoolService, SpoolState } from "../src/v1.js";
import { all, pair } from "./pair.js";

const { listSpooled, retrySpooled, discardSpooled } = SpoolService.method;
const { getSpoolPolicy, setSpoolPolicy } = SpoolService.method;

test("spooled writes are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listSpooled,
    () => ({ writes: [{ spoolId: "s1" }], nextPageToken: "2" }),
    () => ({ writes: [{ spoolId: "s2" }] }),
  );
  const listed = await all(client.spool.list({ state: "failed", pageSize: 1 }));
  assert.deepEqual(
    listed.map(({ spoolId }) => spoolId),
    ["s1", "s2"],
  );
  await all(client.spool.list());
  const asked = server.requests(listSpooled);
  assert.deepEqual(
    asked.map(({ state, pageToken }) => [state, pageToken]),
    [
      [SpoolState.FAILED, ""],
      [SpoolState.FAILED, "2"],
      [SpoolState.UNSPECIFIED, ""],
    ],
  );
});

test("writes that failed are retried and discarded, each once", async (t) => {
  const { server, client } = await pair(t);
  server.answer(retrySpooled, () => ({ stored: 1, failed: [{ spoolId: "s1" }] }));
  server.answer(discardSpooled, () => ({ discarded: 1 }));
  const { stored, failed } = await client.spool.retry(["s1", "s2"]);
  assert.deepEqual([stored, failed[0]?.spoolId], [1, "s1"]);
  assert.equal(await client.spool.discard(["s1"], { requestId: "mine" }), 1);
  assert.ok(server.requests(retrySpooled)[0]?.requestId);
  const [discarded] = server.requests(discardSpooled);
  assert.deepEqual([discarded?.requestId, discarded?.spoolIds], ["mine", ["s1"]]);
});

test("the policy is read and set", async (t) => {
  const { server, client } = await pair(t);
  server.answer(getSpoolPolicy, () => ({ policy: SpoolPolicy.SPOOL }));
  server.answer(setSpoolPolicy, ({ policy }) => ({ policy }));
  assert.equal(await client.spool.policy(), SpoolPolicy.SPOOL);
  assert.equal(await client.spool.setPolicy("drop"), SpoolPolicy.DROP);
  await assert.rejects(client.spool.setPolicy("keep" as never), TypeError);
  assert.equal(server.requests(setSpoolPolicy).length, 1);
});
