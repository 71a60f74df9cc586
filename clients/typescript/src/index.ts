/**
 * Client of Camillo, the memory service for AI agents. The messages of the contract are in `camillo-client/v1`.
 *
 * @module
 */
export { create, fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
export { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
export type { ArtifactConditions, NewArtifactFields, RangeLike } from "./artifact-fields.js";
export type { ReadOptions } from "./artifact-reads.js";
export { Artifacts, type ListArtifactsOptions } from "./artifacts.js";
export type { Pause } from "./attempts.js";
export { type ActionFields, Audit, type AuditConditions, type PolicyFields } from "./audit.js";
export type { CallOptions, WriteOptions } from "./call-options.js";
export { Camillo, type ConnectOptions, connect } from "./camillo.js";
export type { ChannelLike } from "./channels.js";
export { type BundleOptions, Context, type DigestOptions } from "./context.js";
export type {
  ChangedDocumentFields,
  DocumentConditions,
  DocumentFields,
  DocumentView,
} from "./document-fields.js";
export { Documents, type ListDocumentsOptions } from "./documents.js";
export { enumName, type NameOf } from "./enum-names.js";
export { errorOfStatus } from "./errors/failures.js";
export * from "./errors/index.js";
export {
  type ActorLike,
  type EventConditions,
  type EventContent,
  type EventKindLike,
  EventTooLarge,
  type NewEventFields,
  newEvent,
} from "./event-fields.js";
export { Events, type ListEventsOptions, type RecordManyOptions } from "./events.js";
export { type FoundItem, itemOf } from "./hits.js";
export type { ImportOptions } from "./import-memories.js";
export {
  type EndLike,
  type EntityTypeLike,
  type LinkLike,
  type LinkTypeLike,
  linkEnd,
  newLink,
} from "./link-fields.js";
export { Links, type RelatedOptions } from "./links.js";
export {
  type ContradictionOptions,
  type ForgetOptions,
  Memories,
  type SupersedeOptions,
} from "./memories.js";
export {
  type ChangedFields,
  type KindLike,
  type MemoryConditions,
  type MemoryFields,
  memoryFilter,
  type NewMemoryFields,
  newMemory,
  type SensitivityLike,
  type VectorLike,
  type WorkflowStatusLike,
} from "./memory-fields.js";
export { artifactIdOf, findRefs, type MemoryRef, parseRef, renderRef } from "./memory-refs.js";
export { findMethod, registry, services } from "./methods.js";
export type { Offloaded, OffloadOptions } from "./offloads.js";
export { Part } from "./part.js";
export type { PublishOptions } from "./publications.js";
export {
  type FreshnessLike,
  type RecallContextFields,
  type RecallOptions,
  type RerankFields,
  recallRequest,
} from "./recalls.js";
export type { OnRedaction } from "./redactions.js";
export { DEFAULT_AGENT, SHARED } from "./request-headers.js";
export { type ListRunsOptions, Runs } from "./runs.js";
export {
  type GetSkillOptions,
  type PutSkillOptions,
  type SkillLevelLike,
  Skills,
} from "./skills.js";
export {
  type NewSlotFields,
  newSlot,
  type ProvenanceFields,
  type SlotConditions,
  type SlotView,
  type SourceLike,
} from "./slot-fields.js";
export { SlotRecords, slotName } from "./slot-records.js";
export { type RestoreSlotOptions, type SetMemoryOptions, Slots } from "./slots.js";
export type { SpacesOptions } from "./spaces.js";
export { type ListSpooledOptions, Spool, type SpoolPolicyLike } from "./spool.js";
export type { Pem, Tls } from "./tls.js";
export type { OnProgress } from "./upload-feed.js";
export type { ByteSource } from "./upload-sources.js";
export type { PutOptions } from "./uploads.js";
export type { WatchOptions, WatchStart } from "./watches.js";
export { type ListStepsOptions, type StepFields, Workflows } from "./workflows.js";
export type { Written } from "./written.js";
export { atLeastAsFresh, fullyConsistent, minimizeLatency } from "./written-revisions.js";
