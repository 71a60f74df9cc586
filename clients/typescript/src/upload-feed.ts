import { createHash } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type PutArtifactHeader,
  PutArtifactRequestSchema,
} from "./generated/camillo/v1/artifact_service_pb.js";
import type { UploadSource } from "./upload-sources.js";

type Part = MessageInitShape<typeof PutArtifactRequestSchema>;

/** Is told how many bytes have been sent. */
export type OnProgress = (sentBytes: number) => void;

/** The messages of one call of an upload, made while they are sent. */
export class UploadFeed {
  readonly #source: UploadSource;
  readonly #header: PutArtifactHeader;
  readonly #onProgress: OnProgress;
  /** What the source or the callback threw; the transport tells only that the stream broke. */
  failure: { readonly reason: unknown } | undefined;

  constructor(source: UploadSource, header: PutArtifactHeader, onProgress: OnProgress = () => {}) {
    this.#source = source;
    this.#header = header;
    this.#onProgress = onProgress;
  }

  /** The header, the bytes from its offset on, and their SHA-256. */
  async *requests(): AsyncGenerator<Part, void, undefined> {
    const sha256 = createHash("sha256");
    let sent = Number(this.#header.offset);
    yield part({ case: "header", value: this.#header });
    for await (const data of this.#chunks(sent)) {
      sha256.update(data);
      yield part({ case: "bytes", value: { offset: BigInt(sent), data } });
      sent += data.length;
    }
    yield part({ case: "finish", value: { sha256: sha256.digest() } });
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

function part(value: Part["part"] & {}): Part {
  return create(PutArtifactRequestSchema, { part: value });
}
