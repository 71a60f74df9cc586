package camillo

import (
	"context"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	camillov1 "camillo.dev/camillo/v1"
)

// failed is the error of a server, with a reason and other details.
func failed(code codes.Code, reason string, details ...protoadapt.MessageV1) error {
	info := &errdetails.ErrorInfo{Reason: reason, Domain: errorDomain}
	return failedWith(code, append(details, info)...)
}

func failedWith(code codes.Code, details ...protoadapt.MessageV1) error {
	told, err := status.New(code, "so says the test").WithDetails(details...)
	if err != nil {
		panic(err)
	}
	return told.Err()
}

func comeBackIn(wait time.Duration) protoadapt.MessageV1 {
	return &errdetails.RetryInfo{RetryDelay: durationpb.New(wait)}
}

func overloaded(wait time.Duration) error {
	return failed(codes.ResourceExhausted, "OVERLOADED", comeBackIn(wait))
}

func unavailable() error {
	return failed(codes.Unavailable, "STORAGE_UNAVAILABLE")
}

func revision(token string) *camillov1.Revision {
	return &camillov1.Revision{Token: token}
}

func remembered(token string) *camillov1.RememberResponse {
	return &camillov1.RememberResponse{
		Memory: &camillov1.Memory{MemoryId: "m1", Content: "tea", Version: 1}, Revision: revision(token),
	}
}

// errorFrom is what comes of a failure that nobody here asked for.
func errorFrom(err error) *Error {
	background := context.Background()
	return (&shared{closed: background}).failure(background, err)
}
