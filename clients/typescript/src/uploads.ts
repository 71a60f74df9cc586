import { randomUUID } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type NewArtifactFields, newArtifact } from "./artifact-fields.js";
import { isBreak, Patience } from "./breaks.js";
import { callOptions, type WriteOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { CamilloError } from "./errors/camillo-error.js";
import { UploadNotFound } from "./errors/not-found.js";
import { UploadOffsetMismatch } from "./errors/requests.js";
import {
  ArtifactService,
  type PutArtifactHeader,
  PutArtifactHeaderSchema,
  PutArtifactRequestSchema,
  type PutArtifactResponse,
  PutArtifactResponseSchema,
} from "./generated/camillo/v1/artifact_service_pb.js";
import { newRequestId } from "./requests.js";
import { type FeedMessages, type OnProgress, prefixSha256, UploadFeed } from "./upload-feed.js";
import type { UploadSource } from "./upload-sources.js";

/** Fields of an artifact that is put. */
export interface PutOptions extends NewArtifactFields, WriteOptions {
  /** Is told how many bytes have been sent. */
  onProgress?: OnProgress;
}

type Part = MessageInitShape<typeof PutArtifactRequestSchema>;

/** One upload, over all calls that it takes. */
export class Upload {
  readonly #calls: Calls;
  readonly #source: UploadSource;
  readonly #options: PutOptions;
  readonly #header: PutArtifactHeader;

  constructor(calls: Calls, source: UploadSource, options: PutOptions) {
    this.#calls = calls;
    this.#source = source;
    this.#options = options;
    this.#header = create(PutArtifactHeaderSchema, {
      requestId: options.requestId || newRequestId(),
      agentId: calls.agentId(options),
      artifact: newArtifact({ ...options, name: options.name || source.name }),
      uploadId: randomUUID(),
      ...(source.size === undefined ? {} : { sizeBytes: BigInt(source.size) }),
    });
  }

  /** Sends everything; after a break goes on where the server holds it, up to three times without progress. */
  async sent(): Promise<PutArtifactResponse> {
    try {
      return await this.#sent();
    } catch (error) {
      if (error instanceof CamilloError) {
        error.requestId = this.#header.requestId;
      }
      throw error;
    }
  }

  async #sent(): Promise<PutArtifactResponse> {
    const patience = new Patience(this.#calls, this.#options.signal);
    for (let isResumed = false; ; isResumed = true) {
      const held = this.#header.offset;
      try {
        const found = isResumed ? await this.#found() : undefined;
        if (this.#header.offset > held) {
          patience.renew();
        }
        return found ?? (await this.#attempt());
      } catch (error) {
        if (
          !this.#source.canRestart ||
          !(isBreak(error) || error instanceof UploadOffsetMismatch)
        ) {
          throw error;
        }
        await patience.waitAfter(error);
      }
    }
  }

  async #attempt(): Promise<PutArtifactResponse> {
    const feed = new UploadFeed(this.#source, messages(this.#header), this.#options.onProgress);
    const options = callOptions(this.#options);
    try {
      return await this.#calls.upload(ArtifactService.method.putArtifact, feed.requests(), options);
    } catch (error) {
      throw feed.failure ? feed.failure.reason : error;
    }
  }

  /** The artifact, if only the answer was lost; else puts into the header where to go on. */
  async #found(): Promise<PutArtifactResponse | undefined> {
    const { agentId, uploadId } = this.#header;
    const upload = await this.#held(agentId, uploadId);
    if (upload.artifactId) {
      return this.#finished(agentId, upload.artifactId);
    }
    this.#header.offset = upload.heldBytes;
    this.#header.prefixSha256 = await prefixSha256(this.#source, Number(upload.heldBytes));
    return undefined;
  }

  async #held(agentId: string, uploadId: string) {
    try {
      const request = { agentId, uploadId };
      return await this.#calls.unary(
        ArtifactService.method.getUpload,
        request,
        this.#scope(agentId),
      );
    } catch (error) {
      if (error instanceof UploadNotFound) {
        return { heldBytes: 0n, artifactId: "" };
      }
      throw error;
    }
  }

  async #finished(agentId: string, artifactId: string): Promise<PutArtifactResponse> {
    const { getArtifact } = ArtifactService.method;
    const known = await this.#calls.unary(
      getArtifact,
      { agentId, artifactId },
      this.#scope(agentId),
    );
    return create(PutArtifactResponseSchema, {
      artifact: known.artifact ?? {},
      redactions: known.redactions,
    });
  }

  #scope(agentId: string) {
    const { signal } = this.#options;
    return signal ? { agentId, signal } : { agentId };
  }
}

function messages(header: PutArtifactHeader): FeedMessages<Part> {
  const part = (value: Part["part"] & {}) => create(PutArtifactRequestSchema, { part: value });
  return {
    header: part({ case: "header", value: header }),
    start: Number(header.offset),
    bytes: (data, offset) => part({ case: "bytes", value: { offset: BigInt(offset), data } }),
    finish: (sha256) => part({ case: "finish", value: { sha256 } }),
  };
}
