package camillo

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

const slotKey = "/user/calendar/2026-02-23_10-00_牙科复诊"

func TestASlotIsSetWithItsSourceAndWhatElseIsSaid(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("SetMemory", says(&camillov1.SetMemoryResponse{Slot: &camillov1.Slot{Version: 1}}),
		says(&camillov1.SetMemoryResponse{}))
	how := &camillov1.SetMemoryRequest{IfVersion: proto.Int64(0), Sensitivity: camillov1.Sensitivity_SENSITIVITY_PUBLIC}
	content := "{\"n\": 1.0, \"text\": \"牙科 🦷 שלום e\u0301\"}\n"
	slot, err := client.Slots.SetMemory(t.Context(), slotKey, content, InWords("chat"), how)
	if err != nil || slot.GetVersion() != 1 {
		t.Fatalf("%v, %v", slot, err)
	}
	page := &camillov1.SlotProvenance{Kind: camillov1.ProvenanceKind_PROVENANCE_KIND_WEB, Name: "example.com"}
	if _, err := client.Slots.SetMemory(t.Context(), "/kb/tea", "null", From(page), nil); err != nil {
		t.Fatal(err)
	}
	sent := requests[*camillov1.SetMemoryRequest](server, "SetMemory")
	if sent[0].GetKey() != slotKey || sent[0].GetJsonContent() != content || sent[0].GetSource().GetText() != "chat" {
		t.Errorf("sent was %v", sent[0])
	}
	if sent[0].IfVersion == nil || sent[0].GetSensitivity() != how.GetSensitivity() || sent[0].GetRequestId() == "" {
		t.Errorf("sent was %v", sent[0])
	}
	if sent[1].GetSource().GetProvenance().GetName() != "example.com" || sent[1].IfVersion != nil {
		t.Errorf("sent was %v", sent[1])
	}
	if how.GetKey() != "" {
		t.Errorf("the caller's became %v", how)
	}
}

func TestWhatASlotIsRefusedForIsTyped(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("SetMemory", refuses(failed(codes.FailedPrecondition, "PROVENANCE_REQUIRED")),
		refuses(failed(codes.Aborted, "VERSION_CONFLICT")))
	server.script("GetSlot", refuses(failed(codes.NotFound, "SLOT_NOT_FOUND")))
	_, err := client.Slots.SetMemory(t.Context(), "/kb/tea", "1", InWords("chat"), nil)
	if !errors.Is(err, ProvenanceRequired) || errors.Is(err, VersionConflict) {
		t.Errorf("%v", err)
	}
	if _, err = client.Slots.SetMemory(t.Context(), slotKey, "1", InWords("chat"), nil); !errors.Is(err, VersionConflict) {
		t.Errorf("%v", err)
	}
	how := &camillov1.GetSlotRequest{Shared: true}
	if _, err = client.Slots.Get(t.Context(), slotKey, how); !errors.Is(err, SlotNotFound) || !errors.Is(err, NotFound) {
		t.Errorf("%v", err)
	}
	if sent := requests[*camillov1.GetSlotRequest](server, "GetSlot")[0]; sent.GetKey() != slotKey || !sent.GetShared() {
		t.Errorf("sent was %v", sent)
	}
}

func TestSlotsAndVersionsAreListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	entries := func(next string, keys ...string) *camillov1.ListSlotsResponse {
		page := &camillov1.ListSlotsResponse{NextPageToken: next}
		for _, key := range keys {
			page.Entries = append(page.Entries, &camillov1.SlotEntry{Key: key})
		}
		return page
	}
	server.script("ListSlots", says(entries("p2", "/user/a", "/user/b")), says(entries("", "/user/c")))
	var keys []string
	for entry, err := range client.Slots.List(t.Context(), "/user", &camillov1.ListSlotsRequest{OneLevel: true}) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, entry.GetKey())
	}
	sent := requests[*camillov1.ListSlotsRequest](server, "ListSlots")
	if !slices.Equal(keys, []string{"/user/a", "/user/b", "/user/c"}) || sent[1].GetPageToken() != "p2" {
		t.Fatalf("%v by %v", keys, sent)
	}
	if sent[1].GetPrefix() != "/user" || !sent[1].GetOneLevel() {
		t.Errorf("sent was %v", sent[1])
	}
	server.script("ListSlotHistory",
		says(&camillov1.ListSlotHistoryResponse{Versions: []*camillov1.Slot{{Version: 2}}, NextPageToken: "p2"}),
		says(&camillov1.ListSlotHistoryResponse{Versions: []*camillov1.Slot{{Version: 1}}}))
	var versions []int64
	for slot, err := range client.Slots.History(t.Context(), slotKey, nil) {
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, slot.GetVersion())
	}
	if !slices.Equal(versions, []int64{2, 1}) {
		t.Errorf("%v", versions)
	}
}

func TestAnEarlierVersionIsWrittenAgain(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("RestoreSlot", says(&camillov1.RestoreSlotResponse{Slot: &camillov1.Slot{Version: 3}}))
	slot, err := client.Slots.Restore(t.Context(), slotKey, 1, &camillov1.RestoreSlotRequest{IfVersion: proto.Int64(2)})
	if err != nil || slot.GetVersion() != 3 {
		t.Fatalf("%v, %v", slot, err)
	}
	sent := requests[*camillov1.RestoreSlotRequest](server, "RestoreSlot")[0]
	if sent.GetKey() != slotKey || sent.GetVersion() != 1 || sent.GetIfVersion() != 2 || sent.GetRequestId() == "" {
		t.Errorf("sent was %v", sent)
	}
}

func TestAWatchOfSlotsGoesOnWhereItBroke(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	written := func(token string) *camillov1.WatchSlotsResponse {
		slot := &camillov1.SlotChange_Written{Written: &camillov1.Slot{Key: slotKey}}
		return &camillov1.WatchSlotsResponse{Change: &camillov1.SlotChange{ResumeToken: token, Change: slot}}
	}
	server.script("WatchSlots", saysThen(unavailable(), written("t1")), says(written("t2")))
	start := &camillov1.WatchSlotsRequest{
		Prefix: "/user", Start: &camillov1.WatchSlotsRequest_FromBeginning{FromBeginning: true},
	}
	var tokens []string
	for change, err := range client.Slots.Watch(t.Context(), start) {
		if err != nil || change.GetWritten().GetKey() != slotKey {
			t.Fatalf("%v, %v", change, err)
		}
		if tokens = append(tokens, change.GetResumeToken()); len(tokens) == 2 {
			break
		}
	}
	sent := requests[*camillov1.WatchSlotsRequest](server, "WatchSlots")
	if !slices.Equal(tokens, []string{"t1", "t2"}) || sent[0].GetPrefix() != "/user" || sent[1].GetResumeToken() != "t1" {
		t.Errorf("%v came of %v", tokens, sent)
	}
}

func TestADigestIsAskedForInTheWordsOfTheContract(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	bundle := &camillov1.Bundle{Prompt: "- user/style 茶"}
	server.script("BuildDigest", says(&camillov1.BuildDigestResponse{Bundle: bundle}))
	how := &camillov1.BuildDigestRequest{TokenLimit: proto.Int32(100), Tags: []string{"茶"}}
	digest, err := client.Context.Digest(t.Context(), how)
	if err != nil || digest.GetPrompt() != bundle.GetPrompt() {
		t.Fatalf("%v, %v", digest, err)
	}
	sent := requests[*camillov1.BuildDigestRequest](server, "BuildDigest")[0]
	if sent.GetTokenLimit() != 100 || !slices.Equal(sent.GetTags(), how.GetTags()) {
		t.Errorf("sent was %v", sent)
	}
}
