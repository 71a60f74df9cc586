package camillo

import (
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	camillov1 "camillo.dev/camillo/v1"
)

// scriptExamples is what the examples show.
func scriptExamples(server *fakeServer) {
	memory := &camillov1.Memory{MemoryId: "m1", Version: 1, Content: "Ada prefers tea to coffee"}
	hit := &camillov1.RecallHit{Item: &camillov1.RecallHit_Memory{Memory: memory}, Score: 0.75}
	const ref = "[MemoryRef: make_tea_7f3k9q2mxd - make tea, 10,000 lines]"
	server.script("WhoAmI", says(&camillov1.WhoAmIResponse{TenantId: "acme", AgentId: "ada"}))
	server.script("Remember", says(&camillov1.RememberResponse{Memory: memory}))
	server.script("Recall", says(&camillov1.RecallResponse{Hits: []*camillov1.RecallHit{hit}}))
	server.script("ListMemories", says(&camillov1.ListMemoriesResponse{Memories: []*camillov1.Memory{memory}}))
	server.script("ListAgents", says(&camillov1.ListAgentsResponse{Agents: []*camillov1.Agent{{}}}))
	server.script("PutArtifact", takes(&takenUpload{}, 0, nil))
	server.script("WatchMemories", says(&camillov1.WatchMemoriesResponse{Change: &camillov1.MemoryChange{
		ResumeToken: "t1", Event: &camillov1.MemoryChange_Changed{Changed: memory},
	}}))
	server.script("PublishDocument", takesDocument(&takenDocument{}, published("s1"), nil))
	server.script("OffloadOutput", says(&camillov1.OffloadOutputResponse{Text: ref}))
	server.script("UpdateMemory", refuses(failedWith(codes.Aborted, &errdetails.ErrorInfo{
		Reason: "VERSION_CONFLICT", Domain: errorDomain, Metadata: map[string]string{"actual_version": "2"},
	})))
}
