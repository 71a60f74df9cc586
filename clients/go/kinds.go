package camillo

// A Kind is what errors.Is asks an [Error] for. Kinds that others belong to stand for all of them.
type Kind struct {
	name   string
	parent *Kind
}

// Error is the name of the kind.
func (k *Kind) Error() string { return k.name }

func (k *Kind) isOf(other *Kind) bool {
	for at := k; at != nil; at = at.parent {
		if at == other {
			return true
		}
	}
	return false
}

// Failed is every failure of a call.
var Failed = &Kind{name: "CamilloError"}

func kind(name string) *Kind              { return &Kind{name, Failed} }
func kindOf(parent *Kind, n string) *Kind { return &Kind{n, parent} }

// By code: what holds for failures without a reason that this client knows.
var (
	// InvalidArgument: the request cannot be right, whatever the server's state.
	InvalidArgument = kind("InvalidArgument")
	// NotFound: not there, or not visible to the caller.
	NotFound = kind("NotFound")
	// AlreadyExists: the tenant, agent or upload is there already.
	AlreadyExists = kind("AlreadyExists")
	// ResourceExhausted: a limit of the server or of the transport.
	ResourceExhausted = kind("ResourceExhausted")
	// FailedPrecondition: right in form, but not in the state things are in.
	FailedPrecondition = kind("FailedPrecondition")
	// Unavailable: the server, or what it needs, cannot be reached at the moment.
	Unavailable = kind("Unavailable")
	// CredentialInvalid: no credential, or one that is unknown, expired or revoked.
	CredentialInvalid = kind("CredentialInvalid")
	// ScopeForbidden: the credential does not reach this scope, or lacks `required_role`.
	ScopeForbidden = kind("ScopeForbidden")
	// DeadlineExceeded: the call took too long. A mutation may have happened: repeat it with its request id.
	DeadlineExceeded = kind("DeadlineExceeded")
	// InternalError: a defect of the server.
	InternalError = kind("InternalError")
	// MethodUnknown: not supported by this server, which is older than this client.
	MethodUnknown = kind("MethodUnknown")
)

// Belongs to no group.
var (
	// VersionConflict: what was to be changed has moved on; `expected_version`, `actual_version`.
	VersionConflict = kind("VersionConflict")
	// UploadOffsetMismatch: bytes do not follow those before; `expected_offset`, `actual_offset`.
	UploadOffsetMismatch = kind("UploadOffsetMismatch")
	// PlanChanged: what a plan was made for has changed since, or the plan is over an hour old.
	PlanChanged = kind("PlanChanged")
	// DistillationUnderWay: another distillation of the space has not ended.
	DistillationUnderWay = kind("DistillationUnderWay")
	// RevisionUnknown: a revision of another database or of another scope.
	RevisionUnknown = kind("RevisionUnknown")
	// RangePastEnd: a range that begins behind the end; `unit`, `length`.
	RangePastEnd = kind("RangePastEnd")
	// BytesLost: bytes of the artifact are missing or damaged in the server's store.
	BytesLost = kind("BytesLost")
	// BytesDamaged: bytes of an artifact came otherwise than the server sent them: read them again.
	BytesDamaged = kind("BytesDamaged")
)
