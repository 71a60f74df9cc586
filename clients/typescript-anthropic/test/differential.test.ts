// Random commands do what they do to files of the SDK's own implementation. Not compared are directories that have become empty, which
// are gone here, sizes of directories, and what that implementation does with a text over several lines, or twice in one.
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import type { BetaMemoryTool20250818Command } from "@anthropic-ai/sdk/resources/beta";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { VERSION } from "@anthropic-ai/sdk/version";
import { CamilloMemoryTool } from "../src/index.js";
import { Random } from "./random.js";
import { newPerson } from "./spaces.js";

type Command = BetaMemoryTool20250818Command;
type Tool = ReturnType<typeof betaMemoryTool>;

const SEEDS = [1, 2, 3, 4, 5, 6];
const COMMANDS = 40;
const NAMES = [
  "a",
  "b.txt",
  "café.md",
  "日本語",
  ".hidden",
  "100%",
  "with blank",
  "e%41",
  "🐈",
  "A",
];
const TEXTS = [
  "",
  "\n",
  "one",
  "one\ntwo\n",
  "x\r\ny\r\n",
  "\u2028\x85",
  "naïve 猫\n\n\n",
  '"q" \\ back',
];
const OLD = ["one", "o", "x", "猫", "two", '"q"', "nothing", "$&"];

function pathOf(drawn: Random): string {
  const names = Array.from({ length: drawn.of([1, 1, 2, 2, 3]) }, () => drawn.of(NAMES));
  return drawn.of(["/memories/", "/memories/", "/memories//", "/memories/./"]) + names.join("/");
}

function commandOf(drawn: Random, known: readonly string[]): Command {
  const kinds = ["view", "create", "create", "create", "str_replace", "insert", "delete", "rename"];
  const command = drawn.of(kinds);
  let path = known.length && command !== "create" && drawn.next() < 0.8 ? drawn.of(known) : "";
  path ||= pathOf(drawn);
  if (drawn.next() < 0.1) {
    path = drawn.of(["/memories", path.replace(/\/[^/]*$/, ""), `${path}/../b.txt`, "/etc/passwd"]);
  }
  switch (command) {
    case "view":
      return {
        command,
        path,
        view_range: drawn.of([[1, 2], [2, -1], [0, 1], [3, 2], [9, 12], [1]]),
      };
    case "create":
      return { command, path, file_text: drawn.of(TEXTS) };
    case "str_replace":
      return { command, path, old_str: drawn.of(OLD), new_str: drawn.of(TEXTS) };
    case "insert":
      return { command, path, insert_line: drawn.between(-1, 5), insert_text: drawn.of(TEXTS) };
    case "delete":
      return { command, path };
    default:
      return { command: "rename", old_path: path, new_path: pathOf(drawn) };
  }
}

/** The answer without sizes of directories; of a refusal of the file system only that it is one. */
async function outcomeOf(tool: Tool, command: Command): Promise<string> {
  try {
    const [title, ...entries] = String(await tool.run(command)).split("\n");
    if (!title?.startsWith("Here're")) {
      return [title, ...entries].join("\n");
    }
    const shown = entries.map((entry) => entry.split("\t"));
    const plain = shown.map(([size, name = ""]) => (name.endsWith("/") ? name : `${size} ${name}`));
    return [title, ...plain.slice(1)].join("\n");
  } catch (error) {
    const isOfFiles = "code" in (error as Error);
    const { message } = error as Error;
    const isOwn = /^Cannot (write|move)/.test(message);
    return isOfFiles || isOwn ? "refused" : `refused: ${message}`;
  }
}

async function prune(directory: string, isRoot = true): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      await prune(join(directory, entry.name), false);
    }
  }
  if (!isRoot && !(await readdir(directory)).length) {
    await rmdir(directory);
  }
}

// Earlier versions deleted `/memories` itself.
const skip = VERSION.startsWith("1.0.") && "its files do not protect their root";

for (const seed of SEEDS) {
  test(`random commands do what they do to files (${seed})`, { skip }, async (t) => {
    const camillo = newPerson();
    const root = await mkdtemp(join(tmpdir(), "camillo-memory-tool-"));
    t.after(() => camillo.close());
    t.after(() => rm(root, { recursive: true }));
    const onDisk = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(root));
    const inSlots = betaMemoryTool(new CamilloMemoryTool(camillo));
    const [drawn, known]: [Random, string[]] = [new Random(seed), []];
    let answered = 0;
    for (let number = 0; number < COMMANDS; number += 1) {
      const command = commandOf(drawn, known);
      known.push(...("path" in command ? [command.path] : [command.new_path]));
      let expected = await outcomeOf(onDisk, command);
      await prune(join(root, "memories"));
      let outcome = await outcomeOf(inSlots, command);
      // One of the two looks at the kind of a place first.
      if (expected === "refused" || outcome === "refused") {
        [expected, outcome] = [expected.slice(0, 7), outcome.slice(0, 7)];
      }
      assert.equal(outcome, expected, JSON.stringify([number, command]));
      answered += expected.startsWith("refused") ? 0 : 1;
    }
    const everything: Command = { command: "view", path: "/memories" };
    assert.equal(await outcomeOf(inSlots, everything), await outcomeOf(onDisk, everything));
    // Enough of them did something.
    assert.ok(answered > COMMANDS / 5);
  });
}
