import { createHash } from "node:crypto";
import type { UploadSource } from "./upload-sources.js";

/** Is told how many bytes have been sent. */
export type OnProgress = (sentBytes: number) => void;

/** Holds what the messages of an upload are. */
export interface FeedMessages<M> {
  /** The first one. */
  readonly header: M;
  /** From which byte of the source on it is sent. */
  readonly start: number;
  bytes(data: Uint8Array, offset: number): M;
  finish(sha256: Uint8Array): M;
}

/** The messages of one call of an upload, made while they are sent. */
export class UploadFeed<M> {
  readonly #source: UploadSource;
  readonly #messages: FeedMessages<M>;
  readonly #onProgress: OnProgress;
  /** Holds what the source or the callback threw; the transport tells only that the stream broke. */
  failure: { readonly reason: unknown } | undefined;

  constructor(source: UploadSource, messages: FeedMessages<M>, onProgress: OnProgress = () => {}) {
    this.#source = source;
    this.#messages = messages;
    this.#onProgress = onProgress;
  }

  /** The header, the bytes from the start on, and their SHA-256. */
  async *requests(): AsyncGenerator<M, void, undefined> {
    const sha256 = createHash("sha256");
    let sent = this.#messages.start;
    yield this.#messages.header;
    for await (const data of this.#chunks(sent)) {
      sha256.update(data);
      yield this.#messages.bytes(data, sent);
      sent += data.length;
    }
    yield this.#messages.finish(sha256.digest());
  }

  /** Apart from the messages: what the transport throws into those is no failure of the source. */
  async *#chunks(start: number): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      let sent = start;
      for await (const chunk of this.#source.chunks(start)) {
        yield chunk;
        sent += chunk.length;
        this.#onProgress(sent);
      }
    } catch (reason) {
      this.failure = { reason };
      throw reason;
    }
  }
}

/** The SHA-256 of the first so many bytes; empty for none. */
export async function prefixSha256(source: UploadSource, size: number): Promise<Uint8Array> {
  if (size === 0) {
    return new Uint8Array();
  }
  const sha256 = createHash("sha256");
  let left = size;
  for await (const chunk of source.chunks()) {
    sha256.update(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) {
      break;
    }
  }
  return sha256.digest();
}
