import assert from "node:assert/strict";
import { test } from "node:test";
import { EntityType, LinkService, LinkType, Source } from "../src/v1.js";
import { all, pair } from "./pair.js";

const { addLinks, removeLinks, listRelated } = LinkService.method;

test("links are stated and taken away, their ends written short", async (t) => {
  const { server, client } = await pair(t);
  server.answer(addLinks, ({ links }) => ({
    links: links.map(({ type, from, to }) => ({ type, ...(from && { from }), ...(to && { to }) })),
  }));
  server.answer(removeLinks, () => ({ removed: 1 }));
  const added = await client.links.add([
    ["m1", "follows", "event:e1"],
    ["decision:d1", LinkType.ABOUT, "/kb/tea:green"],
  ]);
  assert.deepEqual(
    added.map(({ type, from, to }) => [type, from?.source, from?.id, to?.source, to?.id]),
    [
      [LinkType.FOLLOWS, Source.MEMORY, "m1", Source.EVENT, "e1"],
      [LinkType.ABOUT, Source.DECISION, "d1", Source.SLOT, "/kb/tea:green"],
    ],
  );
  assert.equal(await client.links.remove([["m1", "follows", "e1"]], { requestId: "mine" }), 1);
  assert.ok(server.requests(addLinks)[0]?.requestId);
  assert.equal(server.requests(removeLinks)[0]?.requestId, "mine");
});

test("an end or a type that is none is refused before it is sent", async (t) => {
  const { server, client } = await pair(t);
  await assert.rejects(client.links.add([["slot:/kb", "about", "m1"]]), /none of memory, event/);
  await assert.rejects(client.links.add([["m2", "likes" as never, "m1"]]), TypeError);
  assert.equal(server.calls.length, 0);
});

test("what is related is listed over all pages", async (t) => {
  const { server, client } = await pair(t);
  server.answer(
    listRelated,
    () => ({ related: [{ text: "tea" }], nextPageToken: "2" }),
    () => ({ related: [{ text: "milk" }] }),
  );
  const listed = await all(client.links.related("m1", { types: ["follows"], pageSize: 1 }));
  assert.deepEqual(
    listed.map(({ text }) => text),
    ["tea", "milk"],
  );
  await all(client.links.mentioning("ticket", "ABC-123", { channel: "private" }));
  const [first, second, third] = server.requests(listRelated);
  assert.deepEqual([first?.types, first?.pageSize], [[LinkType.FOLLOWS], 1]);
  assert.equal(second?.pageToken, "2");
  assert.equal(second?.to.case, "item");
  const entity = third?.to.case === "entity" ? third.to.value : undefined;
  assert.deepEqual([entity?.type, entity?.name], [EntityType.TICKET, "ABC-123"]);
});
