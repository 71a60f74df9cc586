import { createHash } from "node:crypto";
import {
  ArtifactService,
  type PutArtifactFinish,
  type PutArtifactHeader,
  type PutArtifactRequest,
} from "../src/v1.js";
import { refuse } from "./refusals.js";
import type { ScriptedServer } from "./scripted-server.js";

interface Held {
  readonly header: PutArtifactHeader;
  readonly chunks: number[];
  content: Buffer;
}

const AWAY = refuse({ code: "UNAVAILABLE" });
const NO_UPLOAD = refuse({ code: "NOT_FOUND", reason: "UPLOAD_NOT_FOUND" });
const MISMATCH = refuse({ code: "INVALID_ARGUMENT", reason: "CONTENT_MISMATCH" });

/** Takes uploads as the service does, and breaks them off as it is told. */
export class FakeStore {
  readonly headers: PutArtifactHeader[] = [];
  readonly finished: Held[] = [];
  /** After how many bytes each call breaks; later calls do not. */
  readonly breaks: number[] = [];
  losesAnswer = false;
  mismatches = false;
  redactions: { kind: string }[] = [];
  readonly #held = new Map<string, Buffer>();

  constructor(server: ScriptedServer) {
    const { putArtifact, getUpload, getArtifact } = ArtifactService.method;
    server.take(putArtifact, (requests) => this.#put(requests));
    server.answer(getUpload, ({ uploadId }) => this.#upload(uploadId));
    server.answer(getArtifact, ({ artifactId }) => ({ artifact: { artifactId } }));
  }

  get last(): Held {
    return this.finished[this.finished.length - 1] ?? fail("nothing was stored");
  }

  async #put(requests: AsyncIterable<PutArtifactRequest>) {
    let held: Held | undefined;
    const sent = createHash("sha256");
    const breakAt = this.breaks.shift();
    for await (const { part } of requests) {
      if (part.case === "header") {
        held = this.#begin(part.value);
      } else if (held && part.case === "bytes") {
        this.#add(held, part.value.offset, part.value.data);
        sent.update(part.value.data);
      } else if (held && part.case === "finish") {
        return this.#finish(held, part.value, sent.digest());
      }
      if (held && breakAt !== undefined && held.content.length >= breakAt) {
        this.#breakOff(held);
      }
    }
    return fail("the upload has no end");
  }

  #begin(header: PutArtifactHeader): Held {
    this.headers.push(header);
    const before = this.#held.get(header.uploadId) ?? Buffer.alloc(0);
    const content = before.subarray(0, Number(header.offset));
    const prefix = createHash("sha256").update(content).digest();
    if (header.offset !== 0n && !prefix.equals(header.prefixSha256)) {
      fail("the prefix is another one");
    }
    return { header, chunks: [], content };
  }

  #add(held: Held, offset: bigint, data: Uint8Array): void {
    if (Number(offset) !== held.content.length) {
      fail("there is a gap");
    }
    held.chunks.push(data.length);
    held.content = Buffer.concat([held.content, data]);
  }

  #breakOff({ header, content }: Held): never {
    if (content.length > 0) {
      this.#held.set(header.uploadId, content);
    }
    return AWAY();
  }

  #finish(held: Held, { sha256 }: PutArtifactFinish, sent: Buffer) {
    if (this.mismatches || !sent.equals(sha256)) {
      MISMATCH();
    }
    this.finished.push(held);
    if (this.losesAnswer) {
      AWAY();
    }
    const redactions = this.redactions.map(({ kind }) => ({ kind, offset: 0n }));
    return { artifact: { artifactId: `artifact_${this.finished.length - 1}` }, redactions };
  }

  #upload(uploadId: string) {
    const place = this.finished.findIndex(({ header }) => header.uploadId === uploadId);
    if (place >= 0) {
      return { artifactId: `artifact_${place}` };
    }
    return { heldBytes: BigInt((this.#held.get(uploadId) ?? NO_UPLOAD()).length) };
  }
}

function fail(message: string): never {
  throw new Error(message);
}
