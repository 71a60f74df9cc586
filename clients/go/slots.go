package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Slots are JSON under keys: the last write of a key is in force, and its history has every version. Everything
// else about a call is in its request `how`, which may be nil: a version that is demanded, a channel, the shared scope.
type Slots struct {
	client *Client
}

func (s *Slots) service() camillov1.SlotServiceClient {
	return camillov1.NewSlotServiceClient(s.client)
}

// SetMemory writes JSON text under a key, kept byte for byte; `null` is a tombstone. The source is made by [InWords] or
// [From]; [ProvenanceRequired] where content from outside does not tell all of it, [VersionConflict] where the slot is not at
// the `if_version` of `how`. Durability of the result says where the version is; its number is 0 while it is spooled.
func (s *Slots) SetMemory(
	ctx context.Context, key, json string, source *camillov1.SlotSource, how *camillov1.SetMemoryRequest,
) (*WrittenSlot, error) {
	request := filledCopy(how)
	request.Key, request.JsonContent, request.Source = key, json, source
	answer, err := s.service().SetMemory(ctx, request)
	if err != nil {
		return nil, err
	}
	return &WrittenSlot{orEmpty(answer.GetSlot()), placementOf(answer)}, nil
}

// Get is the newest version of a slot; [SlotNotFound] if it has no content.
func (s *Slots) Get(ctx context.Context, key string, how *camillov1.GetSlotRequest) (*camillov1.Slot, error) {
	request := filledCopy(how)
	request.Key = key
	answer, err := s.service().GetSlot(ctx, request)
	return answer.GetSlot(), err
}

// List is what stands below a prefix, in the order of keys; below the empty one: all. Conditions are in `how`.
func (s *Slots) List(
	ctx context.Context, prefix string, how *camillov1.ListSlotsRequest,
) iter.Seq2[*camillov1.SlotEntry, error] {
	request := filledCopy(how)
	request.Prefix = prefix
	return items(Pages(ctx, s.service().ListSlots, request), (*camillov1.ListSlotsResponse).GetEntries)
}

// History is every version of a slot, the newest first, tombstones among them.
func (s *Slots) History(
	ctx context.Context, key string, how *camillov1.ListSlotHistoryRequest,
) iter.Seq2[*camillov1.Slot, error] {
	request := filledCopy(how)
	request.Key = key
	pages := Pages(ctx, s.service().ListSlotHistory, request)
	return items(pages, (*camillov1.ListSlotHistoryResponse).GetVersions)
}

// Restore writes the content of an earlier version again, as the newest one.
func (s *Slots) Restore(
	ctx context.Context, key string, version int64, how *camillov1.RestoreSlotRequest,
) (*camillov1.Slot, error) {
	request := filledCopy(how)
	request.Key, request.Version = key, version
	answer, err := s.service().RestoreSlot(ctx, request)
	return answer.GetSlot(), err
}

// InWords is a source in words alone.
func InWords(text string) *camillov1.SlotSource {
	return &camillov1.SlotSource{Stated: &camillov1.SlotSource_Text{Text: text}}
}

// From is a source that can be found again.
func From(provenance *camillov1.SlotProvenance) *camillov1.SlotSource {
	return &camillov1.SlotSource{Stated: &camillov1.SlotSource_Provenance{Provenance: provenance}}
}
