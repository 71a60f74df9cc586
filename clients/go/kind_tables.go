package camillo

import "google.golang.org/grpc/codes"

var kindByReason = map[string]*Kind{
	"INVALID_FIELD":          InvalidField,
	"INVALID_PAGE_TOKEN":     InvalidPageToken,
	"CREDENTIAL_INVALID":     CredentialInvalid,
	"SCOPE_FORBIDDEN":        ScopeForbidden,
	"MEMORY_NOT_FOUND":       MemoryNotFound,
	"VERSION_CONFLICT":       VersionConflict,
	"REQUEST_ID_REUSED":      RequestIDReused,
	"QUOTA_EXCEEDED":         QuotaExceeded,
	"OVERLOADED":             Overloaded,
	"REVISION_BEHIND":        RevisionBehind,
	"REVISION_UNKNOWN":       RevisionUnknown,
	"STORAGE_UNAVAILABLE":    StorageUnavailable,
	"INTERNAL":               InternalError,
	"DEADLINE_EXCEEDED":      DeadlineExceeded,
	"TENANT_NOT_FOUND":       TenantNotFound,
	"AGENT_NOT_FOUND":        AgentNotFound,
	"KEY_NOT_FOUND":          KeyNotFound,
	"ALREADY_EXISTS":         AlreadyExists,
	"MEMORY_ID_TAKEN":        MemoryIDTaken,
	"STREAM_IDLE":            StreamIdle,
	"SERVER_DRAINING":        ServerDraining,
	"PROVENANCE_REQUIRED":    ProvenanceRequired,
	"VALUE_REJECTED":         ValueRejected,
	"ARTIFACT_NOT_FOUND":     ArtifactNotFound,
	"UPLOAD_NOT_FOUND":       UploadNotFound,
	"UPLOAD_OFFSET_MISMATCH": UploadOffsetMismatch,
	"CONTENT_MISMATCH":       ContentMismatch,
	"RANGE_PAST_END":         RangePastEnd,
	"NOT_TEXT":               NotText,
	"NOT_JSON":               NotJSON,
	"JSON_VALUE_NOT_FOUND":   JSONValueNotFound,
	"BYTES_UNAVAILABLE":      BytesUnavailable,
	"BYTES_LOST":             BytesLost,
	"KEY_MISSING":            KeyMissing,
	"STORAGE_FULL":           StorageFull,
	"EVENT_NOT_FOUND":        EventNotFound,
	"DECISION_NOT_FOUND":     DecisionNotFound,
	"TASK_NOT_FOUND":         TaskNotFound,
	"SLOT_NOT_FOUND":         SlotNotFound,
	"VIEW_NOT_FOUND":         ViewNotFound,
	"RECIPE_NOT_FOUND":       RecipeNotFound,
	"REF_NOT_FOUND":          RefNotFound,
	"DECISION_CYCLE":         DecisionCycle,
	"BUDGET_TOO_SMALL":       BudgetTooSmall,
	"NOT_SHAREABLE":          NotShareable,
	"MEMORY_REPEATED":        MemoryRepeated,
	"PLAN_CHANGED":           PlanChanged,
	"PLAN_REQUIRED":          PlanRequired,
	"HANDOFF_REFUSED":        HandoffRefused,
	"CONFIRMATION_REQUIRED":  ConfirmationRequired,
	"COMPACTION_NOT_FOUND":   CompactionNotFound,
	"COMPACTION_STATE":       CompactionInWrongState,
	"JOB_NOT_FOUND":          JobNotFound,
	"RUN_NOT_FOUND":          RunNotFound,
	"RECEIPT_NOT_FOUND":      ReceiptNotFound,
	"NO_NEXT_MODEL":          NoNextModel,
	"PROFILER_UNAVAILABLE":   ProfilerUnavailable,
	"DOCUMENT_NOT_FOUND":     DocumentNotFound,
	"SKILL_NOT_FOUND":        SkillNotFound,
	"DOCUMENT_UNREADABLE":    DocumentUnreadable,
	"DISTILLATION_NOT_FOUND": DistillationNotFound,
	"PROPOSAL_NOT_FOUND":     ProposalNotFound,
	"DISTILLATION_STATE":     DistillationInWrongState,
	"PROPOSAL_STATE":         ProposalInWrongState,
	"DISTILLATION_OFF":       DistillationOff,
	"DISTILLATION_UNDER_WAY": DistillationUnderWay,
	"MODEL_UNAVAILABLE":      ModelUnavailable,
}

// For failures without a known reason: from gRPC itself, from a proxy, or from a newer server.
var kindByCode = map[codes.Code]*Kind{
	codes.InvalidArgument:    InvalidArgument,
	codes.Unauthenticated:    CredentialInvalid,
	codes.PermissionDenied:   ScopeForbidden,
	codes.NotFound:           NotFound,
	codes.AlreadyExists:      AlreadyExists,
	codes.ResourceExhausted:  ResourceExhausted,
	codes.FailedPrecondition: FailedPrecondition,
	codes.Unavailable:        Unavailable,
	codes.DeadlineExceeded:   DeadlineExceeded,
	codes.Internal:           InternalError,
	codes.Unimplemented:      MethodUnknown,
}

var codeNames = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
	"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

// CodeName is the name of a code as the contract and other languages write it, such as NOT_FOUND.
func CodeName(code codes.Code) string {
	if int(code) < len(codeNames) {
		return codeNames[code]
	}
	return codeNames[codes.Unknown]
}
