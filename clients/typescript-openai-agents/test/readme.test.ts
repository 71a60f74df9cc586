import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const PROGRAMS = [...README.matchAll(/```js\n(.*?)```/gs)].map(([, program = ""]) => program);
const PART = { type: "output_text", text: "You drink tea.", annotations: [], logprobs: [] };
const ITEM = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [PART],
};
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

test("the program of the README runs", async (t) => {
  assert.equal(PROGRAMS.length, 1);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part);
    }
    asked.push(Buffer.concat(parts).toString());
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "r1", object: "response", output: [ITEM], usage: USAGE }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  // Beside the package's own modules, where imports of it find it.
  const file = fileURLToPath(new URL("readme.mjs", import.meta.url));
  writeFileSync(file, String(PROGRAMS[0]).replace('"42"', JSON.stringify(randomUUID())));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  const own = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: url, OPENAI_AGENTS_DISABLE_TRACING: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { ...process.env, ...own },
  });
  rmSync(file);
  assert.equal(stdout, "You drink tea.\nYou drink tea.\n4\n");
  assert.match(String(asked[1]), /I drink tea.*What do I drink/s);
});
