import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import * as client from "../src/index.js";
import * as v1 from "../src/v1.js";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const CONFIG = JSON.parse(readFileSync(path("tsconfig.json"), "utf8"));
const EXPORTS: Record<string, object> = { "camillo-client": client, "camillo-client/v1": v1 };

test("the examples of the README are right", () => {
  const examples = [...README.matchAll(/```ts\n(.*?)```/gs)].map(([, example = ""]) => example);
  assert.ok(examples.length >= 3);
  assert.deepEqual(mistakesIn(examples), []);
});

test("what the README imports is there", () => {
  const imports = [...README.matchAll(/import \{ (.+) \} from "(camillo-client[^"]*)"/g)];
  assert.ok(imports.length >= 4);
  for (const [, names = "", from = ""] of imports) {
    for (const name of names.split(", ")) {
      assert.ok(name in (EXPORTS[from] ?? {}), `${from} has no ${name}`);
    }
  }
});

test("what the README says of the client's methods is so", () => {
  const {
    Camillo,
    Artifacts,
    Audit,
    Context,
    Documents,
    Events,
    Links,
    Skills,
    Slots,
    Spool,
    Workflows,
  } = client;
  const named = [
    [
      Camillo,
      [
        "remember",
        "rememberMany",
        "recall",
        "recallMany",
        "get",
        "update",
        "forget",
        "memories",
        "watch",
      ],
    ],
    [Camillo, ["call", "pages", "stream", "stub", "close", "whoAmI"]],
    [Artifacts, ["offload", "put", "read", "readText", "stream", "get", "list"]],
    [Events, ["record", "recordMany", "list", "watch"]],
    [Context, ["bundle"]],
    [Slots, ["setMemory", "get", "list", "history", "restore"]],
    [Camillo, ["searchMyMemories"]],
    [Camillo, ["forUser", "forProject", "forTeam", "forSpace", "withSpaces"]],
    [Documents, ["publish", "get", "getByName", "list", "update"]],
    [Documents, ["archive", "restore", "delete", "versions"]],
    [Skills, ["put", "get", "list", "delete"]],
    [Audit, ["record", "list", "watch", "verify", "policy", "setPolicy"]],
    [Camillo, ["supersede", "contradictions", "contradictionPages"]],
    [Links, ["add", "remove", "related", "mentioning"]],
    [Spool, ["list", "retry", "discard", "policy", "setPolicy"]],
    [Workflows, ["record", "list"]],
  ] as const;
  for (const [part, names] of named) {
    for (const name of names) {
      assert.equal(typeof Reflect.get(part.prototype, name), "function", name);
      assert.ok(README.includes(name), name);
    }
  }
});

/** Returns what the compiler says of some texts, each as a module that imports the compiled client. */
function mistakesIn(texts: readonly string[]): string[] {
  const files = new Map(texts.map((text, number) => [path(`src/example-${number}.ts`), text]));
  const options: ts.CompilerOptions = {
    ...ts.convertCompilerOptionsFromJson(CONFIG.compilerOptions, path(".")).options,
    noEmit: true,
    paths: {
      "camillo-client": [path("out/src/index.d.ts")],
      "camillo-client/v1": [path("out/src/v1.d.ts")],
    },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, version) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, version)
      : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

function path(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}
