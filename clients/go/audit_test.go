package camillo

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"

	camillov1 "camillo.dev/camillo/v1"
)

func TestAnActionIsEnteredInTheTrail(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("RecordAuditEntry", says(&camillov1.RecordAuditEntryResponse{ActionId: "a1"}))
	about := &camillov1.NewAuditAction{SessionId: "s"}
	answer, err := client.Audit.Record(t.Context(), "invoice.approved", "发票 🧾", about)
	if err != nil || answer.GetActionId() != "a1" || about.GetAction() != "" {
		t.Fatalf("%v, %v", answer, err)
	}
	sent := requests[*camillov1.RecordAuditEntryRequest](server, "RecordAuditEntry")[0]
	action := sent.GetAction()
	if action.GetAction() != "invoice.approved" || action.GetMessage() != "发票 🧾" || action.GetSessionId() != "s" {
		t.Errorf("sent was %v", sent)
	}
	if sent.GetAgentId() != "ada" || sent.GetRequestId() == "" {
		t.Errorf("sent was %v", sent)
	}
}

func TestEntriesAreListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	of := func(position int64) []*camillov1.AuditEntry { return []*camillov1.AuditEntry{{Position: position}} }
	server.script("ListAuditEntries", says(&camillov1.ListAuditEntriesResponse{Entries: of(2), NextPageToken: "p2"}),
		says(&camillov1.ListAuditEntriesResponse{Entries: of(1)}))
	var positions []int64
	for entry, err := range client.Audit.List(t.Context(), &camillov1.AuditFilter{Method: "MemoryService/"}) {
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, entry.GetPosition())
	}
	sent := requests[*camillov1.ListAuditEntriesRequest](server, "ListAuditEntries")
	if !slices.Equal(positions, []int64{2, 1}) || sent[1].GetFilter().GetMethod() != "MemoryService/" {
		t.Errorf("%v by %v", positions, sent)
	}
}

func TestAWatchOfTheTrailGoesOnBehindTheLastChange(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	told := func(token string) *camillov1.WatchAuditResponse {
		return &camillov1.WatchAuditResponse{Change: &camillov1.AuditChange{ResumeToken: token}}
	}
	server.script("WatchAudit", saysThen(unavailable(), told("1")), says(told("2")))
	var tokens []string
	for change, err := range client.Audit.Watch(t.Context(), &camillov1.WatchAuditRequest{ResumeToken: "0"}) {
		if err != nil {
			t.Fatal(err)
		}
		if tokens = append(tokens, change.GetResumeToken()); len(tokens) == 2 {
			break
		}
	}
	sent := requests[*camillov1.WatchAuditRequest](server, "WatchAudit")
	if !slices.Equal(tokens, []string{"1", "2"}) || sent[0].GetResumeToken() != "0" || sent[1].GetResumeToken() != "1" {
		t.Errorf("%v by %v", tokens, sent)
	}
}

func TestChainsAreCheckedAgainstHeadsThatAreKnown(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("VerifyAudit", says(
		&camillov1.VerifyAuditResponse{Entries: 7},
		&camillov1.VerifyAuditResponse{Problems: []*camillov1.AuditProblem{{Position: 3}}}))
	var problems []int
	for found, err := range client.Audit.Verify(t.Context(), &camillov1.AuditHead{AgentId: "ada", Position: 3}) {
		if err != nil {
			t.Fatal(err)
		}
		problems = append(problems, len(found.GetProblems()))
	}
	sent := requests[*camillov1.VerifyAuditRequest](server, "VerifyAudit")
	if !slices.Equal(problems, []int{0, 1}) || sent[0].GetKnownHeads()[0].GetPosition() != 3 {
		t.Errorf("%v by %v", problems, sent)
	}
}

func TestThePolicyOfTheTrailIsReadAndSet(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	policy := &camillov1.AuditPolicy{RetentionDays: 90, AuditReads: true}
	server.script("GetAuditPolicy", says(&camillov1.GetAuditPolicyResponse{Policy: policy}))
	server.script("SetAuditPolicy", says(&camillov1.SetAuditPolicyResponse{Policy: policy}),
		refuses(failed(codes.PermissionDenied, "SCOPE_FORBIDDEN")))
	read, err := client.Audit.Policy(t.Context())
	if err != nil || read.GetRetentionDays() != 90 {
		t.Fatalf("%v, %v", read, err)
	}
	set, err := client.Audit.SetPolicy(t.Context(), policy)
	if err != nil || !set.GetAuditReads() {
		t.Fatalf("%v, %v", set, err)
	}
	if _, err := client.Audit.SetPolicy(t.Context(), policy); !errors.Is(err, ScopeForbidden) {
		t.Errorf("%v", err)
	}
	if sent := requests[*camillov1.SetAuditPolicyRequest](server, "SetAuditPolicy")[0]; sent.GetPolicy().GetRetentionDays() != 90 {
		t.Errorf("sent was %v", sent)
	}
}
