import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dataDirectory, resolvedCredential } from "../src/local-key.js";
import { resolvedDefaultAgent } from "../src/request-headers.js";

function directoryWith(key?: string): string {
  const directory = mkdtempSync(join(tmpdir(), "camillo-key-"));
  if (key !== undefined) {
    writeFileSync(join(directory, "root.key"), key);
  }
  return directory;
}

test("the key of a server on this machine is found, and sent nowhere else", () => {
  const environment = { CAMILLO_DATA_DIR: directoryWith("cam_local\n") };
  for (const address of ["localhost:7070", "127.1.2.3:1", "[::1]:7070", "dns:///localhost:1"]) {
    assert.equal(resolvedCredential(undefined, address, undefined, environment).key, "cam_local");
  }
  for (const address of ["example.org:7070", "10.0.0.1:1", "localhost.example.org:1"]) {
    assert.equal(resolvedCredential(undefined, address, undefined, environment).key, "");
  }
  const proven = { certificateChain: "pem", privateKey: "pem" };
  assert.equal(resolvedCredential(undefined, "localhost:1", proven, environment).key, "");
  assert.equal(resolvedCredential("", "localhost:1", undefined, environment).key, "");
});

test("a key that is wrong or missing is told with its file", () => {
  for (const key of ["cam_local", "", undefined]) {
    const directory = directoryWith(key);
    const environment = { CAMILLO_DATA_DIR: directory };
    const { refusal } = resolvedCredential(undefined, "localhost:1", undefined, environment);
    assert.ok(refusal.includes(join(directory, "root.key")), refusal);
  }
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
