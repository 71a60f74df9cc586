package camillo

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const freshnessKind = protoreflect.MessageKind

// The demands of a freshness, and the token of a revision in it.
const (
	atLeastField         protoreflect.Name = "at_least_as_fresh"
	fullyConsistentField protoreflect.Name = "fully_consistent"
)

// read demands the revision of the last write, unless the caller demands something itself.
func (u *unaryCall) read(ctx context.Context) error {
	written := u.client.shared.written
	ticket, carried := written.carry(u.request, u.agentID)
	err := u.ask(ctx)
	if !carried {
		return err
	}
	if errors.Is(err, RevisionUnknown) {
		// Not the caller's demand but ours, and void: the database was restored, or the scope removed.
		written.drop(ticket)
		clearField(u.request, freshnessField)
		return u.ask(ctx)
	}
	if err == nil {
		written.read(ticket, revisionOf(u.response))
	}
	return err
}

// carry puts the client's demand into the request; false if there is none, or the caller's own.
func (w *writtenRevisions) carry(request proto.Message, agentID string) (ticket, bool) {
	if part(request, freshnessField) != nil {
		return ticket{}, false
	}
	ticket := w.begin(agentID)
	wanted, hasWritten := w.demand(ticket)
	if hasWritten {
		setFreshness(request, wanted)
	}
	return ticket, hasWritten
}

func setFreshness(request proto.Message, wanted demand) {
	into := request.ProtoReflect()
	field := into.Descriptor().Fields().ByName(freshnessField)
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
