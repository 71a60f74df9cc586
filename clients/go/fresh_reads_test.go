package camillo

import (
	"errors"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"

	camillov1 "camillo.dev/camillo/v1"
)

func revisionUnknown() error {
	return failed(codes.OutOfRange, "REVISION_UNKNOWN")
}

func remember(t *testing.T, client *Client) {
	t.Helper()
	if _, err := client.Remember(t.Context(), "tea", nil); err != nil {
		t.Fatal(err)
	}
}

func recallDemands(server *fakeServer) []string {
	var tokens []string
	for _, request := range requests[*camillov1.RecallRequest](server, "Recall") {
		tokens = append(tokens, request.GetFreshness().GetAtLeastAsFresh().GetToken())
	}
	return tokens
}

func TestReadsDemandTheRevisionOfTheLastWrite(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(remembered("r1")))
	_, _ = client.Recall(t.Context(), "tea", nil)
	remember(t, client)
	_, _ = client.Recall(t.Context(), "tea", nil)
	_, _ = client.ForAgent("bob").Recall(t.Context(), "tea", nil)
	if got := recallDemands(server); got[0] != "" || got[1] != "r1" || got[2] != "" {
		t.Errorf("demanded was %v", got)
	}
}

func TestBundlesTellTheirRevisionThemselves(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	memories := camillov1.NewMemoryServiceClient(client)
	server.script("Remember", says(remembered("r1")))
	for range 2 {
		// The second repetition may be answered from the past.
		_, _ = memories.Remember(t.Context(), &camillov1.RememberRequest{RequestId: "mine"})
	}
	server.script("BuildBundle", says(&camillov1.BuildBundleResponse{Bundle: &camillov1.Bundle{Revision: revision("r7")}}))
	for range 2 {
		if _, err := client.Context.Bundle(t.Context(), "tea", nil); err != nil {
			t.Fatal(err)
		}
	}
	sent := requests[*camillov1.BuildBundleRequest](server, "BuildBundle")
	if !sent[0].GetFreshness().GetFullyConsistent() {
		t.Errorf("demanded was %v", sent[0].GetFreshness())
	}
	if got := sent[1].GetFreshness().GetAtLeastAsFresh().GetToken(); got != "r7" {
		t.Errorf("demanded was %q", got)
	}
}

func TestADryRunIsNoWrite(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("ForgetMemories", says(&camillov1.ForgetMemoriesResponse{Revision: revision("r1")}))
	memories := camillov1.NewMemoryServiceClient(client)
	_, _ = memories.ForgetMemories(t.Context(), &camillov1.ForgetMemoriesRequest{DryRun: true})
	_, _ = client.Recall(t.Context(), "tea", nil)
	if got := recallDemands(server); got[0] != "" {
		t.Errorf("demanded was %v", got)
	}
}

func TestTheCallersDemandGoesBefore(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(remembered("r1")))
	remember(t, client)
	latency := &camillov1.Freshness{Requirement: &camillov1.Freshness_MinimizeLatency{MinimizeLatency: true}}
	_, _ = client.Recall(t.Context(), "tea", &camillov1.RecallRequest{Freshness: latency})
	sent := requests[*camillov1.RecallRequest](server, "Recall")[0]
	if !sent.GetFreshness().GetMinimizeLatency() {
		t.Errorf("demanded was %v", sent.GetFreshness())
	}
}

func TestARestoredDatabaseIsAskedOnceMoreWithoutTheRevision(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(remembered("r1")))
	remember(t, client)
	server.script("Recall", refuses(revisionUnknown()), says(&camillov1.RecallResponse{Tokens: 3}))
	answer, err := client.Recall(t.Context(), "tea", nil)
	if err != nil || answer.GetTokens() != 3 {
		t.Fatalf("%v, %v", answer, err)
	}
	_, _ = client.Recall(t.Context(), "tea", nil)
	if got := recallDemands(server); got[0] != "r1" || got[1] != "" || got[2] != "" {
		t.Errorf("demanded was %v", got)
	}
}

func TestAnUnknownRevisionOfTheCallerIsTheCallersError(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Recall", refuses(revisionUnknown()))
	_, err := client.Recall(t.Context(), "tea", nil)
	if !errors.Is(err, RevisionUnknown) || len(server.seen("Recall")) != 1 {
		t.Errorf("%v", err)
	}
}

func TestEachRecallOfABatchDemandsForItself(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(remembered("r1")))
	remember(t, client)
	void := grpcstatus.Convert(revisionUnknown()).Proto()
	server.script("BatchRecall",
		says(batchOf(void)), says(batchOf(nil)))
	given := &camillov1.BatchRecallRequest{Requests: []*camillov1.RecallRequest{{}, {AgentId: "bob"}}}
	answer, err := camillov1.NewMemoryServiceClient(client).BatchRecall(t.Context(), given)
	if err != nil || answer.GetResults()[0].GetError() != nil {
		t.Fatalf("%v, %v", answer, err)
	}
	sent := requests[*camillov1.BatchRecallRequest](server, "BatchRecall")
	first := sent[0].GetRequests()
	if first[0].GetFreshness().GetAtLeastAsFresh().GetToken() != "r1" || first[1].GetFreshness() != nil {
		t.Errorf("demanded was %v", first)
	}
	if first[0].GetAgentId() != "ada" || first[1].GetAgentId() != "bob" {
		t.Errorf("the agents were %v", first)
	}
	if sent[1].GetRequests()[0].GetFreshness() != nil || given.GetRequests()[0].GetAgentId() != "" {
		t.Errorf("asked again was %v", sent[1])
	}
}

func batchOf(first *status.Status) *camillov1.BatchRecallResponse {
	found := &camillov1.BatchRecallResult{
		Outcome: &camillov1.BatchRecallResult_Response{Response: &camillov1.RecallResponse{}},
	}
	if first == nil {
		return &camillov1.BatchRecallResponse{Results: []*camillov1.BatchRecallResult{found, found}}
	}
	failure := &camillov1.BatchRecallResult{Outcome: &camillov1.BatchRecallResult_Error{Error: first}}
	return &camillov1.BatchRecallResponse{Results: []*camillov1.BatchRecallResult{failure, found}}
}

func TestEachPageOfAListDemandsTheLastWriteByThen(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(remembered("r1")), says(remembered("r2")))
	first := &camillov1.ListMemoriesResponse{Memories: []*camillov1.Memory{{MemoryId: "m1"}}, NextPageToken: "p2"}
	second := &camillov1.ListMemoriesResponse{Memories: []*camillov1.Memory{{MemoryId: "m2"}}}
	server.script("ListMemories", says(first), says(second))
	remember(t, client)
	var ids []string
	for memory, err := range client.Memories(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, memory.GetMemoryId())
		remember(t, client)
	}
	sent := requests[*camillov1.ListMemoriesRequest](server, "ListMemories")
	if len(ids) != 2 || sent[0].GetPageToken() != "" || sent[1].GetPageToken() != "p2" {
		t.Errorf("%v by %v", ids, sent)
	}
	for place, token := range []string{"r1", "r2"} {
		if got := sent[place].GetFreshness().GetAtLeastAsFresh().GetToken(); got != token {
			t.Errorf("page %d demands %q", place, got)
		}
	}
}
