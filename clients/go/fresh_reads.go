package camillo

import (
	"context"
	"errors"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	camillov1 "camillo.dev/camillo/v1"
)

const freshnessKind = protoreflect.MessageKind

// The demands of a freshness, and the token of a revision in it.
const (
	atLeastField         protoreflect.Name = "at_least_as_fresh"
	fullyConsistentField protoreflect.Name = "fully_consistent"
	sharedFreshnessField protoreflect.Name = "shared_freshness"
)

// demands is what this client, not its caller, demands of a read.
type demands []carried

// carried is a demand in a field of a message.
type carried struct {
	ticket  ticket
	message proto.Message
	field   protoreflect.Name
}

// read demands the revision of the last write, unless the caller demands something itself.
func (u *unaryCall) read(ctx context.Context) error {
	written := u.client.shared.written
	carried := written.carry(u.request, u.agentID)
	err := u.ask(ctx)
	if len(carried) == 0 {
		return err
	}
	if errors.Is(err, RevisionUnknown) {
		// Not the caller's demand but ours, and void: the database was restored, or the scope removed.
		written.release(carried)
		return u.ask(ctx)
	}
	if err == nil {
		written.met(carried, u.response)
	}
	return err
}

// carry puts the client's demands into the request; none where nothing was written, or they are the caller's own.
func (w *writtenRevisions) carry(request proto.Message, agentID string) demands {
	demands := w.put(nil, request, freshnessField, agentID)
	if searchesShared(request) {
		demands = w.put(demands, request, sharedFreshnessField, Shared)
	}
	if reads, isReader := request.(spacesReader); isReader && len(reads.GetSpaces()) > 0 {
		// The request is a copy, what is in its list is the caller's.
		spaces := slices.Clone(reads.GetSpaces())
		for place, given := range spaces {
			read := copyOf(given).(*camillov1.SpaceRead)
			spaces[place] = read
			demands = w.put(demands, read, freshnessField, read.GetSpace())
		}
		setSpaces(reads, spaces)
	}
	return demands
}

func (w *writtenRevisions) put(
	demands demands, message proto.Message, field protoreflect.Name, agentID string,
) demands {
	if part(message, field) != nil {
		return demands
	}
	ticket := w.begin(agentID)
	if wanted, hasWritten := w.demand(ticket); hasWritten {
		setFreshness(message, field, wanted)
		demands = append(demands, carried{ticket, message, field})
	}
	return demands
}

// met says that a read was answered so.
func (w *writtenRevisions) met(carried demands, answer proto.Message) {
	for _, demand := range carried {
		switch space, isSpace := demand.message.(*camillov1.SpaceRead); {
		case isSpace:
			w.read(demand.ticket, spaceRevisionOf(answer, space.GetSpace()))
		case demand.field == sharedFreshnessField:
			w.read(demand.ticket, sharedRevisionOf(answer))
		default:
			w.read(demand.ticket, revisionOf(answer))
		}
	}
}

// spaceRevisionOf is the token of the revision at which a space was read beside the agent's own, which bundles keep for
// themselves; empty where there is none.
func spaceRevisionOf(answer proto.Message, space string) string {
	told, tells := readOf(answer).(interface {
		GetSpaces() []*camillov1.SpaceRevision
	})
	if tells {
		for _, read := range told.GetSpaces() {
			if read.GetSpace() == space {
				return read.GetRevision().GetToken()
			}
		}
	}
	return ""
}

// release takes the demands out of a request, of which one is void.
func (w *writtenRevisions) release(carried demands) {
	for _, demand := range carried {
		w.drop(demand.ticket)
		clearField(demand.message, demand.field)
	}
}

// searchesShared tells whether a read looks into the tenant's shared scope beside its own: what is in documents and in the
// audit trail is the tenant's, whichever agent asks.
func searchesShared(request proto.Message) bool {
	recall, isRecall := request.(*camillov1.RecallRequest)
	return isRecall && (recall.GetIncludeShared() ||
		slices.Contains(recall.GetSources(), camillov1.Source_SOURCE_DOCUMENT) ||
		slices.Contains(recall.GetSources(), camillov1.Source_SOURCE_AUDIT))
}

func setFreshness(request proto.Message, name protoreflect.Name, wanted demand) {
	into := request.ProtoReflect()
	field := into.Descriptor().Fields().ByName(name)
	freshness := into.NewField(field)
	fields := freshness.Message().Descriptor().Fields()
	if wanted.fullyConsistent {
		freshness.Message().Set(fields.ByName(fullyConsistentField), protoreflect.ValueOfBool(true))
	} else {
		revision := freshness.Message().Mutable(fields.ByName(atLeastField)).Message()
		setText(revision.Interface(), tokenField, wanted.atLeast)
	}
	into.Set(field, freshness)
}

func clearField(message proto.Message, name protoreflect.Name) {
	reflected := message.ProtoReflect()
	reflected.Clear(reflected.Descriptor().Fields().ByName(name))
}
