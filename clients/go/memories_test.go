package camillo

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

func TestWhatIsSaidOfAMemoryIsSentAndLeftAsItWas(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	about := &camillov1.NewMemory{Kind: Preference, Tags: []string{"drinks"}, Importance: proto.Float32(0.9)}
	if _, err := client.Remember(t.Context(), "tea", about); err != nil {
		t.Fatal(err)
	}
	sent := requests[*camillov1.RememberRequest](server, "Remember")[0].GetMemory()
	if sent.GetContent() != "tea" || sent.GetKind() != Preference || sent.GetImportance() != 0.9 {
		t.Errorf("sent was %v", sent)
	}
	if about.GetContent() != "" {
		t.Errorf("the caller's became %v", about)
	}
}

func TestAnUpdateNamesTheFieldsThatAreSet(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	changes := &camillov1.Memory{Pinned: true, Importance: proto.Float32(0)}
	_, _ = client.Update(t.Context(), "m1", 3, changes)
	_, _ = client.Update(t.Context(), "m1", 3, nil, "tags")
	sent := requests[*camillov1.UpdateMemoryRequest](server, "UpdateMemory")
	if got := sent[0].GetUpdateMask().GetPaths(); !slices.Equal(got, []string{"importance", "pinned"}) {
		t.Errorf("named were %v", got)
	}
	if got := sent[1].GetUpdateMask().GetPaths(); !slices.Equal(got, []string{"tags"}) || sent[1].GetExpectedVersion() != 3 {
		t.Errorf("named were %v", got)
	}
}

func TestManyMemoriesGoInBatchesUnderOneID(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	refused := &camillov1.BatchRememberResult_Error{Error: &status.Status{Code: int32(codes.InvalidArgument)}}
	stored := &camillov1.BatchRememberResult_Memory{Memory: &camillov1.Memory{MemoryId: "m1"}}
	server.script("BatchRemember",
		says(&camillov1.BatchRememberResponse{Results: []*camillov1.BatchRememberResult{{Outcome: stored}, {Outcome: refused}}}),
		refuses(failed(codes.ResourceExhausted, "QUOTA_EXCEEDED")))
	memories := slices.Repeat([]*camillov1.NewMemory{{Content: "tea"}}, 1001)
	outcomes, err := client.RememberMany(t.Context(), memories)
	var failure *Error
	if !errors.As(err, &failure) || len(outcomes) != 2 {
		t.Fatalf("%v, %v", outcomes, err)
	}
	if outcomes[0].Err != nil || outcomes[0].Memory.GetMemoryId() != "m1" || !errors.Is(outcomes[1].Err, InvalidArgument) {
		t.Errorf("%v", outcomes)
	}
	sent := requests[*camillov1.BatchRememberRequest](server, "BatchRemember")
	if len(sent[0].GetMemories()) != 1000 || len(sent[1].GetMemories()) != 1 {
		t.Errorf("%d and %d were sent", len(sent[0].GetMemories()), len(sent[1].GetMemories()))
	}
	if sent[0].GetRequestId() != failure.RequestID || sent[1].GetRequestId() != failure.RequestID+".1" {
		t.Errorf("%q and %q, told was %q", sent[0].GetRequestId(), sent[1].GetRequestId(), failure.RequestID)
	}
}

func TestAnOutcomeOfANewerServerIsAFailureInItsPlace(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	stored := &camillov1.BatchRememberResult_Memory{Memory: &camillov1.Memory{MemoryId: "m1"}}
	server.script("BatchRemember",
		says(&camillov1.BatchRememberResponse{Results: []*camillov1.BatchRememberResult{{}, {Outcome: stored}}}))
	outcomes, err := client.RememberMany(t.Context(), []*camillov1.NewMemory{{Content: "tea"}, {Content: "milk"}})
	if err != nil || !errors.Is(outcomes[0].Err, Failed) || outcomes[1].Memory.GetMemoryId() != "m1" {
		t.Errorf("%v, %v", outcomes, err)
	}
}

func TestPacksAreWithinThreeMiB(t *testing.T) {
	large := &camillov1.NewMemory{Content: strings.Repeat("x", 2<<20)}
	small := &camillov1.NewMemory{Content: "x"}
	var sizes []int
	for _, pack := range packs([]*camillov1.NewMemory{large, large, small, small}) {
		sizes = append(sizes, len(pack))
	}
	if !slices.Equal(sizes, []int{1, 3}) || len(packs([]*camillov1.NewMemory{})) != 0 {
		t.Errorf("the packs have %v", sizes)
	}
}

func TestPagesAreTakenFromAStubOrByName(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	page := &camillov1.ListKeysResponse{NextPageToken: "p2"}
	admin := camillov1.NewAdminServiceClient(client)
	server.script("ListKeys", says(page), says(&camillov1.ListKeysResponse{}))
	request := &camillov1.ListKeysRequest{PageSize: 1}
	for _, err := range Pages(t.Context(), admin.ListKeys, request) {
		if err != nil {
			t.Fatal(err)
		}
	}
	server.script("ListKeys", says(page), refuses(failed(codes.PermissionDenied, "SCOPE_FORBIDDEN")))
	var err error
	for _, err = range client.Pages(t.Context(), "camillo.v1.AdminService/ListKeys", request) {
	}
	if !errors.Is(err, ScopeForbidden) || len(server.seen("ListKeys")) != 4 || request.GetPageToken() != "" {
		t.Errorf("%v after %d calls", err, len(server.seen("ListKeys")))
	}
}
