import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connect } from "camillo-client";
import { ANSWER, scriptedModel } from "./scripted-model.js";
import { recorded } from "./spaces.js";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const PROGRAMS = [...README.matchAll(/```js\n(.*?)```/gs)].map(([, program = ""]) => program);

test("the programs of the README run", async (t) => {
  assert.equal(PROGRAMS.length, 2);
  const model = await scriptedModel();
  t.after(() => model.close());
  const user = randomUUID();
  const camillo = connect({ timeoutMs: 60_000 });
  t.after(() => camillo.close());
  await camillo.forUser(user).remember("I drink tea, in fact.");
  for (const [index, program] of PROGRAMS.entries()) {
    // Beside the package's own modules, where imports of it find it.
    const file = fileURLToPath(new URL(`readme-${index}.mjs`, import.meta.url));
    writeFileSync(file, program.replace('"42"', JSON.stringify(user)));
    const env = { ...process.env, OPENAI_API_KEY: "any", OPENAI_BASE_URL: `${model.url}/v1` };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    rmSync(file);
    assert.equal(stdout, `${ANSWER}\n`.repeat(2 - index));
  }
  assert.equal((await recorded(camillo.forUser(user), "chat-7")).length, 6);
  assert.ok(model.asked.every((asked) => JSON.stringify(asked).includes("I drink tea, in fact.")));
});
