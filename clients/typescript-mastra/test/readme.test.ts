import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const PROGRAMS = [...README.matchAll(/```js\n(.*?)```/gs)].map(([, program = ""]) => program);

test("the program of the README runs", async () => {
  assert.equal(PROGRAMS.length, 1);
  // Beside the package's own modules, where imports of it find it.
  const file = fileURLToPath(new URL("readme.mjs", import.meta.url));
  writeFileSync(file, String(PROGRAMS[0]).replace('forUser("42")', `forUser("${randomUUID()}")`));
  const env = { ...process.env, MASTRA_TELEMETRY_DISABLED: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  rmSync(file);
  assert.equal(stdout, "I drink tea.\n");
});
