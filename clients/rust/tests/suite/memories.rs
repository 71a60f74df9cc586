//! Holds what the methods for memories, events and artifacts send.

use crate::scripted_server::{Reply, Server, unavailable};
use camillo_client::google::rpc;
use camillo_client::v1::batch_remember_result::Outcome;
use camillo_client::v1::new_event::Content;
use camillo_client::v1::{
    ActorType, BatchRememberRequest, BatchRememberResponse, BatchRememberResult, BuildBundleRequest,
    BuildBundleResponse, EventKind, ForgetMemoriesRequest, ForgetMemoriesResponse, Memory, MemoryKind, NewEvent,
    NewMemory, RecordEventRequest, RecordEventResponse, RememberRequest, RememberResponse, ToolResult,
    UpdateMemoryRequest, UpdateMemoryResponse,
};
use camillo_client::{Changes, Code, to_json};
use serde_json::json;

#[tokio::test]
async fn all_that_is_said_of_a_memory_is_sent() {
    let server = Server::start().await;
    server.will_answer::<RememberRequest>(RememberResponse::default());
    let tea = NewMemory::from("Ada prefers tea")
        .of_kind(MemoryKind::Preference)
        .with_tags(["drinks", "ada"])
        .with_importance(0.9)
        .with_metadata(&json!({"cups": 2}))
        .in_session("s1");
    server.client().remember(tea).await.unwrap();
    let sent = server.requests::<RememberRequest>().remove(0).memory.unwrap();
    assert_eq!(
        (sent.content.as_str(), sent.kind(), sent.importance),
        ("Ada prefers tea", MemoryKind::Preference, Some(0.9))
    );
    assert_eq!((sent.tags.len(), sent.session_id.as_str()), (2, "s1"));
    assert_eq!(to_json(&sent.metadata.unwrap()), json!({"cups": 2.0}));
}

#[tokio::test]
async fn of_many_memories_each_is_stored_or_has_its_error() {
    let server = Server::start().await;
    let stored = Outcome::Memory(Memory { memory_id: "m1".into(), ..Default::default() });
    let failed = Outcome::Error(rpc::Status { code: 3, message: "too long".into(), details: Vec::new() });
    let result = |outcome| BatchRememberResult { outcome: Some(outcome), ..Default::default() };
    let answer = BatchRememberResponse { results: vec![result(stored), result(failed)], ..Default::default() };
    server.will_answer::<BatchRememberRequest>(answer);
    let outcomes = server.client().remember_many(["tea", "coffee"]).await.unwrap();
    assert_eq!(outcomes[0].as_ref().unwrap().memory_id, "m1");
    assert_eq!(outcomes[1].as_ref().unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test]
async fn the_batches_of_many_memories_have_ids_that_can_be_given_again() {
    let server = Server::start().await;
    let results = vec![BatchRememberResult::default(); 1_000];
    server.will_answer::<BatchRememberRequest>(BatchRememberResponse { results, ..Default::default() });
    for _ in 0..4 {
        server.will::<BatchRememberRequest>(Reply::failing(unavailable()));
    }
    let many = (0..1_001).map(|number| number.to_string());
    let error = server.client().remember_many_as("mine", many).await.unwrap_err();
    assert_eq!(error.request_id(), "mine");
    let ids: Vec<String> =
        server.requests::<BatchRememberRequest>().into_iter().map(|request| request.request_id).collect();
    assert_eq!(ids[..2], ["mine", "mine.1"]);
}

#[tokio::test]
async fn an_update_names_what_it_changes() {
    let server = Server::start().await;
    server.will_answer::<UpdateMemoryRequest>(UpdateMemoryResponse::default());
    let changes = Changes::new().importance(0.7).tags(Vec::<String>::new()).importance(0.1);
    server.client().update("m1", 3, changes).await.unwrap();
    let sent = server.requests::<UpdateMemoryRequest>().remove(0);
    assert_eq!(sent.expected_version, 3);
    assert_eq!(sent.update_mask.unwrap().paths, ["importance", "tags"]);
}

#[tokio::test]
async fn memories_are_forgotten_by_their_ids() {
    let server = Server::start().await;
    server.will_answer::<ForgetMemoriesRequest>(ForgetMemoriesResponse { forgotten: 2, ..Default::default() });
    assert_eq!(server.client().forget(["m1", "m2"]).await.unwrap().forgotten, 2);
}

#[tokio::test]
async fn the_kind_of_an_event_follows_from_its_content() {
    let server = Server::start().await;
    server
        .will_answer::<RecordEventRequest>(RecordEventResponse::default())
        .will_answer::<RecordEventRequest>(RecordEventResponse::default());
    let events = server.client().events();
    let asked = NewEvent::from("Is there tea?").in_session("s1").by(ActorType::Human, "ada");
    events.record(asked).await.unwrap();
    events.record(ToolResult { tool: "shelf".into(), ..Default::default() }).await.unwrap();
    let sent: Vec<NewEvent> =
        server.requests::<RecordEventRequest>().into_iter().map(|request| request.event.unwrap()).collect();
    assert_eq!(sent[0].content, Some(Content::Text("Is there tea?".into())));
    assert_eq!(sent[0].actor.as_ref().unwrap().id, "ada");
    assert_eq!(sent[1].kind(), EventKind::ToolResult);
}

#[tokio::test]
async fn a_bundle_is_built_within_its_budget() {
    let server = Server::start().await;
    server.will_answer::<BuildBundleRequest>(BuildBundleResponse::default());
    let request = BuildBundleRequest::from("tea?").in_session("s1").within(2_000);
    server.client().context().bundle(request).await.unwrap();
    let sent = server.requests::<BuildBundleRequest>().remove(0);
    assert_eq!((sent.query_text.as_str(), sent.session_id.as_str(), sent.max_tokens), ("tea?", "s1", Some(2_000)));
}
