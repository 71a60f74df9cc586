import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { CamilloSaver } from "../src/index.js";
import { contentOf, fieldsOf, idOf, tagsOf } from "../src/items.js";
import { checkpointKey, name, placeOf } from "../src/records.js";
import { all, newPerson } from "./spaces.js";

// Written by both packages; the tests of the Python package read the same file.
const STORED = JSON.parse(readFileSync(new URL("../../test/stored.json", import.meta.url), "utf8"));

test("items are those of the Python package", () => {
  for (const { namespace, key, value, texts, id, tags, content, fields } of STORED.items) {
    assert.equal(idOf(namespace, key), id);
    assert.deepEqual(tagsOf(namespace), tags);
    assert.equal(contentOf(namespace, key, texts), content);
    assert.deepEqual(fieldsOf(value), fields);
  }
});

test("keys of threads are those of the Python package", () => {
  for (const { thread, namespace, checkpoint, task, key } of STORED.keys) {
    assert.equal(`${checkpointKey(thread, namespace, checkpoint)}/${name(task)}`, key);
    const { threadId, namespace: found, checkpointId, taskId } = placeOf(key);
    assert.deepEqual(
      [threadId, found, checkpointId, taskId],
      [thread, namespace, checkpoint, task],
    );
  }
});

test("a checkpoint that the Python package stored is read", async (t) => {
  const camillo = newPerson();
  t.after(() => camillo.close());
  for (const { key, content } of STORED.slots) {
    await camillo.slots.setMemory(key, content, "langgraph", { unindexed: true });
  }
  const [found, ...others] = await all(new CamilloSaver(camillo).list({}));
  assert.equal(others.length, 0);
  const { checkpoint, config, parentConfig, metadata, pendingWrites } = found ?? {};
  const place = { thread_id: "1", checkpoint_ns: "" };
  assert.deepEqual(config, { configurable: { ...place, checkpoint_id: "c2" } });
  assert.deepEqual(parentConfig, { configurable: { ...place, checkpoint_id: "c1" } });
  assert.deepEqual(Object.keys(checkpoint ?? {}).sort(), Object.keys(emptyCheckpoint()).sort());
  assert.deepEqual(checkpoint?.channel_values, { messages: ["привет", "🍵"] });
  assert.deepEqual(metadata, { source: "loop", step: 1, parents: {} });
  assert.deepEqual(pendingWrites, [
    ["task", "__error__", "no"],
    ["task", "messages", ["да"]],
  ]);
});
