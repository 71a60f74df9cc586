package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Audit is the audit trail of the tenant. All but Record is for keys of tenant administrators that reach every agent.
type Audit struct {
	client *Client
}

func (a *Audit) service() camillov1.AuditServiceClient {
	return camillov1.NewAuditServiceClient(a.client)
}

// Record enters an action of the agent's runtime, such as `invoice.approved`; every agent of the tenant finds it. Everything
// else about it is in `about`, which may be nil.
func (a *Audit) Record(
	ctx context.Context, action, message string, about *camillov1.NewAuditAction,
) (*camillov1.RecordAuditEntryResponse, error) {
	entered := filledCopy(about)
	entered.Action, entered.Message = action, message
	return a.service().RecordAuditEntry(ctx, &camillov1.RecordAuditEntryRequest{Action: entered})
}

// List is all entries that pass a filter, the last committed first; nil: all.
func (a *Audit) List(
	ctx context.Context, filter *camillov1.AuditFilter,
) iter.Seq2[*camillov1.AuditEntry, error] {
	pages := Pages(ctx, a.service().ListAuditEntries, &camillov1.ListAuditEntriesRequest{Filter: filter})
	return items(pages, (*camillov1.ListAuditEntriesResponse).GetEntries)
}

// Verify checks every chain of the tenant: what was found of each, by agent. Known heads are those that an earlier check has
// told. There is no deadline but the context's.
func (a *Audit) Verify(
	ctx context.Context, knownHeads ...*camillov1.AuditHead,
) iter.Seq2[*camillov1.VerifyAuditResponse, error] {
	return Stream(ctx, a.service().VerifyAudit, &camillov1.VerifyAuditRequest{KnownHeads: knownHeads})
}

// Policy is how long the tenant keeps entries, and whether reads leave any.
func (a *Audit) Policy(ctx context.Context) (*camillov1.AuditPolicy, error) {
	answer, err := a.service().GetAuditPolicy(ctx, &camillov1.GetAuditPolicyRequest{})
	return answer.GetPolicy(), err
}

// SetPolicy changes that, all of it.
func (a *Audit) SetPolicy(ctx context.Context, policy *camillov1.AuditPolicy) (*camillov1.AuditPolicy, error) {
	answer, err := a.service().SetAuditPolicy(ctx, &camillov1.SetAuditPolicyRequest{Policy: policy})
	return answer.GetPolicy(), err
}
