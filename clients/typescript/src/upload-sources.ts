import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** Bytes of one message of an upload. */
export const CHUNK_BYTES = 256 * 1024;

/**
 * Where bytes come from: text, bytes, a Blob, a file by its path or `file:` URL, or any iterable of bytes such as a
 * readable stream. All but the last, and pipes, can be read again, so that an upload of them goes on after a break.
 */
export type ByteSource =
  | string
  | Uint8Array
  | Blob
  | URL
  | { readonly path: string }
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

/** Bytes to be sent. */
export interface UploadSource {
  /** A file's own name; empty for anything else. */
  readonly name: string;
  /** Undefined where it is not known. */
  readonly size: number | undefined;
  /** Whether `chunks` can begin anew, and behind the beginning. */
  readonly canRestart: boolean;
  /** The bytes from there on; no chunk is empty or above CHUNK_BYTES. */
  chunks(start?: number): AsyncIterable<Uint8Array>;
}

/** Returns what was given, as something to send; TypeError for what has no bytes. */
export async function sourceOf(given: ByteSource): Promise<UploadSource> {
  if (typeof given === "string") {
    return inMemory(new TextEncoder().encode(given));
  }
  if (given instanceof Uint8Array) {
    return inMemory(given);
  }
  if (given instanceof Blob) {
    return ofBlob(given);
  }
  const path = pathOf(given);
  return path === undefined ? once(given) : ofFile(path);
}

function pathOf(given: object): string | undefined {
  if (given instanceof URL) {
    return fileURLToPath(given);
  }
  return "path" in given && typeof given.path === "string" && !(Symbol.asyncIterator in given)
    ? given.path
    : undefined;
}

function inMemory(bytes: Uint8Array): UploadSource {
  return {
    name: "",
    size: bytes.length,
    canRestart: true,
    async *chunks(start = 0) {
      yield* parts(bytes.subarray(start));
    },
  };
}

function ofBlob(blob: Blob): UploadSource {
  return {
    name: "name" in blob && typeof blob.name === "string" ? blob.name : "",
    size: blob.size,
    canRestart: true,
    chunks: (start = 0) => evenly(blob.slice(start).stream()),
  };
}

/** Bytes appended meanwhile are left out; a file that does not tell its length, as those of /proc, is read to its end. */
async function ofFile(path: string): Promise<UploadSource> {
  const known = await stat(path);
  const name = basename(path);
  if (!known.isFile()) {
    // Nothing of a pipe can be read again.
    const chunks = () => evenly(createReadStream(path));
    return { name, size: undefined, canRestart: false, chunks };
  }
  const size = known.size || undefined;
  return {
    name,
    size,
    canRestart: true,
    async *chunks(start = 0) {
      if (size === undefined || start < size) {
        const end = size === undefined ? Number.POSITIVE_INFINITY : size - 1;
        yield* createReadStream(path, { start, end, highWaterMark: CHUNK_BYTES });
      }
    },
  };
}

function once(given: unknown): UploadSource {
  if (!isIterable(given)) {
    throw new TypeError(
      "bytes are in text, bytes, a Blob, a file's path or URL, or an iterable of bytes",
    );
  }
  return { name: "", size: undefined, canRestart: false, chunks: () => evenly(given) };
}

function isIterable(given: unknown): given is AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const isObject = typeof given === "object" && given !== null;
  return isObject && (Symbol.asyncIterator in given || Symbol.iterator in given);
}

/** Pieces of any size as chunks of CHUNK_BYTES, the last one as long as it is. Copies: sources may use a buffer again. */
async function* evenly(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    for (let rest = checked(piece); rest.length > 0; ) {
      const part = rest.subarray(0, CHUNK_BYTES - filled);
      chunk.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
      if (filled === CHUNK_BYTES) {
        yield chunk;
        chunk = new Uint8Array(CHUNK_BYTES);
        filled = 0;
      }
    }
  }
  yield* parts(chunk.subarray(0, filled));
}

function checked(piece: unknown): Uint8Array {
  if (!(piece instanceof Uint8Array)) {
    throw new TypeError(
      `${typeof piece} is no bytes: encode text, open streams without an encoding`,
    );
  }
  return piece;
}

function* parts(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}
