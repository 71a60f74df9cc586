package camillo

import (
	"errors"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"
)

const errorDomain = "camillo.v1"

// ErrorOf is the error of one item of a batch, an [*Error]; nil where the status is none or OK.
func ErrorOf(item *rpcstatus.Status) error {
	if item.GetCode() == int32(codes.OK) {
		return nil
	}
	return fromStatus(status.FromProto(item))
}

// newError is that of a call that failed.
func newError(err error) *Error {
	// Errors of contexts have no status of their own.
	known := status.FromContextError(err)
	// The status itself, not what gRPC says around it of how often it tried.
	var told interface{ GRPCStatus() *status.Status }
	if errors.As(err, &told) {
		known = told.GRPCStatus()
	}
	failure := fromStatus(whereReset(known))
	failure.cause = err
	return failure
}

// whereReset is the status of a stream that a proxy ended because the server behind it is gone; no server says so itself.
func whereReset(known *status.Status) *status.Status {
	if known.Code() == codes.Internal && strings.Contains(known.Message(), "RST_STREAM") {
		return status.New(codes.Unavailable, known.Message())
	}
	return known
}

func fromStatus(known *status.Status) *Error {
	failure := &Error{Code: known.Code(), Message: known.Message()}
	domain := ""
	for _, detail := range known.Proto().GetDetails() {
		if told := failure.take(detail); told != "" {
			domain = told
		}
	}
	if domain == errorDomain {
		failure.kind = kindByReason[failure.Reason]
	}
	if failure.kind == nil {
		failure.kind = kindByCode[failure.Code]
	}
	return failure
}

// take adds what one detail says; the domain where it is the reason. Whatever was mangled on the way is passed over: the
// code and the message still stand.
func (e *Error) take(detail *anypb.Any) string {
	message, err := detail.UnmarshalNew()
	if err != nil {
		return ""
	}
	switch told := message.(type) {
	case *errdetails.ErrorInfo:
		e.Reason = strings.TrimPrefix(told.GetReason(), "ERROR_REASON_")
		e.Metadata = told.GetMetadata()
		return told.GetDomain()
	case *errdetails.BadRequest:
		for _, violation := range told.GetFieldViolations() {
			e.FieldViolations = append(
				e.FieldViolations, FieldViolation{violation.GetField(), violation.GetDescription()},
			)
		}
	case *errdetails.RetryInfo:
		if delay := told.GetRetryDelay(); delay != nil {
			wait := delay.AsDuration()
			e.retryAfter = &wait
		}
	}
	return ""
}
