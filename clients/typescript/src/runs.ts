import { type CallOptions, callOptions } from "./call-options.js";
import type { CamilloError } from "./errors/camillo-error.js";
import type { Run } from "./generated/camillo/v1/run_pb.js";
import { RunService } from "./generated/camillo/v1/run_service_pb.js";
import { pages } from "./pages.js";
import { Part } from "./part.js";

/** Which runs are listed. */
export interface ListRunsOptions extends CallOptions {
  /** Restricts to this conversation; default: any. */
  sessionId?: string;
  /** Runs of a page; default: the server's choice. */
  pageSize?: number;
}

/**
 * Runs: what an agent keeps in mind from the start of a run to its end. Methods that are no lists are called by its method, as
 * `RunService.method.startRun`. Failures are {@link CamilloError}s.
 */
export class Runs extends Part {
  /** The agent's runs that have not ended, the last started first, over all pages; the timeout is that of each page. */
  async *list(options: ListRunsOptions = {}): AsyncGenerator<Run, void, undefined> {
    const request = { sessionId: options.sessionId ?? "", pageSize: options.pageSize ?? 0 };
    const { listRuns } = RunService.method;
    for await (const page of pages(this.calls, listRuns, request, callOptions(options))) {
      yield* page.runs;
    }
  }
}
