import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Transport } from "@connectrpc/connect";
import { connect } from "../src/index.js";
import { CHUNK_BYTES, sourceOf } from "../src/upload-sources.js";
import { FakeStore } from "./fake-store.js";
import { all, pair } from "./pair.js";

test("a source may use its buffer again", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  await client.artifacts.put(fromOneBuffer(5, 100_000));
  const firsts = [0, 1, 2, 3, 4].map((number) => store.last.content[number * 100_000]);
  assert.deepEqual(firsts, [0, 1, 2, 3, 4]);
  assert.equal(store.last.content.length, 500_000);
});

test("pieces of any size are sent in messages of one size", async () => {
  const sizes = [1, CHUNK_BYTES - 2, 0, 3, 2 * CHUNK_BYTES, 7];
  const pieces = sizes.map((size) => Buffer.alloc(size, "tea"));
  const chunks = await all((await sourceOf(pieces)).chunks());
  const lengths = chunks.map(({ length }) => length);
  assert.deepEqual(lengths, [CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES, 9]);
  assert.ok(Buffer.concat(chunks).equals(Buffer.concat(pieces)));
});

test("small pieces are not copied again with each that comes", async () => {
  const tiny = Array<Uint8Array>(CHUNK_BYTES).fill(Uint8Array.of(7));
  const begun = performance.now();
  for await (const _ of tiny);
  const bare = performance.now() - begun;
  await all((await sourceOf(tiny)).chunks());
  // By dozens, if each were copied with all before it.
  assert.ok(performance.now() - begun < 12 * bare);
});

test("what comes from a pipe is sent, and not taken for a file that can be read again", async (t) => {
  const { server, client } = await pair(t);
  const store = new FakeStore(server);
  const directory = await mkdtemp(join(tmpdir(), "camillo-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  assert.equal((await sourceOf({ path })).canRestart, false);
  const written = promisify(execFile)("sh", ["-c", `printf tea > ${path}`]);
  await client.artifacts.put({ path });
  await written;
  assert.equal(store.last.content.toString(), "tea");
});

test("a source is ended with the call that leaves it", async () => {
  let isEnded = false;
  async function* source() {
    try {
      yield new Uint8Array(2 * CHUNK_BYTES);
    } finally {
      isEnded = true;
    }
  }
  const client = connect({ transport: leavingTransport() });
  await assert.rejects(client.artifacts.put(source()), /left it/);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(isEnded);
});

async function* fromOneBuffer(count: number, size: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(size);
  for (let number = 0; number < count; number += 1) {
    buffer.fill(number);
    yield buffer;
  }
}

/** Takes two messages of a stream and does not end it. */
function leavingTransport(): Transport {
  const stream: Transport["stream"] = async (_method, _signal, _timeout, _header, input) => {
    const messages = input[Symbol.asyncIterator]();
    await messages.next();
    await messages.next();
    throw new Error("left it");
  };
  const unary: Transport["unary"] = async () => assert.fail("nothing is asked");
  return { stream, unary };
}
