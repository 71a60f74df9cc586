package camillo

import (
	"errors"
	"slices"
	"strings"
	"testing"

	camillov1 "camillo.dev/camillo/v1"
)

// inDocuments is a recall that looks into the tenant's shared scope.
func inDocuments() *camillov1.RecallRequest {
	return &camillov1.RecallRequest{Sources: []camillov1.Source{camillov1.Source_SOURCE_DOCUMENT}}
}

func publish(t *testing.T, client *Client) {
	t.Helper()
	if _, err := client.Documents.Publish(t.Context(), documentName, strings.NewReader("tea"), nil); err != nil {
		t.Fatal(err)
	}
}

// sharedDemands is what recalls demanded of the shared scope.
func sharedDemands(server *fakeServer) []string {
	var tokens []string
	for _, request := range requests[*camillov1.RecallRequest](server, "Recall") {
		token := request.GetSharedFreshness().GetAtLeastAsFresh().GetToken()
		if request.GetSharedFreshness().GetFullyConsistent() {
			token = "all"
		}
		tokens = append(tokens, token)
	}
	return tokens
}

func TestARecallThatSearchesTheSharedScopeDemandsWhatWasPublished(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenDocument
	server.script("PublishDocument", takesDocument(&taken, published("s1"), nil))
	server.script("RecordAuditEntry", says(&camillov1.RecordAuditEntryResponse{SharedRevision: revision("s2")}))
	server.script("PutSkill", says(&camillov1.PutSkillResponse{Revision: revision("s3")}))
	publish(t, client)
	_, _ = client.Recall(t.Context(), "tea", nil)
	_, _ = client.ForAgent("bob").Recall(t.Context(), "tea", inDocuments())
	_, _ = client.Audit.Record(t.Context(), "tea.made", "茶", nil)
	_, _ = client.SearchMyMemories(t.Context(), "tea", nil)
	tenants := &camillov1.PutSkillRequest{Level: camillov1.SkillLevel_SKILL_LEVEL_TENANT}
	_, _ = client.Skills.Put(t.Context(), "# tea", tenants)
	_, _ = client.Recall(t.Context(), "tea", &camillov1.RecallRequest{IncludeShared: true})
	own := inDocuments()
	own.SharedFreshness = &camillov1.Freshness{
		Requirement: &camillov1.Freshness_AtLeastAsFresh{AtLeastAsFresh: revision("s9")},
	}
	_, _ = client.Recall(t.Context(), "tea", own)
	if got := sharedDemands(server); !slices.Equal(got, []string{"", "s1", "s2", "s3", "s9"}) {
		t.Errorf("demanded was %v", got)
	}
	if got := recallDemands(server); !slices.Equal(got, []string{"", "", "", "", ""}) {
		t.Errorf("demanded of agents was %v", got)
	}
}

func TestAfterARepeatedPublicationEverythingIsDemandedOnce(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenDocument
	server.script("PublishDocument", takesDocument(&taken, published("s1"), nil),
		takesDocument(&taken, nil, unavailable()), takesDocument(&taken, published("s2"), nil))
	server.script("Recall", says(&camillov1.RecallResponse{SharedRevision: revision("s5")}))
	publish(t, client)
	publish(t, client)
	for range 2 {
		_, _ = client.Recall(t.Context(), "tea", inDocuments())
	}
	if got := sharedDemands(server); !slices.Equal(got, []string{"all", "s5"}) {
		t.Errorf("demanded was %v", got)
	}
}

func TestASharedRevisionThatTheServerDoesNotKnowIsDropped(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenDocument
	server.script("PublishDocument", takesDocument(&taken, published("s1"), nil))
	server.script("Recall", refuses(revisionUnknown()), says(&camillov1.RecallResponse{}), refuses(revisionUnknown()))
	publish(t, client)
	if _, err := client.Recall(t.Context(), "tea", inDocuments()); err != nil {
		t.Fatal(err)
	}
	if got := sharedDemands(server); !slices.Equal(got, []string{"s1", ""}) {
		t.Errorf("demanded was %v", got)
	}
	if _, err := client.Recall(t.Context(), "tea", inDocuments()); !errors.Is(err, RevisionUnknown) {
		t.Errorf("%v", err)
	}
}

func TestMyMemoriesAreSearchedInFourSourcesUnlessToldOtherwise(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	_, _ = client.SearchMyMemories(t.Context(), "茶", nil)
	_, _ = client.SearchMyMemories(t.Context(), "茶", &camillov1.RecallRequest{Limit: 3, Sources: inDocuments().Sources})
	sent := requests[*camillov1.RecallRequest](server, "Recall")
	if sent[0].GetText() != "茶" || len(sent[0].GetSources()) != 4 || sent[0].GetLimit() != 5 {
		t.Errorf("sent was %v", sent[0])
	}
	if sent[0].GetProfile().GetName() != "blended" || len(sent[1].GetSources()) != 1 || sent[1].GetLimit() != 3 {
		t.Errorf("sent was %v", sent[1])
	}
}
