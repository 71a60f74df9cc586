package camillo

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

func change(token string) proto.Message {
	return &camillov1.WatchMemoriesResponse{Change: &camillov1.MemoryChange{ResumeToken: token}}
}

// watched is the tokens of the first changes, and what ended the watch.
func watched(ctx context.Context, client *Client, count int, options ...WatchOption) ([]string, error) {
	var tokens []string
	for change, err := range client.Watch(ctx, FromBeginning(), options...) {
		if err != nil {
			return tokens, err
		}
		tokens = append(tokens, change.GetResumeToken())
		if len(tokens) == count {
			break
		}
	}
	return tokens, nil
}

func TestAWatchResumesWhereItBroke(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	server.script("WatchMemories",
		saysThen(unavailable(), change("t1"), change("t2")), refuses(unavailable()),
		// In good order, but a watch has no end.
		says(change("t3")), says(change("t4"), change("t5")))
	tokens, err := watched(t.Context(), client, 5)
	if err != nil || !slices.Equal(tokens, []string{"t1", "t2", "t3", "t4", "t5"}) {
		t.Fatalf("%v, %v", tokens, err)
	}
	sent := requests[*camillov1.WatchMemoriesRequest](server, "WatchMemories")
	if !sent[0].GetFromBeginning() || sent[0].GetAgentId() != "ada" {
		t.Errorf("it began with %v", sent[0])
	}
	for place, token := range []string{"", "t2", "t2", "t3"} {
		if sent[place].GetResumeToken() != token {
			t.Errorf("connection %d went on at %q", place, sent[place].GetResumeToken())
		}
	}
	if len(pauses.lengths) != 3 {
		t.Errorf("the pauses were %v", pauses.lengths)
	}
}

func TestAWatchWaitsLongerEachTimeAndGivesUp(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	server.script("WatchMemories", refuses(unavailable()))
	if _, err := watched(t.Context(), client, 1, MaxReconnects(3)); !errors.Is(err, StorageUnavailable) {
		t.Errorf("%v", err)
	}
	for place, longest := range []time.Duration{100, 200, 400} {
		longest *= time.Millisecond
		if got := pauses.lengths[place]; got < longest/2 || got > longest {
			t.Errorf("pause %d was %v", place, got)
		}
	}
	if calls := len(server.seen("WatchMemories")); calls != 4 {
		t.Errorf("%d connections", calls)
	}
}

func TestAWatchWaitsAsLongAsTheServerAsks(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	draining := failed(codes.Unavailable, "SERVER_DRAINING", comeBackIn(7*time.Second))
	server.script("WatchMemories", refuses(draining), says(change("t1")))
	if _, err := watched(t.Context(), client, 1); err != nil {
		t.Fatal(err)
	}
	if len(pauses.lengths) != 1 || pauses.lengths[0] != 7*time.Second {
		t.Errorf("the pauses were %v", pauses.lengths)
	}
}

func TestAWatchOfAnOverloadedServerGoesOn(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("WatchMemories", refuses(overloaded(time.Second)), says(change("t1")))
	if tokens, err := watched(t.Context(), client, 1); err != nil || len(tokens) != 1 {
		t.Errorf("%v, %v", tokens, err)
	}
}

func TestNoStreamIsHeldUpForLongerThanAMinute(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	for _, method := range []string{"WatchMemories", "ReadArtifact", "PutArtifact"} {
		server.script(method, refuses(failed(codes.Unavailable, "SERVER_DRAINING", comeBackIn(61*time.Second))))
	}
	_, watch := watched(t.Context(), client, 1)
	_, read := client.Artifacts.Read(t.Context(), "abc_1", nil)
	_, upload := client.Artifacts.Put(t.Context(), bytes.NewReader(content(10)), nil)
	for _, err := range []error{watch, read, upload} {
		if !errors.Is(err, ServerDraining) {
			t.Errorf("%v", err)
		}
	}
	if len(pauses.lengths) != 0 {
		t.Errorf("the pauses were %v", pauses.lengths)
	}
}

func TestAChangeMakesTheCountOfAttemptsBeginAnew(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("WatchMemories",
		refuses(unavailable()), says(change("t1")), refuses(unavailable()), says(change("t2")))
	if tokens, err := watched(t.Context(), client, 2, MaxReconnects(2)); err != nil || len(tokens) != 2 {
		t.Errorf("%v, %v", tokens, err)
	}
}

func TestOtherFailuresEndAWatch(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	server.script("WatchEvents", refuses(failed(codes.InvalidArgument, "INVALID_PAGE_TOKEN")))
	for _, err := range client.Events.Watch(t.Context(), nil) {
		if !errors.Is(err, InvalidPageToken) {
			t.Errorf("%v", err)
		}
	}
	if len(pauses.lengths) != 0 {
		t.Errorf("the pauses were %v", pauses.lengths)
	}
}

func TestAWatchGoesOnInAnotherProcess(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("WatchMemories", says(change("t8")))
	start := After("t7")
	for range client.Watch(t.Context(), start) {
		break
	}
	sent := requests[*camillov1.WatchMemoriesRequest](server, "WatchMemories")[0]
	if sent.GetResumeToken() != "t7" || start.GetResumeToken() != "t7" {
		t.Errorf("it went on at %v, the caller's is %v", sent, start)
	}
}

func TestAMessageWithoutAChangeIsPassedOver(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("WatchMemories",
		saysThen(unavailable(), change("t1"), &camillov1.WatchMemoriesResponse{}), says(change("t2")))
	if tokens, err := watched(t.Context(), client, 2); err != nil || !slices.Equal(tokens, []string{"t1", "t2"}) {
		t.Fatalf("%v, %v", tokens, err)
	}
	if sent := requests[*camillov1.WatchMemoriesRequest](server, "WatchMemories"); sent[1].GetResumeToken() != "t1" {
		t.Errorf("it went on with %v", sent[1])
	}
}

func TestAWatchByItsNameGoesOnToo(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("WatchMemories", saysThen(unavailable(), change("t1")), says(change("t2")))
	count := 0
	for _, err := range client.Stream(t.Context(), "camillo.v1.MemoryService/WatchMemories", FromBeginning()) {
		if err != nil {
			t.Fatal(err)
		}
		if count++; count == 2 {
			break
		}
	}
	if sent := requests[*camillov1.WatchMemoriesRequest](server, "WatchMemories"); sent[1].GetResumeToken() != "t1" {
		t.Errorf("it went on with %v", sent[1])
	}
}

func TestLeavingAWatchEndsItAtTheServer(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	ended := make(chan struct{})
	server.script("WatchMemories", func(stream grpc.ServerStream, _ proto.Message) error {
		defer close(ended)
		_ = stream.SendMsg(change("t1"))
		<-stream.Context().Done()
		return nil
	})
	if _, err := watched(t.Context(), client, 1); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the server still sends")
	}
}

func TestMessagesOfAStreamAreTakenFromAStubOrByName(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	part := &camillov1.ExportMemoriesResponse{Memories: []*camillov1.Memory{{MemoryId: "m1"}}}
	server.script("ExportMemories", saysThen(failed(codes.Internal, "INTERNAL"), part, part))
	memories := camillov1.NewMemoryServiceClient(client)
	var count int
	for taken, err := range Stream(t.Context(), memories.ExportMemories, &camillov1.ExportMemoriesRequest{}) {
		if err != nil && !errors.Is(err, InternalError) {
			t.Error(err)
		}
		count += len(taken.GetMemories())
	}
	const method = "camillo.v1.MemoryService/ExportMemories"
	request := &camillov1.ExportMemoriesRequest{AgentId: "bob"}
	for taken, err := range client.Stream(t.Context(), method, request) {
		if err != nil && !errors.Is(err, InternalError) {
			t.Error(err)
		}
		if err == nil {
			count += len(taken.(*camillov1.ExportMemoriesResponse).GetMemories())
		}
	}
	if count != 4 {
		t.Errorf("%d memories came", count)
	}
	calls := server.seen("ExportMemories")
	if calls[0].request.(*camillov1.ExportMemoriesRequest).GetAgentId() != "ada" {
		t.Errorf("the first was for %v", calls[0].request)
	}
	if got := calls[1].header.Get("camillo-scope"); got[0] != scope("k1", "bob") {
		t.Errorf("the second was for %v", got)
	}
}

func TestAnImportIsAWriteOfTheClient(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("ImportMemories", says(&camillov1.ImportMemoriesResponse{Imported: 1, Revision: revision("r9")}))
	stream, err := camillov1.NewMemoryServiceClient(client).ImportMemories(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = stream.Send(&camillov1.ImportMemoriesRequest{Memories: []*camillov1.Memory{{Content: "tea"}}})
	if _, err := stream.CloseAndRecv(); err != nil {
		t.Fatal(err)
	}
	_, _ = client.Recall(t.Context(), "tea", nil)
	if got := recallDemands(server); got[0] != "r9" {
		t.Errorf("demanded was %v", got)
	}
}
