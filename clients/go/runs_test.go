package camillo

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"

	camillov1 "camillo.dev/camillo/v1"
)

func runPage(next string, ids ...string) *camillov1.ListRunsResponse {
	page := &camillov1.ListRunsResponse{NextPageToken: next}
	for _, id := range ids {
		page.Runs = append(page.Runs, &camillov1.Run{RunId: id})
	}
	return page
}

func TestRunsAreListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("ListRuns", says(runPage("p2", "r3", "r2")), says(runPage("", "r1")))
	var ids []string
	for run, err := range client.Runs.List(t.Context(), "s1") {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.GetRunId())
	}
	sent := requests[*camillov1.ListRunsRequest](server, "ListRuns")
	if !slices.Equal(ids, []string{"r3", "r2", "r1"}) || len(sent) != 2 {
		t.Fatalf("%v by %v", ids, sent)
	}
	for place, token := range []string{"", "p2"} {
		if sent[place].GetPageToken() != token || sent[place].GetSessionId() != "s1" {
			t.Errorf("page %d is asked for by %v", place, sent[place])
		}
	}
}

func TestAPageOfRunsThatFailsEndsTheList(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("ListRuns", says(runPage("p2", "r1")), refuses(failed(codes.PermissionDenied, "SCOPE_FORBIDDEN")))
	var found int
	var err error
	for _, err = range client.Runs.List(t.Context(), "") {
		found++
	}
	if found != 2 || !errors.Is(err, ScopeForbidden) {
		t.Errorf("%v after %d", err, found)
	}
}
