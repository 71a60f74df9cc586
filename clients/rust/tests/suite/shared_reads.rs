//! Recalls that look into the tenant's shared scope see what this client wrote there.

use crate::scripted_server::{Reply, Server, status};
use camillo_client::v1::freshness::Requirement;
use camillo_client::v1::scoring_profile::Profile;
use camillo_client::v1::{
    BatchRecallRequest, BatchRecallResponse, BatchRecallResult, Freshness, NewAuditAction, PublishDocumentHeader,
    PublishDocumentRequest, PublishDocumentResponse, PutSkillRequest, PutSkillResponse, RecallRequest, RecallResponse,
    RecordAuditEntryRequest, RecordAuditEntryResponse, Revision, SkillLevel, Source,
};
use camillo_client::{Code, Reason};

fn revision(token: &str) -> Option<Revision> {
    Some(Revision { token: token.into() })
}

fn published(token: &str) -> PublishDocumentResponse {
    PublishDocumentResponse { shared_revision: revision(token), ..Default::default() }
}

fn in_documents() -> RecallRequest {
    RecallRequest::from("tea").with_sources([Source::Document])
}

fn told(freshness: Option<&Freshness>) -> String {
    match freshness.and_then(|freshness| freshness.requirement.clone()) {
        Some(Requirement::AtLeastAsFresh(revision)) => revision.token,
        Some(Requirement::FullyConsistent(true)) => "all".into(),
        _ => String::new(),
    }
}

fn demands(server: &Server) -> Vec<(String, String)> {
    let sent = server.requests::<RecallRequest>();
    sent.iter().map(|sent| (told(sent.freshness.as_ref()), told(sent.shared_freshness.as_ref()))).collect()
}

#[tokio::test]
async fn recalls_demand_what_was_written_for_all_agents() {
    let server = Server::start().await;
    let skill = |token| PutSkillResponse { revision: revision(token), ..Default::default() };
    server
        .will_answer::<PublishDocumentRequest>(published("s1"))
        .will_answer::<RecordAuditEntryRequest>(RecordAuditEntryResponse {
            shared_revision: revision("s2"),
            ..Default::default()
        })
        .will_answer::<PutSkillRequest>(skill("s3"))
        .will_answer::<PutSkillRequest>(skill("r1"));
    for _ in 0..5 {
        server.will_answer::<RecallRequest>(RecallResponse::default());
    }
    let client = server.client();
    client.documents().publish("a.md", "tea").await.unwrap();
    client.recall("tea").await.unwrap();
    client.for_agent("bob").recall(in_documents()).await.unwrap();
    client.audit().record(NewAuditAction::of("tea.made", "茶")).await.unwrap();
    client.search_my_memories("tea").await.unwrap();
    let tenants = PutSkillRequest { level: SkillLevel::Tenant.into(), ..Default::default() };
    client.skills().put_as(tenants).await.unwrap();
    client.skills().put("# tea").await.unwrap();
    client.recall(RecallRequest::from("tea").including_shared()).await.unwrap();
    client.recall(in_documents().with_shared_freshness(Freshness::fully_consistent())).await.unwrap();
    let pair = |own: &str, shared: &str| (own.to_owned(), shared.to_owned());
    assert_eq!(demands(&server), [pair("", ""), pair("", "s1"), pair("", "s2"), pair("r1", "s3"), pair("r1", "all")]);
}

#[tokio::test]
async fn a_publication_that_may_be_a_repetition_is_covered_by_a_read_of_everything() {
    let server = Server::start().await;
    server
        .will_answer::<PublishDocumentRequest>(published("s1"))
        .will_answer::<PublishDocumentRequest>(published("s2"))
        .will_answer::<RecallRequest>(RecallResponse { shared_revision: revision("s5"), ..Default::default() })
        .will_answer::<RecallRequest>(RecallResponse::default());
    let client = server.client();
    client.documents().publish("a.md", "tea").await.unwrap();
    let header =
        PublishDocumentHeader { document: Some("a.md".into()), request_id: "mine".into(), ..Default::default() };
    client.documents().publish_as(header, "tea").await.unwrap();
    client.recall(in_documents()).await.unwrap();
    client.recall(in_documents()).await.unwrap();
    let shared: Vec<String> = demands(&server).into_iter().map(|(_, shared)| shared).collect();
    assert_eq!(shared, ["all", "s5"]);
}

#[tokio::test]
async fn a_shared_revision_that_the_server_does_not_know_is_dropped() {
    let unknown = || Reply::failing(status(Code::OutOfRange, "REVISION_UNKNOWN", None));
    let server = Server::start().await;
    server
        .will_answer::<PublishDocumentRequest>(published("s1"))
        .will_answer::<BatchRecallRequest>(BatchRecallResponse { results: vec![BatchRecallResult::default()] })
        .will::<RecallRequest>(unknown())
        .will_answer::<RecallRequest>(RecallResponse::default())
        .will::<RecallRequest>(unknown());
    let client = server.client();
    client.documents().publish("a.md", "tea").await.unwrap();
    client.recall_many([in_documents()]).await.unwrap();
    client.recall(in_documents()).await.unwrap();
    assert_eq!(client.recall(in_documents()).await.unwrap_err().reason(), Some(&Reason::RevisionUnknown));
    let shared: Vec<String> = demands(&server).into_iter().map(|(_, shared)| shared).collect();
    assert_eq!(shared, ["s1", "", ""]);
    let batch = server.requests::<BatchRecallRequest>().remove(0);
    assert_eq!(told(batch.requests[0].shared_freshness.as_ref()), "s1");
}

#[tokio::test]
async fn my_memories_are_searched_in_four_sources_unless_told_otherwise() {
    let server = Server::start().await;
    server
        .will_answer::<RecallRequest>(RecallResponse::default())
        .will_answer::<RecallRequest>(RecallResponse::default());
    let client = server.client();
    client.search_my_memories("茶").await.unwrap();
    client.search_my_memories(in_documents().with_limit(3).with_profile("evidence")).await.unwrap();
    let sent = server.requests::<RecallRequest>();
    let sources: Vec<_> = sent[0].sources().collect();
    assert_eq!(sources, [Source::Memory, Source::Audit, Source::WorkflowStep, Source::Document]);
    let told: Vec<_> =
        sent.iter().map(|sent| (sent.sources.len(), sent.limit, sent.profile.clone().unwrap().profile)).collect();
    let name = |name: &str| Some(Profile::Name(name.into()));
    assert_eq!(told, [(4, 5, name("blended")), (1, 3, name("evidence"))]);
}
