//! Answers that no server of ours would give do no harm.

use std::time::Duration;

use crate::scripted_server::{Reply, Server, overloaded, refused_often, status, unavailable};
use camillo_client::v1::{
    BatchRememberRequest, BatchRememberResponse, GetUploadRequest, GetUploadResponse, MemoryChange, NewArtifact,
    PutArtifactRequest, RecallRequest, RecallResponse, WatchMemoriesRequest, WatchMemoriesResponse,
};
use camillo_client::{Code, Reason};
use tokio_stream::StreamExt;

const A_THOUSAND_YEARS: Duration = Duration::from_secs(i64::MAX as u64);

#[tokio::test]
async fn who_is_to_come_back_in_a_thousand_years_is_told_so() {
    let server = Server::start().await;
    server.will::<RecallRequest>(Reply::failing(overloaded(Some(A_THOUSAND_YEARS))));
    let error = server.client().recall("tea").await.unwrap_err();
    assert_eq!(error.retry_after(), Some(A_THOUSAND_YEARS));
    assert!(server.pauses().is_empty());
}

#[tokio::test]
async fn what_has_no_deadline_does_not_wait_for_long() {
    let server = Server::start().await;
    let pause = Duration::from_secs(61);
    server.will::<WatchMemoriesRequest>(Reply::failing(status(Code::Unavailable, "SERVER_DRAINING", Some(pause))));
    let changes: Vec<_> = server.client().watch(WatchMemoriesRequest::default()).collect().await;
    assert_eq!(changes[0].as_ref().unwrap_err().reason(), Some(&Reason::ServerDraining));
    assert!(server.pauses().is_empty());
}

#[tokio::test]
async fn a_timeout_may_be_forever() {
    let server = Server::start().await;
    server.will_answer::<RecallRequest>(RecallResponse::default());
    let patient = server.client().with_timeout(Duration::MAX).with_stream_timeout(Duration::MAX);
    patient.recall("tea").await.unwrap();
    assert!(patient.artifacts().put("tea", NewArtifact::default()).await.unwrap_err().is_method_unknown());
}

#[tokio::test]
async fn a_hundred_broken_limits_are_told() {
    let server = Server::start().await;
    server.will::<RecallRequest>(Reply::failing(refused_often(100)));
    let error = server.client().recall("tea").await.unwrap_err();
    assert_eq!(error.reason(), Some(&Reason::InvalidField), "{error}");
    assert_eq!(error.field_violations().len(), 100);
}

#[tokio::test]
async fn a_batch_of_which_not_all_is_answered_is_a_defect() {
    let server = Server::start().await;
    server.will_answer::<BatchRememberRequest>(BatchRememberResponse::default());
    let error = server.client().remember_many(["tea"]).await.unwrap_err();
    assert_eq!((error.code(), error.request_id().len()), (Code::Internal, 32));
}

#[tokio::test]
async fn an_upload_does_not_go_on_where_there_is_nothing() {
    for held_bytes in [-1, 4, i64::MAX] {
        let server = Server::start().await;
        let held = GetUploadResponse { held_bytes, ..Default::default() };
        server
            .will::<PutArtifactRequest>(Reply::failing(unavailable()))
            .will_answer::<GetUploadRequest>(held)
            .will::<PutArtifactRequest>(Reply::failing(unavailable()));
        let error = server.client().artifacts().put("tea", NewArtifact::default()).await.unwrap_err();
        assert_eq!(error.code(), Code::Internal);
    }
}

#[tokio::test]
async fn what_is_no_change_is_passed_over() {
    let server = Server::start().await;
    let change = |token: &str| {
        let change = MemoryChange { resume_token: token.to_owned(), ..Default::default() };
        WatchMemoriesResponse { change: Some(change) }
    };
    let newer = WatchMemoriesResponse::default();
    server
        .will::<WatchMemoriesRequest>(Reply::with([change("t1"), newer.clone()]).then_failing(unavailable()))
        .will::<WatchMemoriesRequest>(Reply::with([newer, change("t2")]).then_waiting());
    let changes: Vec<_> = server.client().watch(WatchMemoriesRequest::default()).take(2).collect().await;
    let tokens: Vec<String> = changes.into_iter().map(|change| change.unwrap().resume_token).collect();
    assert_eq!(tokens, ["t1", "t2"]);
    use camillo_client::v1::watch_memories_request::Start;
    let asked = server.requests::<WatchMemoriesRequest>();
    assert_eq!(asked[1].start, Some(Start::ResumeToken("t1".to_owned())));
}
