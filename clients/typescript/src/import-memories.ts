import { create } from "@bufbuild/protobuf";
import { type CallOptions, callOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { enumNumber, type NameOf } from "./enum-names.js";
import { type Memory, MemorySchema } from "./generated/camillo/v1/memory_pb.js";
import {
  type ConflictPolicy,
  ConflictPolicySchema,
  ImportMemoriesRequestSchema,
  type ImportMemoriesResponse,
  MemoryService,
} from "./generated/camillo/v1/memory_service_pb.js";
import { packs } from "./packs.js";

/** How memories are imported. */
export interface ImportOptions extends CallOptions {
  /** Where there is a memory of the same id already; default: skip. */
  onConflict?: NameOf<typeof ConflictPolicy> | ConflictPolicy;
}

/** The outcome of an import, in batches of one stream. */
export async function importAll(
  calls: Calls,
  memories: Iterable<Memory>,
  options: ImportOptions,
): Promise<ImportMemoriesResponse> {
  const agentId = calls.agentId(options);
  const onConflict = enumNumber(ConflictPolicySchema, options.onConflict ?? "skip");
  // Before the stream is open: what an iterable throws would only break it.
  const batches = [...packs(MemorySchema, memories)];
  const requests = async function* () {
    for (const pack of batches) {
      yield create(ImportMemoriesRequestSchema, { agentId, onConflict, memories: pack });
    }
  };
  const { importMemories } = MemoryService.method;
  return calls.written({ agentId, isRepeatable: false }, () =>
    calls.upload(importMemories, requests(), { ...callOptions(options), agentId }),
  );
}
