import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { connect } from "../src/index.js";
import { resolvedAddress } from "../src/target.js";

interface Case {
  given: string;
  address: string;
  problem: string;
  use: string;
  tls?: boolean;
}

const place = new URL("../../../addresses.json", import.meta.url);
const cases: { taken: Case[]; refused: Case[] } = JSON.parse(await readFile(place, "utf8"));

test("addresses are taken as they are", () => {
  for (const { given, address } of cases.taken) {
    assert.equal(resolvedAddress(given, {}), address);
    assert.equal(resolvedAddress(undefined, { CAMILLO_ADDRESS: given }), address);
  }
});

test("an address that is written wrong is corrected", () => {
  for (const { given, problem, use, tls } of cases.refused) {
    const message = `${problem}: use ${use}${tls ? " with TLS" : ""}`;
    for (const options of [{ key: "k" }, {}]) {
      assert.throws(() => connect({ address: given, ...options }), { name: "TypeError", message });
    }
    assert.throws(() => resolvedAddress(undefined, { CAMILLO_ADDRESS: given }), { message });
    // A proposed address is accepted.
    assert.equal(resolvedAddress(use, {}), use);
  }
});
