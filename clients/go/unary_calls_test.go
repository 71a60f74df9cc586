package camillo

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

func TestEveryCallCarriesTheCredentialAndItsScope(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server, WithKey(" k1\n"))
	_, _ = client.Get(t.Context(), "m1")
	_, _ = client.ForAgent("bob").Get(t.Context(), "m1")
	calls := server.seen("GetMemory")
	if got := calls[0].header.Get("authorization"); got[0] != "Bearer k1" {
		t.Errorf("the credential is %q", got)
	}
	for place, agentID := range []string{"ada", "bob"} {
		if got := calls[place].header.Get("camillo-scope"); got[0] != scope("k1", agentID) {
			t.Errorf("the scope is %q", got)
		}
	}
}

func TestTheScopeIsTheBeginningOfADigest(t *testing.T) {
	if got := scope("", ""); got != "6e340b9cffb37a98" {
		t.Errorf("without key and agent it is %q", got)
	}
}

func TestWithoutAKeyThereIsNoCredential(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server, WithKey(""))
	_, _ = client.WhoAmI(t.Context())
	if got := server.seen("WhoAmI")[0].header.Get("authorization"); len(got) != 0 {
		t.Errorf("the credential is %q", got)
	}
}

func TestCallsAreWithinTheActiveSpan(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	span := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
	})
	_, _ = client.WhoAmI(trace.ContextWithSpanContext(t.Context(), span))
	_, _ = client.WhoAmI(t.Context())
	calls := server.seen("WhoAmI")
	got := strings.Join(calls[0].header.Get("traceparent"), "")
	if got != "00-01000000000000000000000000000000-0200000000000000-01" {
		t.Errorf("the trace is %q", got)
	}
	if got := calls[1].header.Get("traceparent"); len(got) != 0 {
		t.Errorf("without a span the trace is %q", got)
	}
}

func TestAgentAndRequestIDAreFilledInInACopy(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	memories := camillov1.NewMemoryServiceClient(client)
	given := &camillov1.RememberRequest{Memory: &camillov1.NewMemory{Content: "tea"}}
	for range 2 {
		if _, err := memories.Remember(t.Context(), given); err != nil {
			t.Fatal(err)
		}
	}
	sent := requests[*camillov1.RememberRequest](server, "Remember")
	if sent[0].GetAgentId() != "ada" || len(sent[0].GetRequestId()) != 32 || sent[0].GetMemory().GetContent() != "tea" {
		t.Errorf("sent was %v", sent[0])
	}
	if sent[0].GetRequestId() == sent[1].GetRequestId() {
		t.Error("two calls had one request id")
	}
	if given.GetAgentId() != "" || given.GetRequestId() != "" {
		t.Errorf("the caller's request became %v", given)
	}
}

func TestWhatTheCallerSaysStands(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	given := &camillov1.RememberRequest{AgentId: "bob", RequestId: "r1"}
	_, _ = camillov1.NewMemoryServiceClient(client).Remember(t.Context(), given)
	if sent := requests[*camillov1.RememberRequest](server, "Remember")[0]; !proto.Equal(sent, given) {
		t.Errorf("sent was %v", sent)
	}
}

func TestAnAgentIsNotFilledInInPlaceOfAnAlternative(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	admin := camillov1.NewAdminServiceClient(client)
	reach := &camillov1.CreateKeyRequest_AnyAgent{AnyAgent: true}
	_, _ = admin.CreateKey(t.Context(), &camillov1.CreateKeyRequest{Reach: reach})
	if sent := requests[*camillov1.CreateKeyRequest](server, "CreateKey")[0]; !sent.GetAnyAgent() {
		t.Errorf("sent was %v", sent)
	}
	lifecycle := camillov1.NewLifecycleServiceClient(client)
	_, _ = lifecycle.GetUsage(t.Context(), &camillov1.GetUsageRequest{AllScopes: true})
	if sent := requests[*camillov1.GetUsageRequest](server, "GetUsage")[0]; sent.GetAgentId() != "" {
		t.Errorf("sent was %v", sent)
	}
}

func TestAnAgentIsNotFilledInWhereItIsTheOneToBeDeleted(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	_, _ = camillov1.NewAdminServiceClient(client).DeleteAgent(t.Context(), &camillov1.DeleteAgentRequest{})
	if got := server.seen("DeleteAgent")[0].request.(*camillov1.DeleteAgentRequest).AgentId; got != "" {
		t.Errorf("%q would be deleted", got)
	}
}

func TestCallsHaveTheClientsDeadlineUnlessTheContextHasOne(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server, WithTimeout(20*time.Second))
	_, _ = client.WhoAmI(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, _ = client.WhoAmI(ctx)
	calls := server.seen("WhoAmI")
	if calls[0].left > 20*time.Second || calls[0].left < 10*time.Second {
		t.Errorf("the client's deadline was in %v", calls[0].left)
	}
	if calls[1].left < 50*time.Second {
		t.Errorf("the context's deadline was in %v", calls[1].left)
	}
}

func TestAnUnavailableServerIsAskedAgain(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", refuses(unavailable()), refuses(unavailable()), says(remembered("r1")))
	memory, err := client.Remember(t.Context(), "tea", nil)
	if err != nil || memory.GetMemoryId() != "m1" {
		t.Fatalf("%v, %v", memory, err)
	}
	sent := requests[*camillov1.RememberRequest](server, "Remember")
	if len(sent) != 3 || sent[0].GetRequestId() != sent[2].GetRequestId() {
		t.Errorf("sent was %v", sent)
	}
}

func TestAfterFourAttemptsTheFailureIsTold(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("GetMemory", refuses(unavailable()))
	_, err := client.Get(t.Context(), "m1")
	var failure *Error
	if !errors.As(err, &failure) || !errors.Is(err, StorageUnavailable) || len(server.seen("GetMemory")) != 4 {
		t.Fatalf("%d attempts, then %v", len(server.seen("GetMemory")), err)
	}
	if failure.Message != "so says the test" {
		t.Errorf("told was %q", failure.Message)
	}
}

func TestAnOverloadedServerIsAskedAgainWhenItSays(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	server.script("Remember", refuses(overloaded(2*time.Second)), says(remembered("r1")))
	if _, err := client.Remember(t.Context(), "tea", nil); err != nil {
		t.Fatal(err)
	}
	if len(pauses.lengths) != 1 || pauses.lengths[0] != 2*time.Second {
		t.Errorf("the pauses were %v", pauses.lengths)
	}
}

func TestAnOverloadedServerIsAskedThreeTimesMore(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	server.script("Remember", refuses(overloaded(time.Second)))
	_, err := client.Remember(t.Context(), "tea", nil)
	if !errors.Is(err, Overloaded) || len(pauses.lengths) != 3 || len(server.seen("Remember")) != 4 {
		t.Errorf("%v, %v", err, pauses.lengths)
	}
}

func TestNobodyWaitsPastTheDeadline(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server, WithTimeout(5*time.Second))
	server.script("Remember", refuses(overloaded(6*time.Second)))
	_, err := client.Remember(t.Context(), "tea", nil)
	if !errors.Is(err, Overloaded) || len(pauses.lengths) != 0 {
		t.Errorf("%v, %v", err, pauses.lengths)
	}
}

func TestOtherFailuresAreNotRepeated(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", refuses(failed(codes.ResourceExhausted, "QUOTA_EXCEEDED", comeBackIn(time.Second))))
	_, err := client.Remember(t.Context(), "tea", nil)
	var failure *Error
	if !errors.As(err, &failure) || !errors.Is(err, QuotaExceeded) || len(server.seen("Remember")) != 1 {
		t.Fatalf("%v", err)
	}
	if sent := requests[*camillov1.RememberRequest](server, "Remember")[0]; failure.RequestID != sent.GetRequestId() {
		t.Errorf("the error has the request id %q", failure.RequestID)
	}
}

func TestAMethodTakesItsOwnRequestsAlone(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	const recall, export = "camillo.v1.MemoryService/Recall", "camillo.v1.MemoryService/ExportMemories"
	_, foreign := client.Call(t.Context(), recall, &camillov1.RememberRequest{})
	_, none := client.Call(t.Context(), recall, nil)
	_, stream := client.Call(t.Context(), export, &camillov1.ExportMemoriesRequest{})
	failures := []error{foreign, none, stream}
	for _, err := range client.Pages(t.Context(), recall, nil) {
		failures = append(failures, err)
	}
	for _, err := range client.Stream(t.Context(), recall, &camillov1.RecallRequest{}) {
		failures = append(failures, err)
	}
	for place, err := range failures {
		if !errors.Is(err, InvalidArgument) {
			t.Errorf("%d: %v", place, err)
		}
	}
	if len(failures) != 5 || len(server.seen("Recall"))+len(server.seen("ExportMemories")) != 0 {
		t.Errorf("%v", failures)
	}
}

func TestMethodsAreCalledByTheirNames(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("WhoAmI", says(&camillov1.WhoAmIResponse{TenantId: "acme"}))
	answer, err := client.Call(t.Context(), "camillo.v1.AdminService/WhoAmI", &camillov1.WhoAmIRequest{})
	if err != nil || answer.(*camillov1.WhoAmIResponse).GetTenantId() != "acme" {
		t.Errorf("%v, %v", answer, err)
	}
	for _, name := range []string{"camillo.v1.AdminService/Unknown", "unknown.Service/WhoAmI", "x", ""} {
		if _, err := client.Call(t.Context(), name, &camillov1.WhoAmIRequest{}); !errors.Is(err, MethodUnknown) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
