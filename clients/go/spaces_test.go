package camillo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

func bound(t *testing.T) func(*Client, error) *Client {
	return func(client *Client, err error) *Client {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
}

// spacesRead is what each recall read: its space, what was demanded of it, and those beside it with the same.
func spacesRead(recalls []*camillov1.RecallRequest) []string {
	var told []string
	demanded := func(freshness *camillov1.Freshness) string {
		if freshness.GetFullyConsistent() {
			return "all"
		}
		return freshness.GetAtLeastAsFresh().GetToken()
	}
	for _, recall := range recalls {
		read := recall.GetAgentId() + ":" + demanded(recall.GetFreshness())
		for _, each := range recall.GetSpaces() {
			read += " " + each.GetSpace() + ":" + demanded(each.GetFreshness())
		}
		if recall.GetIncludeShared() {
			read += " shared"
		}
		told = append(told, read)
	}
	return told
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

func recalls(server *fakeServer) []*camillov1.RecallRequest {
	return requests[*camillov1.RecallRequest](server, "Recall")
}

func TestAClientOfASpaceActsThere(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	must := bound(t)
	ana := must(client.ForUser("42"))
	for _, each := range []*Client{
		ana, must(client.ForProject("github.com/acme/shop")), must(client.ForTeam("eu/ops")), must(ana.ForUser("43")),
		must(client.ForSpace(Shared)), client,
	} {
		_, _ = each.Recall(t.Context(), "茶", nil)
	}
	_, _ = ana.Events.Record(t.Context(), &camillov1.NewEvent{})
	same(t, spacesRead(recalls(server)),
		"users/42:", "projects/github.com/acme/shop:", "teams/eu/ops:", "users/43:", "@shared:", client.agentID+":")
	if sent := requests[*camillov1.RecordEventRequest](server, "RecordEvent"); sent[0].GetAgentId() != "users/42" {
		t.Errorf("recorded for %q", sent[0].GetAgentId())
	}
}

func TestARecallReadsTheSpacesOfItsClientAsFreshAsTheyWereWritten(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	must := bound(t)
	server.script("Remember", says(&camillov1.RememberResponse{Revision: revision("r1")}),
		says(&camillov1.RememberResponse{Revision: revision("r2")}))
	_, _ = must(client.ForProject("shop")).Remember(t.Context(), "tea", nil)
	ana := must(client.WithSpaces(Spaces{
		Read: []string{"users/42", "projects/shop", "teams/eu", "teams/eu", Shared}, Write: "users/42",
	}))
	_, _ = ana.Remember(t.Context(), "茶", nil)
	_, _ = ana.Recall(t.Context(), "tea", nil)
	_, _ = ana.SearchMyMemories(t.Context(), "tea", nil)
	_, _ = camillov1.NewMemoryServiceClient(ana).Recall(t.Context(), &camillov1.RecallRequest{})
	told := "users/42:r2 projects/shop:r1 teams/eu: shared"
	same(t, spacesRead(recalls(server)), told, told, told)
	given := []*camillov1.RecallRequest{{}, {AgentId: "users/43"}}
	_, _ = camillov1.NewMemoryServiceClient(ana).BatchRecall(t.Context(), &camillov1.BatchRecallRequest{Requests: given})
	batch := requests[*camillov1.BatchRecallRequest](server, "BatchRecall")[0]
	same(t, spacesRead(batch.GetRequests()), told, "users/43:")
	same(t, spacesRead(given), ":", "users/43:")
}

func TestARecallThatSaysWhatItReadsReadsThatAlone(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	must := bound(t)
	shop := must(client.WithSpaces(Spaces{Read: []string{"projects/shop", Shared}}))
	_, _ = shop.Recall(t.Context(), "tea", nil)
	_, _ = shop.Recall(t.Context(), "tea", &camillov1.RecallRequest{AgentId: "users/43"})
	_, _ = shop.Recall(t.Context(), "tea", &camillov1.RecallRequest{Spaces: []*camillov1.SpaceRead{{Space: "teams/eu"}}})
	_, _ = must(shop.ForUser("42")).Recall(t.Context(), "tea", nil)
	_, _ = client.Recall(t.Context(), "tea", nil)
	own := client.agentID
	same(t, spacesRead(recalls(server)),
		own+": projects/shop: shared", "users/43:", own+": teams/eu:", "users/42:", own+":")
}

func TestADemandOfAnotherSpaceThatIsVoidIsDropped(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(&camillov1.RememberResponse{Revision: revision("r1")}))
	server.script("Recall", refuses(revisionUnknown()), says(&camillov1.RecallResponse{}))
	_, _ = bound(t)(client.ForProject("shop")).Remember(t.Context(), "tea", nil)
	mine := &camillov1.RecallRequest{Spaces: []*camillov1.SpaceRead{{Space: "projects/shop"}}}
	for range 2 {
		if _, err := client.Recall(t.Context(), "tea", mine); err != nil {
			t.Fatal(err)
		}
	}
	own := client.agentID
	same(t, spacesRead(recalls(server)), own+": projects/shop:r1", own+": projects/shop:", own+": projects/shop:")
	same(t, spacesRead([]*camillov1.RecallRequest{mine}), ": projects/shop:")
}

func TestTheRevisionThatASpaceWasReadAtCoversWhatWasWritten(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(&camillov1.RememberResponse{Revision: revision("r1")}))
	read := &camillov1.SpaceRevision{Space: "users/42", Revision: revision("r9")}
	server.script("Recall", says(&camillov1.RecallResponse{Spaces: []*camillov1.SpaceRevision{read}}))
	memories := camillov1.NewMemoryServiceClient(bound(t)(client.ForUser("42")))
	for _, id := range []string{"", "mine"} {
		_, _ = memories.Remember(t.Context(), &camillov1.RememberRequest{RequestId: id})
	}
	for range 2 {
		spaces := []*camillov1.SpaceRead{{Space: "users/42"}}
		_, _ = client.Recall(t.Context(), "tea", &camillov1.RecallRequest{Spaces: spaces})
	}
	own := client.agentID
	same(t, spacesRead(recalls(server)), own+": users/42:all", own+": users/42:r9")
}

func TestBundlesReadTheSpacesOfTheirClient(t *testing.T) {
	for method, request := range map[string]proto.Message{
		"BuildBundle":        &camillov1.BuildBundleRequest{},
		"BuildSnapshot":      &camillov1.BuildSnapshotRequest{},
		"BuildWorkingMemory": &camillov1.BuildWorkingMemoryRequest{},
		"BuildDigest":        &camillov1.BuildDigestRequest{},
	} {
		t.Run(method, func(t *testing.T) { testABuildReadsTheSpacesOfItsClient(t, method, request) })
	}
}

func testABuildReadsTheSpacesOfItsClient(t *testing.T, method string, request proto.Message) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	must := bound(t)
	known, err := findMethodFor("camillo.v1.SnapshotService/"+method, request, false)
	if err != nil {
		t.Fatal(err)
	}
	answer := known.response.New()
	built := answer.Mutable(answer.Descriptor().Fields().ByName(bundleField)).Message().Interface().(*camillov1.Bundle)
	built.Spaces = []*camillov1.SpaceRevision{{Space: "projects/shop", Revision: revision("r9")}}
	server.script("Remember", says(&camillov1.RememberResponse{Revision: revision("r1")}))
	server.script(method, says(answer.Interface()), refuses(revisionUnknown()), says(known.response.New().Interface()))
	shop := must(client.ForProject("shop"))
	ana := must(client.WithSpaces(Spaces{Write: "users/42", Read: []string{"projects/shop", "teams/eu", Shared}}))
	for _, id := range []string{"", "mine"} {
		_, _ = camillov1.NewMemoryServiceClient(shop).Remember(t.Context(), &camillov1.RememberRequest{RequestId: id})
	}
	for range 2 {
		if _, err := ana.Call(t.Context(), "camillo.v1.SnapshotService/"+method, request); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ana.ForAgent("bob").Call(t.Context(), "camillo.v1.SnapshotService/"+method, request); err != nil {
		t.Fatal(err)
	}
	var sent []string
	for _, call := range server.seen(method) {
		read := textOf(call.request, agentIDField) + ":"
		for _, each := range call.request.(spacesReader).GetSpaces() {
			demanded := each.GetFreshness().GetAtLeastAsFresh().GetToken()
			if each.GetFreshness().GetFullyConsistent() {
				demanded = "all"
			}
			read += " " + each.GetSpace() + ":" + demanded
		}
		sent = append(sent, read)
	}
	same(t, sent, "users/42: projects/shop:all teams/eu:", "users/42: projects/shop:r9 teams/eu:",
		"users/42: projects/shop: teams/eu:", "bob:")
	if len(request.(spacesReader).GetSpaces()) != 0 {
		t.Error("the caller's request was changed")
	}
}

func TestANameThatNoSpaceHasIsRefusedBeforeACall(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	names := []string{"", " ", "a/", "/a", "a//b", "-a", "a b", "a\n", "..", strings.Repeat("a", 129), "a/b/c/d", "日本"}
	for _, name := range names {
		for _, bind := range []func(string) (*Client, error){
			client.ForUser, client.ForProject, client.ForTeam, client.ForSpace,
			func(name string) (*Client, error) {
				return client.WithSpaces(Spaces{Read: []string{"users/" + name}})
			},
			func(name string) (*Client, error) { return client.WithSpaces(Spaces{Write: "users/" + name}) },
		} {
			if bound, err := bind(name); err == nil || bound != nil {
				t.Errorf("%q is a space", name)
			}
		}
	}
	var many []string
	for number := range 8 {
		many = append(many, fmt.Sprintf("users/%d", number))
	}
	if _, err := client.WithSpaces(Spaces{Read: many}); err == nil {
		t.Error("eight spaces are read beside the own one")
	}
	if _, err := client.WithSpaces(Spaces{Read: many[1:]}); err != nil {
		t.Error(err)
	}
}
