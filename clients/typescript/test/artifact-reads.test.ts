import assert from "node:assert/strict";
import { test } from "node:test";
import { decoded } from "../src/artifact-text.js";
import { crc32c } from "../src/crc32c.js";
import { ArtifactNotFound, BytesDamaged, Unavailable } from "../src/index.js";
import { ArtifactService, type ReadArtifactRequest } from "../src/v1.js";
import { first, pair } from "./pair.js";
import { refuse } from "./refusals.js";
import type { ScriptedServer } from "./scripted-server.js";

const CHUNK = 16;
const CONTENT = Buffer.from("tea is ready\n".repeat(10));
const { readArtifact, getArtifact, listArtifacts, offloadOutput } = ArtifactService.method;
const AWAY = refuse({ code: "UNAVAILABLE" });

interface Reading {
  /** After how many bytes of the range each call breaks; later calls do not. */
  breaks?: number[];
  mangles?: boolean;
  skips?: boolean;
  endsAt?: number;
}

/** Reads as the service does, always of the whole content. */
function serve(
  server: ScriptedServer,
  { breaks = [], mangles, skips, endsAt }: Reading = {},
): void {
  server.stream(readArtifact, async function* (request: ReadArtifactRequest) {
    const breakAt = breaks.shift();
    let place = Number(request.resumeAfterBytes);
    let crc = request.resumeCrc32c;
    while (place < (endsAt ?? CONTENT.length)) {
      const chunk = CONTENT.subarray(place, place + CHUNK);
      crc = crc32c(chunk, crc);
      const data = mangles ? Buffer.from(chunk.toString().replace("tea", "pea")) : chunk;
      const offset = BigInt(skips && place > 0 ? place + 1 : place);
      yield { data, offset, crc32c: crc, rangeBytes: BigInt(CONTENT.length) };
      place += chunk.length;
      if (breakAt !== undefined && place >= breakAt) {
        AWAY();
      }
    }
  });
}

test("the checksum is CRC-32C, and runs on", () => {
  assert.equal(crc32c(Buffer.from("123456789")), 0xe3069283);
  assert.equal(crc32c(Buffer.from("56789"), crc32c(Buffer.from("1234"))), 0xe3069283);
  assert.equal(crc32c(new Uint8Array()), 0);
});

test("everything comes back", async (t) => {
  const { server, client } = await pair(t);
  serve(server);
  assert.ok(CONTENT.equals(await client.artifacts.read("[MemoryRef: tea_log - tea]")));
  assert.equal(server.requests(readArtifact)[0]?.artifactId, "tea_log");
});

test("ranges are those of the contract", async (t) => {
  const { server, client } = await pair(t);
  serve(server);
  const ranges = [
    { start: -5, end: 3 },
    { lines: [2] as const },
    { lines: [2, 4] as const },
    { head: 3 },
    { tail: 3 },
    { around: 7 },
    { around: 7, context: 0 },
    { jsonPointer: "/users", jsonSlice: [undefined, 3] as const },
  ];
  for (const range of ranges) {
    await client.artifacts.read("tea_log", range);
  }
  const [bytes, open, lines, head, tail, around, alone, json] = server
    .requests(readArtifact)
    .map(({ range }) => range?.range);
  assert.deepEqual([bytes?.case, head?.value, tail?.value], ["bytes", 3n, 3n]);
  assert.deepEqual(
    { ...(bytes?.value as object) },
    { $typeName: "camillo.v1.ByteRange", start: -5n, end: 3n },
  );
  assert.deepEqual(
    { ...(open?.value as object) },
    { $typeName: "camillo.v1.LineRange", first: 2n, last: 0n },
  );
  assert.deepEqual(
    { ...(lines?.value as object) },
    { $typeName: "camillo.v1.LineRange", first: 2n, last: 4n },
  );
  assert.deepEqual(
    { ...(around?.value as object) },
    { $typeName: "camillo.v1.LinesAround", line: 7n, context: 20 },
  );
  assert.deepEqual(
    { ...(alone?.value as object) },
    { $typeName: "camillo.v1.LineRange", first: 7n, last: 7n },
  );
  assert.deepEqual(
    { ...(json?.value as object) },
    { $typeName: "camillo.v1.JsonValue", pointer: "/users", end: 3n },
  );
});

test("a range that ends before it begins is refused before it is sent", async (t) => {
  const { server, client } = await pair(t);
  await assert.rejects(client.artifacts.read("tea_log", { end: 0 }), RangeError);
  assert.equal(server.calls.length, 0);
});

test("a broken stream goes on without a byte twice", async (t) => {
  const { server, client, pauses } = await pair(t);
  serve(server, { breaks: [20, 60] });
  assert.ok(CONTENT.equals(await client.artifacts.read("tea_log")));
  const resumed = server.requests(readArtifact).map(({ resumeAfterBytes }) => resumeAfterBytes);
  assert.deepEqual(resumed, [0n, 32n, 64n]);
  assert.equal(pauses.length, 2);
});

test("a stream without progress is given up after three breaks more", async (t) => {
  const { server, client } = await pair(t);
  server.stream(readArtifact, async function* () {
    AWAY();
  });
  await assert.rejects(client.artifacts.read("tea_log"), Unavailable);
  assert.equal(server.calls.length, 4);
});

test("a read that breaks behind its last byte is complete", async (t) => {
  const { server, client } = await pair(t);
  serve(server, { breaks: [CONTENT.length] });
  assert.ok(CONTENT.equals(await client.artifacts.read("tea_log")));
  assert.equal(server.calls.length, 1);
});

test("bytes that were changed, left out or cut off are noticed", async (t) => {
  const { server, client } = await pair(t);
  for (const reading of [{ mangles: true }, { skips: true }, { endsAt: 32 }]) {
    serve(server, reading);
    await assert.rejects(client.artifacts.read("tea_log"), BytesDamaged);
  }
});

test("a stream may be left early", async (t) => {
  const { server, client } = await pair(t);
  serve(server);
  const [message] = await first(
    client.artifacts.stream("tea_log", undefined, { channel: "team" }),
    1,
  );
  assert.equal(message?.data.length, CHUNK);
  assert.equal(server.requests(readArtifact)[0]?.channel, 3);
});

test("text is read in its encoding", async (t) => {
  const { server, client } = await pair(t);
  const data = Buffer.from([0x8a, 0x61, 0x6c]);
  const whole = { data, crc32c: crc32c(data), rangeBytes: 3n };
  server.stream(readArtifact, async function* () {
    yield whole;
  });
  server.answer(getArtifact, () => ({ artifact: { encoding: "windows-1252" } }));
  assert.equal(await client.artifacts.readText("tea_log"), "Šal");
});

test("text of two bytes a character is read in the order that its mark tells", () => {
  assert.equal(decoded(Uint8Array.of(0xfe, 0xff, 0, 0x61, 0x83, 0x36), "utf-16"), "a\u8336");
  assert.equal(decoded(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x36, 0x83), "utf-16"), "a\u8336");
});

test("what is not there is an error of its own", async (t) => {
  const { server, client } = await pair(t);
  server.stream(readArtifact, async function* () {
    refuse({ code: "NOT_FOUND", reason: "ARTIFACT_NOT_FOUND" })();
  });
  await assert.rejects(client.artifacts.read("tea_log"), ArtifactNotFound);
});

test("artifacts are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listArtifacts,
    () => ({ artifacts: [{ artifactId: "a" }], nextPageToken: "2" }),
    () => ({ artifacts: [{ artifactId: "b" }] }),
  );
  const ids: string[] = [];
  for await (const { artifactId } of client.artifacts.list({
    tool: "shell",
    kinds: ["log"],
    minSizeBytes: 5,
  })) {
    ids.push(artifactId);
  }
  assert.deepEqual(ids, ["a", "b"]);
  const [, second] = server.requests(listArtifacts);
  assert.deepEqual(
    [second?.pageToken, second?.filter?.tool, second?.filter?.kinds, second?.filter?.minSizeBytes],
    ["2", "shell", [2], 5n],
  );
});

test("a short output comes back as it is, a long one as what stands for it", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    offloadOutput,
    () => ({ outcome: { case: "inline", value: "tea" } as const, text: "tea" }),
    () => ({
      outcome: { case: "artifact", value: { artifactId: "tea_log" } } as const,
      text: "[MemoryRef: tea_log]",
    }),
  );
  const short = await client.artifacts.offload("tea", {
    tool: "shell",
    command: "make tea",
    exitCode: 0,
  });
  const long = await client.artifacts.offload("tea ".repeat(1000));
  assert.deepEqual([short.text, short.artifact], ["tea", undefined]);
  assert.deepEqual([long.text, long.artifact?.artifactId], ["[MemoryRef: tea_log]", "tea_log"]);
  const [request] = server.requests(offloadOutput);
  assert.deepEqual([request?.artifact?.tool, request?.artifact?.exitCode], ["shell", 0]);
});

test("an output that no message holds is sent as a stream, and nobody is asked about nothing", async (t) => {
  const { server, client } = await pair(t);
  const artifact = { artifactId: "tea_log", memoryRef: "[MemoryRef: tea_log]", summary: "tea\n" };
  server.take(ArtifactService.method.putArtifact, async (requests) => {
    for await (const _ of requests);
    return { artifact };
  });
  server.answer(getArtifact, () => ({ artifact, preview: { head: "tea is ready\n", tail: "" } }));
  const { text } = await client.artifacts.offload("tea ".repeat(1024 * 1024));
  assert.equal(text, "[MemoryRef: tea_log]\ntea\n--- head\ntea is ready");
  assert.equal((await client.artifacts.offload("")).text, "");
  assert.equal(server.calls.length, 2);
});
