import assert from "node:assert/strict";
import { test } from "node:test";
import { RunService } from "../src/v1.js";
import { all, pair } from "./pair.js";

const { listRuns } = RunService.method;

test("runs are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listRuns,
    () => ({ runs: [{ runId: "r3" }, { runId: "r2" }], nextPageToken: "2" }),
    () => ({ runs: [{ runId: "r1", rounds: 2 }] }),
  );
  const listed = await all(client.runs.list({ sessionId: "s1", pageSize: 2, agentId: "bob" }));
  assert.deepEqual(
    listed.map(({ runId, rounds }) => [runId, rounds]),
    [
      ["r3", 0],
      ["r2", 0],
      ["r1", 2],
    ],
  );
  const sent = server.requests(listRuns);
  assert.deepEqual(
    sent.map(({ agentId, sessionId, pageSize }) => [agentId, sessionId, pageSize]),
    [
      ["bob", "s1", 2],
      ["bob", "s1", 2],
    ],
  );
  assert.deepEqual(
    sent.map(({ pageToken }) => pageToken),
    ["", "2"],
  );
});
