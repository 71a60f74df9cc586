package camillo

import (
	"context"
	"errors"

	camillov1 "camillo.dev/camillo/v1"
)

// carriedRecall is one recall of a batch, and what this client demands of it.
type carriedRecall struct {
	request *camillov1.RecallRequest
	carried demands
}

// recallEach lets each recall demand for itself; if a demand of this client's is void, the batch is asked once more.
func (u *unaryCall) recallEach(
	ctx context.Context, batch *camillov1.BatchRecallRequest, answers *camillov1.BatchRecallResponse,
) error {
	recalls := u.carryEach(batch)
	if err := u.ask(ctx); err != nil {
		return err
	}
	isVoid := false
	for place, result := range answers.GetResults() {
		if place < len(recalls) && !u.settle(recalls[place], result) {
			isVoid = true
		}
	}
	if isVoid {
		return u.ask(ctx)
	}
	return nil
}

// carryEach puts copies in the place of the caller's recalls, with what the client fills in.
func (u *unaryCall) carryEach(batch *camillov1.BatchRecallRequest) []carriedRecall {
	var recalls []carriedRecall
	var requests []*camillov1.RecallRequest
	for _, given := range batch.GetRequests() {
		request := filledCopy(given)
		u.client.address(request)
		carried := u.client.shared.written.carry(request, u.client.agentOf(request))
		recalls = append(recalls, carriedRecall{request, carried})
		requests = append(requests, request)
	}
	batch.Requests = requests
	return recalls
}

// settle is false where the demand was void: the database was restored, or the scope removed.
func (u *unaryCall) settle(recall carriedRecall, result *camillov1.BatchRecallResult) bool {
	written := u.client.shared.written
	switch {
	case len(recall.carried) == 0:
		return true
	case result.GetResponse() != nil:
		written.met(recall.carried, result.GetResponse())
		return true
	case !errors.Is(ErrorOf(result.GetError()), RevisionUnknown):
		return true
	}
	written.release(recall.carried)
	return false
}
