package camillo

// Reasons of InvalidArgument.
var (
	// InvalidField: fields break a limit; the error names each.
	InvalidField = kindOf(InvalidArgument, "InvalidField")
	// InvalidPageToken: a token that this server did not make, or made for another query.
	InvalidPageToken = kindOf(InvalidArgument, "InvalidPageToken")
	// ContentMismatch: the bytes are not those that were announced; `what`, `expected`, `actual`.
	ContentMismatch = kindOf(InvalidArgument, "ContentMismatch")
)

// Reasons of NotFound. Rows that a channel or a credential may not see are not found.
var (
	MemoryNotFound     = kindOf(NotFound, "MemoryNotFound")
	TenantNotFound     = kindOf(NotFound, "TenantNotFound")
	AgentNotFound      = kindOf(NotFound, "AgentNotFound")
	KeyNotFound        = kindOf(NotFound, "KeyNotFound")
	ArtifactNotFound   = kindOf(NotFound, "ArtifactNotFound")
	EventNotFound      = kindOf(NotFound, "EventNotFound")
	DecisionNotFound   = kindOf(NotFound, "DecisionNotFound")
	TaskNotFound       = kindOf(NotFound, "TaskNotFound")
	SlotNotFound       = kindOf(NotFound, "SlotNotFound")
	ViewNotFound       = kindOf(NotFound, "ViewNotFound")
	RecipeNotFound     = kindOf(NotFound, "RecipeNotFound")
	CompactionNotFound = kindOf(NotFound, "CompactionNotFound")
	JobNotFound        = kindOf(NotFound, "JobNotFound")
	ReceiptNotFound    = kindOf(NotFound, "ReceiptNotFound")
	// RunNotFound: no such run, or it has ended.
	RunNotFound = kindOf(NotFound, "RunNotFound")
	// DistillationNotFound: no such distillation.
	DistillationNotFound = kindOf(NotFound, "DistillationNotFound")
	// ProposalNotFound: no such proposal of a distillation, or an event that it rests on was forgotten.
	ProposalNotFound = kindOf(NotFound, "ProposalNotFound")
	// UploadNotFound: no such upload, or it is older than 24 hours: begin anew.
	UploadNotFound = kindOf(NotFound, "UploadNotFound")
	// DocumentNotFound: no such document or version of one, or none that may be shown in this channel or to this key.
	DocumentNotFound = kindOf(NotFound, "DocumentNotFound")
	// SkillNotFound: no such skill, or no such version of one.
	SkillNotFound = kindOf(NotFound, "SkillNotFound")
	// JSONValueNotFound: the pointer names nothing, or no array where a slice is asked for; `json_pointer`.
	JSONValueNotFound = kindOf(NotFound, "JsonValueNotFound")
)

// Reasons of AlreadyExists.
var (
	// RequestIDReused: the request id was used for other content within 24 hours.
	RequestIDReused = kindOf(AlreadyExists, "RequestIdReused")
	// MemoryIDTaken: the memory id chosen by the client is taken in this scope.
	MemoryIDTaken = kindOf(AlreadyExists, "MemoryIdTaken")
	// MemoryRepeated: another memory of the scope, `memory_id`, says exactly this.
	MemoryRepeated = kindOf(AlreadyExists, "MemoryRepeated")
)

// Reasons of ResourceExhausted.
var (
	// QuotaExceeded: `quota` is used up; `limit`.
	QuotaExceeded = kindOf(ResourceExhausted, "QuotaExceeded")
	// Overloaded: more calls in flight than the server takes.
	Overloaded = kindOf(ResourceExhausted, "Overloaded")
	// StorageFull: the server's store has no room left; nothing of the call is kept.
	StorageFull = kindOf(ResourceExhausted, "StorageFull")
)

// Reasons of FailedPrecondition.
var (
	// ProvenanceRequired: something that has to cite its sources cites none.
	ProvenanceRequired = kindOf(FailedPrecondition, "ProvenanceRequired")
	// ValueRejected: a value that was forgotten in this scope is being stated again, in `field`.
	ValueRejected = kindOf(FailedPrecondition, "ValueRejected")
	// ConfirmationRequired: the name of what is to be emptied was not typed out.
	ConfirmationRequired = kindOf(FailedPrecondition, "ConfirmationRequired")
	// CompactionInWrongState: the compaction is `state`, and not in one for what was asked of it.
	CompactionInWrongState = kindOf(FailedPrecondition, "CompactionInWrongState")
	// DistillationInWrongState: the distillation is `state`, in which this call is not possible.
	DistillationInWrongState = kindOf(FailedPrecondition, "DistillationInWrongState")
	// ProposalInWrongState: the proposal is `state`, in which this call is not possible.
	ProposalInWrongState = kindOf(FailedPrecondition, "ProposalInWrongState")
	// DistillationOff: no model may be asked about this space.
	DistillationOff = kindOf(FailedPrecondition, "DistillationOff")
	// NoNextModel: the server has no model that is to serve next.
	NoNextModel = kindOf(FailedPrecondition, "NoNextModel")
	// ProfilerUnavailable: no profiler is installed beside the server, or it may not look into it; the message says which.
	ProfilerUnavailable = kindOf(FailedPrecondition, "ProfilerUnavailable")
	// DocumentUnreadable: the bytes cannot be read as the document that they are said to be, or have more of something than
	// the server reads; `why`, `limit`.
	DocumentUnreadable = kindOf(FailedPrecondition, "DocumentUnreadable")
	// NotText: lines or pages of text are asked of what is no text that has lines.
	NotText = kindOf(FailedPrecondition, "NotText")
	// NotJSON: a JSON value is asked of what is not one JSON document.
	NotJSON = kindOf(FailedPrecondition, "NotJson")
	// KeyMissing: the server lacks the encryption key `key_id`.
	KeyMissing = kindOf(FailedPrecondition, "KeyMissing")
	// RefNotFound: `ref`, which is cited, names nothing that the caller may see.
	RefNotFound = kindOf(FailedPrecondition, "RefNotFound")
	// DecisionCycle: a decision would take its own place.
	DecisionCycle = kindOf(FailedPrecondition, "DecisionCycle")
	// BudgetTooSmall: what may not be cut takes `needed_tokens`, more than `max_tokens`.
	BudgetTooSmall = kindOf(FailedPrecondition, "BudgetTooSmall")
	// PlanRequired: `memories` would go, and without the plan token of a dry run only `allowed` go.
	PlanRequired = kindOf(FailedPrecondition, "PlanRequired")
	// NotShareable: `ref` is too sensitive for another agent.
	NotShareable = kindOf(FailedPrecondition, "NotShareable")
)

// Reasons of ScopeForbidden.
var (
	// HandoffRefused: the agent `agent_id` accepts no handoffs from this one.
	HandoffRefused = kindOf(ScopeForbidden, "HandoffRefused")
)

// Reasons of Unavailable.
var (
	// RevisionBehind: the demanded revision was not reached in time.
	RevisionBehind = kindOf(Unavailable, "RevisionBehind")
	// StorageUnavailable: Postgres cannot be reached.
	StorageUnavailable = kindOf(Unavailable, "StorageUnavailable")
	// BytesUnavailable: the store of artifact bytes cannot be reached.
	BytesUnavailable = kindOf(Unavailable, "BytesUnavailable")
	// StreamIdle: no message of a stream was taken or sent for longer than the server waits.
	StreamIdle = kindOf(Unavailable, "StreamIdle")
	// ModelUnavailable: the model that distils gave no answer.
	ModelUnavailable = kindOf(Unavailable, "ModelUnavailable")
	// ServerDraining: the server is shutting down.
	ServerDraining = kindOf(Unavailable, "ServerDraining")
)
