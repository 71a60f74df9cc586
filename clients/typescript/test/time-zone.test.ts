import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryService, SnapshotService } from "../src/v1.js";
import { pair } from "./pair.js";

const { recall } = MemoryService.method;
const { buildBundle } = SnapshotService.method;

test("recalls and bundles name the machine's time zone, unless another is named", async (t) => {
  const before = process.env.TZ;
  t.after(() => {
    if (before === undefined) {
      delete process.env.TZ;
    } else {
      process.env.TZ = before;
    }
  });
  const { server, client } = await pair(t);
  server.answer(recall, () => ({}));
  server.answer(buildBundle, () => ({ bundle: {} }));
  for (const zone of ["Australia/Sydney", "UTC"]) {
    process.env.TZ = zone;
    await client.recall("yesterday");
    await client.recall("yesterday", { timeZone: "Asia/Tokyo" });
    await client.context.bundle("yesterday");
    await client.context.bundle("yesterday", { timeZone: "+05:30" });
  }
  const zones = ["Australia/Sydney", "Asia/Tokyo", "", "Asia/Tokyo"];
  assert.deepEqual(
    server.requests(recall).map(({ timeZone }) => timeZone),
    zones,
  );
  assert.deepEqual(
    server.requests(buildBundle).map(({ timeZone }) => timeZone),
    ["Australia/Sydney", "+05:30", "", "+05:30"],
  );
});
