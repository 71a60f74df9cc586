import { create } from "@bufbuild/protobuf";
import { artifactRange, type RangeLike } from "./artifact-fields.js";
import { isBreak, Patience } from "./breaks.js";
import { type CallOptions, callOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { type ChannelLike, channelNumber } from "./channels.js";
import {
  ArtifactService,
  type ReadArtifactRequest,
  ReadArtifactRequestSchema,
  type ReadArtifactResponse,
} from "./generated/camillo/v1/artifact_service_pb.js";
import { artifactIdOf } from "./memory-refs.js";
import { RangeCheck } from "./range-check.js";

/** How to read. */
export interface ReadOptions extends CallOptions {
  /** Where it will be shown; default: private. */
  channel?: ChannelLike;
}

/** The bytes of a range in messages of up to 256 KiB, each checked; goes on after a break where it ended. */
export async function* readRange(
  calls: Calls,
  artifactId: string,
  range: RangeLike | undefined,
  options: ReadOptions,
): AsyncGenerator<ReadArtifactResponse, void, undefined> {
  const request = create(ReadArtifactRequestSchema, {
    agentId: calls.agentId(options),
    artifactId: artifactIdOf(artifactId),
    channel: channelNumber(options.channel),
    ...(range ? { range: artifactRange(range) } : {}),
  });
  const check = new RangeCheck();
  yield* resumed(calls, request, check, callOptions(options));
  check.end();
}

async function* resumed(
  calls: Calls,
  request: ReadArtifactRequest,
  check: RangeCheck,
  options: CallOptions,
): AsyncGenerator<ReadArtifactResponse, void, undefined> {
  const patience = new Patience(calls, options.signal);
  for (;;) {
    check.goOn(request);
    try {
      for await (const message of calls.stream(
        ArtifactService.method.readArtifact,
        request,
        options,
      )) {
        check.take(message);
        patience.renew();
        yield message;
      }
      return;
    } catch (error) {
      if (!isBreak(error)) {
        throw error;
      }
      if (check.hasAll) {
        return;
      }
      await patience.waitAfter(error);
    }
  }
}
