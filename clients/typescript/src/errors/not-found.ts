import { NotFound } from "./groups.js";

/** No such memory. */
export class MemoryNotFound extends NotFound {}

/** No such compaction, or a proposal that is too old. */
export class CompactionNotFound extends NotFound {}

/** No such job of the tenant. */
export class JobNotFound extends NotFound {}

/** No such run, or it has ended. */
export class RunNotFound extends NotFound {}

/** No such receipt. */
export class ReceiptNotFound extends NotFound {}

/** No such tenant. */
export class TenantNotFound extends NotFound {}

/** No such agent in the tenant. */
export class AgentNotFound extends NotFound {}

/** No such key in the tenant. */
export class KeyNotFound extends NotFound {}

/** No such artifact, or none that may be shown in this channel. */
export class ArtifactNotFound extends NotFound {}

/** No such upload, or it is older than 24 hours: begin anew. */
export class UploadNotFound extends NotFound {}

/** The JSON pointer names nothing, or no array where a slice is asked for. */
export class JsonValueNotFound extends NotFound {
  get jsonPointer(): string {
    return this.text("json_pointer");
  }
}

/** No such event, or none that may be shown in this channel. */
export class EventNotFound extends NotFound {}

/** No such decision, or none that may be shown in this channel. */
export class DecisionNotFound extends NotFound {}

/** No such task, or none that may be shown in this channel. */
export class TaskNotFound extends NotFound {}

/** No such slot or version of one, or none that may be shown in this channel. */
export class SlotNotFound extends NotFound {}

/** No such document or version of one, or none that may be shown in this channel or to this key. */
export class DocumentNotFound extends NotFound {}

/** No such skill, or no such version of one. */
export class SkillNotFound extends NotFound {}

/** No text of this name, neither the agent's nor the tenant's. */
export class ViewNotFound extends NotFound {}

/** No recipe of this name. */
export class RecipeNotFound extends NotFound {}

/** No such distillation. */
export class DistillationNotFound extends NotFound {}

/** No such proposal of a distillation, or an event that it rests on was forgotten. */
export class ProposalNotFound extends NotFound {}
