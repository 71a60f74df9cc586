//! CANCELLED that the server says is a server that went away; what the caller gives up is not asked for again.

use std::time::Duration;

use crate::scripted_server::{Reply, Server};
use camillo_client::Code;
use camillo_client::v1::{
    ExportMemoriesRequest, ExportMemoriesResponse, MemoryChange, RecallRequest, RememberRequest, RememberResponse,
    WatchMemoriesRequest, WatchMemoriesResponse,
};
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tonic::Status;

fn dropped() -> Status {
    Status::cancelled("")
}

#[tokio::test]
async fn a_call_that_the_server_dropped_is_repeated() {
    let server = Server::start().await;
    server
        .will::<RememberRequest>(Reply::failing(dropped()))
        .will::<RememberRequest>(Reply::failing(dropped()))
        .will_answer::<RememberRequest>(RememberResponse::default());
    server.client().remember("tea").await.unwrap();
    let sent = server.requests::<RememberRequest>();
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|request| *request == sent[0]));
}

#[tokio::test]
async fn a_server_that_drops_every_call_is_unavailable() {
    let server = Server::start().await;
    for _ in 0..5 {
        server.will::<RememberRequest>(Reply::failing(dropped()));
    }
    let error = server.client().remember("tea").await.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::Unavailable, "the server went away"));
    assert_eq!(server.calls::<RememberRequest>().len(), 4);
}

#[tokio::test]
async fn a_stream_that_is_not_begun_anew_is_unavailable() {
    let server = Server::start().await;
    let first = ExportMemoriesResponse::default();
    server.will::<ExportMemoriesRequest>(Reply::with([first]).then_failing(dropped()));
    let messages: Vec<_> = server.client().stream(ExportMemoriesRequest::default()).collect().await;
    assert!(messages[1].as_ref().unwrap_err().is_unavailable());
}

#[tokio::test]
async fn a_watch_goes_on() {
    let server = Server::start().await;
    let change = |token: &str| {
        let change = MemoryChange { resume_token: token.to_owned(), ..Default::default() };
        Reply::with([WatchMemoriesResponse { change: Some(change) }])
    };
    server
        .will::<WatchMemoriesRequest>(change("t1").then_failing(dropped()))
        .will::<WatchMemoriesRequest>(change("t2").then_waiting());
    let changes: Vec<_> = server.client().watch(WatchMemoriesRequest::default()).take(2).collect().await;
    assert!(changes.iter().all(Result::is_ok));
}

#[tokio::test]
async fn a_call_that_its_caller_gives_up_is_not_repeated() {
    let server = Server::start().await;
    server.will::<RecallRequest>(Reply::never()).will::<RecallRequest>(Reply::never());
    let client = server.client();
    assert!(timeout(Duration::from_millis(100), client.recall("tea")).await.is_err());
    // A repetition would have come by then, as this one shows.
    server
        .will::<RememberRequest>(Reply::failing(dropped()))
        .will_answer::<RememberRequest>(RememberResponse::default());
    client.remember("tea").await.unwrap();
    assert_eq!(server.calls::<RememberRequest>().len(), 2);
    assert_eq!(server.calls::<RecallRequest>().len(), 1);
    assert_eq!(server.pauses().len(), 1);
}
