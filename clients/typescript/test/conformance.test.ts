import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { crc32c } from "../src/crc32c.js";
import { ArtifactService, MemoryService } from "../src/v1.js";
import { FakeStore } from "./fake-store.js";
import { refuse } from "./refusals.js";
import { ScriptedServer } from "./scripted-server.js";

const RUNNER = fileURLToPath(new URL("../conformance/runner.js", import.meta.url));

type Answer = { id: number; ok?: unknown; error?: Record<string, unknown> };
type Ask = (command: object) => Promise<Answer>;

async function runner(t: TestContext): Promise<{ server: ScriptedServer; ask: Ask }> {
  const server = await ScriptedServer.start();
  const process = spawn("node", [RUNNER], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(async () => {
    const ended = once(process, "exit");
    process.stdin.end();
    assert.deepEqual(await ended, [0, null]);
    server.stop();
  });
  const answers = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask: Ask = async (command) => {
    id += 1;
    process.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    const answer = JSON.parse((await answers.next()).value) as Answer;
    assert.equal(answer.id, id);
    return answer;
  };
  await ask({ do: "connect", client: "a", address: server.address, key: "k", agent_id: "ada" });
  return { server, ask };
}

test("calls, pages and streams are answered in proto3 JSON", async (t) => {
  const { server, ask } = await runner(t);
  const { remember, listMemories, watchMemories } = MemoryService.method;
  server.answer(remember, ({ memory }) => ({
    memory: { version: 1n, content: memory?.content ?? "" },
  }));
  server.answer(
    listMemories,
    () => ({ nextPageToken: "2" }),
    () => ({ memories: [{ kind: 2 }] }),
  );
  server.stream(watchMemories, async function* () {
    yield { change: { resumeToken: "1" } };
  });
  const method = (name: string) => ({ client: "a", method: `camillo.v1.MemoryService/${name}` });
  const request = { memory: { content: "tea", occurredAt: "2026-01-02T03:04:05Z" } };
  const called = await ask({ do: "call", ...method("Remember"), request });
  assert.deepEqual(called.ok, { memory: { version: "1", content: "tea" } });
  const pages = await ask({ do: "pages", ...method("ListMemories"), request: {} });
  assert.deepEqual(pages.ok, [
    { nextPageToken: "2" },
    { memories: [{ kind: "MEMORY_KIND_PREFERENCE" }] },
  ]);
  const stream = await ask({ do: "stream", ...method("WatchMemories"), request: {}, take: 2 });
  const change = { change: { resumeToken: "1" } };
  assert.deepEqual(stream.ok, [change, change]);
});

test("a failed command is an answer, too", async (t) => {
  const { server, ask } = await runner(t);
  const metadata = { memory_id: "m1" };
  server.answer(
    MemoryService.method.getMemory,
    refuse({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND", message: "no such memory", metadata }),
  );
  const call = { do: "call", client: "a", method: "camillo.v1.MemoryService/GetMemory" };
  const { error } = await ask({ ...call, request: { memoryId: "m1" } });
  assert.deepEqual(error, {
    code: "NOT_FOUND",
    reason: "MEMORY_NOT_FOUND",
    type: "MemoryNotFound",
    message: "no such memory",
    metadata,
    fields: [],
    retry_after_seconds: null,
    request_id: "",
  });
  assert.equal((await ask({ do: "dance" })).error?.code, "UNKNOWN_COMMAND");
  assert.equal((await ask({ ...call, method: "teapot" })).error?.code, "RUNNER");
  assert.equal((await ask({ ...call, client: "b" })).error?.code, "RUNNER");
  assert.deepEqual((await ask({ do: "close", client: "a" })).ok, null);
});

test("artifacts go both ways, and refs are rendered and found", async (t) => {
  const { server, ask } = await runner(t);
  new FakeStore(server);
  const data = Buffer.from("tea");
  server.stream(ArtifactService.method.readArtifact, async function* () {
    yield { data, crc32c: crc32c(data), rangeBytes: 3n };
  });
  const outcome = { case: "inline", value: "tea" } as const;
  server.answer(ArtifactService.method.offloadOutput, () => ({ outcome }));
  const directory = await mkdtemp(join(tmpdir(), "camillo-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "tea.txt");
  await writeFile(path, "tea");
  assert.deepEqual((await ask({ do: "put", client: "a", path })).ok, { artifactId: "artifact_0" });
  const back = join(directory, "back.txt");
  const read = await ask({ do: "read", client: "a", artifact: "artifact_0", path: back });
  assert.equal((read.ok as { bytes: number }).bytes, 3);
  assert.equal(await readFile(back, "utf8"), "tea");
  assert.deepEqual((await ask({ do: "offload", client: "a", text: "tea" })).ok, { inline: "tea" });
  const ref = await ask({ do: "render_ref", artifact_id: "abc", description: "[tea]" });
  assert.equal(ref.ok, "[MemoryRef: abc - (tea)]");
  const refs = await ask({ do: "parse_refs", text: `see ${ref.ok}` });
  assert.deepEqual(refs.ok, [{ artifact_id: "abc", description: "(tea)" }]);
});
