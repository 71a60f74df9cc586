import {
  type ArtifactConditions,
  artifactFilter,
  newArtifact,
  type RangeLike,
} from "./artifact-fields.js";
import { type ReadOptions, readRange } from "./artifact-reads.js";
import { decoded, isAscii } from "./artifact-text.js";
import { callOptions } from "./call-options.js";
import { channelNumber } from "./channels.js";
import type { Artifact } from "./generated/camillo/v1/artifact_pb.js";
import {
  ArtifactService,
  type GetArtifactResponse,
  type ReadArtifactResponse,
} from "./generated/camillo/v1/artifact_service_pb.js";
import { artifactIdOf } from "./memory-refs.js";
import {
  kept,
  MAX_MESSAGE_OUTPUT_BYTES,
  nothingOffloaded,
  type Offloaded,
  type OffloadOptions,
  offloaded,
} from "./offloads.js";
import { pages } from "./pages.js";
import { Part, present } from "./part.js";
import { type ByteSource, sourceOf } from "./upload-sources.js";
import { type PutOptions, Upload } from "./uploads.js";

/** How artifacts are listed. */
export interface ListArtifactsOptions extends ReadOptions {
  /** Includes those of the tenant's shared scope. */
  includeShared?: boolean;
  /** Artifacts of a page; default 50. */
  pageSize?: number;
}

/**
 * Artifacts: large outputs kept out of the context and read back in parts. Where an id is asked for, a whole memory ref
 * will do.
 */
export class Artifacts extends Part {
  /**
   * Stores bytes. A source that can be read again goes on after a break where the server holds it, up to three times without
   * progress. There is no timeout unless one is given; it is that of each connection.
   */
  async put(source: ByteSource, options: PutOptions = {}): Promise<Artifact> {
    const answer = await new Upload(this.calls, await sourceOf(source), options).sent();
    this.tell(answer.fieldRedactions, answer.redactions);
    return present(answer.artifact);
  }

  /**
   * The text to put before the model in place of a tool's output: the output without its secrets where it is short, else what
   * stands for the artifact that holds it.
   */
  async offload(output: string | Uint8Array, options: OffloadOptions = {}): Promise<Offloaded> {
    const bytes = typeof output === "string" ? new TextEncoder().encode(output) : output;
    if (bytes.length === 0) {
      return nothingOffloaded();
    }
    if (bytes.length > MAX_MESSAGE_OUTPUT_BYTES) {
      const artifact = await this.put(bytes, options);
      return kept(artifact, await this.get(artifact.artifactId, callOptions(options)));
    }
    const request = {
      requestId: options.requestId ?? "",
      output: bytes,
      artifact: newArtifact(options),
      thresholdTokens: options.thresholdTokens ?? 0,
    };
    const { offloadOutput } = ArtifactService.method;
    const answer = await this.calls.unary(offloadOutput, request, callOptions(options));
    this.tell(answer.fieldRedactions, answer.redactions);
    return offloaded(answer);
  }

  /** The facts about an artifact, and its preview; ArtifactNotFound if there is none. */
  async get(artifactId: string, options: ReadOptions = {}): Promise<GetArtifactResponse> {
    const channel = channelNumber(options.channel);
    const request = { artifactId: artifactIdOf(artifactId), channel };
    return this.calls.unary(ArtifactService.method.getArtifact, request, callOptions(options));
  }

  /**
   * The bytes of a range in messages of up to 256 KiB, each checked; without a range everything. Goes on after a break
   * where it ended. BytesDamaged if bytes came otherwise than they were sent.
   */
  stream(
    artifactId: string,
    range?: RangeLike,
    options: ReadOptions = {},
  ): AsyncGenerator<ReadArtifactResponse, void, undefined> {
    return readRange(this.calls, artifactId, range, options);
  }

  /** All bytes of a range at once, checked as {@link stream} checks them. */
  async read(
    artifactId: string,
    range?: RangeLike,
    options: ReadOptions = {},
  ): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const { data } of this.stream(artifactId, range, options)) {
      parts.push(data);
    }
    return Buffer.concat(parts);
  }

  /** The text of a range; what is not valid in the artifact's encoding is replaced. */
  async readText(
    artifactId: string,
    range?: RangeLike,
    options: ReadOptions = {},
  ): Promise<string> {
    const bytes = await this.read(artifactId, range, options);
    if (isAscii(bytes)) {
      return decoded(bytes, "utf-8");
    }
    const { artifact } = await this.get(artifactId, options);
    return decoded(bytes, artifact?.encoding ?? "");
  }

  /** Artifacts that pass all conditions, newest first; the timeout is that of each page. */
  async *list(
    conditions: ArtifactConditions = {},
    options: ListArtifactsOptions = {},
  ): AsyncGenerator<Artifact, void, undefined> {
    const request = {
      filter: artifactFilter(conditions),
      channel: channelNumber(options.channel),
      includeShared: options.includeShared ?? false,
      pageSize: options.pageSize ?? 0,
    };
    const { listArtifacts } = ArtifactService.method;
    for await (const page of pages(this.calls, listArtifacts, request, callOptions(options))) {
      yield* page.artifacts;
    }
  }
}
