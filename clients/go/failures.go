package camillo

import (
	"context"
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

// failure is that of a call under this context. Only what the caller or [Client.Close] gave up is cancelled: a server that
// stops answers CANCELLED to calls that it accepted and never took.
func (s *shared) failure(ctx context.Context, err error) *Error {
	known := statusOf(err)
	switch code := known.Code(); {
	case s.isClosed() && (code == codes.Canceled || code == codes.Unavailable):
		known = status.New(codes.Canceled, "the client is closed")
	case code == codes.Unauthenticated && s.refusal != "":
		known = withMessage(known, s.refusal)
	case code == codes.Canceled && ctx.Err() == nil:
		known = status.New(codes.Unavailable, "the server went away")
	}
	failure := fromStatus(known)
	failure.cause = err
	return failure
}

// statusOf is what the server told, or else gRPC.
func statusOf(err error) *status.Status {
	// Errors of contexts have no status of their own.
	known := status.FromContextError(err)
	// The status itself, not what gRPC says around it of how often it tried.
	var told interface{ GRPCStatus() *status.Status }
	if errors.As(err, &told) {
		known = told.GRPCStatus()
	}
	return whoseFault(known)
}

// whoseFault takes no defect of the server for what is none: a stream that a proxy ended because the server behind it is
// gone, and a text that is no UTF-8, which gRPC does not send.
func whoseFault(known *status.Status) *status.Status {
	switch message := known.Message(); {
	case known.Code() != codes.Internal:
		return known
	case strings.Contains(message, "RST_STREAM"):
		return withCode(known, codes.Unavailable)
	case strings.HasPrefix(message, "grpc: error while marshaling"):
		return withCode(known, codes.InvalidArgument)
	}
	return known
}

func withCode(known *status.Status, code codes.Code) *status.Status {
	told := known.Proto()
	told.Code = int32(code)
	return status.FromProto(told)
}

func withMessage(known *status.Status, message string) *status.Status {
	told := known.Proto()
	told.Message = message
	return status.FromProto(told)
}

func fromStatus(known *status.Status) *Error {
	failure := &Error{Code: known.Code(), Message: known.Message(), told: known}
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
			// There is no waiting backwards.
			wait := max(0, delay.AsDuration())
			e.retryAfter = &wait
		}
	}
	return ""
}
