package camillo

import (
	"slices"
	"testing"

	camillov1 "camillo.dev/camillo/v1"
)

func TestSpooledWritesAreListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	of := func(id string) []*camillov1.SpooledWrite { return []*camillov1.SpooledWrite{{SpoolId: id}} }
	server.script("ListSpooled", says(&camillov1.ListSpooledResponse{Writes: of("s1"), NextPageToken: "p2"}),
		says(&camillov1.ListSpooledResponse{Writes: of("s2")}))
	var ids []string
	for write, err := range client.Spool.List(t.Context(), camillov1.SpoolState_SPOOL_STATE_FAILED) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, write.GetSpoolId())
	}
	sent := requests[*camillov1.ListSpooledRequest](server, "ListSpooled")
	if !slices.Equal(ids, []string{"s1", "s2"}) || sent[1].GetPageToken() != "p2" {
		t.Errorf("%v by %v", ids, sent)
	}
	if sent[1].GetState() != camillov1.SpoolState_SPOOL_STATE_FAILED {
		t.Errorf("asked was %v", sent)
	}
}

func TestWritesThatFailedAreRetriedAndDiscarded(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	failed := []*camillov1.SpooledWrite{{SpoolId: "s1"}}
	server.script("RetrySpooled", says(&camillov1.RetrySpooledResponse{Stored: 1, Failed: failed}))
	server.script("DiscardSpooled", says(&camillov1.DiscardSpooledResponse{Discarded: 1}))
	answer, err := client.Spool.Retry(t.Context(), "s1", "s2")
	if err != nil || answer.GetStored() != 1 || answer.GetFailed()[0].GetSpoolId() != "s1" {
		t.Errorf("%v, %v", answer, err)
	}
	if count, err := client.Spool.Discard(t.Context(), "s1"); err != nil || count != 1 {
		t.Errorf("%v, %v", count, err)
	}
	sent := requests[*camillov1.DiscardSpooledRequest](server, "DiscardSpooled")[0]
	if sent.GetRequestId() == "" || !slices.Equal(sent.GetSpoolIds(), []string{"s1"}) {
		t.Errorf("sent was %v", sent)
	}
}

func TestTheSpoolPolicyIsReadAndSet(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	kept, drop := camillov1.SpoolPolicy_SPOOL_POLICY_SPOOL, camillov1.SpoolPolicy_SPOOL_POLICY_DROP
	server.script("GetSpoolPolicy", says(&camillov1.GetSpoolPolicyResponse{Policy: kept}))
	server.script("SetSpoolPolicy", says(&camillov1.SetSpoolPolicyResponse{Policy: drop}))
	if policy, err := client.Spool.Policy(t.Context()); err != nil || policy != kept {
		t.Errorf("%v, %v", policy, err)
	}
	if policy, err := client.Spool.SetPolicy(t.Context(), drop); err != nil || policy != drop {
		t.Errorf("%v, %v", policy, err)
	}
	if sent := requests[*camillov1.SetSpoolPolicyRequest](server, "SetSpoolPolicy")[0]; sent.GetPolicy() != drop {
		t.Errorf("sent was %v", sent)
	}
}
