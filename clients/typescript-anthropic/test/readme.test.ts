import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connect } from "camillo-client";
import { scriptedModel } from "./scripted-model.js";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const PROGRAMS = [...README.matchAll(/```js\n(.*?)```/gs)].map(([, program = ""]) => program);

test("the program of the README runs", async (t) => {
  assert.equal(PROGRAMS.length, 1);
  const create = { command: "create", path: "/memories/ada.md", file_text: "Ada drinks tea" };
  const model = await scriptedModel([create]);
  t.after(() => model.close());
  const camillo = connect({ timeoutMs: 60_000 });
  t.after(() => camillo.close());
  const user = randomUUID();
  // Beside the package's own modules, where imports of it find it.
  const file = fileURLToPath(new URL("readme.mjs", import.meta.url));
  writeFileSync(file, String(PROGRAMS[0]).replace('"42"', JSON.stringify(user)));
  const env = { ...process.env, ANTHROPIC_API_KEY: "any", ANTHROPIC_BASE_URL: model.url };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  rmSync(file);
  assert.equal(stdout, "Done.\n");
  const slot = await camillo.forUser(user).slots.get("/memories/ada.md");
  assert.equal(slot.jsonContent, '"Ada drinks tea"');
});
