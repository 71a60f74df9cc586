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
