package camillo

import (
	"testing"

	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

const (
	committed = camillov1.Durability_DURABILITY_COMMITTED
	spooled   = camillov1.Durability_DURABILITY_SPOOLED
	dropped   = camillov1.Durability_DURABILITY_DROPPED
)

func placementsOfEveryWrite(t *testing.T, client *Client) []Placement {
	t.Helper()
	memory, err := client.Remember(t.Context(), "茶 before dinner", nil)
	if err != nil {
		t.Fatal(err)
	}
	event, err := client.Events.Record(t.Context(), Message("s1", Human("ada"), "есть чай?"))
	if err != nil {
		t.Fatal(err)
	}
	step, err := client.Workflows.Record(t.Context(), &camillov1.WorkflowStep{Workflow: "backup", Step: "copy"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	slot, err := client.Slots.SetMemory(t.Context(), "/茶", "1", InWords("chat"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return []Placement{memory.Placement, event.Placement, step.Placement, slot.Placement}
}

func TestASpooledWriteTellsWhereItIsAndIsDemandedOfNoRead(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(&camillov1.RememberResponse{
		Memory: &camillov1.Memory{MemoryId: "m1"}, Durability: spooled, SpoolId: "s1",
	}))
	server.script("RecordEvent", says(&camillov1.RecordEventResponse{Durability: spooled, SpoolId: "s1"}))
	server.script("SetMemory", says(&camillov1.SetMemoryResponse{Durability: spooled, SpoolId: "s1"}))
	server.script("Recall", says(&camillov1.RecallResponse{Hits: []*camillov1.RecallHit{{IsSpooled: true}}}))
	for _, placement := range placementsOfEveryWrite(t, client) {
		if placement != (Placement{spooled, "s1"}) {
			t.Errorf("told was %v", placement)
		}
	}
	own := &camillov1.RememberRequest{RequestId: "mine"}
	if _, err := camillov1.NewMemoryServiceClient(client).Remember(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	answer, err := client.Recall(t.Context(), "茶", nil)
	if err != nil || !answer.GetHits()[0].GetIsSpooled() {
		t.Errorf("%v, %v", answer, err)
	}
	if sent := requests[*camillov1.RecallRequest](server, "Recall")[0]; sent.GetFreshness() != nil {
		t.Errorf("demanded was %v", sent.GetFreshness())
	}
}

func TestWhatWasStoredBeforeAndAfterASpooledWriteIsDemanded(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	first, last := remembered("r1"), remembered("r2")
	first.Durability, last.Durability = committed, committed
	between := &camillov1.RememberResponse{Memory: first.GetMemory(), Durability: spooled, SpoolId: "s1"}
	server.script("Remember", says(first), says(between), says(last))
	memory, err := client.Remember(t.Context(), "tea", nil)
	if err != nil || memory.Placement != (Placement{committed, ""}) || !proto.Equal(memory, first.GetMemory()) {
		t.Errorf("%v, %v", memory, err)
	}
	for range 2 {
		remember(t, client)
		_, _ = client.Recall(t.Context(), "tea", nil)
	}
	if got := recallDemands(server); got[0] != "r1" || got[1] != "r2" {
		t.Errorf("demanded was %v", got)
	}
}

func TestADroppedWriteHasNothingButThat(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", says(&camillov1.RememberResponse{Durability: dropped}))
	server.script("RecordEvent", says(&camillov1.RecordEventResponse{Durability: dropped}))
	server.script("SetMemory", says(&camillov1.SetMemoryResponse{Durability: dropped}))
	for _, placement := range placementsOfEveryWrite(t, client) {
		if placement != (Placement{dropped, ""}) {
			t.Errorf("told was %v", placement)
		}
	}
	memory, err := client.Remember(t.Context(), "tea", nil)
	if err != nil || memory.MemoryId != "" {
		t.Errorf("%v, %v", memory, err)
	}
}
