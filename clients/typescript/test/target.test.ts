import assert from "node:assert/strict";
import { test } from "node:test";
import { resolvedAddress, resolvedKey, urlOf } from "../src/target.js";
import { sessionOptions } from "../src/tls.js";

test("an address is given, or in the environment, or local", () => {
  assert.equal(resolvedAddress("a:1", { CAMILLO_ADDRESS: "b:2" }), "a:1");
  assert.equal(resolvedAddress(undefined, { CAMILLO_ADDRESS: "b:2" }), "b:2");
  assert.equal(resolvedAddress(undefined, {}), "localhost:7070");
});

test("a key is given, or in the environment, or none, without space around it", () => {
  assert.equal(resolvedKey(" a\n", { CAMILLO_KEY: "b" }), "a");
  assert.equal(resolvedKey("", { CAMILLO_KEY: "b" }), "");
  assert.equal(resolvedKey(undefined, { CAMILLO_KEY: "b\n" }), "b");
  assert.equal(resolvedKey(undefined, {}), "");
});

test("an address becomes a URL", () => {
  assert.equal(urlOf("memory:7070", false), "http://memory:7070");
  assert.equal(urlOf("memory", true), "https://memory:7070");
  assert.equal(urlOf("[::1]:80", false), "http://[::1]:80");
  assert.equal(urlOf("[::1]", false), "http://[::1]:7070");
  assert.equal(urlOf("dns:///memory:7070", false), "http://memory:7070");
  for (const address of ["http://memory", "memory:7070/path", "a b", "user@memory"]) {
    assert.throws(() => urlOf(address, false), TypeError);
  }
});

test("a chain needs its key", () => {
  assert.throws(() => sessionOptions({ certificateChain: "PEM" }), TypeError);
  assert.throws(() => sessionOptions({ privateKey: "PEM" }), TypeError);
  const own = { certificateChain: "CHAIN", privateKey: "KEY", rootCertificates: "ROOT" };
  const options = sessionOptions({ ...own, serverName: "memory" });
  assert.deepEqual(options, { ca: "ROOT", cert: "CHAIN", key: "KEY", servername: "memory" });
});
