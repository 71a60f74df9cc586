import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { CredentialInvalid, connect } from "../src/index.js";
import { dataDirectory, resolvedCredential } from "../src/local-key.js";
import { resolvedDefaultAgent } from "../src/request-headers.js";
import { MemoryService } from "../src/v1.js";
import { pair } from "./pair.js";
import { refuse } from "./refusals.js";

function directoryWith(t: TestContext, key?: string): string {
  const directory = mkdtempSync(join(tmpdir(), "camillo-key-"));
  t.after(() => rmSync(directory, { recursive: true }));
  if (key !== undefined) {
    writeFileSync(join(directory, "root.key"), key);
  }
  return directory;
}

test("the key of a server on this machine is found, and sent nowhere else", (t) => {
  const environment = { CAMILLO_DATA_DIR: directoryWith(t, "cam_local\n") };
  for (const address of ["localhost:7070", "127.1.2.3:1", "[::1]:7070", "dns:///localhost:1"]) {
    assert.equal(resolvedCredential(undefined, address, undefined, environment).key, "cam_local");
  }
  for (const address of [
    "example.org:7070",
    "10.0.0.1:1",
    "localhost.example.org:1",
    "127.evil.example:7070",
  ]) {
    assert.equal(resolvedCredential(undefined, address, undefined, environment).key, "");
  }
  const proven = { certificateChain: "pem", privateKey: "pem" };
  assert.equal(resolvedCredential(undefined, "localhost:1", proven, environment).key, "");
  assert.equal(resolvedCredential("", "localhost:1", undefined, environment).key, "");
});

test("a key that is wrong or missing is told with its file", (t) => {
  const told: [string | undefined, (file: string) => string][] = [
    ["cam_local", (file) => `the server at localhost:1 does not accept the key in ${file}`],
    [undefined, (file) => `no key was given, and there is none in ${file}`],
    ["\n", (file) => `no key was given, and ${file} holds none`],
    ["cam local", (file) => `no key was given, and ${file} holds none`],
  ];
  for (const [key, words] of told) {
    const directory = directoryWith(t, key);
    const environment = { CAMILLO_DATA_DIR: directory };
    const { refusal } = resolvedCredential(undefined, "localhost:1", undefined, environment);
    assert.equal(refusal, words(join(directory, "root.key")));
  }
});

test("of a refused key that was found, errors name the file; of another failure the server's words stay", async (t) => {
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
  });
  process.env = { ...before, CAMILLO_KEY: "", CAMILLO_DATA_DIR: directoryWith(t, "cam_local") };
  const { server } = await pair(t);
  const client = connect({ address: server.address });
  t.after(() => client.close());
  const { recall } = MemoryService.method;
  server.answer(recall, refuse({ code: "UNAUTHENTICATED", reason: "CREDENTIAL_INVALID" }));
  await assert.rejects(client.recall("tea"), (error) => {
    assert.ok(error instanceof CredentialInvalid);
    assert.match(error.message, /does not accept the key in .*root\.key$/);
    return true;
  });
  assert.equal(server.calls[0]?.metadata.authorization, "Bearer cam_local");
  server.answer(recall, refuse({ code: "NOT_FOUND", message: "nobody" }));
  await assert.rejects(client.recall("tea"), /nobody/);
});

test("the data directory is that of the user", () => {
  const HOME = "/home/ada";
  assert.equal(dataDirectory({ HOME }), "/home/ada/.local/share/camillo");
  assert.equal(dataDirectory({ HOME, XDG_DATA_HOME: "relative" }), dataDirectory({ HOME }));
  assert.equal(dataDirectory({ HOME, XDG_DATA_HOME: "/srv" }), "/srv/camillo");
  assert.equal(dataDirectory({ HOME, CAMILLO_DATA_DIR: "~/mine" }), "/home/ada/mine");
});

test("requests without an agent are for that of the environment, else the default one", () => {
  assert.equal(resolvedDefaultAgent({}), "default");
  assert.equal(resolvedDefaultAgent({ CAMILLO_AGENT: " planner\n" }), "planner");
  assert.throws(() => resolvedDefaultAgent({ CAMILLO_AGENT: "plänner" }), TypeError);
});
