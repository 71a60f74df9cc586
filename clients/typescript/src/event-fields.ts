import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import type { ChannelLike } from "./channels.js";
import { enumNumber, type NameOf } from "./enum-names.js";
import { InvalidArgument } from "./errors/groups.js";
import {
  type Actor,
  ActorSchema,
  type ActorType,
  ActorTypeSchema,
  EventKind,
} from "./generated/camillo/v1/actor_pb.js";
import {
  type EventFilter,
  EventFilterSchema,
  type NewEvent,
  NewEventSchema,
  type ToolCallSchema,
  type ToolResultSchema,
  type WorkflowStepSchema,
} from "./generated/camillo/v1/event_pb.js";
import type { SensitivityLike, WorkflowStatusLike } from "./memory-fields.js";
import { stated } from "./stated-fields.js";

const MEBIBYTE = 1024 * 1024;
const MAX_TEXT_BYTES = MEBIBYTE;
const MAX_TOOL_RESULT_BYTES = 8 * MEBIBYTE;
const MAX_STEP_OUTPUT_BYTES = 8 * MEBIBYTE;

/** A kind of event, by name or number. */
export type EventKindLike = NameOf<typeof EventKind> | EventKind;
/** Who caused an event; as text `human:ada`. */
export type ActorLike = `${NameOf<typeof ActorType>}:${string}` | Actor;

/** Holds what an event tells: a text, or one of these. */
export type EventContent =
  | string
  | { json: JsonObject }
  | { toolCall: MessageInitShape<typeof ToolCallSchema> }
  | { toolResult: MessageInitShape<typeof ToolResultSchema> }
  | { workflowStep: MessageInitShape<typeof WorkflowStepSchema> };

/** Fields of a new event beside its content. */
export interface NewEventFields {
  /** The conversation. */
  sessionId?: string;
  /** Who caused it. */
  actor?: ActorLike;
  /** Default: as the content says, else a message. */
  kind?: EventKindLike;
  /** Where it happened; default: private. */
  channel?: ChannelLike;
  /** Default: internal. */
  sensitivity?: SensitivityLike;
  tags?: readonly string[];
  /** Default: now. */
  occurredAt?: Date;
  /** Ids of what it is about. */
  refs?: readonly string[];
  /** 0 to 1; default: found by rules. */
  importance?: number;
}

/** Conditions that all have to hold; the limits are those of `EventFilter`. */
export interface EventConditions {
  sessionId?: string;
  kinds?: readonly EventKindLike[];
  actorTypes?: readonly (NameOf<typeof ActorType> | ActorType)[];
  tagsAny?: readonly string[];
  tagsAll?: readonly string[];
  occurredFrom?: Date;
  occurredBefore?: Date;
  maxSensitivity?: SensitivityLike;
  /** Names this id among its refs. */
  ref?: string;
  /** A step of this workflow. */
  workflow?: string;
  /** A step of this run of a workflow. */
  workflowRun?: string;
  /** A step of this name. */
  workflowStep?: string;
  /** A step that stands so. */
  workflowStatus?: WorkflowStatusLike;
}

/** The content of an event is larger than an event can be: put it into an artifact. Nothing was sent. */
export class EventTooLarge extends InvalidArgument {}

/** An event to be recorded; EventTooLarge where it should be an artifact. */
export function newEvent(content: EventContent, fields: NewEventFields = {}): NewEvent {
  const { actor, ...others } = fields;
  const event = stated(NewEventSchema, { kind: kindOf(content), ...others });
  event.content = create(NewEventSchema, { content: contentOf(content) }).content;
  if (actor) {
    event.actor = actorOf(actor);
  }
  checkSize(event);
  return event;
}

/** The filter of a list or a watch of events. */
export function eventFilter(conditions: EventConditions): EventFilter {
  return stated(EventFilterSchema, conditions);
}

function kindOf(content: EventContent): EventKind | undefined {
  if (typeof content === "string" || "json" in content) {
    return undefined;
  }
  if ("workflowStep" in content) {
    return EventKind.WORKFLOW_STEP;
  }
  return "toolCall" in content ? EventKind.TOOL_CALL : EventKind.TOOL_RESULT;
}

function contentOf(content: EventContent): MessageInitShape<typeof NewEventSchema>["content"] & {} {
  if (typeof content === "string") {
    return { case: "text", value: content };
  }
  if ("json" in content) {
    return { case: "json", value: content.json };
  }
  if ("workflowStep" in content) {
    return { case: "workflowStep", value: content.workflowStep };
  }
  return "toolCall" in content
    ? { case: "toolCall", value: content.toolCall }
    : { case: "toolResult", value: content.toolResult };
}

function actorOf(actor: ActorLike): Actor {
  if (typeof actor !== "string") {
    return actor;
  }
  const [type = "", ...name] = actor.split(":");
  const id = name.join(":");
  if (!id) {
    throw new TypeError(
      `${JSON.stringify(actor)} names nobody: give a type and a name, such as human:ada`,
    );
  }
  return create(ActorSchema, { type: enumNumber(ActorTypeSchema, type), id });
}

/** The size of JSON is another one than that of its message: the server measures it. */
function checkSize({ content }: NewEvent): void {
  if (content.case === "text") {
    check("content.text", content.value, MAX_TEXT_BYTES, "name its id in refs");
  }
  if (content.case === "toolResult") {
    const field = "content.tool_result.excerpt_text";
    const way = "give its artifactId with the beginning";
    check(field, content.value.excerptText, MAX_TOOL_RESULT_BYTES, way);
  }
  if (content.case === "workflowStep") {
    const field = "content.workflow_step.output";
    check(field, content.value.output, MAX_STEP_OUTPUT_BYTES, "name its id in refs");
  }
}

function check(field: string, text: string, most: number, way: string): void {
  const size = Buffer.byteLength(text, "utf8");
  if (size <= most) {
    return;
  }
  const description = `${size} bytes, more than the ${most} that an event holds: store it as an artifact and ${way}`;
  throw new EventTooLarge({
    code: "INVALID_ARGUMENT",
    reason: "INVALID_FIELD",
    message: "the event is too large",
    fieldViolations: [{ field, description }],
  });
}
