package camillo

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"

	camillov1 "camillo.dev/camillo/v1"
)

func TestEveryReasonOfTheContractHasAKind(t *testing.T) {
	for _, name := range camillov1.ErrorReason_name {
		reason := strings.TrimPrefix(name, "ERROR_REASON_")
		if _, known := kindByReason[reason]; !known && reason != "UNSPECIFIED" {
			t.Errorf("%s has none", reason)
		}
	}
}

func TestAnErrorTellsWhatTheServerSaid(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	violation := &errdetails.BadRequest_FieldViolation{Field: "memory.content", Description: "is empty"}
	server.script("Remember", refuses(failedWith(codes.InvalidArgument,
		&errdetails.ErrorInfo{Reason: "INVALID_FIELD", Domain: errorDomain, Metadata: map[string]string{"a": "7"}},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{violation}},
		comeBackIn(1500*time.Millisecond),
	)))
	_, err := client.Remember(t.Context(), "", nil)
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("%v", err)
	}
	if !errors.Is(err, InvalidField) || !errors.Is(err, InvalidArgument) || errors.Is(err, NotFound) {
		t.Errorf("it is %v", failure.Kind())
	}
	if number, _ := failure.Number("a"); number != 7 || failure.FieldViolations[0].Field != "memory.content" {
		t.Errorf("%+v", failure)
	}
	if wait, told := failure.RetryAfter(); !told || wait != 1500*time.Millisecond {
		t.Errorf("%v, %v", wait, told)
	}
	if err.Error() != "camillo: INVALID_FIELD: so says the test; memory.content: is empty" {
		t.Errorf("%v", err)
	}
	if status.Code(err) != codes.InvalidArgument {
		t.Errorf("for gRPC it is %v", status.Code(err))
	}
}

func TestAnUnknownReasonKeepsItsTextAndIsTheKindOfItsCode(t *testing.T) {
	err := errorFrom(failed(codes.NotFound, "PLANET_NOT_FOUND"))
	if err.Reason != "PLANET_NOT_FOUND" || err.Kind() != NotFound {
		t.Errorf("%+v", err)
	}
}

func TestAReasonOfSomebodyElseIsNotTakenForOurs(t *testing.T) {
	err := errorFrom(failedWith(codes.Aborted, &errdetails.ErrorInfo{Reason: "MEMORY_NOT_FOUND", Domain: "elsewhere"}))
	if err.Kind() != Failed || err.Reason != "MEMORY_NOT_FOUND" {
		t.Errorf("%+v", err)
	}
}

func TestMangledDetailsArePassedOver(t *testing.T) {
	mangled := &rpcstatus.Status{Code: int32(codes.NotFound), Message: "gone", Details: []*anypb.Any{
		{TypeUrl: "type.googleapis.com/google.rpc.ErrorInfo", Value: []byte{0xff, 0xff}},
		{TypeUrl: "type.googleapis.com/of.a.newer.Server", Value: []byte{1}},
	}}
	if err := errorFrom(status.ErrorProto(mangled)); err.Kind() != NotFound || err.Message != "gone" {
		t.Errorf("%+v", err)
	}
}

func TestAFieldThatTheMessageNamesIsNotNamedAgain(t *testing.T) {
	violation := &errdetails.BadRequest_FieldViolation{Field: "so says", Description: "the test"}
	told := status.New(codes.InvalidArgument, "so says: the test")
	told, _ = told.WithDetails(&errdetails.BadRequest{
		FieldViolations: []*errdetails.BadRequest_FieldViolation{violation},
	})
	if err := errorFrom(told.Err()); strings.Count(err.Error(), "the test") != 1 {
		t.Errorf("%v", err)
	}
}

func TestNobodyWaitsBackwards(t *testing.T) {
	err := errorFrom(failed(codes.Unavailable, "SERVER_DRAINING", comeBackIn(-time.Second)))
	if wait, told := err.RetryAfter(); !told || wait != 0 {
		t.Errorf("%v, %v", wait, told)
	}
}

func TestAMethodThatTheServerLacksIsUnknown(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("WhoAmI", refuses(status.Error(codes.Unimplemented, "")))
	_, err := client.WhoAmI(t.Context())
	if !errors.Is(err, MethodUnknown) || !strings.Contains(err.Error(), "not supported by this server") {
		t.Errorf("%v", err)
	}
}

func TestAMethodThatTheClientLacksIsNotTheServersFault(t *testing.T) {
	client, _ := newClientOf(t, newServer(t))
	_, err := client.Call(t.Context(), "camillo.v1.AdminService/Unknown", &camillov1.WhoAmIRequest{})
	if !errors.Is(err, MethodUnknown) || strings.Contains(err.Error(), "this server") {
		t.Errorf("%v", err)
	}
}

func TestATextThatIsNoUTF8IsNoDefectOfTheServer(t *testing.T) {
	client, _ := newClientOf(t, newServer(t))
	_, err := client.Remember(t.Context(), "caf\xe9", nil)
	if !errors.Is(err, InvalidArgument) || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("%v", err)
	}
}

func TestAServerThatIsNotThereIsUnavailable(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = free.Close()
	for _, address := range []string{free.Addr().String(), "no-such-host.invalid:7070"} {
		client, err := Connect(WithAddress(address), WithKey(""))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Get(t.Context(), "m1"); !errors.Is(err, Unavailable) {
			t.Errorf("%s: %v", address, err)
		}
		_ = client.Close()
	}
}

func TestAnAnswerAboveTheLimitIsResourceExhausted(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server, WithMaxMessageBytes(1000))
	server.script("GetMemory", says(&camillov1.GetMemoryResponse{
		Memory: &camillov1.Memory{Content: strings.Repeat("tea", 1000)},
	}))
	if _, err := client.Get(t.Context(), "m1"); !errors.Is(err, ResourceExhausted) {
		t.Errorf("%v", err)
	}
}

func TestDeadlinesAndCancelledContextsAreRecognised(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err := client.WhoAmI(ctx)
	if !errors.Is(err, DeadlineExceeded) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := client.WhoAmI(gone); !errors.Is(err, context.Canceled) || !errors.Is(err, Failed) {
		t.Errorf("%v", err)
	}
}

func TestTheServiceConfigIsThatOfAllClients(t *testing.T) {
	shared, err := os.ReadFile("../service_config.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(shared) != serviceConfig {
		t.Error("service_config.json is not a copy of clients/service_config.json")
	}
}

func TestAStreamThatWasResetOnItsWayIsUnavailableAndADefectIsNot(t *testing.T) {
	reset := errorFrom(status.Error(codes.Internal, "stream terminated by RST_STREAM with error code: INTERNAL_ERROR"))
	if !errors.Is(reset, Unavailable) || status.Code(reset) != codes.Unavailable {
		t.Errorf("it is %v, for gRPC %v", reset.Code, status.Code(reset))
	}
	if defect := errorFrom(status.Error(codes.Internal, "something is wrong")); !errors.Is(defect, InternalError) {
		t.Errorf("it is %v", defect.Code)
	}
}
