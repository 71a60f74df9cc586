package camillo

import (
	"slices"
	"testing"

	camillov1 "camillo.dev/camillo/v1"
)

func TestAStepIsAnEventOfItsRun(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("RecordEvent", says(&camillov1.RecordEventResponse{Recorded: &camillov1.RecordedEvent{EventId: "e1"}}))
	step := &camillov1.WorkflowStep{
		Workflow: "backup", Run: "r-7", Step: "copy", Status: camillov1.WorkflowStatus_WORKFLOW_STATUS_FAILED, Output: "备份 🗄️",
	}
	recorded, err := client.Workflows.Record(t.Context(), step, nil)
	if err != nil || recorded.GetEventId() != "e1" {
		t.Fatalf("%v, %v", recorded, err)
	}
	about := &camillov1.NewEvent{SessionId: "s1", Actor: Agent("ada"), Tags: []string{"夜"}}
	_, _ = client.Workflows.Record(t.Context(), &camillov1.WorkflowStep{Workflow: "backup", Step: "copy"}, about)
	_, _ = client.Workflows.Record(t.Context(), &camillov1.WorkflowStep{Workflow: "backup", Step: "copy"}, nil)
	var sessions, actors []string
	for _, sent := range requests[*camillov1.RecordEventRequest](server, "RecordEvent") {
		event := sent.GetEvent()
		sessions, actors = append(sessions, event.GetSessionId()), append(actors, event.GetActor().GetId())
		if event.GetKind() != camillov1.EventKind_EVENT_KIND_WORKFLOW_STEP || event.GetWorkflowStep().GetStep() != "copy" {
			t.Errorf("sent was %v", sent)
		}
	}
	if !slices.Equal(sessions, []string{"r-7", "s1", "backup"}) || !slices.Equal(actors, []string{"backup", "ada", "backup"}) {
		t.Errorf("%v by %v", sessions, actors)
	}
	if about.GetContent() != nil {
		t.Errorf("the caller's became %v", about)
	}
}

func TestTheStepsOfAWorkflowAreListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	of := func(id string) []*camillov1.Event { return []*camillov1.Event{{EventId: id}} }
	server.script("ListWorkflow", says(&camillov1.ListWorkflowResponse{Steps: of("e1"), NextPageToken: "p2"}),
		says(&camillov1.ListWorkflowResponse{Steps: of("e2")}))
	how := &camillov1.ListWorkflowRequest{
		Run: "r-7", Statuses: []camillov1.WorkflowStatus{camillov1.WorkflowStatus_WORKFLOW_STATUS_FAILED},
	}
	var ids []string
	for step, err := range client.Workflows.List(t.Context(), "backup", how) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, step.GetEventId())
	}
	sent := requests[*camillov1.ListWorkflowRequest](server, "ListWorkflow")
	if !slices.Equal(ids, []string{"e1", "e2"}) || sent[1].GetPageToken() != "p2" {
		t.Fatalf("%v by %v", ids, sent)
	}
	if sent[1].GetWorkflow() != "backup" || sent[1].GetRun() != "r-7" || len(sent[1].GetStatuses()) != 1 {
		t.Errorf("sent was %v", sent[1])
	}
}
