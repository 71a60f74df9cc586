package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Spool is what was acknowledged while Postgres was away and is not stored, and what the tenant wants of such writes. It is for
// keys of tenant administrators.
type Spool struct {
	client *Client
}

func (s *Spool) service() camillov1.SpoolServiceClient {
	return camillov1.NewSpoolServiceClient(s.client)
}

// List is all writes that failed, then those that wait on the disk of the server that answers, each the oldest first; those of
// one state where that is not unspecified. Failed writes are not seen while Postgres is away.
func (s *Spool) List(ctx context.Context, state camillov1.SpoolState) iter.Seq2[*camillov1.SpooledWrite, error] {
	pages := Pages(ctx, s.service().ListSpooled, &camillov1.ListSpooledRequest{State: state})
	return items(pages, (*camillov1.ListSpooledResponse).GetWrites)
}

// Retry tries up to 100 writes again that failed, in the order given: how many are stored now, and which failed again.
func (s *Spool) Retry(ctx context.Context, spoolIDs ...string) (*camillov1.RetrySpooledResponse, error) {
	return s.service().RetrySpooled(ctx, &camillov1.RetrySpooledRequest{SpoolIds: spoolIDs})
}

// Discard removes up to 1,000 writes that failed, for good, and tells how many there were.
func (s *Spool) Discard(ctx context.Context, spoolIDs ...string) (int, error) {
	answer, err := s.service().DiscardSpooled(ctx, &camillov1.DiscardSpooledRequest{SpoolIds: spoolIDs})
	return int(answer.GetDiscarded()), err
}

// Policy is what the tenant wants of its writes while Postgres is away.
func (s *Spool) Policy(ctx context.Context) (camillov1.SpoolPolicy, error) {
	answer, err := s.service().GetSpoolPolicy(ctx, &camillov1.GetSpoolPolicyRequest{})
	return answer.GetPolicy(), err
}

// SetPolicy changes that; every server follows within 15 seconds.
func (s *Spool) SetPolicy(ctx context.Context, policy camillov1.SpoolPolicy) (camillov1.SpoolPolicy, error) {
	answer, err := s.service().SetSpoolPolicy(ctx, &camillov1.SetSpoolPolicyRequest{Policy: policy})
	return answer.GetPolicy(), err
}
