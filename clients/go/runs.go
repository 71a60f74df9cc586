package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Runs are what an agent keeps in mind from the start of a run to its end. Methods that are no lists are called by a stub made with
// the client, [camillov1.NewRunServiceClient].
type Runs struct {
	client *Client
}

// List is all runs that have not ended, the last started first; of any conversation where sessionID is empty.
func (r *Runs) List(ctx context.Context, sessionID string) iter.Seq2[*camillov1.Run, error] {
	service := camillov1.NewRunServiceClient(r.client)
	pages := Pages(ctx, service.ListRuns, &camillov1.ListRunsRequest{SessionId: sessionID})
	return items(pages, (*camillov1.ListRunsResponse).GetRuns)
}
