package camillo

import (
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	camillov1 "camillo.dev/camillo/v1"
)

// Item is what a hit is about, whether it is a memory, a passage of an event or a document, or a decision.
type Item struct {
	// Text is a memory's content, a passage, or what was decided.
	Text string
	// ID is its own id, which no other hit of an answer has.
	ID string
	// Ref is the id of the whole memory, event, document or decision, which `refs` cites; passages of one event have the same.
	Ref string
	// Kind is that of the memory (`preference`) or of the event (`message`), or `decision`.
	Kind string
	// OccurredAt is when it happened, in UTC.
	OccurredAt time.Time
	// Source is where it was found: `memory`, `event`, `document` and so on.
	Source string
	// Citation is where in its document a passage is; nil for what is of no document.
	Citation *camillov1.DocumentCitation
}

// ItemOf reads a hit of [Client.Recall], or a decision that a query found. The item is empty where a newer server found
// what this client does not know.
func ItemOf[H *camillov1.RecallHit | *camillov1.FoundDecision](hit H) Item {
	switch of := any(hit).(type) {
	case *camillov1.RecallHit:
		return recalledItem(of)
	case *camillov1.FoundDecision:
		decision := of.GetDecision()
		id, stated := decision.GetDecisionId(), decision.GetStated()
		at := timeOf(stated.GetDecidedAt())
		return Item{stated.GetDecision(), id, id, "decision", at, "decision", nil}
	}
	return Item{}
}

func recalledItem(hit *camillov1.RecallHit) Item {
	source := ""
	if hit.GetSource() != 0 {
		source = enumName(hit.GetSource())
	}
	if memory := hit.GetMemory(); memory != nil {
		id := memory.GetMemoryId()
		kind, at := enumName(memory.GetKind()), timeOf(memory.GetOccurredAt())
		return Item{memory.GetContent(), id, id, kind, at, source, nil}
	}
	chunk := hit.GetChunk()
	if chunk == nil {
		return Item{}
	}
	kind := enumName(chunk.GetSource())
	if chunk.GetEventKind() != 0 {
		kind = enumName(chunk.GetEventKind())
	}
	at, citation := timeOf(chunk.GetOccurredAt()), chunk.GetCitation()
	return Item{chunk.GetText(), chunk.GetChunkId(), chunk.GetOriginId(), kind, at, source, citation}
}

// enumName is the name of a value in lower case, without the prefix; its number where this client does not know it.
func enumName(value protoreflect.Enum) string {
	values := value.Descriptor().Values()
	known := values.ByNumber(value.Number())
	if known == nil {
		return strconv.Itoa(int(value.Number()))
	}
	// Every enum of the contract names its zero `<PREFIX>UNSPECIFIED`.
	prefix := strings.TrimSuffix(string(values.ByNumber(0).Name()), "UNSPECIFIED")
	return strings.ToLower(strings.TrimPrefix(string(known.Name()), prefix))
}

// timeOf is the zero time where there is none, not that of 1970.
func timeOf(timestamp *timestamppb.Timestamp) time.Time {
	if timestamp == nil {
		return time.Time{}
	}
	return timestamp.AsTime()
}
