import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ContentMismatch, Unavailable } from "../src/index.js";
import { ArtifactService } from "../src/v1.js";
import { FakeStore } from "./fake-store.js";
import { pair } from "./pair.js";

const MIB = 1024 * 1024;
const { getUpload } = ArtifactService.method;

test("every kind of source is stored whole", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  const content = Buffer.alloc(MIB + 3, "tea ");
  const directory = await mkdtemp(join(tmpdir(), "camillo-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "log.txt");
  await writeFile(path, content);
  const sources = [
    content,
    content.toString(),
    new Blob([content]),
    { path },
    pathToFileURL(path),
    Readable.from([content.subarray(0, 7), content.subarray(7)]),
    [content.subarray(0, 7), content.subarray(7)],
  ];
  for (const source of sources) {
    await client.artifacts.put(source);
    assert.ok(store.last.content.equals(content));
    assert.ok(store.last.chunks.every((size) => size <= 256 * 1024));
  }
  const sizes = store.finished.map(({ header }) => Number(header.sizeBytes ?? 0));
  assert.deepEqual(sizes, [...Array(5).fill(content.length), 0, 0]);
});

test("a file is named, text is UTF-8, and nothing is an artifact too", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  const directory = await mkdtemp(join(tmpdir(), "camillo-"));
  t.after(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "tea.log"), "");
  await client.artifacts.put({ path: join(directory, "tea.log") });
  assert.equal(store.last.header.artifact?.name, "tea.log");
  await client.artifacts.put("čaj", { name: "tea", tags: ["drinks"], exitCode: 0, shared: true });
  assert.equal(store.last.content.toString("utf8"), "čaj");
  const { artifact } = store.last.header;
  assert.deepEqual(
    [artifact?.name, artifact?.tags, artifact?.exitCode, artifact?.isShared],
    ["tea", ["drinks"], 0, true],
  );
});

test("an upload goes on where the server holds it", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  store.breaks.push(300_000, 800_000);
  const content = Buffer.alloc(MIB, "tea ");
  const progress: number[] = [];
  await client.artifacts.put(content, { onProgress: (sent) => progress.push(sent) });
  assert.ok(store.last.content.equals(content));
  assert.equal(progress.at(-1), MIB);
  const [first, second, third] = store.headers;
  assert.deepEqual([first?.offset, second?.offset, third?.offset], [0n, 524_288n, 1_048_576n]);
  const prefix = createHash("sha256").update(content.subarray(0, 524_288)).digest();
  assert.ok(prefix.equals(second?.prefixSha256 ?? new Uint8Array()));
  assert.equal(new Set(store.headers.map(({ uploadId }) => uploadId)).size, 1);
  assert.equal(new Set(store.headers.map(({ requestId }) => requestId)).size, 1);
});

test("an upload of which nothing arrived begins anew", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  store.breaks.push(0);
  await client.artifacts.put("tea");
  assert.deepEqual(
    store.headers.map(({ offset }) => offset),
    [0n, 0n],
  );
});

test("a lost answer is asked for", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  store.losesAnswer = true;
  const artifact = await client.artifacts.put("tea");
  assert.equal(artifact.artifactId, "artifact_0");
  assert.equal(store.headers.length, 1);
});

test("an upload without progress is given up after three breaks more", async (t) => {
  const { server, client, pauses } = await pair(t);
  const store = new FakeStore(server);
  store.breaks.push(0, 0, 0, 0, 0);
  const failing = client.artifacts.put("tea", { requestId: "r1" });
  await assert.rejects(
    failing,
    (error) => error instanceof Unavailable && error.requestId === "r1",
  );
  assert.equal(store.headers.length, 4);
  assert.equal(pauses.length, 3);
});

test("what can be read once is sent once", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  store.breaks.push(0);
  await assert.rejects(client.artifacts.put([Buffer.from("tea")]), Unavailable);
  assert.equal(server.requests(getUpload).length, 0);
});

test("a failure of the source is thrown as it is", async (t) => {
  const { server, client } = await pair(t);
  new FakeStore(server);
  const broken = async function* () {
    yield Buffer.from("tea");
    throw new RangeError("the pot is empty");
  };
  await assert.rejects(client.artifacts.put(broken()), new RangeError("the pot is empty"));
});

test("what holds no bytes is refused", async (t) => {
  const { server, client } = await pair(t);
  new FakeStore(server);
  await assert.rejects(client.artifacts.put(42 as never), TypeError);
  await assert.rejects(client.artifacts.put(["text"] as never), TypeError);
});

test("a content other than announced is not sent again", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  store.mismatches = true;
  await assert.rejects(client.artifacts.put("tea"), ContentMismatch);
  assert.equal(store.headers.length, 1);
});

test("secrets are told once for each kind", async (t) => {
  const told: string[] = [];
  const onRedaction = ({ field, kind }: { field: string; kind: string }) =>
    told.push(`${field}: ${kind}`);
  const { server, client } = await pair(t, { onRedaction });
  const store = new FakeStore(server);
  store.redactions = [{ kind: "private-key" }, { kind: "private-key" }, { kind: "token" }];
  await client.artifacts.put("tea");
  assert.deepEqual(told, ["the content: private-key", "the content: token"]);
});
