import { create } from "@bufbuild/protobuf";
import type { Artifact, ArtifactPreview } from "./generated/camillo/v1/artifact_pb.js";
import {
  type GetArtifactResponse,
  type OffloadOutputResponse,
  OffloadOutputResponseSchema,
} from "./generated/camillo/v1/artifact_service_pb.js";
import type { PutOptions } from "./uploads.js";

/** In one message; what is longer is sent as a stream. */
export const MAX_MESSAGE_OUTPUT_BYTES = 3 * 1024 * 1024;

/** Fields of a tool's output. */
export interface OffloadOptions extends PutOptions {
  /** Output of up to so many tokens stays inline; default 500. */
  thresholdTokens?: number;
}

/** The outcome of an output. */
export interface Offloaded {
  /** To be put before the model. */
  readonly text: string;
  /** Undefined where the output was short and stands in `text` itself. */
  readonly artifact: Artifact | undefined;
  readonly response: OffloadOutputResponse;
}

/** Returns what a server did with an output. */
export function offloaded(response: OffloadOutputResponse): Offloaded {
  const { outcome, text } = response;
  return { text, artifact: outcome.case === "artifact" ? outcome.value : undefined, response };
}

/** The outcome of an output without a byte, which no server is asked about. */
export function nothingOffloaded(): Offloaded {
  const outcome = { case: "inline", value: "" } as const;
  return offloaded(create(OffloadOutputResponseSchema, { outcome }));
}

/** The reference to an artifact that was sent as a stream: nothing that a message cannot hold is short. */
export function kept(artifact: Artifact, { preview, redactions }: GetArtifactResponse): Offloaded {
  const response = create(OffloadOutputResponseSchema, {
    outcome: { case: "artifact", value: artifact },
    text: textForModel(artifact, preview),
    ...(preview ? { preview } : {}),
    redactions,
  });
  return offloaded(response);
}

function textForModel(artifact: Artifact, preview: ArtifactPreview | undefined): string {
  const parts = [
    artifact.memoryRef,
    artifact.summary,
    preview?.head && `--- head\n${preview.head}`,
    preview?.tail && `--- tail\n${preview.tail}`,
  ];
  return parts.flatMap((part) => (part ? [part.replace(/\n+$/, "")] : [])).join("\n");
}
