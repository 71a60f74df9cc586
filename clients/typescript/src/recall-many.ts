import { type CallOptions, callOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import type { CamilloError } from "./errors/camillo-error.js";
import {
  MemoryService,
  type RecallRequest,
  type RecallResponse,
} from "./generated/camillo/v1/memory_service_pb.js";
import { outcomeOf } from "./outcomes.js";
import { rejectText } from "./packs.js";
import { recallRequest } from "./recalls.js";

const MAX_BATCH = 32;

/** The outcome of each query, in the order given. */
export async function recallAll(
  calls: Calls,
  queries: Iterable<string | RecallRequest>,
  options: CallOptions,
): Promise<(RecallResponse | CamilloError)[]> {
  rejectText(queries);
  const requests = Array.from(queries, (query) =>
    typeof query === "string" ? recallRequest(query) : query,
  );
  const outcomes: (RecallResponse | CamilloError)[] = [];
  for (let start = 0; start < requests.length; start += MAX_BATCH) {
    const batch = { requests: requests.slice(start, start + MAX_BATCH) };
    const { batchRecall } = MemoryService.method;
    const { results } = await calls.unary(batchRecall, batch, callOptions(options));
    outcomes.push(...results.map(({ outcome }) => outcomeOf<RecallResponse>(outcome)));
  }
  return outcomes;
}
