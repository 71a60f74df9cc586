import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  DocumentNotFound,
  DocumentUnreadable,
  fullyConsistent,
  minimizeLatency,
  RevisionUnknown,
  Unavailable,
} from "../src/index.js";
import {
  KnowledgeService,
  MemoryService,
  type PublishDocumentHeader,
  type PublishDocumentRequest,
  type RecallRequest,
  RevisionSchema,
} from "../src/v1.js";
import { all, pair } from "./pair.js";
import { refuse } from "./refusals.js";
import type { ScriptedServer } from "./scripted-server.js";

const { publishDocument, getDocument, listDocuments, updateDocument } = KnowledgeService.method;
const { archiveDocument, deleteDocument, listDocumentVersions } = KnowledgeService.method;
const { remember, recall } = MemoryService.method;
const NAME = "handbook/出差.md";
const AWAY = refuse({ code: "UNAVAILABLE" });

interface Published {
  header: PublishDocumentHeader | undefined;
  sizes: number[];
  content: Buffer;
  sha256: Uint8Array;
}

/** Takes documents whole and answers in turn. */
function shelf(server: ScriptedServer, answers: ((sent: Published) => object)[] = [() => ({})]) {
  const taken: Published[] = [];
  const take = (answer: (sent: Published) => object) => {
    return async (requests: AsyncIterable<PublishDocumentRequest>) => {
      const sent: Published = {
        header: undefined,
        sizes: [],
        content: Buffer.alloc(0),
        sha256: new Uint8Array(),
      };
      taken.push(sent);
      for await (const { part } of requests) {
        if (part.case === "header") {
          sent.header = part.value;
        } else if (part.case === "data") {
          sent.sizes.push(part.value.length);
          sent.content = Buffer.concat([sent.content, part.value]);
        } else if (part.case === "finish") {
          sent.sha256 = part.value.sha256;
        }
      }
      return answer(sent);
    };
  };
  server.take(publishDocument, ...answers.map(take));
  return taken;
}

const told = (token: string) => () => ({ sharedRevision: { token } });

test("a document is published in parts with its digest", async (t) => {
  const { server, client } = await pair(t);
  const taken = shelf(server, [() => ({ document: { version: 1n }, unchanged: false })]);
  const content = Buffer.from("# 出差\n\nשלום 🍵 e\u0301\n".repeat(20_000));
  const answer = await client.documents.publish(NAME, content, {
    title: "出差",
    mediaType: "text/markdown",
    categories: ["travel"],
    sensitivity: "public",
    provenance: { author: "Ada" },
    effectiveFrom: new Date("2026-01-01T00:00:00Z"),
    expectedVersion: 0,
    omitForgotten: true,
  });
  assert.equal(answer.document?.version, 1n);
  const sent = taken[0] ?? assert.fail();
  assert.ok(sent.content.equals(content));
  assert.ok(sent.sizes.length > 1 && sent.sizes.every((size) => size <= 256 * 1024));
  assert.ok(createHash("sha256").update(content).digest().equals(sent.sha256));
  const { document, expectedVersion, omitForgotten, requestId } = sent.header ?? assert.fail();
  assert.deepEqual([expectedVersion, omitForgotten], [0n, true]);
  assert.ok(requestId);
  assert.deepEqual(
    [document?.name, document?.title, document?.mediaType, document?.categories],
    [NAME, "出差", "text/markdown", ["travel"]],
  );
  assert.deepEqual([document?.sensitivity, document?.provenance], [1, { author: "Ada" }]);
  assert.equal(document?.effectiveFrom?.seconds, 1_767_225_600n);
});

test("what can be read again is sent again under the same request id", async (t) => {
  const { server, client, pauses } = await pair(t);
  const taken = shelf(server, [AWAY, AWAY, () => ({ document: { version: 1n } })]);
  await client.documents.publish(NAME, "tea");
  assert.deepEqual(
    taken.map(({ content }) => content.toString()),
    ["tea", "tea", "tea"],
  );
  assert.equal(new Set(taken.map(({ header }) => header?.requestId)).size, 1);
  assert.equal(pauses.length, 2);
});

test("what can be read once is sent once", async (t) => {
  const { server, client } = await pair(t);
  const taken = shelf(server, [AWAY]);
  const once = client.documents.publish(NAME, [Buffer.from("tea")], { requestId: "r1" });
  await assert.rejects(once, (error) => error instanceof Unavailable && error.requestId === "r1");
  assert.equal(taken.length, 1);
});

test("a failure of the source is thrown as it is", async (t) => {
  const { server, client } = await pair(t);
  shelf(server);
  const broken = async function* () {
    yield Buffer.from("tea");
    throw new RangeError("the pot is empty");
  };
  await assert.rejects(
    client.documents.publish(NAME, broken()),
    new RangeError("the pot is empty"),
  );
});

test("a document that cannot be read tells why", async (t) => {
  const { server, client } = await pair(t);
  const metadata = { why: "too_many_pages", limit: "2000" };
  shelf(server, [refuse({ code: "FAILED_PRECONDITION", reason: "DOCUMENT_UNREADABLE", metadata })]);
  await assert.rejects(
    client.documents.publish("a.pdf", "%PDF"),
    (error) =>
      error instanceof DocumentUnreadable && error.why === "too_many_pages" && error.limit === 2000,
  );
});

test("secrets that were taken out are told", async (t) => {
  const kinds: string[] = [];
  const { server, client } = await pair(t, { onRedaction: ({ kind }) => kinds.push(kind) });
  shelf(server, [() => ({ redactions: [{ field: "text", kind: "private-key" }] })]);
  await client.documents.publish(NAME, "tea");
  assert.deepEqual(kinds, ["private-key"]);
});

test("a document is read by id or name, whole or in part", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    getDocument,
    ({ byteFrom, byteUntil }) => ({ text: "茶", byteFrom, byteUntil }),
    () => ({ text: "" }),
    refuse({ code: "NOT_FOUND", reason: "DOCUMENT_NOT_FOUND", metadata: { name: NAME } }),
  );
  const part = await client.documents.get("d1", { bytes: [3, 6], version: 2, channel: "team" });
  assert.deepEqual([part.text, part.byteFrom, part.byteUntil], ["茶", 3n, 6n]);
  await client.documents.get("d1", { omitText: true });
  await assert.rejects(client.documents.getByName(NAME), DocumentNotFound);
  const sent = server.requests(getDocument);
  assert.deepEqual(
    sent.map(({ document, version, channel, omitText, byteUntil }) => [
      document.value,
      version,
      channel,
      omitText,
      byteUntil,
    ]),
    [
      ["d1", 2n, 3, false, 6n],
      ["d1", undefined, 0, true, 0n],
      [NAME, undefined, 0, false, 0n],
    ],
  );
});

test("documents and versions are listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listDocuments,
    () => ({ documents: [{ documentId: "d1" }], nextPageToken: "2" }),
    () => ({ documents: [{ documentId: "d2" }] }),
  );
  server.answer(
    listDocumentVersions,
    () => ({ versions: [{ version: 2n }], nextPageToken: "1" }),
    () => ({ versions: [{ version: 1n }] }),
  );
  const conditions = { namePrefix: "handbook/", tagsAny: ["茶"], archived: "include" } as const;
  const listed = await all(
    client.documents.list(conditions, { channel: "public", pageSize: 1, agentId: "bob" }),
  );
  assert.deepEqual(
    listed.map(({ documentId }) => documentId),
    ["d1", "d2"],
  );
  const [request, next] = server.requests(listDocuments);
  assert.deepEqual(
    [request?.agentId, request?.channel, request?.pageSize, next?.pageToken],
    ["bob", 1, 1, "2"],
  );
  assert.deepEqual([request?.filter?.namePrefix, request?.filter?.tagsAny], ["handbook/", ["茶"]]);
  const versions = await all(client.documents.versions("d1", { pageSize: 1 }));
  assert.deepEqual(
    versions.map(({ version }) => version),
    [2n, 1n],
  );
});

test("what is said of a document is changed by name, and null asks for the default", async (t) => {
  const { server, client } = await pair(t);
  server.answer(updateDocument, () => ({ document: { version: 3n } }));
  const changes = { title: null, categories: ["travel"], effectiveUntil: undefined } as never;
  assert.equal((await client.documents.update("d1", 2, changes)).version, 3n);
  const [request] = server.requests(updateDocument);
  assert.deepEqual(request?.updateMask?.paths, ["title", "categories"]);
  assert.deepEqual([request?.expectedVersion, request?.document?.categories], [2n, ["travel"]]);
});

test("a document is archived, taken back and removed", async (t) => {
  const { server, client } = await pair(t);
  server.answer(archiveDocument, ({ restore }) => ({ document: { archived: !restore } }));
  server.answer(deleteDocument, () => ({ versions: 2n, passages: 7n }));
  assert.equal((await client.documents.archive("d1")).archived, true);
  assert.equal((await client.documents.restore("d1")).archived, false);
  assert.equal((await client.documents.delete("d1", { requestId: "r1" })).passages, 7n);
  assert.equal(server.requests(deleteDocument)[0]?.requestId, "r1");
});

test("a recall that searches the shared scope demands what was published", async (t) => {
  const { server, client } = await pair(t);
  shelf(server, [told("s1"), told("s2")]);
  server.answer(remember, () => ({ revision: { token: "r1" } }));
  server.answer(archiveDocument, () => ({ document: {}, ...told("s3")() }));
  server.answer(recall, () => ({}));
  await client.documents.publish(NAME, "tea");
  await client.recall("tea");
  await client.recall("tea", { sources: ["document"] });
  await client.call(remember, {});
  await client.documents.publish(NAME, "茶");
  await client.searchMyMemories("tea");
  await client.documents.archive("d1");
  await client.recall("tea", { includeShared: true });
  await client.recall("tea", { sources: ["audit"], sharedFreshness: minimizeLatency() });
  assert.deepEqual(server.requests(recall).map(demands), [
    ["", ""],
    ["", "s1"],
    ["r1", "s2"],
    ["r1", "s3"],
    ["r1", "minimizeLatency"],
  ]);
});

test("after a publication that may be a repetition a recall asks for everything once", async (t) => {
  const { server, client } = await pair(t);
  shelf(server, [told("s1"), told("s2")]);
  server.answer(recall, () => ({ revision: { token: "r9" }, sharedRevision: { token: "s9" } }));
  await client.documents.publish(NAME, "tea");
  await client.documents.publish(NAME, "茶", { requestId: "mine" });
  await client.recall("tea", { sources: ["document"] });
  await client.recall("tea", { sources: ["document"], freshness: fullyConsistent() });
  assert.deepEqual(server.requests(recall).map(demands), [
    ["", "fullyConsistent"],
    ["fullyConsistent", "s9"],
  ]);
});

test("a shared revision that the server does not know is dropped, unless it is the caller's", async (t) => {
  const { server, client } = await pair(t);
  const unknown = refuse({ code: "OUT_OF_RANGE", reason: "REVISION_UNKNOWN" });
  shelf(server, [told("s1")]);
  server.answer(recall, unknown, () => ({}), unknown);
  await client.documents.publish(NAME, "tea");
  await client.recall("tea", { sources: ["document"] });
  const sharedFreshness = create(RevisionSchema, { token: "s7" });
  await assert.rejects(
    client.recall("tea", { sources: ["document"], sharedFreshness }),
    RevisionUnknown,
  );
  assert.deepEqual(server.requests(recall).map(demands), [
    ["", "s1"],
    ["", ""],
    ["", "s7"],
  ]);
});

function demands(request: RecallRequest): string[] {
  return [request.freshness, request.sharedFreshness].map((freshness) => {
    const requirement = freshness?.requirement;
    return requirement?.case === "atLeastAsFresh"
      ? requirement.value.token
      : (requirement?.case ?? "");
  });
}
