package camillo

import (
	camillov1 "camillo.dev/camillo/v1"
)

// Placement is where a write is by the time that it is answered.
type Placement struct {
	// Durability is unspecified where the server does not know of it.
	Durability camillov1.Durability
	// SpoolID names a write that was spooled, see [Spool]; else empty.
	SpoolID string
}

// WrittenMemory is a memory as [Client.Remember] stored it.
type WrittenMemory struct {
	*camillov1.Memory
	Placement
}

// WrittenEvent is what [Events.Record] made of an event.
type WrittenEvent struct {
	*camillov1.RecordedEvent
	Placement
}

// WrittenSlot is a version of a slot as [Slots.SetMemory] wrote it.
type WrittenSlot struct {
	*camillov1.Slot
	Placement
}

type placedAnswer interface {
	GetDurability() camillov1.Durability
	GetSpoolId() string
}

func placementOf(answer placedAnswer) Placement {
	return Placement{Durability: answer.GetDurability(), SpoolID: answer.GetSpoolId()}
}

// orEmpty is what was written; a write that was dropped may have left nothing.
func orEmpty[M any](message *M) *M {
	if message == nil {
		return new(M)
	}
	return message
}
