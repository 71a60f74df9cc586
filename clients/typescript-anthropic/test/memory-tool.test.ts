import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import type { Camillo } from "camillo-client";
import { CamilloMemoryTool } from "../src/index.js";
import { scriptedModel } from "./scripted-model.js";
import { all, newPerson } from "./spaces.js";

let camillo: Camillo;
let tool: CamilloMemoryTool;
const connected: Camillo[] = [];

beforeEach(() => {
  camillo = newPerson();
  connected.push(camillo);
  tool = new CamilloMemoryTool(camillo);
});
after(() => Promise.all(connected.map((each) => each.close())));

function create(path: string, file_text: string): Promise<string> {
  return tool.create({ command: "create", path, file_text });
}

function view(path: string): Promise<string> {
  return tool.view({ command: "view", path });
}

test("a model's calls are run by the SDK, and files are slots", async (t) => {
  const file_text = "Ada drinks tea, 猫\n";
  const model = await scriptedModel([
    { command: "create", path: "/memories/ada.md", file_text },
    { command: "view", path: "/memories/../etc/passwd" },
  ]);
  t.after(() => model.close());
  const client = new Anthropic({ baseURL: model.url, apiKey: "any", maxRetries: 0 });
  const answer = await client.beta.messages.toolRunner({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "Remember that I drink tea." }],
    tools: [betaMemoryTool(tool)],
  });
  assert.deepEqual(answer.content, [{ type: "text", text: "Done." }]);
  const [created = "", refused = ""] = model.results();
  assert.match(created, /File created successfully at: \/memories\/ada.md/);
  assert.match(refused, /would escape \/memories directory/);
  const slot = await camillo.slots.get("/memories/ada.md");
  assert.equal(slot.jsonContent, JSON.stringify(file_text));
});

test("a text over several lines is replaced, and one that is there twice is not", async () => {
  await create("/memories/a", "one one\ntwo\n$&\n");
  const replace = (old_str: string, new_str: string) =>
    tool.str_replace({ command: "str_replace", path: "/memories/a", old_str, new_str });
  await assert.rejects(replace("one", "x"), /Multiple occurrences.* in lines: 1\. /);
  await replace("one\ntwo\n", "$& 二\n");
  assert.equal(await view("/memories/a").then((text) => text.split("\n")[1]), "     1\tone $& 二");
  await replace("$& 二", "$$");
  assert.match(await view("/memories/a"), /one \$\$/);
});

test("paths that lead out, also once they are decoded, are refused", async () => {
  await create("/memories/a", "x");
  for (const path of [
    "/etc",
    "/memories/../a",
    "/memories/%2e%2e/a",
    "/memories/..\\a",
    "/memoriesa",
  ]) {
    await assert.rejects(view(path), /escape|must start/);
  }
  assert.match(await view("/memories/b/../a"), /x/);
});

test("edits by several at once are all kept", async () => {
  await create("/memories/a", "");
  const insert = (insert_text: string) =>
    new CamilloMemoryTool(camillo).insert({
      command: "insert",
      path: "/memories/a",
      insert_line: 0,
      insert_text,
    });
  await Promise.all(["猫", "茶", "шум", "x"].map(insert));
  const lines = (await view("/memories/a")).split("\n").slice(1);
  assert.deepEqual(
    new Set(lines.map((line) => line.slice(7))),
    new Set(["猫", "茶", "шум", "x", ""]),
  );
});

test("a directory is renamed and deleted as a whole, and the root is protected", async () => {
  for (let number = 0; number < 30; number += 1) {
    await create(`/memories/d/${number}`, `text ${number}`);
  }
  const [old_path, new_path] = ["/memories/d", "/memories/e/f"];
  await tool.rename({ command: "rename", old_path, new_path });
  assert.match(await view("/memories/e/f/29"), /text 29/);
  await assert.rejects(view("/memories/d"), /does not exist/);
  await assert.rejects(tool.delete({ command: "delete", path: "/memories" }), /Cannot delete/);
  await assert.rejects(
    tool.rename({ command: "rename", old_path: "/memories/", new_path }),
    /Cannot rename/,
  );
  await create("/memories/stays", "x");
  await tool.delete({ command: "delete", path: "/memories/e" });
  const slots = await all(camillo.slots.list("/memories"));
  assert.deepEqual(
    slots.map(({ key }) => key),
    ["/memories/stays"],
  );
  await tool.clearAllMemory();
  assert.deepEqual(await all(camillo.slots.list("/memories")), []);
});

test("secrets are left out, and the model is told; what is too long is refused", async () => {
  assert.match(
    await create("/memories/key", `the key is ${"AKIA"}${"Q3EGRIZTV6PLNEXM"}`),
    /stored without its secrets/,
  );
  await assert.rejects(create("/memories/long", "長".repeat(30_000)), /at most 65536/);
  await assert.rejects(create("/memories/half", "\ud83d"), /half of a surrogate pair/);
  await assert.rejects(view("/memories/long"), /does not exist/);
  assert.equal(
    await create("/memories/fits", "長".repeat(20_000)),
    "File created successfully at: /memories/fits",
  );
});
