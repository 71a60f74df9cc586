// @generated from the contract by camillo-codegen; do not edit.

impl Request for v1::WhoAmIRequest {
    type Answer = v1::WhoAmIResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "WhoAmI");
}

impl Answer for v1::WhoAmIResponse {}

impl UnaryRequest for v1::WhoAmIRequest {}

impl Request for v1::CreateTenantRequest {
    type Answer = v1::CreateTenantResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "CreateTenant");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::CreateTenantResponse {}

impl UnaryRequest for v1::CreateTenantRequest {}

impl Request for v1::ListTenantsRequest {
    type Answer = v1::ListTenantsResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "ListTenants");
}

impl Answer for v1::ListTenantsResponse {}

impl UnaryRequest for v1::ListTenantsRequest {}

impl ListRequest for v1::ListTenantsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListTenantsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::DeleteTenantRequest {
    type Answer = v1::DeleteTenantResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "DeleteTenant");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::DeleteTenantResponse {}

impl UnaryRequest for v1::DeleteTenantRequest {}

impl Request for v1::GetQuotasRequest {
    type Answer = v1::GetQuotasResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "GetQuotas");
}

impl Answer for v1::GetQuotasResponse {}

impl UnaryRequest for v1::GetQuotasRequest {}

impl Request for v1::SetQuotasRequest {
    type Answer = v1::SetQuotasResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "SetQuotas");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::SetQuotasResponse {}

impl UnaryRequest for v1::SetQuotasRequest {}

impl Request for v1::CreateAgentRequest {
    type Answer = v1::CreateAgentResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "CreateAgent");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::CreateAgentResponse {}

impl UnaryRequest for v1::CreateAgentRequest {}

impl Request for v1::ListAgentsRequest {
    type Answer = v1::ListAgentsResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "ListAgents");
}

impl Answer for v1::ListAgentsResponse {}

impl UnaryRequest for v1::ListAgentsRequest {}

impl ListRequest for v1::ListAgentsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListAgentsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::DeleteAgentRequest {
    type Answer = v1::DeleteAgentResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "DeleteAgent");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::DeleteAgentResponse {}

impl UnaryRequest for v1::DeleteAgentRequest {}

impl Request for v1::CreateKeyRequest {
    type Answer = v1::CreateKeyResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "CreateKey");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::CreateKeyResponse {}

impl UnaryRequest for v1::CreateKeyRequest {}

impl Request for v1::ListKeysRequest {
    type Answer = v1::ListKeysResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "ListKeys");
}

impl Answer for v1::ListKeysResponse {}

impl UnaryRequest for v1::ListKeysRequest {}

impl ListRequest for v1::ListKeysRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListKeysResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::RevokeKeyRequest {
    type Answer = v1::RevokeKeyResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "RevokeKey");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::RevokeKeyResponse {}

impl UnaryRequest for v1::RevokeKeyRequest {}

impl Request for v1::ListIndexesRequest {
    type Answer = v1::ListIndexesResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "ListIndexes");
}

impl Answer for v1::ListIndexesResponse {}

impl UnaryRequest for v1::ListIndexesRequest {}

impl ListRequest for v1::ListIndexesRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListIndexesResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ProfileServerRequest {
    type Answer = v1::ProfileServerResponse;
    const METHOD: Method = Method::new("camillo.v1.AdminService", "ProfileServer");
}

impl Answer for v1::ProfileServerResponse {}

impl UnaryRequest for v1::ProfileServerRequest {}

impl Request for v1::PutArtifactRequest {
    type Answer = v1::PutArtifactResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "PutArtifact");
}

impl Answer for v1::PutArtifactResponse {}

impl UploadRequest for v1::PutArtifactRequest {}

impl Request for v1::GetUploadRequest {
    type Answer = v1::GetUploadResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "GetUpload");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetUploadResponse {}

impl UnaryRequest for v1::GetUploadRequest {}

impl Request for v1::OffloadOutputRequest {
    type Answer = v1::OffloadOutputResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "OffloadOutput");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::OffloadOutputResponse {}

impl UnaryRequest for v1::OffloadOutputRequest {}

impl Request for v1::GetArtifactRequest {
    type Answer = v1::GetArtifactResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "GetArtifact");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetArtifactResponse {}

impl UnaryRequest for v1::GetArtifactRequest {}

impl Request for v1::ReadArtifactRequest {
    type Answer = v1::ReadArtifactResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "ReadArtifact");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ReadArtifactResponse {}

impl StreamRequest for v1::ReadArtifactRequest {}

impl Request for v1::ReadArtifactPageRequest {
    type Answer = v1::ReadArtifactPageResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "ReadArtifactPage");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ReadArtifactPageResponse {}

impl UnaryRequest for v1::ReadArtifactPageRequest {}

impl ListRequest for v1::ReadArtifactPageRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ReadArtifactPageResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::SearchArtifactRequest {
    type Answer = v1::SearchArtifactResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "SearchArtifact");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::SearchArtifactResponse {}

impl StreamRequest for v1::SearchArtifactRequest {}

impl Request for v1::ListArtifactsRequest {
    type Answer = v1::ListArtifactsResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "ListArtifacts");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn include_shared(&mut self) -> Option<&mut bool> {
        Some(&mut self.include_shared)
    }
}

impl Answer for v1::ListArtifactsResponse {}

impl UnaryRequest for v1::ListArtifactsRequest {}

impl ListRequest for v1::ListArtifactsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListArtifactsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::UpdateArtifactRequest {
    type Answer = v1::UpdateArtifactResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "UpdateArtifact");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::UpdateArtifactResponse {}

impl UnaryRequest for v1::UpdateArtifactRequest {}

impl Request for v1::DeleteArtifactRequest {
    type Answer = v1::DeleteArtifactResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "DeleteArtifact");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::DeleteArtifactResponse {}

impl UnaryRequest for v1::DeleteArtifactRequest {}

impl Request for v1::ListCitationsRequest {
    type Answer = v1::ListCitationsResponse;
    const METHOD: Method = Method::new("camillo.v1.ArtifactService", "ListCitations");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListCitationsResponse {}

impl UnaryRequest for v1::ListCitationsRequest {}

impl ListRequest for v1::ListCitationsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListCitationsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ListAuditEntriesRequest {
    type Answer = v1::ListAuditEntriesResponse;
    const METHOD: Method = Method::new("camillo.v1.AuditService", "ListAuditEntries");
}

impl Answer for v1::ListAuditEntriesResponse {}

impl UnaryRequest for v1::ListAuditEntriesRequest {}

impl ListRequest for v1::ListAuditEntriesRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListAuditEntriesResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::WatchAuditRequest {
    type Answer = v1::WatchAuditResponse;
    const METHOD: Method = Method::new("camillo.v1.AuditService", "WatchAudit");
}

impl Answer for v1::WatchAuditResponse {}

impl StreamRequest for v1::WatchAuditRequest {}

impl WatchRequest for v1::WatchAuditRequest {
    fn resume(&mut self, token: String) {
        self.resume_token = token;
    }
}

impl Change for v1::WatchAuditResponse {
    fn resume_token(&self) -> &str {
        self.change.as_ref().map_or("", |change| change.resume_token.as_str())
    }
}

impl Request for v1::RecordAuditEntryRequest {
    type Answer = v1::RecordAuditEntryResponse;
    const METHOD: Method = Method::new("camillo.v1.AuditService", "RecordAuditEntry");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn changes_shared(&self) -> bool {
        true
    }
}

impl Answer for v1::RecordAuditEntryResponse {
    fn shared_revision(&self) -> Option<&v1::Revision> {
        self.shared_revision.as_ref()
    }
}

impl UnaryRequest for v1::RecordAuditEntryRequest {}

impl Request for v1::GetAuditPolicyRequest {
    type Answer = v1::GetAuditPolicyResponse;
    const METHOD: Method = Method::new("camillo.v1.AuditService", "GetAuditPolicy");
}

impl Answer for v1::GetAuditPolicyResponse {}

impl UnaryRequest for v1::GetAuditPolicyRequest {}

impl Request for v1::SetAuditPolicyRequest {
    type Answer = v1::SetAuditPolicyResponse;
    const METHOD: Method = Method::new("camillo.v1.AuditService", "SetAuditPolicy");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::SetAuditPolicyResponse {}

impl UnaryRequest for v1::SetAuditPolicyRequest {}

impl Request for v1::VerifyAuditRequest {
    type Answer = v1::VerifyAuditResponse;
    const METHOD: Method = Method::new("camillo.v1.AuditService", "VerifyAudit");
}

impl Answer for v1::VerifyAuditResponse {}

impl StreamRequest for v1::VerifyAuditRequest {}

impl Request for v1::RecordDecisionRequest {
    type Answer = v1::RecordDecisionResponse;
    const METHOD: Method = Method::new("camillo.v1.DecisionService", "RecordDecision");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RecordDecisionResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RecordDecisionRequest {}

impl Request for v1::SupersedeDecisionRequest {
    type Answer = v1::SupersedeDecisionResponse;
    const METHOD: Method = Method::new("camillo.v1.DecisionService", "SupersedeDecision");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::SupersedeDecisionResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::SupersedeDecisionRequest {}

impl Request for v1::GetDecisionRequest {
    type Answer = v1::GetDecisionResponse;
    const METHOD: Method = Method::new("camillo.v1.DecisionService", "GetDecision");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetDecisionResponse {}

impl UnaryRequest for v1::GetDecisionRequest {}

impl Request for v1::QueryDecisionsRequest {
    type Answer = v1::QueryDecisionsResponse;
    const METHOD: Method = Method::new("camillo.v1.DecisionService", "QueryDecisions");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::QueryDecisionsResponse {}

impl UnaryRequest for v1::QueryDecisionsRequest {}

impl ListRequest for v1::QueryDecisionsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::QueryDecisionsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::DistillRequest {
    type Answer = v1::DistillResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "Distill");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::DistillResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::DistillRequest {}

impl Request for v1::ListDistillationsRequest {
    type Answer = v1::ListDistillationsResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "ListDistillations");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListDistillationsResponse {}

impl UnaryRequest for v1::ListDistillationsRequest {}

impl ListRequest for v1::ListDistillationsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListDistillationsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::RevertDistillationRequest {
    type Answer = v1::RevertDistillationResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "RevertDistillation");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RevertDistillationResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RevertDistillationRequest {}

impl Request for v1::ReplayDistillationRequest {
    type Answer = v1::ReplayDistillationResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "ReplayDistillation");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ReplayDistillationResponse {}

impl UnaryRequest for v1::ReplayDistillationRequest {}

impl Request for v1::ListProposalsRequest {
    type Answer = v1::ListProposalsResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "ListProposals");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListProposalsResponse {}

impl UnaryRequest for v1::ListProposalsRequest {}

impl ListRequest for v1::ListProposalsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListProposalsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::AcceptProposalsRequest {
    type Answer = v1::AcceptProposalsResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "AcceptProposals");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::AcceptProposalsResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::AcceptProposalsRequest {}

impl Request for v1::RejectProposalsRequest {
    type Answer = v1::RejectProposalsResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "RejectProposals");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RejectProposalsResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RejectProposalsRequest {}

impl Request for v1::EditProposalRequest {
    type Answer = v1::EditProposalResponse;
    const METHOD: Method = Method::new("camillo.v1.DistillationService", "EditProposal");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::EditProposalResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::EditProposalRequest {}

impl Request for v1::RecordEventRequest {
    type Answer = v1::RecordEventResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "RecordEvent");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RecordEventResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RecordEventRequest {}

impl Request for v1::BatchRecordEventsRequest {
    type Answer = v1::BatchRecordEventsResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "BatchRecordEvents");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::BatchRecordEventsResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::BatchRecordEventsRequest {}

impl Request for v1::GetEventRequest {
    type Answer = v1::GetEventResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "GetEvent");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetEventResponse {}

impl UnaryRequest for v1::GetEventRequest {}

impl Request for v1::ListEventsRequest {
    type Answer = v1::ListEventsResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "ListEvents");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListEventsResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ListEventsRequest {}

impl ListRequest for v1::ListEventsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListEventsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ListWorkflowRequest {
    type Answer = v1::ListWorkflowResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "ListWorkflow");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListWorkflowResponse {}

impl UnaryRequest for v1::ListWorkflowRequest {}

impl ListRequest for v1::ListWorkflowRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListWorkflowResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::WatchEventsRequest {
    type Answer = v1::WatchEventsResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "WatchEvents");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::WatchEventsResponse {}

impl StreamRequest for v1::WatchEventsRequest {}

impl WatchRequest for v1::WatchEventsRequest {
    fn resume(&mut self, token: String) {
        self.start = Some(v1::watch_events_request::Start::ResumeToken(token));
    }
}

impl Change for v1::WatchEventsResponse {
    fn resume_token(&self) -> &str {
        self.change.as_ref().map_or("", |change| change.resume_token.as_str())
    }
}

impl Request for v1::ForgetEventsRequest {
    type Answer = v1::ForgetEventsResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "ForgetEvents");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::ForgetEventsResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ForgetEventsRequest {}

impl Request for v1::RebuildChunksRequest {
    type Answer = v1::RebuildChunksResponse;
    const METHOD: Method = Method::new("camillo.v1.EventService", "RebuildChunks");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RebuildChunksResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RebuildChunksRequest {}

impl Request for v1::PublishDocumentRequest {
    type Answer = v1::PublishDocumentResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "PublishDocument");
}

impl Answer for v1::PublishDocumentResponse {
    fn shared_revision(&self) -> Option<&v1::Revision> {
        self.shared_revision.as_ref()
    }
}

impl UploadRequest for v1::PublishDocumentRequest {}

impl Request for v1::GetDocumentRequest {
    type Answer = v1::GetDocumentResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "GetDocument");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetDocumentResponse {}

impl UnaryRequest for v1::GetDocumentRequest {}

impl Request for v1::ListDocumentsRequest {
    type Answer = v1::ListDocumentsResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "ListDocuments");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListDocumentsResponse {}

impl UnaryRequest for v1::ListDocumentsRequest {}

impl ListRequest for v1::ListDocumentsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListDocumentsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::UpdateDocumentRequest {
    type Answer = v1::UpdateDocumentResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "UpdateDocument");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn changes_shared(&self) -> bool {
        true
    }
}

impl Answer for v1::UpdateDocumentResponse {
    fn shared_revision(&self) -> Option<&v1::Revision> {
        self.shared_revision.as_ref()
    }
}

impl UnaryRequest for v1::UpdateDocumentRequest {}

impl Request for v1::ArchiveDocumentRequest {
    type Answer = v1::ArchiveDocumentResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "ArchiveDocument");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn changes_shared(&self) -> bool {
        true
    }
}

impl Answer for v1::ArchiveDocumentResponse {
    fn shared_revision(&self) -> Option<&v1::Revision> {
        self.shared_revision.as_ref()
    }
}

impl UnaryRequest for v1::ArchiveDocumentRequest {}

impl Request for v1::DeleteDocumentRequest {
    type Answer = v1::DeleteDocumentResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "DeleteDocument");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn changes_shared(&self) -> bool {
        true
    }
}

impl Answer for v1::DeleteDocumentResponse {
    fn shared_revision(&self) -> Option<&v1::Revision> {
        self.shared_revision.as_ref()
    }
}

impl UnaryRequest for v1::DeleteDocumentRequest {}

impl Request for v1::ListDocumentVersionsRequest {
    type Answer = v1::ListDocumentVersionsResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "ListDocumentVersions");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListDocumentVersionsResponse {}

impl UnaryRequest for v1::ListDocumentVersionsRequest {}

impl ListRequest for v1::ListDocumentVersionsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListDocumentVersionsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::PutSkillRequest {
    type Answer = v1::PutSkillResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "PutSkill");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn changes_shared(&self) -> bool {
        self.level == i32::from(v1::SkillLevel::Tenant)
    }
}

impl Answer for v1::PutSkillResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::PutSkillRequest {}

impl Request for v1::GetSkillRequest {
    type Answer = v1::GetSkillResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "GetSkill");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetSkillResponse {}

impl UnaryRequest for v1::GetSkillRequest {}

impl Request for v1::ListSkillsRequest {
    type Answer = v1::ListSkillsResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "ListSkills");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListSkillsResponse {}

impl UnaryRequest for v1::ListSkillsRequest {}

impl ListRequest for v1::ListSkillsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListSkillsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::DeleteSkillRequest {
    type Answer = v1::DeleteSkillResponse;
    const METHOD: Method = Method::new("camillo.v1.KnowledgeService", "DeleteSkill");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn changes_shared(&self) -> bool {
        self.level == i32::from(v1::SkillLevel::Tenant)
    }
}

impl Answer for v1::DeleteSkillResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::DeleteSkillRequest {}

impl Request for v1::RunMaintenanceRequest {
    type Answer = v1::RunMaintenanceResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "RunMaintenance");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::RunMaintenanceResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RunMaintenanceRequest {}

impl Request for v1::PruneRequest {
    type Answer = v1::PruneResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "Prune");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::PruneResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::PruneRequest {}

impl Request for v1::ArchiveRequest {
    type Answer = v1::ArchiveResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "Archive");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::ArchiveResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ArchiveRequest {}

impl Request for v1::ResetRequest {
    type Answer = v1::ResetResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "Reset");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::ResetResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ResetRequest {}

impl Request for v1::ForgetRequest {
    type Answer = v1::ForgetResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "Forget");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        (!self.all_scopes).then_some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::ForgetResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ForgetRequest {}

impl Request for v1::CompactRequest {
    type Answer = v1::CompactResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "Compact");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::CompactResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::CompactRequest {}

impl Request for v1::RevertCompactionRequest {
    type Answer = v1::RevertCompactionResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "RevertCompaction");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RevertCompactionResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RevertCompactionRequest {}

impl Request for v1::ListCompactionsRequest {
    type Answer = v1::ListCompactionsResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "ListCompactions");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListCompactionsResponse {}

impl UnaryRequest for v1::ListCompactionsRequest {}

impl ListRequest for v1::ListCompactionsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListCompactionsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::GetUsageRequest {
    type Answer = v1::GetUsageResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "GetUsage");
    fn agent_id(&mut self) -> Option<&mut String> {
        (!self.all_scopes).then_some(&mut self.agent_id)
    }
}

impl Answer for v1::GetUsageResponse {}

impl UnaryRequest for v1::GetUsageRequest {}

impl ListRequest for v1::GetUsageRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::GetUsageResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ListJobsRequest {
    type Answer = v1::ListJobsResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "ListJobs");
}

impl Answer for v1::ListJobsResponse {}

impl UnaryRequest for v1::ListJobsRequest {}

impl ListRequest for v1::ListJobsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListJobsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::RetryJobRequest {
    type Answer = v1::RetryJobResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "RetryJob");
}

impl Answer for v1::RetryJobResponse {}

impl UnaryRequest for v1::RetryJobRequest {}

impl Request for v1::StartReembeddingRequest {
    type Answer = v1::StartReembeddingResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "StartReembedding");
    fn agent_id(&mut self) -> Option<&mut String> {
        (!self.all_scopes).then_some(&mut self.agent_id)
    }
}

impl Answer for v1::StartReembeddingResponse {}

impl UnaryRequest for v1::StartReembeddingRequest {}

impl Request for v1::GetReembeddingRequest {
    type Answer = v1::GetReembeddingResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "GetReembedding");
    fn agent_id(&mut self) -> Option<&mut String> {
        (!self.all_scopes).then_some(&mut self.agent_id)
    }
}

impl Answer for v1::GetReembeddingResponse {}

impl UnaryRequest for v1::GetReembeddingRequest {}

impl Request for v1::ReindexRequest {
    type Answer = v1::ReindexResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "Reindex");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ReindexResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ReindexRequest {}

impl Request for v1::ListReceiptsRequest {
    type Answer = v1::ListReceiptsResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "ListReceipts");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListReceiptsResponse {}

impl UnaryRequest for v1::ListReceiptsRequest {}

impl ListRequest for v1::ListReceiptsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListReceiptsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ListValueRefusalsRequest {
    type Answer = v1::ListValueRefusalsResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "ListValueRefusals");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListValueRefusalsResponse {}

impl UnaryRequest for v1::ListValueRefusalsRequest {}

impl ListRequest for v1::ListValueRefusalsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListValueRefusalsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::LiftValueBlocksRequest {
    type Answer = v1::LiftValueBlocksResponse;
    const METHOD: Method = Method::new("camillo.v1.LifecycleService", "LiftValueBlocks");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::LiftValueBlocksResponse {}

impl UnaryRequest for v1::LiftValueBlocksRequest {}

impl Request for v1::AddLinksRequest {
    type Answer = v1::AddLinksResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "AddLinks");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::AddLinksResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::AddLinksRequest {}

impl Request for v1::RemoveLinksRequest {
    type Answer = v1::RemoveLinksResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "RemoveLinks");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RemoveLinksResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RemoveLinksRequest {}

impl Request for v1::ListRelatedRequest {
    type Answer = v1::ListRelatedResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "ListRelated");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListRelatedResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ListRelatedRequest {}

impl ListRequest for v1::ListRelatedRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListRelatedResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ListEntitiesRequest {
    type Answer = v1::ListEntitiesResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "ListEntities");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListEntitiesResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ListEntitiesRequest {}

impl ListRequest for v1::ListEntitiesRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListEntitiesResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::MergeEntitiesRequest {
    type Answer = v1::MergeEntitiesResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "MergeEntities");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::MergeEntitiesResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::MergeEntitiesRequest {}

impl Request for v1::SplitEntityRequest {
    type Answer = v1::SplitEntityResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "SplitEntity");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::SplitEntityResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::SplitEntityRequest {}

impl Request for v1::RevertEntityChangeRequest {
    type Answer = v1::RevertEntityChangeResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "RevertEntityChange");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RevertEntityChangeResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RevertEntityChangeRequest {}

impl Request for v1::ListEntityChangesRequest {
    type Answer = v1::ListEntityChangesResponse;
    const METHOD: Method = Method::new("camillo.v1.LinkService", "ListEntityChanges");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListEntityChangesResponse {}

impl UnaryRequest for v1::ListEntityChangesRequest {}

impl ListRequest for v1::ListEntityChangesRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListEntityChangesResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::RememberRequest {
    type Answer = v1::RememberResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "Remember");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RememberResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RememberRequest {}

impl Request for v1::BatchRememberRequest {
    type Answer = v1::BatchRememberResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "BatchRemember");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::BatchRememberResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::BatchRememberRequest {}

impl Request for v1::ImportMemoriesRequest {
    type Answer = v1::ImportMemoriesResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "ImportMemories");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ImportMemoriesResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UploadRequest for v1::ImportMemoriesRequest {}

impl Request for v1::RecallRequest {
    type Answer = v1::RecallResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "Recall");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn shared_freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        self.searches_shared().then_some(&mut self.shared_freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn include_shared(&mut self) -> Option<&mut bool> {
        Some(&mut self.include_shared)
    }
    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {
        Some(&mut self.spaces)
    }
}

impl Answer for v1::RecallResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
    fn shared_revision(&self) -> Option<&v1::Revision> {
        self.shared_revision.as_ref()
    }
    fn spaces(&self) -> &[v1::SpaceRevision] {
        &self.spaces
    }
}

impl UnaryRequest for v1::RecallRequest {}

impl Request for v1::BatchRecallRequest {
    type Answer = v1::BatchRecallResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "BatchRecall");
}

impl Answer for v1::BatchRecallResponse {}

impl Request for v1::GetMemoryRequest {
    type Answer = v1::GetMemoryResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "GetMemory");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetMemoryResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::GetMemoryRequest {}

impl Request for v1::ListMemoriesRequest {
    type Answer = v1::ListMemoriesResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "ListMemories");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {
        Some(&mut self.spaces)
    }
}

impl Answer for v1::ListMemoriesResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
    fn spaces(&self) -> &[v1::SpaceRevision] {
        &self.spaces
    }
}

impl UnaryRequest for v1::ListMemoriesRequest {}

impl ListRequest for v1::ListMemoriesRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListMemoriesResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::UpdateMemoryRequest {
    type Answer = v1::UpdateMemoryResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "UpdateMemory");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::UpdateMemoryResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::UpdateMemoryRequest {}

impl Request for v1::ForgetMemoriesRequest {
    type Answer = v1::ForgetMemoriesResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "ForgetMemories");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::ForgetMemoriesResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ForgetMemoriesRequest {}

impl Request for v1::RestoreMemoriesRequest {
    type Answer = v1::RestoreMemoriesResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "RestoreMemories");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RestoreMemoriesResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RestoreMemoriesRequest {}

impl Request for v1::ListMemoryRevisionsRequest {
    type Answer = v1::ListMemoryRevisionsResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "ListMemoryRevisions");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListMemoryRevisionsResponse {}

impl UnaryRequest for v1::ListMemoryRevisionsRequest {}

impl ListRequest for v1::ListMemoryRevisionsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListMemoryRevisionsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::SupersedeMemoryRequest {
    type Answer = v1::SupersedeMemoryResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "SupersedeMemory");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::SupersedeMemoryResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::SupersedeMemoryRequest {}

impl Request for v1::ListContradictionsRequest {
    type Answer = v1::ListContradictionsResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "ListContradictions");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListContradictionsResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::ListContradictionsRequest {}

impl ListRequest for v1::ListContradictionsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListContradictionsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::WatchMemoriesRequest {
    type Answer = v1::WatchMemoriesResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "WatchMemories");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::WatchMemoriesResponse {}

impl StreamRequest for v1::WatchMemoriesRequest {}

impl WatchRequest for v1::WatchMemoriesRequest {
    fn resume(&mut self, token: String) {
        self.start = Some(v1::watch_memories_request::Start::ResumeToken(token));
    }
}

impl Change for v1::WatchMemoriesResponse {
    fn resume_token(&self) -> &str {
        self.change.as_ref().map_or("", |change| change.resume_token.as_str())
    }
}

impl Request for v1::ExportMemoriesRequest {
    type Answer = v1::ExportMemoriesResponse;
    const METHOD: Method = Method::new("camillo.v1.MemoryService", "ExportMemories");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ExportMemoriesResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl StreamRequest for v1::ExportMemoriesRequest {}

impl Request for v1::StartRunRequest {
    type Answer = v1::StartRunResponse;
    const METHOD: Method = Method::new("camillo.v1.RunService", "StartRun");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::StartRunResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::StartRunRequest {}

impl Request for v1::AppendRunRequest {
    type Answer = v1::AppendRunResponse;
    const METHOD: Method = Method::new("camillo.v1.RunService", "AppendRun");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::AppendRunResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::AppendRunRequest {}

impl Request for v1::InjectInstructionRequest {
    type Answer = v1::InjectInstructionResponse;
    const METHOD: Method = Method::new("camillo.v1.RunService", "InjectInstruction");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::InjectInstructionResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::InjectInstructionRequest {}

impl Request for v1::RenderRunRequest {
    type Answer = v1::RenderRunResponse;
    const METHOD: Method = Method::new("camillo.v1.RunService", "RenderRun");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RenderRunResponse {}

impl UnaryRequest for v1::RenderRunRequest {}

impl Request for v1::ListRunsRequest {
    type Answer = v1::ListRunsResponse;
    const METHOD: Method = Method::new("camillo.v1.RunService", "ListRuns");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListRunsResponse {}

impl UnaryRequest for v1::ListRunsRequest {}

impl ListRequest for v1::ListRunsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListRunsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::EndRunRequest {
    type Answer = v1::EndRunResponse;
    const METHOD: Method = Method::new("camillo.v1.RunService", "EndRun");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::EndRunResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::EndRunRequest {}

impl Request for v1::SetMemoryRequest {
    type Answer = v1::SetMemoryResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "SetMemory");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::SetMemoryResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::SetMemoryRequest {}

impl Request for v1::BatchSetMemoryRequest {
    type Answer = v1::BatchSetMemoryResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "BatchSetMemory");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::BatchSetMemoryResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::BatchSetMemoryRequest {}

impl Request for v1::GetSlotRequest {
    type Answer = v1::GetSlotResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "GetSlot");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetSlotResponse {}

impl UnaryRequest for v1::GetSlotRequest {}

impl Request for v1::ListSlotsRequest {
    type Answer = v1::ListSlotsResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "ListSlots");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListSlotsResponse {}

impl UnaryRequest for v1::ListSlotsRequest {}

impl ListRequest for v1::ListSlotsRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListSlotsResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ListSlotHistoryRequest {
    type Answer = v1::ListSlotHistoryResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "ListSlotHistory");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListSlotHistoryResponse {}

impl UnaryRequest for v1::ListSlotHistoryRequest {}

impl ListRequest for v1::ListSlotHistoryRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListSlotHistoryResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::WatchSlotsRequest {
    type Answer = v1::WatchSlotsResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "WatchSlots");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::WatchSlotsResponse {}

impl StreamRequest for v1::WatchSlotsRequest {}

impl WatchRequest for v1::WatchSlotsRequest {
    fn resume(&mut self, token: String) {
        self.start = Some(v1::watch_slots_request::Start::ResumeToken(token));
    }
}

impl Change for v1::WatchSlotsResponse {
    fn resume_token(&self) -> &str {
        self.change.as_ref().map_or("", |change| change.resume_token.as_str())
    }
}

impl Request for v1::ExportSlotsRequest {
    type Answer = v1::ExportSlotsResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "ExportSlots");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ExportSlotsResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl StreamRequest for v1::ExportSlotsRequest {}

impl Request for v1::RestoreSlotRequest {
    type Answer = v1::RestoreSlotResponse;
    const METHOD: Method = Method::new("camillo.v1.SlotService", "RestoreSlot");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::RestoreSlotResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::RestoreSlotRequest {}

impl Request for v1::BuildSnapshotRequest {
    type Answer = v1::BuildSnapshotResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "BuildSnapshot");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {
        Some(&mut self.spaces)
    }
}

impl Answer for v1::BuildSnapshotResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.bundle.as_ref().and_then(|bundle| bundle.revision.as_ref())
    }
    fn spaces(&self) -> &[v1::SpaceRevision] {
        self.bundle.as_ref().map_or(&[], |bundle| bundle.spaces.as_slice())
    }
}

impl UnaryRequest for v1::BuildSnapshotRequest {}

impl Request for v1::BuildBundleRequest {
    type Answer = v1::BuildBundleResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "BuildBundle");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {
        Some(&mut self.spaces)
    }
}

impl Answer for v1::BuildBundleResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.bundle.as_ref().and_then(|bundle| bundle.revision.as_ref())
    }
    fn spaces(&self) -> &[v1::SpaceRevision] {
        self.bundle.as_ref().map_or(&[], |bundle| bundle.spaces.as_slice())
    }
}

impl UnaryRequest for v1::BuildBundleRequest {}

impl Request for v1::BuildWorkingMemoryRequest {
    type Answer = v1::BuildWorkingMemoryResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "BuildWorkingMemory");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {
        Some(&mut self.spaces)
    }
}

impl Answer for v1::BuildWorkingMemoryResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.bundle.as_ref().and_then(|bundle| bundle.revision.as_ref())
    }
    fn spaces(&self) -> &[v1::SpaceRevision] {
        self.bundle.as_ref().map_or(&[], |bundle| bundle.spaces.as_slice())
    }
}

impl UnaryRequest for v1::BuildWorkingMemoryRequest {}

impl Request for v1::BuildDigestRequest {
    type Answer = v1::BuildDigestResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "BuildDigest");
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        Some(&mut self.freshness)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {
        Some(&mut self.spaces)
    }
}

impl Answer for v1::BuildDigestResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.bundle.as_ref().and_then(|bundle| bundle.revision.as_ref())
    }
    fn spaces(&self) -> &[v1::SpaceRevision] {
        self.bundle.as_ref().map_or(&[], |bundle| bundle.spaces.as_slice())
    }
}

impl UnaryRequest for v1::BuildDigestRequest {}

impl Request for v1::ListRecipesRequest {
    type Answer = v1::ListRecipesResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "ListRecipes");
}

impl Answer for v1::ListRecipesResponse {}

impl UnaryRequest for v1::ListRecipesRequest {}

impl Request for v1::PutRecipeRequest {
    type Answer = v1::PutRecipeResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "PutRecipe");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::PutRecipeResponse {}

impl UnaryRequest for v1::PutRecipeRequest {}

impl Request for v1::DeleteRecipeRequest {
    type Answer = v1::DeleteRecipeResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "DeleteRecipe");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::DeleteRecipeResponse {}

impl UnaryRequest for v1::DeleteRecipeRequest {}

impl Request for v1::PutViewRequest {
    type Answer = v1::PutViewResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "PutView");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::PutViewResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::PutViewRequest {}

impl Request for v1::GetViewRequest {
    type Answer = v1::GetViewResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "GetView");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetViewResponse {}

impl UnaryRequest for v1::GetViewRequest {}

impl Request for v1::ListViewsRequest {
    type Answer = v1::ListViewsResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "ListViews");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListViewsResponse {}

impl UnaryRequest for v1::ListViewsRequest {}

impl Request for v1::DeleteViewRequest {
    type Answer = v1::DeleteViewResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "DeleteView");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::DeleteViewResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::DeleteViewRequest {}

impl Request for v1::HandOffRequest {
    type Answer = v1::HandOffResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "HandOff");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::HandOffResponse {}

impl UnaryRequest for v1::HandOffRequest {}

impl Request for v1::ListHandoffsRequest {
    type Answer = v1::ListHandoffsResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "ListHandoffs");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListHandoffsResponse {}

impl UnaryRequest for v1::ListHandoffsRequest {}

impl Request for v1::AcceptHandoffsRequest {
    type Answer = v1::AcceptHandoffsResponse;
    const METHOD: Method = Method::new("camillo.v1.SnapshotService", "AcceptHandoffs");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::AcceptHandoffsResponse {}

impl UnaryRequest for v1::AcceptHandoffsRequest {}

impl Request for v1::ListSpacesRequest {
    type Answer = v1::ListSpacesResponse;
    const METHOD: Method = Method::new("camillo.v1.SpaceService", "ListSpaces");
}

impl Answer for v1::ListSpacesResponse {}

impl UnaryRequest for v1::ListSpacesRequest {}

impl ListRequest for v1::ListSpacesRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListSpacesResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::GetSpaceRequest {
    type Answer = v1::GetSpaceResponse;
    const METHOD: Method = Method::new("camillo.v1.SpaceService", "GetSpace");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetSpaceResponse {}

impl UnaryRequest for v1::GetSpaceRequest {}

impl Request for v1::ListTokenUsageRequest {
    type Answer = v1::ListTokenUsageResponse;
    const METHOD: Method = Method::new("camillo.v1.SpaceService", "ListTokenUsage");
    fn agent_id(&mut self) -> Option<&mut String> {
        (!self.all_scopes).then_some(&mut self.agent_id)
    }
}

impl Answer for v1::ListTokenUsageResponse {}

impl UnaryRequest for v1::ListTokenUsageRequest {}

impl ListRequest for v1::ListTokenUsageRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListTokenUsageResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::ForgetSpaceRequest {
    type Answer = v1::ForgetSpaceResponse;
    const METHOD: Method = Method::new("camillo.v1.SpaceService", "ForgetSpace");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
    fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

impl Answer for v1::ForgetSpaceResponse {}

impl UnaryRequest for v1::ForgetSpaceRequest {}

impl Request for v1::ListSpooledRequest {
    type Answer = v1::ListSpooledResponse;
    const METHOD: Method = Method::new("camillo.v1.SpoolService", "ListSpooled");
}

impl Answer for v1::ListSpooledResponse {}

impl UnaryRequest for v1::ListSpooledRequest {}

impl ListRequest for v1::ListSpooledRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListSpooledResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

impl Request for v1::RetrySpooledRequest {
    type Answer = v1::RetrySpooledResponse;
    const METHOD: Method = Method::new("camillo.v1.SpoolService", "RetrySpooled");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::RetrySpooledResponse {}

impl UnaryRequest for v1::RetrySpooledRequest {}

impl Request for v1::DiscardSpooledRequest {
    type Answer = v1::DiscardSpooledResponse;
    const METHOD: Method = Method::new("camillo.v1.SpoolService", "DiscardSpooled");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::DiscardSpooledResponse {}

impl UnaryRequest for v1::DiscardSpooledRequest {}

impl Request for v1::GetSpoolPolicyRequest {
    type Answer = v1::GetSpoolPolicyResponse;
    const METHOD: Method = Method::new("camillo.v1.SpoolService", "GetSpoolPolicy");
}

impl Answer for v1::GetSpoolPolicyResponse {}

impl UnaryRequest for v1::GetSpoolPolicyRequest {}

impl Request for v1::SetSpoolPolicyRequest {
    type Answer = v1::SetSpoolPolicyResponse;
    const METHOD: Method = Method::new("camillo.v1.SpoolService", "SetSpoolPolicy");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
}

impl Answer for v1::SetSpoolPolicyResponse {}

impl UnaryRequest for v1::SetSpoolPolicyRequest {}

impl Request for v1::UpsertTaskRequest {
    type Answer = v1::UpsertTaskResponse;
    const METHOD: Method = Method::new("camillo.v1.TaskService", "UpsertTask");
    fn request_id(&mut self) -> Option<&mut String> {
        Some(&mut self.request_id)
    }
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::UpsertTaskResponse {
    fn revision(&self) -> Option<&v1::Revision> {
        self.revision.as_ref()
    }
}

impl UnaryRequest for v1::UpsertTaskRequest {}

impl Request for v1::GetTaskRequest {
    type Answer = v1::GetTaskResponse;
    const METHOD: Method = Method::new("camillo.v1.TaskService", "GetTask");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::GetTaskResponse {}

impl UnaryRequest for v1::GetTaskRequest {}

impl Request for v1::ListTasksRequest {
    type Answer = v1::ListTasksResponse;
    const METHOD: Method = Method::new("camillo.v1.TaskService", "ListTasks");
    fn agent_id(&mut self) -> Option<&mut String> {
        Some(&mut self.agent_id)
    }
}

impl Answer for v1::ListTasksResponse {}

impl UnaryRequest for v1::ListTasksRequest {}

impl ListRequest for v1::ListTasksRequest {
    fn page_token(&mut self) -> &mut String {
        &mut self.page_token
    }
}

impl Page for v1::ListTasksResponse {
    fn next_page_token(&self) -> &str {
        &self.next_page_token
    }
}

/// Calls the visitor with the request type of the unary method of this full name, such as
/// `camillo.v1.AdminService/WhoAmI`; None if there is none.
pub fn unary<V: UnaryVisitor>(method: &str, visitor: V) -> Option<V::Output> {
    Some(match method {
        "camillo.v1.AdminService/WhoAmI" => visitor.visit::<v1::WhoAmIRequest>(),
        "camillo.v1.AdminService/CreateTenant" => visitor.visit::<v1::CreateTenantRequest>(),
        "camillo.v1.AdminService/ListTenants" => visitor.visit::<v1::ListTenantsRequest>(),
        "camillo.v1.AdminService/DeleteTenant" => visitor.visit::<v1::DeleteTenantRequest>(),
        "camillo.v1.AdminService/GetQuotas" => visitor.visit::<v1::GetQuotasRequest>(),
        "camillo.v1.AdminService/SetQuotas" => visitor.visit::<v1::SetQuotasRequest>(),
        "camillo.v1.AdminService/CreateAgent" => visitor.visit::<v1::CreateAgentRequest>(),
        "camillo.v1.AdminService/ListAgents" => visitor.visit::<v1::ListAgentsRequest>(),
        "camillo.v1.AdminService/DeleteAgent" => visitor.visit::<v1::DeleteAgentRequest>(),
        "camillo.v1.AdminService/CreateKey" => visitor.visit::<v1::CreateKeyRequest>(),
        "camillo.v1.AdminService/ListKeys" => visitor.visit::<v1::ListKeysRequest>(),
        "camillo.v1.AdminService/RevokeKey" => visitor.visit::<v1::RevokeKeyRequest>(),
        "camillo.v1.AdminService/ListIndexes" => visitor.visit::<v1::ListIndexesRequest>(),
        "camillo.v1.AdminService/ProfileServer" => visitor.visit::<v1::ProfileServerRequest>(),
        "camillo.v1.ArtifactService/GetUpload" => visitor.visit::<v1::GetUploadRequest>(),
        "camillo.v1.ArtifactService/OffloadOutput" => visitor.visit::<v1::OffloadOutputRequest>(),
        "camillo.v1.ArtifactService/GetArtifact" => visitor.visit::<v1::GetArtifactRequest>(),
        "camillo.v1.ArtifactService/ReadArtifactPage" => visitor.visit::<v1::ReadArtifactPageRequest>(),
        "camillo.v1.ArtifactService/ListArtifacts" => visitor.visit::<v1::ListArtifactsRequest>(),
        "camillo.v1.ArtifactService/UpdateArtifact" => visitor.visit::<v1::UpdateArtifactRequest>(),
        "camillo.v1.ArtifactService/DeleteArtifact" => visitor.visit::<v1::DeleteArtifactRequest>(),
        "camillo.v1.ArtifactService/ListCitations" => visitor.visit::<v1::ListCitationsRequest>(),
        "camillo.v1.AuditService/ListAuditEntries" => visitor.visit::<v1::ListAuditEntriesRequest>(),
        "camillo.v1.AuditService/RecordAuditEntry" => visitor.visit::<v1::RecordAuditEntryRequest>(),
        "camillo.v1.AuditService/GetAuditPolicy" => visitor.visit::<v1::GetAuditPolicyRequest>(),
        "camillo.v1.AuditService/SetAuditPolicy" => visitor.visit::<v1::SetAuditPolicyRequest>(),
        "camillo.v1.DecisionService/RecordDecision" => visitor.visit::<v1::RecordDecisionRequest>(),
        "camillo.v1.DecisionService/SupersedeDecision" => visitor.visit::<v1::SupersedeDecisionRequest>(),
        "camillo.v1.DecisionService/GetDecision" => visitor.visit::<v1::GetDecisionRequest>(),
        "camillo.v1.DecisionService/QueryDecisions" => visitor.visit::<v1::QueryDecisionsRequest>(),
        "camillo.v1.DistillationService/Distill" => visitor.visit::<v1::DistillRequest>(),
        "camillo.v1.DistillationService/ListDistillations" => visitor.visit::<v1::ListDistillationsRequest>(),
        "camillo.v1.DistillationService/RevertDistillation" => visitor.visit::<v1::RevertDistillationRequest>(),
        "camillo.v1.DistillationService/ReplayDistillation" => visitor.visit::<v1::ReplayDistillationRequest>(),
        "camillo.v1.DistillationService/ListProposals" => visitor.visit::<v1::ListProposalsRequest>(),
        "camillo.v1.DistillationService/AcceptProposals" => visitor.visit::<v1::AcceptProposalsRequest>(),
        "camillo.v1.DistillationService/RejectProposals" => visitor.visit::<v1::RejectProposalsRequest>(),
        "camillo.v1.DistillationService/EditProposal" => visitor.visit::<v1::EditProposalRequest>(),
        "camillo.v1.EventService/RecordEvent" => visitor.visit::<v1::RecordEventRequest>(),
        "camillo.v1.EventService/BatchRecordEvents" => visitor.visit::<v1::BatchRecordEventsRequest>(),
        "camillo.v1.EventService/GetEvent" => visitor.visit::<v1::GetEventRequest>(),
        "camillo.v1.EventService/ListEvents" => visitor.visit::<v1::ListEventsRequest>(),
        "camillo.v1.EventService/ListWorkflow" => visitor.visit::<v1::ListWorkflowRequest>(),
        "camillo.v1.EventService/ForgetEvents" => visitor.visit::<v1::ForgetEventsRequest>(),
        "camillo.v1.EventService/RebuildChunks" => visitor.visit::<v1::RebuildChunksRequest>(),
        "camillo.v1.KnowledgeService/GetDocument" => visitor.visit::<v1::GetDocumentRequest>(),
        "camillo.v1.KnowledgeService/ListDocuments" => visitor.visit::<v1::ListDocumentsRequest>(),
        "camillo.v1.KnowledgeService/UpdateDocument" => visitor.visit::<v1::UpdateDocumentRequest>(),
        "camillo.v1.KnowledgeService/ArchiveDocument" => visitor.visit::<v1::ArchiveDocumentRequest>(),
        "camillo.v1.KnowledgeService/DeleteDocument" => visitor.visit::<v1::DeleteDocumentRequest>(),
        "camillo.v1.KnowledgeService/ListDocumentVersions" => visitor.visit::<v1::ListDocumentVersionsRequest>(),
        "camillo.v1.KnowledgeService/PutSkill" => visitor.visit::<v1::PutSkillRequest>(),
        "camillo.v1.KnowledgeService/GetSkill" => visitor.visit::<v1::GetSkillRequest>(),
        "camillo.v1.KnowledgeService/ListSkills" => visitor.visit::<v1::ListSkillsRequest>(),
        "camillo.v1.KnowledgeService/DeleteSkill" => visitor.visit::<v1::DeleteSkillRequest>(),
        "camillo.v1.LifecycleService/RunMaintenance" => visitor.visit::<v1::RunMaintenanceRequest>(),
        "camillo.v1.LifecycleService/Prune" => visitor.visit::<v1::PruneRequest>(),
        "camillo.v1.LifecycleService/Archive" => visitor.visit::<v1::ArchiveRequest>(),
        "camillo.v1.LifecycleService/Reset" => visitor.visit::<v1::ResetRequest>(),
        "camillo.v1.LifecycleService/Forget" => visitor.visit::<v1::ForgetRequest>(),
        "camillo.v1.LifecycleService/Compact" => visitor.visit::<v1::CompactRequest>(),
        "camillo.v1.LifecycleService/RevertCompaction" => visitor.visit::<v1::RevertCompactionRequest>(),
        "camillo.v1.LifecycleService/ListCompactions" => visitor.visit::<v1::ListCompactionsRequest>(),
        "camillo.v1.LifecycleService/GetUsage" => visitor.visit::<v1::GetUsageRequest>(),
        "camillo.v1.LifecycleService/ListJobs" => visitor.visit::<v1::ListJobsRequest>(),
        "camillo.v1.LifecycleService/RetryJob" => visitor.visit::<v1::RetryJobRequest>(),
        "camillo.v1.LifecycleService/StartReembedding" => visitor.visit::<v1::StartReembeddingRequest>(),
        "camillo.v1.LifecycleService/GetReembedding" => visitor.visit::<v1::GetReembeddingRequest>(),
        "camillo.v1.LifecycleService/Reindex" => visitor.visit::<v1::ReindexRequest>(),
        "camillo.v1.LifecycleService/ListReceipts" => visitor.visit::<v1::ListReceiptsRequest>(),
        "camillo.v1.LifecycleService/ListValueRefusals" => visitor.visit::<v1::ListValueRefusalsRequest>(),
        "camillo.v1.LifecycleService/LiftValueBlocks" => visitor.visit::<v1::LiftValueBlocksRequest>(),
        "camillo.v1.LinkService/AddLinks" => visitor.visit::<v1::AddLinksRequest>(),
        "camillo.v1.LinkService/RemoveLinks" => visitor.visit::<v1::RemoveLinksRequest>(),
        "camillo.v1.LinkService/ListRelated" => visitor.visit::<v1::ListRelatedRequest>(),
        "camillo.v1.LinkService/ListEntities" => visitor.visit::<v1::ListEntitiesRequest>(),
        "camillo.v1.LinkService/MergeEntities" => visitor.visit::<v1::MergeEntitiesRequest>(),
        "camillo.v1.LinkService/SplitEntity" => visitor.visit::<v1::SplitEntityRequest>(),
        "camillo.v1.LinkService/RevertEntityChange" => visitor.visit::<v1::RevertEntityChangeRequest>(),
        "camillo.v1.LinkService/ListEntityChanges" => visitor.visit::<v1::ListEntityChangesRequest>(),
        "camillo.v1.MemoryService/Remember" => visitor.visit::<v1::RememberRequest>(),
        "camillo.v1.MemoryService/BatchRemember" => visitor.visit::<v1::BatchRememberRequest>(),
        "camillo.v1.MemoryService/Recall" => visitor.visit::<v1::RecallRequest>(),
        "camillo.v1.MemoryService/BatchRecall" => visitor.visit::<v1::BatchRecallRequest>(),
        "camillo.v1.MemoryService/GetMemory" => visitor.visit::<v1::GetMemoryRequest>(),
        "camillo.v1.MemoryService/ListMemories" => visitor.visit::<v1::ListMemoriesRequest>(),
        "camillo.v1.MemoryService/UpdateMemory" => visitor.visit::<v1::UpdateMemoryRequest>(),
        "camillo.v1.MemoryService/ForgetMemories" => visitor.visit::<v1::ForgetMemoriesRequest>(),
        "camillo.v1.MemoryService/RestoreMemories" => visitor.visit::<v1::RestoreMemoriesRequest>(),
        "camillo.v1.MemoryService/ListMemoryRevisions" => visitor.visit::<v1::ListMemoryRevisionsRequest>(),
        "camillo.v1.MemoryService/SupersedeMemory" => visitor.visit::<v1::SupersedeMemoryRequest>(),
        "camillo.v1.MemoryService/ListContradictions" => visitor.visit::<v1::ListContradictionsRequest>(),
        "camillo.v1.RunService/StartRun" => visitor.visit::<v1::StartRunRequest>(),
        "camillo.v1.RunService/AppendRun" => visitor.visit::<v1::AppendRunRequest>(),
        "camillo.v1.RunService/InjectInstruction" => visitor.visit::<v1::InjectInstructionRequest>(),
        "camillo.v1.RunService/RenderRun" => visitor.visit::<v1::RenderRunRequest>(),
        "camillo.v1.RunService/ListRuns" => visitor.visit::<v1::ListRunsRequest>(),
        "camillo.v1.RunService/EndRun" => visitor.visit::<v1::EndRunRequest>(),
        "camillo.v1.SlotService/SetMemory" => visitor.visit::<v1::SetMemoryRequest>(),
        "camillo.v1.SlotService/BatchSetMemory" => visitor.visit::<v1::BatchSetMemoryRequest>(),
        "camillo.v1.SlotService/GetSlot" => visitor.visit::<v1::GetSlotRequest>(),
        "camillo.v1.SlotService/ListSlots" => visitor.visit::<v1::ListSlotsRequest>(),
        "camillo.v1.SlotService/ListSlotHistory" => visitor.visit::<v1::ListSlotHistoryRequest>(),
        "camillo.v1.SlotService/RestoreSlot" => visitor.visit::<v1::RestoreSlotRequest>(),
        "camillo.v1.SnapshotService/BuildSnapshot" => visitor.visit::<v1::BuildSnapshotRequest>(),
        "camillo.v1.SnapshotService/BuildBundle" => visitor.visit::<v1::BuildBundleRequest>(),
        "camillo.v1.SnapshotService/BuildWorkingMemory" => visitor.visit::<v1::BuildWorkingMemoryRequest>(),
        "camillo.v1.SnapshotService/BuildDigest" => visitor.visit::<v1::BuildDigestRequest>(),
        "camillo.v1.SnapshotService/ListRecipes" => visitor.visit::<v1::ListRecipesRequest>(),
        "camillo.v1.SnapshotService/PutRecipe" => visitor.visit::<v1::PutRecipeRequest>(),
        "camillo.v1.SnapshotService/DeleteRecipe" => visitor.visit::<v1::DeleteRecipeRequest>(),
        "camillo.v1.SnapshotService/PutView" => visitor.visit::<v1::PutViewRequest>(),
        "camillo.v1.SnapshotService/GetView" => visitor.visit::<v1::GetViewRequest>(),
        "camillo.v1.SnapshotService/ListViews" => visitor.visit::<v1::ListViewsRequest>(),
        "camillo.v1.SnapshotService/DeleteView" => visitor.visit::<v1::DeleteViewRequest>(),
        "camillo.v1.SnapshotService/HandOff" => visitor.visit::<v1::HandOffRequest>(),
        "camillo.v1.SnapshotService/ListHandoffs" => visitor.visit::<v1::ListHandoffsRequest>(),
        "camillo.v1.SnapshotService/AcceptHandoffs" => visitor.visit::<v1::AcceptHandoffsRequest>(),
        "camillo.v1.SpaceService/ListSpaces" => visitor.visit::<v1::ListSpacesRequest>(),
        "camillo.v1.SpaceService/GetSpace" => visitor.visit::<v1::GetSpaceRequest>(),
        "camillo.v1.SpaceService/ListTokenUsage" => visitor.visit::<v1::ListTokenUsageRequest>(),
        "camillo.v1.SpaceService/ForgetSpace" => visitor.visit::<v1::ForgetSpaceRequest>(),
        "camillo.v1.SpoolService/ListSpooled" => visitor.visit::<v1::ListSpooledRequest>(),
        "camillo.v1.SpoolService/RetrySpooled" => visitor.visit::<v1::RetrySpooledRequest>(),
        "camillo.v1.SpoolService/DiscardSpooled" => visitor.visit::<v1::DiscardSpooledRequest>(),
        "camillo.v1.SpoolService/GetSpoolPolicy" => visitor.visit::<v1::GetSpoolPolicyRequest>(),
        "camillo.v1.SpoolService/SetSpoolPolicy" => visitor.visit::<v1::SetSpoolPolicyRequest>(),
        "camillo.v1.TaskService/UpsertTask" => visitor.visit::<v1::UpsertTaskRequest>(),
        "camillo.v1.TaskService/GetTask" => visitor.visit::<v1::GetTaskRequest>(),
        "camillo.v1.TaskService/ListTasks" => visitor.visit::<v1::ListTasksRequest>(),
        _ => return None,
    })
}

/// Calls the visitor with the request type of the list method of this full name, such as
/// `camillo.v1.AdminService/ListTenants`; None if there is none.
pub fn list<V: ListVisitor>(method: &str, visitor: V) -> Option<V::Output> {
    Some(match method {
        "camillo.v1.AdminService/ListTenants" => visitor.visit::<v1::ListTenantsRequest>(),
        "camillo.v1.AdminService/ListAgents" => visitor.visit::<v1::ListAgentsRequest>(),
        "camillo.v1.AdminService/ListKeys" => visitor.visit::<v1::ListKeysRequest>(),
        "camillo.v1.AdminService/ListIndexes" => visitor.visit::<v1::ListIndexesRequest>(),
        "camillo.v1.ArtifactService/ReadArtifactPage" => visitor.visit::<v1::ReadArtifactPageRequest>(),
        "camillo.v1.ArtifactService/ListArtifacts" => visitor.visit::<v1::ListArtifactsRequest>(),
        "camillo.v1.ArtifactService/ListCitations" => visitor.visit::<v1::ListCitationsRequest>(),
        "camillo.v1.AuditService/ListAuditEntries" => visitor.visit::<v1::ListAuditEntriesRequest>(),
        "camillo.v1.DecisionService/QueryDecisions" => visitor.visit::<v1::QueryDecisionsRequest>(),
        "camillo.v1.DistillationService/ListDistillations" => visitor.visit::<v1::ListDistillationsRequest>(),
        "camillo.v1.DistillationService/ListProposals" => visitor.visit::<v1::ListProposalsRequest>(),
        "camillo.v1.EventService/ListEvents" => visitor.visit::<v1::ListEventsRequest>(),
        "camillo.v1.EventService/ListWorkflow" => visitor.visit::<v1::ListWorkflowRequest>(),
        "camillo.v1.KnowledgeService/ListDocuments" => visitor.visit::<v1::ListDocumentsRequest>(),
        "camillo.v1.KnowledgeService/ListDocumentVersions" => visitor.visit::<v1::ListDocumentVersionsRequest>(),
        "camillo.v1.KnowledgeService/ListSkills" => visitor.visit::<v1::ListSkillsRequest>(),
        "camillo.v1.LifecycleService/ListCompactions" => visitor.visit::<v1::ListCompactionsRequest>(),
        "camillo.v1.LifecycleService/GetUsage" => visitor.visit::<v1::GetUsageRequest>(),
        "camillo.v1.LifecycleService/ListJobs" => visitor.visit::<v1::ListJobsRequest>(),
        "camillo.v1.LifecycleService/ListReceipts" => visitor.visit::<v1::ListReceiptsRequest>(),
        "camillo.v1.LifecycleService/ListValueRefusals" => visitor.visit::<v1::ListValueRefusalsRequest>(),
        "camillo.v1.LinkService/ListRelated" => visitor.visit::<v1::ListRelatedRequest>(),
        "camillo.v1.LinkService/ListEntities" => visitor.visit::<v1::ListEntitiesRequest>(),
        "camillo.v1.LinkService/ListEntityChanges" => visitor.visit::<v1::ListEntityChangesRequest>(),
        "camillo.v1.MemoryService/ListMemories" => visitor.visit::<v1::ListMemoriesRequest>(),
        "camillo.v1.MemoryService/ListMemoryRevisions" => visitor.visit::<v1::ListMemoryRevisionsRequest>(),
        "camillo.v1.MemoryService/ListContradictions" => visitor.visit::<v1::ListContradictionsRequest>(),
        "camillo.v1.RunService/ListRuns" => visitor.visit::<v1::ListRunsRequest>(),
        "camillo.v1.SlotService/ListSlots" => visitor.visit::<v1::ListSlotsRequest>(),
        "camillo.v1.SlotService/ListSlotHistory" => visitor.visit::<v1::ListSlotHistoryRequest>(),
        "camillo.v1.SpaceService/ListSpaces" => visitor.visit::<v1::ListSpacesRequest>(),
        "camillo.v1.SpaceService/ListTokenUsage" => visitor.visit::<v1::ListTokenUsageRequest>(),
        "camillo.v1.SpoolService/ListSpooled" => visitor.visit::<v1::ListSpooledRequest>(),
        "camillo.v1.TaskService/ListTasks" => visitor.visit::<v1::ListTasksRequest>(),
        _ => return None,
    })
}

/// Calls the visitor with the request type of the stream method of this full name, such as
/// `camillo.v1.ArtifactService/ReadArtifact`; None if there is none.
pub fn stream<V: StreamVisitor>(method: &str, visitor: V) -> Option<V::Output> {
    Some(match method {
        "camillo.v1.ArtifactService/ReadArtifact" => visitor.visit::<v1::ReadArtifactRequest>(),
        "camillo.v1.ArtifactService/SearchArtifact" => visitor.visit::<v1::SearchArtifactRequest>(),
        "camillo.v1.AuditService/WatchAudit" => visitor.visit::<v1::WatchAuditRequest>(),
        "camillo.v1.AuditService/VerifyAudit" => visitor.visit::<v1::VerifyAuditRequest>(),
        "camillo.v1.EventService/WatchEvents" => visitor.visit::<v1::WatchEventsRequest>(),
        "camillo.v1.MemoryService/WatchMemories" => visitor.visit::<v1::WatchMemoriesRequest>(),
        "camillo.v1.MemoryService/ExportMemories" => visitor.visit::<v1::ExportMemoriesRequest>(),
        "camillo.v1.SlotService/WatchSlots" => visitor.visit::<v1::WatchSlotsRequest>(),
        "camillo.v1.SlotService/ExportSlots" => visitor.visit::<v1::ExportSlotsRequest>(),
        _ => return None,
    })
}

/// Calls the visitor with the request type of the watch method of this full name, such as
/// `camillo.v1.AuditService/WatchAudit`; None if there is none.
pub fn watch<V: WatchVisitor>(method: &str, visitor: V) -> Option<V::Output> {
    Some(match method {
        "camillo.v1.AuditService/WatchAudit" => visitor.visit::<v1::WatchAuditRequest>(),
        "camillo.v1.EventService/WatchEvents" => visitor.visit::<v1::WatchEventsRequest>(),
        "camillo.v1.MemoryService/WatchMemories" => visitor.visit::<v1::WatchMemoriesRequest>(),
        "camillo.v1.SlotService/WatchSlots" => visitor.visit::<v1::WatchSlotsRequest>(),
        _ => return None,
    })
}
