import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { rootCertificates } from "node:tls";
import { inspect } from "node:util";
import { type ConnectOptions, connect, type Tls } from "../src/index.js";
import { resolvedAddress, resolvedKey, urlOf } from "../src/target.js";
import { sessionOptions } from "../src/tls.js";

const CERTIFICATE = rootCertificates[0] ?? "";
// A key of another pair than the certificate's.
const KEY = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

test("an address is given, or in the environment, or local", () => {
  assert.equal(resolvedAddress("a:1", { CAMILLO_ADDRESS: "b:2" }), "a:1");
  assert.equal(resolvedAddress(undefined, { CAMILLO_ADDRESS: "b:2" }), "b:2");
  assert.equal(resolvedAddress(undefined, {}), "localhost:7070");
  assert.equal(resolvedAddress(" a:1\n"), "a:1");
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

test("a key that no header can hold is refused and not told", () => {
  for (const key of ["sec\nret", "secr\u00e9t", "sec\0ret", "\u8336sec"]) {
    assert.throws(
      () => resolvedKey(key),
      (error) => error instanceof TypeError && !error.message.includes("sec"),
    );
  }
});

test("a key that would leave this machine unencrypted is told of, and not the key", async (t) => {
  const told: Error[] = [];
  const hear = (warning: Error) => told.push(warning);
  process.on("warning", hear);
  t.after(() => process.off("warning", hear));
  const close = (options: ConnectOptions) => connect({ key: "secret", ...options }).close();
  await close({ address: "memory:7070" });
  await close({ address: "memory:7070", tls: {} });
  await close({ address: "memory:7070", key: "" });
  for (const address of ["localhost:1", "127.0.0.2:1", "[::1]:1", "a.localhost:1"]) {
    await close({ address });
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    told.map(({ name, message }) => `${name}: ${message}`),
    ["KeyUnprotected: the key goes to memory:7070 unencrypted: connect with tls"],
  );
});

test("a chain needs its key", () => {
  assert.throws(() => sessionOptions({ certificateChain: CERTIFICATE }), TypeError);
  assert.throws(() => sessionOptions({ privateKey: KEY }), TypeError);
  const options = sessionOptions({ rootCertificates: CERTIFICATE, serverName: "memory" });
  assert.ok(options.secureContext);
  assert.equal(options.servername, "memory");
});

test("a mistake in certificates is told at once, and nothing of the key", () => {
  const mistakes: Tls[] = [
    { rootCertificates: "" },
    { rootCertificates: "/etc/ssl/ca.pem" },
    { certificateChain: CERTIFICATE, privateKey: "secret" },
    { certificateChain: CERTIFICATE, privateKey: KEY },
    { certificateChain: CERTIFICATE, privateKey: KEY.replace("A", "*") },
  ];
  for (const tls of mistakes) {
    assert.throws(
      () => connect({ tls }),
      (error) => error instanceof TypeError && !/secret|PRIVATE KEY/.test(inspect(error)),
    );
  }
});
