package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Workflows are the steps of workflows, as events.
type Workflows struct {
	client *Client
}

// Record stores a step. Everything else about its event is in `about`, which may be nil: the conversation is by default
// the run, else the workflow, and who caused it the system of the workflow's name. The beginning of a long output stays in the
// event, and the whole becomes an artifact.
func (w *Workflows) Record(
	ctx context.Context, step *camillov1.WorkflowStep, about *camillov1.NewEvent,
) (*WrittenEvent, error) {
	event := filledCopy(about)
	event.Kind = camillov1.EventKind_EVENT_KIND_WORKFLOW_STEP
	event.Content = &camillov1.NewEvent_WorkflowStep{WorkflowStep: step}
	if event.GetSessionId() == "" {
		event.SessionId = step.GetRun()
	}
	if event.GetSessionId() == "" {
		event.SessionId = step.GetWorkflow()
	}
	if event.GetActor() == nil {
		event.Actor = System(step.GetWorkflow())
	}
	return w.client.Events.Record(ctx, event)
}

// List is the steps of a workflow, those of the agent and the tenant's shared ones, in the order in which they happened. A run,
// statuses and a channel are in `how`, which may be nil.
func (w *Workflows) List(
	ctx context.Context, workflow string, how *camillov1.ListWorkflowRequest,
) iter.Seq2[*camillov1.Event, error] {
	request := filledCopy(how)
	request.Workflow = workflow
	pages := Pages(ctx, w.client.Events.service().ListWorkflow, request)
	return items(pages, (*camillov1.ListWorkflowResponse).GetSteps)
}
