import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import { decode, encode } from "@msgpack/msgpack";
import type { Camillo } from "camillo-client";
import { LifecycleService, type Slot } from "camillo-client/v1";

// Threads are the same slots as those of the Python package: change neither alone.
export const ROOT = "/langgraph";
const SOURCE = "langgraph";
/** A slot holds 64 KiB, and base64 adds a third. */
export const MAX_INLINE = 44 * 1024;
/** Values of channels above it are artifacts of their own where a record is too long. */
export const MIN_ARTIFACT = 4 * 1024;
/** A slot has 64 tags. */
export const MAX_ARTIFACTS = 60;
const [ARTIFACT, WHOLE] = ["artifact:", "whole:"];
const NONCE_BYTES = 16;
const MAX_IDS = 1_000;
const FORGET_MS = 120_000;
const [packed, unpacked] = [promisify(deflate), promisify(inflate)];

/** One name of a key, which is neither empty nor a dot; {@link nameOf} returns the text. */
export function name(text: string): string {
  const quoted = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `=${quoted.replaceAll("%3A", ":").replaceAll("%7C", "|")}`;
}

function nameOf(name: string): string {
  return decodeURIComponent(name.slice(1));
}

function complement(bytes: Buffer): Buffer {
  return bytes.map((byte) => 255 - byte) as Buffer;
}

/** A name that sorts a greater text first. */
function descending(text: string): string {
  return `${complement(Buffer.from(text)).toString("hex")}g`;
}

export function threadKey(threadId: string): string {
  return `${ROOT}/${name(threadId)}`;
}

export function namespaceKey(threadId: string, namespace: string): string {
  return `${threadKey(threadId)}/${name(namespace)}`;
}

export function checkpointKey(threadId: string, namespace: string, checkpointId: string): string {
  return `${namespaceKey(threadId, namespace)}/${descending(checkpointId)}`;
}

/** The parts of a key: the thread, its namespace, the checkpoint, and for writes the task. */
export function placeOf(key: string) {
  const [, , thread = "=", namespace = "=", checkpoint = "g", task = "="] = key.split("/");
  return {
    threadId: nameOf(thread),
    namespace: nameOf(namespace),
    checkpointId: complement(Buffer.from(checkpoint.slice(0, -1), "hex")).toString(),
    checkpoint: [ROOT, thread, namespace, checkpoint].join("/"),
    taskId: nameOf(task),
  };
}

/** Fields of a slot beside its record. */
export interface RecordFields {
  readonly type: string;
  /** Ids of the artifacts that the record names. */
  readonly artifacts: readonly string[];
  readonly tags?: readonly string[];
  readonly ifVersion?: bigint;
}

/** Writes and reads records of any length, in one space. */
export class Records {
  readonly #camillo: Camillo;

  constructor(camillo: Camillo) {
    this.#camillo = camillo;
  }

  /** Stores a slot of the record; one that is too long is an artifact. Throws where it would not be read as it was written. */
  async write(key: string, record: unknown, fields: RecordFields): Promise<void> {
    const { type, artifacts, ifVersion } = fields;
    // With its key, so that no two slots say the same: what is forgotten goes with what repeats it.
    const bytes = encode([key, record]);
    const data = await packed(bytes, { level: 1 });
    const isLong = data.length > MAX_INLINE;
    // In tags, which state nothing: what is forgotten goes with what states the same, such as the id of an artifact.
    const named = artifacts.map((each) => ARTIFACT + each);
    const whole = isLong ? [WHOLE + (await this.put(bytes))] : [];
    const tags = [...(fields.tags ?? []), ...named, ...whole];
    const content = { type, tags, ...(isLong ? {} : { data: data.toString("base64") }) };
    const text = JSON.stringify(content);
    const how = { unindexed: true, ...(ifVersion === undefined ? {} : { ifVersion }) };
    const { jsonContent } = await this.#camillo.slots.setMemory(key, text, SOURCE, how);
    if (jsonContent !== text) {
      throw new TypeError(`the bytes of ${key} look like a secret, and were not kept`);
    }
  }

  /**
   * Id of an artifact with these bytes, compressed: redaction would change what is readable in them. No two artifacts are equal: what is
   * forgotten goes with what repeats it.
   */
  async put(bytes: Uint8Array): Promise<string> {
    const data = await packed(Buffer.concat([randomBytes(NONCE_BYTES), bytes]), { level: 1 });
    const fields = { mediaType: "application/zlib", tool: SOURCE };
    return (await this.#camillo.artifacts.put(data, fields)).artifactId;
  }

  async get(artifactId: string): Promise<Uint8Array> {
    return (await unpacked(await this.#camillo.artifacts.read(artifactId))).subarray(NONCE_BYTES);
  }

  async read<R>({ jsonContent, tags }: Slot): Promise<R> {
    const whole = tags.find((tag) => tag.startsWith(WHOLE));
    const bytes = whole
      ? await this.get(whole.slice(WHOLE.length))
      : await unpacked(Buffer.from(JSON.parse(jsonContent).data, "base64"));
    return (decode(bytes) as [string, R])[1];
  }

  /** Slots below a key and at it, in the order of keys. */
  async *under(prefix: string, pageSize: number): AsyncGenerator<Slot, void, undefined> {
    for await (const { slot } of this.#camillo.slots.list(prefix, { pageSize })) {
      if (slot) {
        yield slot;
      }
    }
  }

  /** Removes slots for good, with the artifacts that they name. */
  async forget(slots: readonly Slot[]): Promise<void> {
    const tags = slots.flatMap((slot) => slot.tags).filter((tag) => isArtifact(tag));
    const artifacts = [...new Set(tags.map((tag) => tag.slice(tag.indexOf(":") + 1)))];
    for (let at = 0; at < Math.max(slots.length, artifacts.length); at += MAX_IDS) {
      const slotIds = slots.slice(at, at + MAX_IDS).map(({ slotId }) => slotId);
      const artifactIds = artifacts.slice(at, at + MAX_IDS);
      const selector = { case: "records" as const, value: { slotIds, artifactIds } };
      const request = { selector, allowRestating: true };
      const { forget } = LifecycleService.method;
      await this.#camillo.call(forget, request, { timeoutMs: FORGET_MS });
    }
  }
}

function isArtifact(tag: string): boolean {
  return tag.startsWith(ARTIFACT) || tag.startsWith(WHOLE);
}
