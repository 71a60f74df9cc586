package camillo

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// An Error is the failure of a call. Its kind can be asked for:
//
//	if errors.Is(err, camillo.MemoryNotFound) { … }
//	if errors.Is(err, camillo.NotFound) { … } // memories, artifacts, keys and so on
//
// errors.As gives the rest of it. [context.DeadlineExceeded] and [context.Canceled] are recognised, too.
type Error struct {
	Code    codes.Code
	Message string
	// Reason is that of error_reason.proto without its prefix, also where this client does not know it; empty where the
	// failure did not come from Camillo.
	Reason string
	// Metadata is told by reason, such as the actual_version of a [VersionConflict].
	Metadata        map[string]string
	FieldViolations []FieldViolation
	// RequestID is that of the mutation that failed: sent again with it, the mutation happens once at most.
	RequestID string

	kind       *Kind
	retryAfter *time.Duration
	// nil where neither gRPC nor the server told of the failure.
	told  *status.Status
	cause error
}

// A FieldViolation is one field of a request that breaks a limit.
type FieldViolation struct {
	Field       string
	Description string
}

// Error tells what failed, and which fields were wrong.
func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString("camillo: ")
	text.WriteString(e.title())
	text.WriteString(": ")
	text.WriteString(e.Message)
	for _, violation := range e.FieldViolations {
		// Servers say it in their message, too.
		if told := violation.Field + ": " + violation.Description; !strings.Contains(e.Message, told) {
			text.WriteString("; " + told)
		}
	}
	return text.String()
}

func (e *Error) title() string {
	switch {
	case e.Reason != "":
		return e.Reason
	case e.kind == MethodUnknown && e.told != nil:
		return "not supported by this server"
	}
	return CodeName(e.Code)
}

// Kind is the kind of the failure: by its reason or, where this client knows none, by its code.
func (e *Error) Kind() *Kind {
	if e.kind == nil {
		return Failed
	}
	return e.kind
}

// RetryAfter is how long the server asks to wait before the call is made again; false where it does not say.
func (e *Error) RetryAfter() (time.Duration, bool) {
	if e.retryAfter == nil {
		return 0, false
	}
	return *e.retryAfter, true
}

// Number is a number in the metadata, such as the expected_offset of an [UploadOffsetMismatch]; false where it is none.
func (e *Error) Number(key string) (int64, bool) {
	number, err := strconv.ParseInt(e.Metadata[key], 10, 64)
	return number, err == nil
}

// Is tells whether the failure is of a kind.
func (e *Error) Is(target error) bool {
	switch target {
	case context.DeadlineExceeded:
		return e.Code == codes.DeadlineExceeded
	case context.Canceled:
		return e.Code == codes.Canceled
	}
	kind, isKind := target.(*Kind)
	return isKind && e.Kind().isOf(kind)
}

// Unwrap is the error of gRPC, if there was one.
func (e *Error) Unwrap() error {
	return e.cause
}

// GRPCStatus is what package status of gRPC makes of it.
func (e *Error) GRPCStatus() *status.Status {
	if e.told == nil {
		return status.New(e.Code, e.Message)
	}
	return e.told
}

// retryAfter is that of an [Error]; false for any other.
func retryAfter(err error) (time.Duration, bool) {
	var failure *Error
	if !errors.As(err, &failure) {
		return 0, false
	}
	return failure.RetryAfter()
}
