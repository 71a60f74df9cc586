import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { findMethod, services } from "../src/index.js";
import { ownPolicies, RetryPolicies } from "../src/retry-policy.js";
import { SERVICE_CONFIG } from "../src/service-config.js";
import { VERSION } from "../src/version.js";

// Tests are run from their compiled form, two directories below the package.
const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const methods = services.flatMap((service) => service.methods);

test("every file of the contract is passed on", () => {
  const names = readdirSync(new URL("src/generated/camillo/v1/", ROOT));
  const passedOn = [...read("src/v1.ts").matchAll(/v1\/(\w+)\.js/g)].map(
    ([, name]) => `${name}.ts`,
  );
  assert.deepEqual(passedOn.sort(), names.sort());
});

test("every method is found by its full name", () => {
  assert.ok(methods.length > 70);
  for (const method of methods) {
    assert.equal(findMethod(`${method.parent.typeName}/${method.name}`), method);
  }
  assert.equal(findMethod("camillo.v1.MemoryService/Teapot"), undefined);
  assert.equal(findMethod("teapot"), undefined);
});

test("the service config is the one that clients in every language share", () => {
  assert.deepEqual(SERVICE_CONFIG, JSON.parse(read("../service_config.json")));
});

test("no file beside the code is read, which bundlers would leave behind", () => {
  const files = readdirSync(new URL("src/", ROOT), { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => name.endsWith(".ts"));
  assert.ok(sources.length > 50);
  assert.deepEqual(
    sources.filter((name) => read(`src/${name}`).includes("import.meta")),
    [],
  );
});

test("the package has the license of the repository", () => {
  assert.equal(read("LICENSE"), read("../../LICENSE"));
});

test("the version is that of the package", () => {
  assert.equal(VERSION, JSON.parse(read("package.json")).version);
});

test("every unary method is retried, and no stream", () => {
  const policies = ownPolicies();
  for (const method of methods) {
    const isRetried = policies.of(method) !== undefined;
    assert.equal(isRetried, method.methodKind === "unary", method.name);
  }
});

test("a policy of a whole service holds for its methods", () => {
  const retryPolicy = {
    maxAttempts: 2,
    initialBackoff: "0.5s",
    maxBackoff: "1s",
    backoffMultiplier: 2,
    retryableStatusCodes: ["UNAVAILABLE" as const],
  };
  const name = [{ service: "camillo.v1.AdminService" }];
  const policies = new RetryPolicies({ methodConfig: [{ name, retryPolicy }, { name: [] }] });
  const method = findMethod("camillo.v1.AdminService/WhoAmI") ?? assert.fail();
  assert.equal(policies.of(method)?.initialBackoffMs, 500);
});
