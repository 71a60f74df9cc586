import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { generateText, isStepCount, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import type { Camillo } from "camillo-client";
import { memoryMiddleware, memoryTools } from "../src/ai-sdk.js";
import { newPerson, recorded } from "./spaces.js";

const FACT = "Ada drinks tea, never coffee 🍵";
const QUESTION = "What does Ada drink? 茶";
const PIECES = ["She drinks ", "tea."];
const OPTIONS = { sessionId: "chat", speaker: "ada", recallMs: 60_000 };
const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const STOP = { unified: "stop" as const, raw: "stop" };
const CALLS = { unified: "tool-calls" as const, raw: "tool_calls" };

let camillo: Camillo;
const connected: Camillo[] = [];
beforeEach(() => {
  camillo = newPerson();
  connected.push(camillo);
});
after(() => Promise.all(connected.map((each) => each.close())));

function says(text: string) {
  const content = [{ type: "text" as const, text }];
  return { content, finishReason: STOP, usage: USAGE, warnings: [] };
}

function calls(toolName: string, input: object) {
  const call = {
    type: "tool-call" as const,
    toolCallId: "c1",
    toolName,
    input: JSON.stringify(input),
  };
  return { content: [call], finishReason: CALLS, usage: USAGE, warnings: [] };
}

function withMemory(model: MockLanguageModelV4) {
  return wrapLanguageModel({ model, middleware: memoryMiddleware(camillo, OPTIONS) });
}

test("a call recalls before and records after", async () => {
  await camillo.remember(FACT);
  const model = new MockLanguageModelV4({ doGenerate: says(PIECES.join("")) });
  const instructions = "Be brief.";
  const { text } = await generateText({ model: withMemory(model), instructions, prompt: QUESTION });
  assert.equal(text, PIECES.join(""));
  const [system, user] = model.doGenerateCalls[0]?.prompt ?? [];
  assert.equal(system?.content, "Be brief.");
  const sent = JSON.stringify(user?.content);
  assert.ok(sent.includes(FACT), sent);
  assert.ok(sent.indexOf(FACT) < sent.indexOf(QUESTION));
  assert.deepEqual(await recorded(camillo), [
    ["ada", QUESTION],
    ["", PIECES.join("")],
  ]);
});

test("a stream is recorded, and one that is left as far as it came", async () => {
  const chunks = [
    { type: "text-start" as const, id: "1" },
    ...PIECES.map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
    { type: "text-end" as const, id: "1" },
    { type: "finish" as const, finishReason: STOP, usage: USAGE },
  ];
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
  });
  let text = "";
  for await (const delta of streamText({ model: withMemory(model), prompt: QUESTION }).textStream) {
    text += delta;
  }
  assert.equal(text, PIECES.join(""));
  assert.deepEqual(await recorded(camillo), [
    ["ada", QUESTION],
    ["", PIECES.join("")],
  ]);
  const { stream } = await withMemory(model).doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Again?" }] }],
  });
  const reader = stream.getReader();
  while (((await reader.read()).value as { type: string }).type !== "text-delta");
  await reader.cancel();
  assert.deepEqual((await recorded(camillo)).slice(2), [
    ["ada", "Again?"],
    ["", PIECES[0]],
  ]);
});

test("tools remember and recall, and each step sees the same memory", async () => {
  await camillo.remember(FACT);
  const model = new MockLanguageModelV4({
    doGenerate: [
      calls("remember", { content: "Ada likes oolong 乌龙", kind: "preference" }),
      calls("recall", { query: "oolong", limit: 3 }),
      says("It is noted."),
    ],
  });
  const { steps } = await generateText({
    model: withMemory(model),
    tools: memoryTools(camillo),
    stopWhen: isStepCount(5),
    prompt: QUESTION,
  });
  assert.equal(steps.length, 3);
  const found = steps[1]?.toolResults[0]?.output as { text: string; kind: string }[];
  assert.deepEqual(found[0]?.text, "Ada likes oolong 乌龙");
  assert.equal(found[0]?.kind, "preference");
  const shown = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt[0]).includes(FACT));
  assert.deepEqual(shown, [true, true, true]);
  // The question once, however many steps there were.
  assert.deepEqual(await recorded(camillo), [
    ["ada", QUESTION],
    ["", "It is noted."],
  ]);
});

test("errors of memory never fail a call", async () => {
  const problems: string[] = [];
  const away = newPerson();
  await away.close();
  const onProblem = (problem: string) => problems.push(problem);
  const middleware = memoryMiddleware(away, { ...OPTIONS, onProblem });
  const model = new MockLanguageModelV4({ doGenerate: says("Tea.") });
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware }),
    prompt: QUESTION,
  });
  assert.equal(text, "Tea.");
  await recorded(camillo);
  assert.deepEqual(problems, ["nothing was recalled", "a call was not recorded"]);
});
