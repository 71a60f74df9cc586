// @generated from the contract by camillo-codegen; do not edit.

/// Why a call failed, in the words of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// INVALID_ARGUMENT: a field breaks a limit. A google.rpc.BadRequest names each field.
    InvalidField,
    /// INVALID_ARGUMENT: a page token or resume token that this server did not make, or made for another query.
    InvalidPageToken,
    /// UNAUTHENTICATED: no credential, or one that is unknown, expired or revoked.
    CredentialInvalid,
    /// PERMISSION_DENIED: the credential does not reach this space, or lacks the role. Metadata: `required_role` if a role
    /// is missing.
    ScopeForbidden,
    /// NOT_FOUND: no such memory, or none that the caller may see. Metadata: `memory_id`.
    MemoryNotFound,
    /// ABORTED: the record has another version. Metadata: `expected_version`, `actual_version`.
    VersionConflict,
    /// ALREADY_EXISTS: the request id was used for other content within 24 hours. Metadata: `request_id`.
    RequestIdReused,
    /// RESOURCE_EXHAUSTED: a quota or budget is used up. Metadata: `quota`, `limit`.
    QuotaExceeded,
    /// RESOURCE_EXHAUSTED: more calls in flight than the server accepts. Metadata: `limit`. A google.rpc.RetryInfo says
    /// when to retry.
    Overloaded,
    /// UNAVAILABLE: the required revision was not reached in time. A google.rpc.RetryInfo says when to retry.
    RevisionBehind,
    /// OUT_OF_RANGE: a revision of another database or of another space.
    RevisionUnknown,
    /// UNAVAILABLE: Postgres cannot be reached. A google.rpc.RetryInfo says when to retry.
    StorageUnavailable,
    /// INTERNAL: a defect of the server. The server's log has details under the request id.
    Internal,
    /// DEADLINE_EXCEEDED: the caller's deadline passed while the server worked; the work was stopped.
    DeadlineExceeded,
    /// NOT_FOUND: no such tenant. Metadata: `tenant_id`.
    TenantNotFound,
    /// NOT_FOUND: no such agent in the tenant. Metadata: `agent_id`.
    AgentNotFound,
    /// NOT_FOUND: no such key in the tenant. Metadata: `key_id`.
    KeyNotFound,
    /// ALREADY_EXISTS: the tenant or agent is there already, or the upload is finished. Metadata: `tenant_id`, `agent_id` or `upload_id`.
    AlreadyExists,
    /// ALREADY_EXISTS: the client-chosen memory id is taken in this space. Metadata: `memory_id`.
    MemoryIdTaken,
    /// FAILED_PRECONDITION: a record without its required sources. Metadata for a slot: `missing`, the missing fields of
    /// the provenance, separated by commas.
    ProvenanceRequired,
    /// FAILED_PRECONDITION: the request states a value that was forgotten in this space. LiftValueBlocks permits it again.
    /// Metadata: `field`, which has it.
    ValueRejected,
    /// UNAVAILABLE: the server is shutting down. A google.rpc.RetryInfo says when to retry.
    ServerDraining,
    /// NOT_FOUND: no such artifact, or none that the caller may see in this channel. Metadata: `artifact_id`.
    ArtifactNotFound,
    /// NOT_FOUND: no such upload, or it is older than 24 hours. Metadata: `upload_id`.
    UploadNotFound,
    /// ABORTED: bytes of an upload leave a gap or overlap. Metadata: `expected_offset`, `actual_offset`.
    UploadOffsetMismatch,
    /// INVALID_ARGUMENT: the bytes differ from what was announced. Metadata: `what` (`size`, `sha256`, `prefix_sha256`),
    /// `expected`, `actual`.
    ContentMismatch,
    /// OUT_OF_RANGE: a range that begins after the end. Metadata: `unit` (`bytes`, `lines`), `length`.
    RangePastEnd,
    /// FAILED_PRECONDITION: lines or pages were requested of an artifact that is not text with lines.
    NotText,
    /// FAILED_PRECONDITION: a JSON value was requested of an artifact that is not one JSON document.
    NotJson,
    /// NOT_FOUND: the JSON pointer names nothing, or no array if a slice was requested. Metadata: `json_pointer`.
    JsonValueNotFound,
    /// UNAVAILABLE: the store of artifact bytes cannot be reached. A google.rpc.RetryInfo says when to retry.
    BytesUnavailable,
    /// DATA_LOSS: bytes of the artifact are missing or damaged in their store.
    BytesLost,
    /// FAILED_PRECONDITION: the server lacks the encryption key. Metadata: `key_id`; empty if it has no key at all.
    KeyMissing,
    /// RESOURCE_EXHAUSTED: the store has no room left; nothing of the call is kept.
    StorageFull,
    /// NOT_FOUND: no such event, or none that the caller may see in this channel. Metadata: `event_id`.
    EventNotFound,
    /// NOT_FOUND: no such decision, or none that the caller may see in this channel. Metadata: `decision_id`.
    DecisionNotFound,
    /// NOT_FOUND: no such task, or none that the caller may see in this channel. Metadata: `task_id`.
    TaskNotFound,
    /// NOT_FOUND: no such view. Metadata: `name`.
    ViewNotFound,
    /// NOT_FOUND: no such recipe. Metadata: `name`.
    RecipeNotFound,
    /// FAILED_PRECONDITION: an id among the refs names nothing that the caller may see. Metadata: `ref`.
    RefNotFound,
    /// FAILED_PRECONDITION: a decision or a memory would supersede itself. Metadata: `decision_id` or `memory_id`.
    DecisionCycle,
    /// FAILED_PRECONDITION: the budget is smaller than the content that must not be cut. Metadata: `max_tokens`,
    /// `needed_tokens`, `sections` (their names and tokens).
    BudgetTooSmall,
    /// FAILED_PRECONDITION: a record is too sensitive for another agent. Metadata: `ref`.
    NotShareable,
    /// ALREADY_EXISTS: another memory of the space says exactly the same. Metadata: `memory_id` of that.
    MemoryRepeated,
    /// ABORTED: the records have changed since the plan was made, or the plan is over an hour old.
    PlanChanged,
    /// FAILED_PRECONDITION: the confirmation is not the name of the space to be emptied.
    ConfirmationRequired,
    /// NOT_FOUND: no such compaction. Metadata: `compaction_id`.
    CompactionNotFound,
    /// FAILED_PRECONDITION: the compaction is not in a state for that. Metadata: `compaction_id`, `state`.
    CompactionState,
    /// NOT_FOUND: no such job. Metadata: `job_id`.
    JobNotFound,
    /// NOT_FOUND: no such run, or it has ended. Metadata: `run_id`.
    RunNotFound,
    /// NOT_FOUND: no such receipt. Metadata: `receipt_id`.
    ReceiptNotFound,
    /// FAILED_PRECONDITION: no model is configured to serve next.
    NoNextModel,
    /// UNAVAILABLE: the caller of a stream took no message, or sent none, for longer than the server waits. Resume the
    /// stream. Metadata: `seconds`. A google.rpc.RetryInfo says when to retry.
    StreamIdle,
    /// FAILED_PRECONDITION: the call would remove more records than is allowed without a plan: send the `plan_token` of a
    /// dry run of the same request. Metadata: `memories` (number of records of all kinds), `allowed`.
    PlanRequired,
    /// PERMISSION_DENIED: the agent accepts no handoffs from this one. Metadata: `agent_id`.
    HandoffRefused,
    /// FAILED_PRECONDITION: py-spy is not installed on the server, or lacks permission; the message says which.
    ProfilerUnavailable,
    /// NOT_FOUND: no such slot or version, or none that may be loaded in this channel. Metadata: `name`, its key.
    SlotNotFound,
    /// NOT_FOUND: no such document or version, or none that may be loaded in this channel or with this key. Metadata:
    /// `document_id` or `name`.
    DocumentNotFound,
    /// NOT_FOUND: no such skill, or no such version. Metadata: `name`.
    SkillNotFound,
    /// FAILED_PRECONDITION: the bytes are not a readable document of the stated type, or exceed a limit of the server.
    /// Metadata: `why` (`not_text`, `damaged`, `encrypted`, `too_large`, `too_many_pages`, `too_deep`, `too_many_parts`,
    /// `expands_too_far`, `no_text`, `unknown_type`, `converter_missing`), `limit` if there is one.
    DocumentUnreadable,
    /// NOT_FOUND: no such distillation. Metadata: `distillation_id`.
    DistillationNotFound,
    /// FAILED_PRECONDITION: the distillation was reverted already. Metadata: `distillation_id`, `state`.
    DistillationState,
    /// NOT_FOUND: no such proposal. Metadata: `proposal_id`.
    ProposalNotFound,
    /// FAILED_PRECONDITION: the proposal is not in a state for that. Metadata: `proposal_id`, `state`.
    ProposalState,
    /// FAILED_PRECONDITION: no model for distillation is configured, or the space is not among `distillation.spaces`.
    DistillationOff,
    /// ABORTED: another distillation of the space is under way.
    DistillationUnderWay,
    /// UNAVAILABLE: the model for distillation gave no answer. Nothing has changed.
    ModelUnavailable,
    /// A reason that this client does not know: of a newer server, or of another service.
    Other(String),
}

impl Reason {
    /// The name in the contract, without `ERROR_REASON_`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::InvalidField => "INVALID_FIELD",
            Self::InvalidPageToken => "INVALID_PAGE_TOKEN",
            Self::CredentialInvalid => "CREDENTIAL_INVALID",
            Self::ScopeForbidden => "SCOPE_FORBIDDEN",
            Self::MemoryNotFound => "MEMORY_NOT_FOUND",
            Self::VersionConflict => "VERSION_CONFLICT",
            Self::RequestIdReused => "REQUEST_ID_REUSED",
            Self::QuotaExceeded => "QUOTA_EXCEEDED",
            Self::Overloaded => "OVERLOADED",
            Self::RevisionBehind => "REVISION_BEHIND",
            Self::RevisionUnknown => "REVISION_UNKNOWN",
            Self::StorageUnavailable => "STORAGE_UNAVAILABLE",
            Self::Internal => "INTERNAL",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::TenantNotFound => "TENANT_NOT_FOUND",
            Self::AgentNotFound => "AGENT_NOT_FOUND",
            Self::KeyNotFound => "KEY_NOT_FOUND",
            Self::AlreadyExists => "ALREADY_EXISTS",
            Self::MemoryIdTaken => "MEMORY_ID_TAKEN",
            Self::ProvenanceRequired => "PROVENANCE_REQUIRED",
            Self::ValueRejected => "VALUE_REJECTED",
            Self::ServerDraining => "SERVER_DRAINING",
            Self::ArtifactNotFound => "ARTIFACT_NOT_FOUND",
            Self::UploadNotFound => "UPLOAD_NOT_FOUND",
            Self::UploadOffsetMismatch => "UPLOAD_OFFSET_MISMATCH",
            Self::ContentMismatch => "CONTENT_MISMATCH",
            Self::RangePastEnd => "RANGE_PAST_END",
            Self::NotText => "NOT_TEXT",
            Self::NotJson => "NOT_JSON",
            Self::JsonValueNotFound => "JSON_VALUE_NOT_FOUND",
            Self::BytesUnavailable => "BYTES_UNAVAILABLE",
            Self::BytesLost => "BYTES_LOST",
            Self::KeyMissing => "KEY_MISSING",
            Self::StorageFull => "STORAGE_FULL",
            Self::EventNotFound => "EVENT_NOT_FOUND",
            Self::DecisionNotFound => "DECISION_NOT_FOUND",
            Self::TaskNotFound => "TASK_NOT_FOUND",
            Self::ViewNotFound => "VIEW_NOT_FOUND",
            Self::RecipeNotFound => "RECIPE_NOT_FOUND",
            Self::RefNotFound => "REF_NOT_FOUND",
            Self::DecisionCycle => "DECISION_CYCLE",
            Self::BudgetTooSmall => "BUDGET_TOO_SMALL",
            Self::NotShareable => "NOT_SHAREABLE",
            Self::MemoryRepeated => "MEMORY_REPEATED",
            Self::PlanChanged => "PLAN_CHANGED",
            Self::ConfirmationRequired => "CONFIRMATION_REQUIRED",
            Self::CompactionNotFound => "COMPACTION_NOT_FOUND",
            Self::CompactionState => "COMPACTION_STATE",
            Self::JobNotFound => "JOB_NOT_FOUND",
            Self::RunNotFound => "RUN_NOT_FOUND",
            Self::ReceiptNotFound => "RECEIPT_NOT_FOUND",
            Self::NoNextModel => "NO_NEXT_MODEL",
            Self::StreamIdle => "STREAM_IDLE",
            Self::PlanRequired => "PLAN_REQUIRED",
            Self::HandoffRefused => "HANDOFF_REFUSED",
            Self::ProfilerUnavailable => "PROFILER_UNAVAILABLE",
            Self::SlotNotFound => "SLOT_NOT_FOUND",
            Self::DocumentNotFound => "DOCUMENT_NOT_FOUND",
            Self::SkillNotFound => "SKILL_NOT_FOUND",
            Self::DocumentUnreadable => "DOCUMENT_UNREADABLE",
            Self::DistillationNotFound => "DISTILLATION_NOT_FOUND",
            Self::DistillationState => "DISTILLATION_STATE",
            Self::ProposalNotFound => "PROPOSAL_NOT_FOUND",
            Self::ProposalState => "PROPOSAL_STATE",
            Self::DistillationOff => "DISTILLATION_OFF",
            Self::DistillationUnderWay => "DISTILLATION_UNDER_WAY",
            Self::ModelUnavailable => "MODEL_UNAVAILABLE",
            Self::Other(text) => text,
        }
    }

    /// The reason of this name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "INVALID_FIELD" => Self::InvalidField,
            "INVALID_PAGE_TOKEN" => Self::InvalidPageToken,
            "CREDENTIAL_INVALID" => Self::CredentialInvalid,
            "SCOPE_FORBIDDEN" => Self::ScopeForbidden,
            "MEMORY_NOT_FOUND" => Self::MemoryNotFound,
            "VERSION_CONFLICT" => Self::VersionConflict,
            "REQUEST_ID_REUSED" => Self::RequestIdReused,
            "QUOTA_EXCEEDED" => Self::QuotaExceeded,
            "OVERLOADED" => Self::Overloaded,
            "REVISION_BEHIND" => Self::RevisionBehind,
            "REVISION_UNKNOWN" => Self::RevisionUnknown,
            "STORAGE_UNAVAILABLE" => Self::StorageUnavailable,
            "INTERNAL" => Self::Internal,
            "DEADLINE_EXCEEDED" => Self::DeadlineExceeded,
            "TENANT_NOT_FOUND" => Self::TenantNotFound,
            "AGENT_NOT_FOUND" => Self::AgentNotFound,
            "KEY_NOT_FOUND" => Self::KeyNotFound,
            "ALREADY_EXISTS" => Self::AlreadyExists,
            "MEMORY_ID_TAKEN" => Self::MemoryIdTaken,
            "PROVENANCE_REQUIRED" => Self::ProvenanceRequired,
            "VALUE_REJECTED" => Self::ValueRejected,
            "SERVER_DRAINING" => Self::ServerDraining,
            "ARTIFACT_NOT_FOUND" => Self::ArtifactNotFound,
            "UPLOAD_NOT_FOUND" => Self::UploadNotFound,
            "UPLOAD_OFFSET_MISMATCH" => Self::UploadOffsetMismatch,
            "CONTENT_MISMATCH" => Self::ContentMismatch,
            "RANGE_PAST_END" => Self::RangePastEnd,
            "NOT_TEXT" => Self::NotText,
            "NOT_JSON" => Self::NotJson,
            "JSON_VALUE_NOT_FOUND" => Self::JsonValueNotFound,
            "BYTES_UNAVAILABLE" => Self::BytesUnavailable,
            "BYTES_LOST" => Self::BytesLost,
            "KEY_MISSING" => Self::KeyMissing,
            "STORAGE_FULL" => Self::StorageFull,
            "EVENT_NOT_FOUND" => Self::EventNotFound,
            "DECISION_NOT_FOUND" => Self::DecisionNotFound,
            "TASK_NOT_FOUND" => Self::TaskNotFound,
            "VIEW_NOT_FOUND" => Self::ViewNotFound,
            "RECIPE_NOT_FOUND" => Self::RecipeNotFound,
            "REF_NOT_FOUND" => Self::RefNotFound,
            "DECISION_CYCLE" => Self::DecisionCycle,
            "BUDGET_TOO_SMALL" => Self::BudgetTooSmall,
            "NOT_SHAREABLE" => Self::NotShareable,
            "MEMORY_REPEATED" => Self::MemoryRepeated,
            "PLAN_CHANGED" => Self::PlanChanged,
            "CONFIRMATION_REQUIRED" => Self::ConfirmationRequired,
            "COMPACTION_NOT_FOUND" => Self::CompactionNotFound,
            "COMPACTION_STATE" => Self::CompactionState,
            "JOB_NOT_FOUND" => Self::JobNotFound,
            "RUN_NOT_FOUND" => Self::RunNotFound,
            "RECEIPT_NOT_FOUND" => Self::ReceiptNotFound,
            "NO_NEXT_MODEL" => Self::NoNextModel,
            "STREAM_IDLE" => Self::StreamIdle,
            "PLAN_REQUIRED" => Self::PlanRequired,
            "HANDOFF_REFUSED" => Self::HandoffRefused,
            "PROFILER_UNAVAILABLE" => Self::ProfilerUnavailable,
            "SLOT_NOT_FOUND" => Self::SlotNotFound,
            "DOCUMENT_NOT_FOUND" => Self::DocumentNotFound,
            "SKILL_NOT_FOUND" => Self::SkillNotFound,
            "DOCUMENT_UNREADABLE" => Self::DocumentUnreadable,
            "DISTILLATION_NOT_FOUND" => Self::DistillationNotFound,
            "DISTILLATION_STATE" => Self::DistillationState,
            "PROPOSAL_NOT_FOUND" => Self::ProposalNotFound,
            "PROPOSAL_STATE" => Self::ProposalState,
            "DISTILLATION_OFF" => Self::DistillationOff,
            "DISTILLATION_UNDER_WAY" => Self::DistillationUnderWay,
            "MODEL_UNAVAILABLE" => Self::ModelUnavailable,
            other => Self::Other(other.to_owned()),
        }
    }
}
