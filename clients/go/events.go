package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Events are append-only: nothing of an event ever changes.
type Events struct {
	client *Client
}

func (e *Events) service() camillov1.EventServiceClient {
	return camillov1.NewEventServiceClient(e.client)
}

// Record stores one event; see [Message] and the types of its content in camillov1. Durability of the result says where the
// event is.
func (e *Events) Record(ctx context.Context, event *camillov1.NewEvent) (*WrittenEvent, error) {
	answer, err := e.service().RecordEvent(ctx, &camillov1.RecordEventRequest{Event: event})
	if err != nil {
		return nil, err
	}
	return &WrittenEvent{orEmpty(answer.GetRecorded()), placementOf(answer)}, nil
}

// Get is one event and the ids of its chunks; [EventNotFound] if there is none.
func (e *Events) Get(ctx context.Context, eventID string) (*camillov1.GetEventResponse, error) {
	return e.service().GetEvent(ctx, &camillov1.GetEventRequest{EventId: eventID})
}

// List is all events that pass a filter, in the order of recording; nil: all.
func (e *Events) List(
	ctx context.Context, filter *camillov1.EventFilter,
) iter.Seq2[*camillov1.Event, error] {
	pages := Pages(ctx, e.service().ListEvents, &camillov1.ListEventsRequest{Filter: filter})
	return items(pages, (*camillov1.ListEventsResponse).GetEvents)
}

// Message is the event that somebody said something in a conversation.
func Message(sessionID string, actor *camillov1.Actor, text string) *camillov1.NewEvent {
	return &camillov1.NewEvent{
		SessionId: sessionID, Actor: actor, Content: &camillov1.NewEvent_Text{Text: text},
	}
}

// Human is a person, by name.
func Human(name string) *camillov1.Actor {
	return &camillov1.Actor{Type: camillov1.ActorType_ACTOR_TYPE_HUMAN, Id: name}
}

// Agent is an agent, by its id.
func Agent(agentID string) *camillov1.Actor {
	return &camillov1.Actor{Type: camillov1.ActorType_ACTOR_TYPE_AGENT, Id: agentID}
}

// Tool is a tool, by name.
func Tool(name string) *camillov1.Actor {
	return &camillov1.Actor{Type: camillov1.ActorType_ACTOR_TYPE_TOOL, Id: name}
}

// System is the runtime or another program, by name.
func System(name string) *camillov1.Actor {
	return &camillov1.Actor{Type: camillov1.ActorType_ACTOR_TYPE_SYSTEM, Id: name}
}
