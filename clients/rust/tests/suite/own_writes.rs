//! Reads see the client's own writes.

use crate::scripted_server::{Reply, Server, item, status};
use camillo_client::v1::batch_recall_result::Outcome;
use camillo_client::v1::freshness::Requirement;
use camillo_client::v1::{
    BatchRecallRequest, BatchRecallResponse, BatchRecallResult, BatchRememberRequest, BatchRememberResponse,
    BatchRememberResult, BuildBundleRequest, BuildBundleResponse, Bundle, ForgetMemoriesRequest,
    ForgetMemoriesResponse, Freshness, GetMemoryRequest, GetMemoryResponse, RebuildChunksRequest,
    RebuildChunksResponse, RecallRequest, RecallResponse, RememberRequest, RememberResponse, Revision,
};
use camillo_client::{Client, Code, Reason};

fn revision(token: &str) -> Option<Revision> {
    Some(Revision { token: token.to_owned() })
}

fn at_least(token: &str) -> Option<Freshness> {
    Some(Freshness { requirement: revision(token).map(Requirement::AtLeastAsFresh) })
}

/// A client that has just written revision `r1`.
async fn writer(server: &Server) -> Client {
    let answer = RememberResponse { revision: revision("r1"), ..Default::default() };
    server.will_answer::<RememberRequest>(answer);
    let client = server.client();
    client.remember("tea").await.unwrap();
    client
}

fn demands(server: &Server) -> Vec<Option<Freshness>> {
    server.requests::<RecallRequest>().into_iter().map(|request| request.freshness).collect()
}

#[tokio::test]
async fn a_read_demands_the_last_write() {
    let server = Server::start().await;
    let client = writer(&server).await;
    server.will_answer::<RecallRequest>(RecallResponse::default());
    client.recall("tea").await.unwrap();
    assert_eq!(demands(&server), [at_least("r1")]);
}

#[tokio::test]
async fn another_agent_demands_nothing() {
    let server = Server::start().await;
    let client = writer(&server).await;
    server.will_answer::<RecallRequest>(RecallResponse::default());
    client.for_agent("bob").recall("tea").await.unwrap();
    assert_eq!(demands(&server), [None]);
}

#[tokio::test]
async fn the_callers_own_demand_stands() {
    let server = Server::start().await;
    let client = writer(&server).await;
    server.will_answer::<RecallRequest>(RecallResponse::default());
    let own = Freshness::minimize_latency();
    client.recall(RecallRequest::from("tea").with_freshness(own.clone())).await.unwrap();
    assert_eq!(demands(&server), [Some(own)]);
}

#[tokio::test]
async fn a_write_with_an_id_of_the_callers_may_be_old() {
    let server = Server::start().await;
    let client = writer(&server).await;
    let answer = RememberResponse { revision: revision("r0"), ..Default::default() };
    server.will_answer::<RememberRequest>(answer);
    client.call(RememberRequest { request_id: "mine".into(), ..Default::default() }).await.unwrap();
    let answer = RecallResponse { revision: revision("r2"), ..Default::default() };
    server.will_answer::<RecallRequest>(answer.clone()).will_answer::<RecallRequest>(answer);
    client.recall("tea").await.unwrap();
    client.recall("tea").await.unwrap();
    assert_eq!(demands(&server), [Some(Freshness::fully_consistent()), at_least("r2")]);
}

#[tokio::test]
async fn a_dry_run_is_no_write() {
    let server = Server::start().await;
    let answer = ForgetMemoriesResponse { revision: revision("r1"), ..Default::default() };
    server.will_answer::<ForgetMemoriesRequest>(answer).will_answer::<RecallRequest>(RecallResponse::default());
    let client = server.client();
    client.call(ForgetMemoriesRequest { dry_run: true, ..Default::default() }).await.unwrap();
    client.recall("tea").await.unwrap();
    assert_eq!(demands(&server), [None]);
}

#[tokio::test]
async fn a_revision_that_the_server_does_not_know_is_dropped() {
    let server = Server::start().await;
    let client = writer(&server).await;
    server
        .will::<RecallRequest>(Reply::failing(status(Code::OutOfRange, "REVISION_UNKNOWN", None)))
        .will_answer::<RecallRequest>(RecallResponse::default())
        .will_answer::<RecallRequest>(RecallResponse::default());
    client.recall("tea").await.unwrap();
    client.recall("tea").await.unwrap();
    assert_eq!(demands(&server), [at_least("r1"), None, None]);
}

#[tokio::test]
async fn a_revision_that_only_the_caller_demanded_is_refused() {
    let server = Server::start().await;
    server.will::<GetMemoryRequest>(Reply::failing(status(Code::OutOfRange, "REVISION_UNKNOWN", None)));
    let request = GetMemoryRequest { freshness: at_least("r9"), ..Default::default() };
    let error = server.client().call(request).await.unwrap_err();
    assert_eq!(error.reason(), Some(&Reason::RevisionUnknown));
}

#[tokio::test]
async fn the_revision_of_a_bundle_counts() {
    let server = Server::start().await;
    let client = writer(&server).await;
    let answer = RememberResponse { revision: revision("r0"), ..Default::default() };
    server.will_answer::<RememberRequest>(answer);
    client.call(RememberRequest { request_id: "mine".into(), ..Default::default() }).await.unwrap();
    let bundle = Bundle { revision: revision("r5"), ..Default::default() };
    server
        .will_answer::<BuildBundleRequest>(BuildBundleResponse { bundle: Some(bundle) })
        .will_answer::<GetMemoryRequest>(GetMemoryResponse::default());
    client.context().bundle("tea").await.unwrap();
    client.get("m1").await.unwrap();
    assert_eq!(server.requests::<BuildBundleRequest>()[0].freshness, Some(Freshness::fully_consistent()));
    assert_eq!(server.requests::<GetMemoryRequest>()[0].freshness, at_least("r5"));
}

#[tokio::test]
async fn each_recall_of_a_batch_demands_for_itself() {
    let server = Server::start().await;
    let client = writer(&server).await;
    server.will_answer::<BatchRecallRequest>(BatchRecallResponse::default());
    let bobs = RecallRequest { agent_id: "bob".into(), ..Default::default() };
    client.call(BatchRecallRequest { requests: vec!["tea".into(), bobs] }).await.unwrap();
    let sent = server.requests::<BatchRecallRequest>().remove(0).requests;
    assert_eq!((sent[0].agent_id.as_str(), &sent[0].freshness), ("ada", &at_least("r1")));
    assert_eq!((sent[1].agent_id.as_str(), &sent[1].freshness), ("bob", &None));
}

#[tokio::test]
async fn a_batch_with_a_void_demand_is_asked_once_more() {
    let server = Server::start().await;
    let client = writer(&server).await;
    let void = Outcome::Error(item(Code::OutOfRange, "REVISION_UNKNOWN"));
    let results = vec![BatchRecallResult { outcome: Some(void) }];
    server
        .will_answer::<BatchRecallRequest>(BatchRecallResponse { results })
        .will_answer::<BatchRecallRequest>(BatchRecallResponse::default());
    client.call(BatchRecallRequest { requests: vec!["tea".into()] }).await.unwrap();
    let sent = server.requests::<BatchRecallRequest>();
    let demands: Vec<_> = sent.iter().map(|batch| batch.requests[0].freshness.clone()).collect();
    assert_eq!(demands, [at_least("r1"), None]);
}

#[tokio::test]
async fn after_batches_under_ids_of_their_own_the_last_one_is_enough() {
    let server = Server::start().await;
    for token in ["r1", "r2"] {
        server.will_answer::<BatchRememberRequest>(remembered_one(token));
    }
    server.will_answer::<RecallRequest>(RecallResponse::default());
    let client = server.client();
    client.remember_many(["tea"]).await.unwrap();
    client.remember_many(["coffee"]).await.unwrap();
    client.recall("tea").await.unwrap();
    assert_eq!(demands(&server), [at_least("r2")]);
}

#[tokio::test]
async fn chunks_that_were_made_again_are_seen() {
    let server = Server::start().await;
    let rebuilt = RebuildChunksResponse { revision: revision("r2"), ..Default::default() };
    server.will_answer::<RebuildChunksRequest>(rebuilt).will_answer::<RecallRequest>(RecallResponse::default());
    let client = server.client();
    client.call(RebuildChunksRequest::default()).await.unwrap();
    client.recall("tea").await.unwrap();
    assert_eq!(demands(&server), [at_least("r2")]);
}

fn remembered_one(token: &str) -> BatchRememberResponse {
    BatchRememberResponse { results: vec![BatchRememberResult::default()], revision: revision(token) }
}
