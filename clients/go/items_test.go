package camillo

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	camillov1 "camillo.dev/camillo/v1"
)

func TestWhateverWasFoundIsReadTheSameWay(t *testing.T) {
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	at := timestamppb.New(noon)
	memory := &camillov1.Memory{MemoryId: "m1", Content: "tea", Kind: Preference, OccurredAt: at}
	said := &camillov1.Chunk{
		ChunkId: "c1", OriginId: "e1", Text: "ada: 茶?", EventKind: camillov1.EventKind_EVENT_KIND_TOOL_RESULT, OccurredAt: at,
	}
	decided := &camillov1.Chunk{
		ChunkId: "c2", OriginId: "d1", Text: "Order tea", Source: camillov1.Source_SOURCE_DECISION, OccurredAt: at,
	}
	cited := &camillov1.DocumentCitation{DocumentId: "d2", Heading: "茶 > 水"}
	read := &camillov1.Chunk{
		ChunkId: "c3", OriginId: "d2", Text: "80 °C", Source: camillov1.Source_SOURCE_DOCUMENT, Citation: cited, OccurredAt: at,
	}
	stated := &camillov1.NewDecision{Decision: "Order tea", DecidedAt: at}
	found := &camillov1.FoundDecision{Decision: &camillov1.Decision{DecisionId: "d1", Stated: stated}}
	for name, each := range map[string]struct{ got, want Item }{
		"memory":   {ItemOf(hitOf(memory)), Item{"tea", "m1", "m1", "preference", noon, "memory", nil}},
		"event":    {ItemOf(passageHit(said)), Item{"ada: 茶?", "c1", "e1", "tool_result", noon, "", nil}},
		"decision": {ItemOf(passageHit(decided)), Item{"Order tea", "c2", "d1", "decision", noon, "decision", nil}},
		"document": {ItemOf(passageHit(read)), Item{"80 °C", "c3", "d2", "document", noon, "document", cited}},
		"queried":  {ItemOf(found), Item{"Order tea", "d1", "d1", "decision", noon, "decision", nil}},
	} {
		if each.got != each.want {
			t.Errorf("%s: %v, not %v", name, each.got, each.want)
		}
	}
}

func TestWhatANewerServerFoundIsEmptyAndAKindOfItANumber(t *testing.T) {
	for _, hit := range []*camillov1.RecallHit{nil, {}} {
		if got := ItemOf(hit); got != (Item{}) {
			t.Errorf("got %v", got)
		}
	}
	if got := ItemOf(hitOf(&camillov1.Memory{Kind: 77})); got.Kind != "77" || !got.OccurredAt.IsZero() {
		t.Errorf("got %v", got)
	}
}

func hitOf(memory *camillov1.Memory) *camillov1.RecallHit {
	source := camillov1.Source_SOURCE_MEMORY
	return &camillov1.RecallHit{Item: &camillov1.RecallHit_Memory{Memory: memory}, Source: source}
}

func passageHit(chunk *camillov1.Chunk) *camillov1.RecallHit {
	return &camillov1.RecallHit{Item: &camillov1.RecallHit_Chunk{Chunk: chunk}, Source: chunk.GetSource()}
}
