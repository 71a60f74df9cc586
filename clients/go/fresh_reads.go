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

// demands is what this client, not its caller, demands of a read: a ticket for each field that says so.
type demands map[protoreflect.Name]ticket

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
		written.release(carried, u.request)
		return u.ask(ctx)
	}
	if err == nil {
		written.met(carried, u.response)
	}
	return err
}

// carry puts the client's demands into the request; none where nothing was written, or they are the caller's own.
func (w *writtenRevisions) carry(request proto.Message, agentID string) demands {
	carried := demands{}
	w.put(carried, request, freshnessField, agentID)
	if searchesShared(request) {
		w.put(carried, request, sharedFreshnessField, Shared)
	}
	return carried
}

func (w *writtenRevisions) put(into demands, request proto.Message, field protoreflect.Name, agentID string) {
	if part(request, field) != nil {
		return
	}
	ticket := w.begin(agentID)
	if wanted, hasWritten := w.demand(ticket); hasWritten {
		setFreshness(request, field, wanted)
		into[field] = ticket
	}
}

// met says that a read was answered so.
func (w *writtenRevisions) met(carried demands, answer proto.Message) {
	for field, ticket := range carried {
		if field == sharedFreshnessField {
			w.read(ticket, sharedRevisionOf(answer))
		} else {
			w.read(ticket, revisionOf(answer))
		}
	}
}

// release takes the demands out of a request, of which one is void.
func (w *writtenRevisions) release(carried demands, request proto.Message) {
	for field, ticket := range carried {
		w.drop(ticket)
		clearField(request, field)
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
