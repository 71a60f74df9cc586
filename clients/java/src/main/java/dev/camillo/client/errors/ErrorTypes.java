package dev.camillo.client.errors;

import static java.util.Map.entry;

import io.grpc.Status.Code;
import java.util.Map;
import java.util.function.Function;

/** Which class an error has: that of its reason, or else that of its code. */
final class ErrorTypes {
  private static final Map<String, Function<Failure, CamilloError>> BY_REASON =
      Map.ofEntries(
          entry("INVALID_FIELD", InvalidField::new),
          entry("INVALID_PAGE_TOKEN", InvalidPageToken::new),
          entry("CREDENTIAL_INVALID", CredentialInvalid::new),
          entry("SCOPE_FORBIDDEN", ScopeForbidden::new),
          entry("MEMORY_NOT_FOUND", MemoryNotFound::new),
          entry("VERSION_CONFLICT", VersionConflict::new),
          entry("REQUEST_ID_REUSED", RequestIdReused::new),
          entry("QUOTA_EXCEEDED", QuotaExceeded::new),
          entry("OVERLOADED", Overloaded::new),
          entry("REVISION_BEHIND", RevisionBehind::new),
          entry("REVISION_UNKNOWN", RevisionUnknown::new),
          entry("STORAGE_UNAVAILABLE", StorageUnavailable::new),
          entry("INTERNAL", InternalError::new),
          entry("DEADLINE_EXCEEDED", DeadlineExceeded::new),
          entry("TENANT_NOT_FOUND", TenantNotFound::new),
          entry("AGENT_NOT_FOUND", AgentNotFound::new),
          entry("KEY_NOT_FOUND", KeyNotFound::new),
          entry("ALREADY_EXISTS", AlreadyExists::new),
          entry("MEMORY_ID_TAKEN", MemoryIdTaken::new),
          entry("STREAM_IDLE", StreamIdle::new),
          entry("SERVER_DRAINING", ServerDraining::new),
          entry("PROVENANCE_REQUIRED", ProvenanceRequired::new),
          entry("VALUE_REJECTED", ValueRejected::new),
          entry("ARTIFACT_NOT_FOUND", ArtifactNotFound::new),
          entry("UPLOAD_NOT_FOUND", UploadNotFound::new),
          entry("UPLOAD_OFFSET_MISMATCH", UploadOffsetMismatch::new),
          entry("CONTENT_MISMATCH", ContentMismatch::new),
          entry("RANGE_PAST_END", RangePastEnd::new),
          entry("NOT_TEXT", NotText::new),
          entry("NOT_JSON", NotJson::new),
          entry("JSON_VALUE_NOT_FOUND", JsonValueNotFound::new),
          entry("BYTES_UNAVAILABLE", BytesUnavailable::new),
          entry("BYTES_LOST", BytesLost::new),
          entry("KEY_MISSING", KeyMissing::new),
          entry("STORAGE_FULL", StorageFull::new),
          entry("EVENT_NOT_FOUND", EventNotFound::new),
          entry("DECISION_NOT_FOUND", DecisionNotFound::new),
          entry("TASK_NOT_FOUND", TaskNotFound::new),
          entry("SLOT_NOT_FOUND", SlotNotFound::new),
          entry("VIEW_NOT_FOUND", ViewNotFound::new),
          entry("RECIPE_NOT_FOUND", RecipeNotFound::new),
          entry("REF_NOT_FOUND", RefNotFound::new),
          entry("DECISION_CYCLE", DecisionCycle::new),
          entry("BUDGET_TOO_SMALL", BudgetTooSmall::new),
          entry("NOT_SHAREABLE", NotShareable::new),
          entry("MEMORY_REPEATED", MemoryRepeated::new),
          entry("PLAN_CHANGED", PlanChanged::new),
          entry("PLAN_REQUIRED", PlanRequired::new),
          entry("HANDOFF_REFUSED", HandoffRefused::new),
          entry("CONFIRMATION_REQUIRED", ConfirmationRequired::new),
          entry("COMPACTION_NOT_FOUND", CompactionNotFound::new),
          entry("COMPACTION_STATE", CompactionInWrongState::new),
          entry("JOB_NOT_FOUND", JobNotFound::new),
          entry("RUN_NOT_FOUND", RunNotFound::new),
          entry("RECEIPT_NOT_FOUND", ReceiptNotFound::new),
          entry("NO_NEXT_MODEL", NoNextModel::new),
          entry("PROFILER_UNAVAILABLE", ProfilerUnavailable::new),
          entry("DOCUMENT_NOT_FOUND", DocumentNotFound::new),
          entry("SKILL_NOT_FOUND", SkillNotFound::new),
          entry("DOCUMENT_UNREADABLE", DocumentUnreadable::new),
          entry("DISTILLATION_NOT_FOUND", DistillationNotFound::new),
          entry("PROPOSAL_NOT_FOUND", ProposalNotFound::new),
          entry("DISTILLATION_STATE", DistillationInWrongState::new),
          entry("PROPOSAL_STATE", ProposalInWrongState::new),
          entry("DISTILLATION_OFF", DistillationOff::new),
          entry("DISTILLATION_UNDER_WAY", DistillationUnderWay::new),
          entry("MODEL_UNAVAILABLE", ModelUnavailable::new));

  /**
   * For failures without a known reason: from gRPC itself, from a proxy, or from a newer server.
   */
  private static final Map<Code, Function<Failure, CamilloError>> BY_CODE =
      Map.ofEntries(
          entry(Code.INVALID_ARGUMENT, InvalidArgument::new),
          entry(Code.UNAUTHENTICATED, CredentialInvalid::new),
          entry(Code.PERMISSION_DENIED, ScopeForbidden::new),
          entry(Code.NOT_FOUND, NotFound::new),
          entry(Code.ALREADY_EXISTS, AlreadyExists::new),
          entry(Code.RESOURCE_EXHAUSTED, ResourceExhausted::new),
          entry(Code.FAILED_PRECONDITION, FailedPrecondition::new),
          entry(Code.UNAVAILABLE, Unavailable::new),
          entry(Code.DEADLINE_EXCEEDED, DeadlineExceeded::new),
          entry(Code.INTERNAL, InternalError::new),
          entry(Code.UNIMPLEMENTED, MethodUnknown::new));

  private ErrorTypes() {}

  /** The error of a failure, of the class that says most about it. */
  static CamilloError typed(Failure failure) {
    Function<Failure, CamilloError> type = null;
    if (failure.domain().equals(Failures.DOMAIN)) {
      type = BY_REASON.get(failure.reason());
    }
    return (type == null ? BY_CODE.getOrDefault(failure.code(), CamilloError::new) : type)
        .apply(failure);
  }
}
