import { callOptions, type WriteOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { CamilloError } from "./errors/camillo-error.js";
import {
  type Memory,
  type NewMemory,
  NewMemorySchema,
  type Redaction,
} from "./generated/camillo/v1/memory_pb.js";
import { MemoryService } from "./generated/camillo/v1/memory_service_pb.js";
import { newMemory } from "./memory-fields.js";
import { outcomeOf } from "./outcomes.js";
import { packs, rejectText } from "./packs.js";
import { newRequestId } from "./requests.js";

/** The outcome of each memory, in the order given. */
export async function rememberAll(
  calls: Calls,
  memories: Iterable<string | NewMemory>,
  options: WriteOptions,
  tell: (redactions: readonly Redaction[]) => void,
): Promise<(Memory | CamilloError)[]> {
  rejectText(memories);
  const outcomes: (Memory | CamilloError)[] = [];
  await inBatches(packs(NewMemorySchema, messages(memories)), options, async (pack, requestId) => {
    const request = { requestId, memories: pack };
    const unary = { ...callOptions(options), isNewId: !options.requestId };
    const answer = await calls.unary(MemoryService.method.batchRemember, request, unary);
    tell(answer.results.flatMap(({ redactions }) => redactions));
    outcomes.push(...answer.results.map(({ outcome }) => outcomeOf<Memory>(outcome)));
  });
  return outcomes;
}

/**
 * Sends each batch under an id of its own, made from the first one. A failure carries the first id: with it and the same
 * content everything can be sent again.
 */
export async function inBatches<T>(
  batches: Iterable<T>,
  options: WriteOptions,
  send: (batch: T, requestId: string) => Promise<void>,
): Promise<void> {
  const first = options.requestId || newRequestId();
  let number = 0;
  try {
    for (const batch of batches) {
      await send(batch, number === 0 ? first : `${first}.${number}`);
      number += 1;
    }
  } catch (error) {
    if (error instanceof CamilloError) {
      error.requestId = first;
    }
    throw error;
  }
}

function* messages(memories: Iterable<string | NewMemory>): Generator<NewMemory> {
  for (const memory of memories) {
    yield typeof memory === "string" ? newMemory(memory) : memory;
  }
}
