import assert from "node:assert/strict";
import { test } from "node:test";
import { EventTooLarge } from "../src/index.js";
import { EventService, MemoryService } from "../src/v1.js";
import { all, pair } from "./pair.js";

const { recordEvent, listWorkflow, listEvents } = EventService.method;

test("a step is an event of its run", async (t) => {
  const { server, client } = await pair(t);
  server.answer(recordEvent, () => ({ recorded: { eventId: "e1" } }));
  const output = "备份完成 🗄️ e\u0301";
  const options = { run: "r-7", status: "failed", output, tags: ["夜"] } as const;
  assert.equal((await client.workflows.record("backup", "copy", options)).eventId, "e1");
  await client.workflows.record("backup", "copy", { sessionId: "s1", actor: "agent:ada" });
  const [first, second] = server.requests(recordEvent).map(({ event }) => event);
  assert.deepEqual([first?.sessionId, first?.kind, first?.tags], ["r-7", 6, ["夜"]]);
  assert.deepEqual([first?.actor?.type, first?.actor?.id], [4, "backup"]);
  assert.equal(first?.content.case, "workflowStep");
  const { workflow, run, step, status, output: sent } = first.content.value;
  assert.deepEqual([workflow, run, step, status, sent], ["backup", "r-7", "copy", 3, output]);
  assert.deepEqual([second?.sessionId, second?.actor?.type], ["s1", 2]);
});

test("an output that is too large is not sent", async (t) => {
  const { server, client } = await pair(t);
  const output = "č".repeat(4 * 1024 * 1024 + 1);
  await assert.rejects(client.workflows.record("backup", "copy", { output }), EventTooLarge);
  assert.equal(server.calls.length, 0);
});

test("the steps of a workflow are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listWorkflow,
    () => ({ steps: [{ eventId: "e1" }], nextPageToken: "2" }),
    () => ({ steps: [{ eventId: "e2" }] }),
  );
  const options = { run: "r-7", statuses: ["failed", "skipped"], pageSize: 1 } as const;
  const listed = await all(client.workflows.list("backup", { ...options, channel: "public" }));
  assert.deepEqual(
    listed.map(({ eventId }) => eventId),
    ["e1", "e2"],
  );
  assert.deepEqual(
    server
      .requests(listWorkflow)
      .map(({ workflow, run, statuses, channel, pageToken }) => [
        workflow,
        run,
        statuses,
        channel,
        pageToken,
      ]),
    [
      ["backup", "r-7", [3, 4], 1, ""],
      ["backup", "r-7", [3, 4], 1, "2"],
    ],
  );
});

test("events and recalls are filtered by workflow", async (t) => {
  const { server, client } = await pair(t);
  server.answer(listEvents, () => ({}));
  server.answer(MemoryService.method.recall, () => ({}));
  const steps = { workflow: "backup", workflowStep: "copy", workflowStatus: "failed" } as const;
  await all(client.events.list({ ...steps, workflowRun: "r-7" }));
  await client.recall("copy", { sources: ["workflow_step"], filter: { ...steps, tool: "rsync" } });
  const listed = server.requests(listEvents)[0]?.filter;
  assert.deepEqual(
    [listed?.workflow, listed?.workflowRun, listed?.workflowStep, listed?.workflowStatus],
    ["backup", "r-7", "copy", 3],
  );
  const recalled = server.requests(MemoryService.method.recall)[0]?.filter;
  assert.deepEqual(
    [recalled?.workflow, recalled?.workflowStep, recalled?.workflowStatus, recalled?.tool],
    ["backup", "copy", 3, "rsync"],
  );
});
