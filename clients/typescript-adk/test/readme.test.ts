import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const PROGRAMS = [...README.matchAll(/```js\n(.*?)```/gs)].map(([, program = ""]) => program);
// A model that answers with what it was shown of tea.
const MODEL = `
import { BaseLlm, LLMRegistry } from "@google/adk";
class Scripted extends BaseLlm {
  static supportedModels = ["scripted"];
  async *generateContentAsync(request) {
    const isTold = JSON.stringify(request).includes("What do I drink?");
    const isKnown = JSON.stringify(request).includes("I drink tea.");
    const text = isTold ? (isKnown ? "You drink tea." : "Who knows?") : "Noted.";
    yield { content: { role: "model", parts: [{ text }] } };
  }
}
LLMRegistry.register(Scripted);
`;

test("the program of the README runs", async () => {
  assert.equal(PROGRAMS.length, 1);
  // Beside the package's own modules, where imports of it find it.
  const file = fileURLToPath(new URL("readme.mjs", import.meta.url));
  const program = String(PROGRAMS[0]).replace('"42"', JSON.stringify(randomUUID()));
  writeFileSync(file, MODEL + program.replace("gemini-3-pro", "scripted"));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  rmSync(file);
  assert.match(stdout, /^Noted\.$/m);
  assert.match(stdout, /^You drink tea\.$/m);
});
