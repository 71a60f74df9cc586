import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as client from "../src/index.js";
import * as v1 from "../src/v1.js";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const EXPORTS: Record<string, object> = { "camillo-client": client, "camillo-client/v1": v1 };

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
  const { Camillo, Artifacts, Events, Context } = client;
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
  ] as const;
  for (const [part, names] of named) {
    for (const name of names) {
      assert.equal(typeof Reflect.get(part.prototype, name), "function", name);
      assert.ok(README.includes(name), name);
    }
  }
});
