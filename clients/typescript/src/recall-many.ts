import { type CallOptions, callOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import type { CamilloError } from "./errors/camillo-error.js";
import { errorOfStatus } from "./errors/failures.js";
import {
  type BatchRecallResponse,
  MemoryService,
  type RecallRequest,
  type RecallResponse,
} from "./generated/camillo/v1/memory_service_pb.js";
import { recallRequest } from "./recalls.js";

const MAX_BATCH = 32;

/** What became of each query, in the order given. */
export async function recallAll(
  calls: Calls,
  queries: Iterable<string | RecallRequest>,
  options: CallOptions,
): Promise<(RecallResponse | CamilloError)[]> {
  const requests = Array.from(queries, (query) =>
    typeof query === "string" ? recallRequest(query) : query,
  );
  const outcomes: (RecallResponse | CamilloError)[] = [];
  for (let start = 0; start < requests.length; start += MAX_BATCH) {
    const batch = { requests: requests.slice(start, start + MAX_BATCH) };
    const { batchRecall } = MemoryService.method;
    outcomes.push(...outcomesOf(await calls.unary(batchRecall, batch, callOptions(options))));
  }
  return outcomes;
}

function outcomesOf(answer: BatchRecallResponse): (RecallResponse | CamilloError)[] {
  return answer.results.flatMap(({ outcome }): (RecallResponse | CamilloError)[] => {
    if (outcome.case === "error") {
      return [errorOfStatus(outcome.value)];
    }
    return outcome.case === "response" ? [outcome.value] : [];
  });
}
