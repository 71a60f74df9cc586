import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import { type ChannelLike, channelNumber } from "./channels.js";
import { enumNumber } from "./enum-names.js";
import type { CamilloError } from "./errors/camillo-error.js";
import { type NewEventFields, newEvent } from "./event-fields.js";
import { WorkflowStatusSchema } from "./generated/camillo/v1/actor_pb.js";
import type { Event } from "./generated/camillo/v1/event_pb.js";
import {
  EventService,
  type RecordedEvent,
  RecordedEventSchema,
} from "./generated/camillo/v1/event_service_pb.js";
import type { WorkflowStatusLike } from "./memory-fields.js";
import { pages } from "./pages.js";
import { Part } from "./part.js";
import { type Written, writtenOf } from "./written.js";

/** Fields of a step beside its name. */
export interface StepFields extends Omit<NewEventFields, "kind"> {
  /** Which run of the workflow. */
  run?: string;
  /** How it stands; default: succeeded. */
  status?: WorkflowStatusLike;
  /** Its output: up to 8 MiB. The beginning of a long output stays in the event, and the whole becomes an artifact. */
  output?: string;
}

/** How the steps of a workflow are listed. */
export interface ListStepsOptions extends CallOptions {
  /** This run alone. */
  run?: string;
  /** Steps that stand so; default: any. */
  statuses?: readonly WorkflowStatusLike[];
  /** Where they will be shown; default: private. */
  channel?: ChannelLike;
  /** Steps of a page; default 50. */
  pageSize?: number;
}

/** Workflows, as the events of their steps. Failures are {@link CamilloError}s. */
export class Workflows extends Part {
  /**
   * Stores a step. The conversation is by default the run, else the workflow, and who caused it `system:` and the workflow.
   * EventTooLarge, before it is sent, where the output should be an artifact.
   */
  async record(
    workflow: string,
    step: string,
    options: StepFields & WriteOptions = {},
  ): Promise<Written<RecordedEvent>> {
    const { run = "", status = 0, output = "", ...fields } = options;
    const number = enumNumber(WorkflowStatusSchema, status);
    const content = { workflowStep: { workflow, run, step, status: number, output } };
    const told = { sessionId: run || workflow, actor: `system:${workflow}`, ...fields } as const;
    const request = { requestId: options.requestId ?? "", event: newEvent(content, told) };
    const { recordEvent } = EventService.method;
    const answer = await this.calls.unary(recordEvent, request, callOptions(options));
    const recorded = writtenOf(RecordedEventSchema, answer.recorded, answer);
    this.tell(recorded.redactions);
    return recorded;
  }

  /**
   * The steps of a workflow, the agent's and the tenant's shared ones, in the order in which they happened; the timeout is that
   * of each page.
   */
  async *list(
    workflow: string,
    options: ListStepsOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    const { run = "", statuses = [], channel, pageSize = 0 } = options;
    const numbers = statuses.map((status) => enumNumber(WorkflowStatusSchema, status));
    const request = {
      workflow,
      run,
      statuses: numbers,
      channel: channelNumber(channel),
      pageSize,
    };
    const { listWorkflow } = EventService.method;
    for await (const page of pages(this.calls, listWorkflow, request, callOptions(options))) {
      yield* page.steps;
    }
  }
}
