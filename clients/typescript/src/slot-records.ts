import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import type { Camillo } from "./camillo.js";
import { SlotNotFound } from "./errors/index.js";
import { LifecycleService } from "./generated/camillo/v1/lifecycle_service_pb.js";
import type { NewSlot, Slot } from "./generated/camillo/v1/slot_pb.js";
import { newSlot } from "./slot-fields.js";

// A slot holds 64 KiB, and base64 adds a third.
const MAX_INLINE = 44 * 1024;
const [MAX_NAME, MAX_IDS, NONCE_BYTES, FORGET_MS] = [200, 1_000, 16, 120_000];
const ARTIFACT = "artifact:";
const [packed, unpacked] = [promisify(deflate), promisify(inflate)];

/** One name of a key for any text; a long one is its digest. TypeError for half of a surrogate pair. */
export function slotName(text: string): string {
  if (!text.isWellFormed()) {
    throw new TypeError("a name has half of a surrogate pair");
  }
  const quoted = encodeURIComponent(text).replace(/[!'()*]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return quoted.length < MAX_NAME ? `=${quoted}` : createHash("sha256").update(text).digest("hex");
}

/**
 * Bytes of any length under keys of a space, for adapters of frameworks: slots that no recall and no digest shows, as the Python client
 * keeps them. Failures are {@link CamilloError}s.
 */
export class SlotRecords {
  readonly #camillo: Camillo;
  readonly #source: string;

  /** `source` names the framework, as the source and the type of slots. */
  constructor(camillo: Camillo, source: string) {
    this.#camillo = camillo;
    this.#source = source;
  }

  /**
   * A slot that holds bytes; what is too long is an artifact. All is in the bytes, with random ones before, or in tags: what is
   * forgotten goes with whatever states the same.
   */
  async slot(
    key: string,
    data: Uint8Array,
    ifVersion?: bigint,
    tags: readonly string[] = [],
  ): Promise<NewSlot> {
    const bytes = await packed(Buffer.concat([randomBytes(NONCE_BYTES), data]), { level: 1 });
    const how = { unindexed: true, ...(ifVersion === undefined ? {} : { ifVersion }) };
    const held = { type: this.#source, tags: [...tags] };
    if (bytes.length <= MAX_INLINE) {
      return newSlot(key, { ...held, data: bytes.toString("base64") }, this.#source, how);
    }
    const fields = { mediaType: "application/zlib", tool: this.#source };
    const { artifactId } = await this.#camillo.artifacts.put(bytes, fields);
    return newSlot(key, { ...held, tags: [...tags, ARTIFACT + artifactId] }, this.#source, how);
  }

  /** A slot without content. */
  tombstone({ key, version }: Slot): NewSlot {
    return newSlot(key, null, this.#source, { ifVersion: version });
  }

  /** The bytes of a slot that `slot` has made. */
  async data(slot: Slot): Promise<Uint8Array> {
    const [artifact] = artifactsOf(slot);
    const bytes = artifact
      ? await this.#camillo.artifacts.read(artifact)
      : Buffer.from(JSON.parse(slot.jsonContent).data, "base64");
    return (await unpacked(bytes)).subarray(NONCE_BYTES);
  }

  /** Writes slots in order, up to 100 all at once or none. TypeError where something would not be read as it was written. */
  async write(slots: readonly NewSlot[]): Promise<Slot[]> {
    const written = await this.#camillo.slots.setMany(slots);
    for (const [place, { jsonContent }] of written.entries()) {
      if (jsonContent !== slots[place]?.jsonContent) {
        throw new TypeError(
          `the bytes of ${slots[place]?.key} look like a secret, and were not kept`,
        );
      }
    }
    return written;
  }

  /** The newest version at a key, which may be a tombstone. */
  async newest(key: string): Promise<Slot | undefined> {
    try {
      for await (const slot of this.#camillo.slots.history(key, { pageSize: 1 })) {
        return slot;
      }
    } catch (error) {
      if (!(error instanceof SlotNotFound)) {
        throw error;
      }
    }
    return undefined;
  }

  /** Slots at a key and below it, in the order of keys; with tags, those that have one of them. */
  async *below(
    prefix: string,
    pageSize = 100,
    tagsAny: readonly string[] = [],
  ): AsyncGenerator<Slot, void, undefined> {
    for await (const { slot } of this.#camillo.slots.list(prefix, { pageSize, tagsAny })) {
      if (slot) {
        yield slot;
      }
    }
  }

  /** Removes slots for good, with the artifacts that they name. */
  async forget(slots: readonly Slot[]): Promise<void> {
    const artifacts = slots.flatMap(artifactsOf);
    for (let at = 0; at < Math.max(slots.length, artifacts.length); at += MAX_IDS) {
      const slotIds = slots.slice(at, at + MAX_IDS).map(({ slotId }) => slotId);
      const artifactIds = artifacts.slice(at, at + MAX_IDS);
      const selector = { case: "records" as const, value: { slotIds, artifactIds } };
      const request = { selector, allowRestating: true };
      const { forget } = LifecycleService.method;
      await this.#camillo.call(forget, request, { timeoutMs: FORGET_MS });
    }
  }

  /** Removes the artifacts of slots that have newer versions, or were never written: nobody reads them. */
  async forgetArtifacts(slots: readonly Pick<Slot, "jsonContent">[]): Promise<void> {
    const artifactIds = slots.flatMap(artifactsOf);
    if (artifactIds.length) {
      const selector = { case: "records" as const, value: { artifactIds } };
      const { forget } = LifecycleService.method;
      await this.#camillo.call(forget, { selector, allowRestating: true });
    }
  }
}

function artifactsOf({ jsonContent }: Pick<Slot, "jsonContent">): string[] {
  const tags: string[] = JSON.parse(jsonContent)?.tags ?? [];
  return tags.filter((tag) => tag.startsWith(ARTIFACT)).map((tag) => tag.slice(ARTIFACT.length));
}
