import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { artifactIdOf, findRefs, type MemoryRef, parseRef, renderRef } from "../src/index.js";

interface Told {
  artifact_id: string;
  description: string;
}

const place = new URL("../../../memory_refs.json", import.meta.url);
const vectors = JSON.parse(readFileSync(place, "utf8")) as {
  render: (Told & { rendered: string; parsed_description: string })[];
  parse: { text: string; ref: Told | null }[];
  find: { text: string; refs: Told[] }[];
};

test("refs are rendered as in every client, and come back", () => {
  for (const { artifact_id, description, rendered, parsed_description } of vectors.render) {
    assert.equal(renderRef(artifact_id, description), rendered);
    assert.deepEqual(parseRef(rendered), {
      artifactId: artifact_id,
      description: parsed_description,
    });
  }
});

test("a text is a ref or none, as in every client", () => {
  for (const { text, ref } of vectors.parse) {
    assert.deepEqual(parseRef(text), ref ? refOf(ref) : undefined, JSON.stringify(text));
  }
});

test("refs in a text are found as in every client", () => {
  for (const { text, refs } of vectors.find) {
    assert.deepEqual(findRefs(text), refs.map(refOf), JSON.stringify(text));
  }
});

test("half a character is replaced, and the byte order mark is no space", () => {
  assert.equal(renderRef("abc", "tea \ud83d"), "[MemoryRef: abc - tea \ufffd]");
  assert.equal(renderRef("abc", "\ufefftea"), "[MemoryRef: abc - \ufefftea]");
});

test("what is no artifact id is refused, and an id may stand for itself", () => {
  for (const id of ["", "ab", "Abc", "ab-c", "_abc", `abc\n`]) {
    assert.throws(() => renderRef(id), TypeError);
  }
  assert.equal(artifactIdOf("abc_1"), "abc_1");
  assert.equal(artifactIdOf(" [MemoryRef: abc_1 - tea]\n"), "abc_1");
});

function refOf({ artifact_id, description }: Told): MemoryRef {
  return { artifactId: artifact_id, description };
}
