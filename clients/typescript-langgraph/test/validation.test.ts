import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const REPORT = fileURLToPath(new URL("validation.json", import.meta.url));
const VITEST = fileURLToPath(new URL("node_modules/vitest/vitest.mjs", `file://${ROOT}`));

interface Outcome {
  fullName: string;
  status: string;
  failureMessages: string[];
}

test("LangGraph's suite for checkpointers", async (t) => {
  const words = ["run", "--globals", "--reporter=json", `--outputFile=${REPORT}`];
  const where = ["--root", ROOT, "--dir", "out/test", "out/test/validation.spec.js"];
  const told = await new Promise<string>((resolve) => {
    execFile(process.execPath, [VITEST, ...words, ...where], (_, out, err) => resolve(out + err));
  });
  const { testResults } = JSON.parse(readFileSync(REPORT, "utf8"));
  const outcomes: Outcome[] = testResults.flatMap((file: { assertionResults: Outcome[] }) => {
    return file.assertionResults;
  });
  assert.ok(outcomes.length > 600, told);
  for (const { fullName, status, failureMessages } of outcomes) {
    const skip = status === "passed" || status === "failed" ? false : status;
    await t.test(fullName, { skip }, () => assert.equal(status, "passed", failureMessages[0]));
  }
});
