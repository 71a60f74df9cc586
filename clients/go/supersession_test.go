package camillo

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	camillov1 "camillo.dev/camillo/v1"
)

func TestAMemoryTakesThePlaceOfAnother(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	inForce := &camillov1.SupersedeMemoryResponse{Memory: &camillov1.Memory{MemoryId: "m2"}}
	server.script("SupersedeMemory", says(inForce), says(inForce))
	how := &camillov1.SupersedeMemoryRequest{Since: &timestamppb.Timestamp{Seconds: 7}}
	answer, err := client.Supersede(t.Context(), "m1", 3, "m2", how)
	if err != nil || answer.GetMemory().GetMemoryId() != "m2" {
		t.Errorf("%v, %v", answer, err)
	}
	if _, err := client.Supersede(t.Context(), "m1", 3, "m2", nil); err != nil {
		t.Error(err)
	}
	sent := requests[*camillov1.SupersedeMemoryRequest](server, "SupersedeMemory")
	for _, each := range sent {
		if each.GetMemoryId() != "m1" || each.GetExpectedVersion() != 3 || each.GetSuccessorId() != "m2" ||
			each.GetRequestId() == "" {
			t.Errorf("sent was %v", each)
		}
	}
	if sent[0].GetSince().GetSeconds() != 7 || sent[1].GetSince() != nil || how.GetMemoryId() != "" {
		t.Errorf("sent were %v, as %v said", sent, how)
	}
}

func TestContradictionsAreListedOverAllPagesSomeOfWhichHaveNone(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	found := []*camillov1.Contradiction{{Similarity: 0.5}}
	server.script("ListContradictions", says(&camillov1.ListContradictionsResponse{NextPageToken: "p2"}),
		says(&camillov1.ListContradictionsResponse{Contradictions: found}))
	var similarities []float32
	for pair, err := range client.Contradictions(t.Context(), &camillov1.MemoryFilter{TagsAny: []string{"tea"}}) {
		if err != nil {
			t.Fatal(err)
		}
		similarities = append(similarities, pair.GetSimilarity())
	}
	sent := requests[*camillov1.ListContradictionsRequest](server, "ListContradictions")
	if !slices.Equal(similarities, []float32{0.5}) || sent[1].GetPageToken() != "p2" {
		t.Errorf("%v by %v", similarities, sent)
	}
	if !slices.Equal(sent[1].GetFilter().GetTagsAny(), []string{"tea"}) {
		t.Errorf("asked was %v", sent)
	}
}

func TestContradictionsAreJudgedWhereThatIsAskedFor(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	judgement := &camillov1.Judgement{Verdict: camillov1.Verdict_VERDICT_SUPERSEDES, CurrentId: "m2"}
	server.script("ListContradictions", says(&camillov1.ListContradictionsResponse{
		Contradictions: []*camillov1.Contradiction{{Judgement: judgement}},
	}))
	var current []string
	for pair, err := range client.JudgedContradictions(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		current = append(current, pair.GetJudgement().GetCurrentId())
	}
	sent := requests[*camillov1.ListContradictionsRequest](server, "ListContradictions")
	if !slices.Equal(current, []string{"m2"}) || !sent[0].GetJudge() {
		t.Errorf("%v by %v", current, sent)
	}
}

func TestEachPageOfJudgedContradictionsSaysWhyPairsWereNotJudged(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	why := []camillov1.UnjudgedReason{camillov1.UnjudgedReason_UNJUDGED_REASON_BUDGET, camillov1.UnjudgedReason_UNJUDGED_REASON_TIMEOUT}
	server.script("ListContradictions",
		says(&camillov1.ListContradictionsResponse{Degraded: why, NextPageToken: "p2"}),
		says(&camillov1.ListContradictionsResponse{Contradictions: []*camillov1.Contradiction{{Similarity: 0.5}}}))
	var pages []*camillov1.ListContradictionsResponse
	for page, err := range client.JudgedContradictionPages(t.Context(), &camillov1.MemoryFilter{TagsAny: []string{"お茶"}}) {
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page)
	}
	if len(pages) != 2 || !slices.Equal(pages[0].GetDegraded(), why) || len(pages[1].GetDegraded()) > 0 {
		t.Fatalf("the pages were %v", pages)
	}
	if len(pages[1].GetContradictions()) != 1 {
		t.Errorf("the last page was %v", pages[1])
	}
	for _, sent := range requests[*camillov1.ListContradictionsRequest](server, "ListContradictions") {
		if !sent.GetJudge() || !slices.Equal(sent.GetFilter().GetTagsAny(), []string{"お茶"}) {
			t.Errorf("asked was %v", sent)
		}
	}
}
