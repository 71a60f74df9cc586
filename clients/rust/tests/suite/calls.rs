//! One call and its repetitions.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::scripted_server::{Reply, Server, overloaded, refused, status, unavailable};
use camillo_client::v1::{
    CreateAgentRequest, GetMemoryRequest, GetMemoryResponse, Memory, RecallRequest, RecallResponse, RememberRequest,
    RememberResponse, Revision,
};
use camillo_client::{Client, Code, Reason, Tls};
use tokio::net::TcpListener;
use tonic::Status;

fn remembered() -> RememberResponse {
    let memory = Memory { memory_id: "m1".into(), content: "tea".into(), ..Default::default() };
    RememberResponse { memory: Some(memory), ..Default::default() }
}

#[tokio::test]
async fn a_call_carries_the_key_and_its_scope() {
    let server = Server::start().await;
    server.will_answer::<RememberRequest>(remembered()).will_answer::<RememberRequest>(remembered());
    let client = server.client();
    client.remember("tea").await.unwrap();
    client.for_agent("bob").remember("tea").await.unwrap();
    let calls = server.calls::<RememberRequest>();
    assert_eq!(calls[0].header("authorization"), Some("Bearer cam_test"));
    assert_eq!(calls[0].header("camillo-scope").unwrap().len(), 16);
    assert_ne!(calls[0].header("camillo-scope"), calls[1].header("camillo-scope"));
    assert!(calls[0].header("grpc-timeout").is_some());
}

#[tokio::test]
async fn agent_and_request_id_are_filled_in_where_they_are_empty() {
    let server = Server::start().await;
    server.will_answer::<RememberRequest>(remembered()).will_answer::<RememberRequest>(remembered());
    let client = server.client();
    client.remember("tea").await.unwrap();
    let own = RememberRequest { agent_id: "bob".into(), request_id: "mine".into(), ..Default::default() };
    client.call(own).await.unwrap();
    let sent = server.requests::<RememberRequest>();
    assert_eq!((sent[0].agent_id.as_str(), sent[0].request_id.len()), ("ada", 32));
    assert_eq!((sent[1].agent_id.as_str(), sent[1].request_id.as_str()), ("bob", "mine"));
}

#[tokio::test]
async fn the_agent_that_is_made_is_never_the_one_who_acts() {
    use camillo_client::requests::Request;
    assert!(CreateAgentRequest::default().agent_id().is_none());
}

#[tokio::test]
async fn a_mutation_is_repeated_with_the_same_id_while_the_server_is_unavailable() {
    let server = Server::start().await;
    server
        .will::<RememberRequest>(Reply::failing(unavailable()))
        .will::<RememberRequest>(Reply::failing(unavailable()))
        .will_answer::<RememberRequest>(remembered());
    assert_eq!(server.client().remember("tea").await.unwrap().memory_id, "m1");
    let sent = server.requests::<RememberRequest>();
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|request| request.request_id == sent[0].request_id));
}

#[tokio::test]
async fn after_four_attempts_the_failure_is_told() {
    let server = Server::start().await;
    for _ in 0..5 {
        server.will::<RememberRequest>(Reply::failing(unavailable()));
    }
    let error = server.client().remember("tea").await.unwrap_err();
    assert!(error.is_unavailable());
    let sent = server.requests::<RememberRequest>();
    assert_eq!(sent.len(), 4);
    assert_eq!(error.request_id(), sent[0].request_id);
    assert_eq!(server.pauses().len(), 3);
}

#[tokio::test]
async fn an_unavailable_server_is_asked_again_when_it_says() {
    let server = Server::start().await;
    let pause = Duration::from_secs(3);
    server
        .will::<RecallRequest>(Reply::failing(status(Code::Unavailable, "SERVER_DRAINING", Some(pause))))
        .will_answer::<RecallRequest>(RecallResponse::default());
    server.client().recall("tea").await.unwrap();
    assert_eq!(server.pauses(), [pause]);
}

#[tokio::test]
async fn an_overloaded_server_is_asked_again_when_it_says_up_to_three_times() {
    let server = Server::start().await;
    let pause = Duration::from_millis(250);
    for _ in 0..5 {
        server.will::<RecallRequest>(Reply::failing(overloaded(Some(pause))));
    }
    let error = server.client().recall("tea").await.unwrap_err();
    assert_eq!(error.reason(), Some(&Reason::Overloaded));
    assert_eq!(server.pauses(), [pause; 3]);
    assert_eq!(server.calls::<RecallRequest>().len(), 4);
}

#[tokio::test]
async fn nobody_waits_past_the_timeout() {
    let server = Server::start().await;
    server.will::<RecallRequest>(Reply::failing(overloaded(Some(Duration::from_secs(11)))));
    let error = server.client().recall("tea").await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(11)));
    assert!(server.pauses().is_empty());
}

#[tokio::test]
async fn other_failures_are_not_repeated() {
    let server = Server::start().await;
    for refusal in [
        status(Code::ResourceExhausted, "QUOTA_EXCEEDED", None),
        overloaded(None),
        status(Code::Internal, "INTERNAL", None),
    ] {
        server.will::<RecallRequest>(Reply::failing(refusal));
        server.client().recall("tea").await.unwrap_err();
    }
    assert_eq!(server.calls::<RecallRequest>().len(), 3);
}

#[tokio::test]
async fn a_call_that_is_not_answered_ends_with_its_timeout() {
    let server = Server::start().await;
    server.will::<RememberRequest>(Reply::never());
    let client = server.client().with_timeout(Duration::from_millis(50));
    let error = client.remember("tea").await.unwrap_err();
    assert!(error.is_deadline_exceeded(), "{error}");
    assert_eq!(error.request_id().len(), 32);
}

#[tokio::test]
async fn a_connection_that_never_answers_ends_with_the_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let client = Client::builder().address(address).timeout(Duration::from_millis(50)).connect().unwrap();
    assert!(client.recall("tea").await.unwrap_err().is_deadline_exceeded());
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = listener.local_addr().unwrap().to_string();
    drop(listener);
    for address in [refused.as_str(), "no-such-host.invalid:7070"] {
        let client = Client::builder().address(address).pause(|_| std::future::ready(())).connect().unwrap();
        let error = client.recall("tea").await.unwrap_err();
        assert!(error.is_unavailable(), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            drop(connection);
        }
    });
    let client = Client::builder().address(address).pause(|_| std::future::ready(())).connect().unwrap();
    let error = client.recall("tea").await.unwrap_err();
    assert!(error.is_unavailable(), "{error:?}");
}

#[tokio::test]
async fn an_answer_above_the_limit_is_refused() {
    let server = Server::start().await;
    let memory = Memory { content: "tea".repeat(1_000), ..Default::default() };
    server.will_answer::<GetMemoryRequest>(GetMemoryResponse { memory: Some(memory), ..Default::default() });
    let client = server.builder().max_message_bytes(1_000).connect().unwrap();
    assert_eq!(client.get("m1").await.unwrap_err().code(), Code::ResourceExhausted);
}

#[tokio::test]
async fn a_refusal_says_what_is_wrong() {
    let server = Server::start().await;
    server.will::<RememberRequest>(Reply::failing(refused("memory.content", "is too long")));
    let error = server.client().remember("tea").await.unwrap_err();
    assert_eq!(error.reason(), Some(&Reason::InvalidField));
    assert_eq!(error.field_violations()[0].field, "memory.content");
    assert_eq!(error.metadata()["limit"], "2000");
    assert_eq!(error.to_string(), "INVALID_FIELD: refused; memory.content: is too long");
}

#[tokio::test]
async fn the_reason_of_a_newer_server_is_kept() {
    let server = Server::start().await;
    server.will::<RecallRequest>(Reply::failing(status(Code::FailedPrecondition, "TEA_IS_OUT", None)));
    let error = server.client().recall("tea").await.unwrap_err();
    assert_eq!(error.reason(), Some(&Reason::Other("TEA_IS_OUT".into())));
    assert_eq!(error.code(), Code::FailedPrecondition);
}

#[tokio::test]
async fn details_that_were_mangled_leave_the_code_and_the_message() {
    let server = Server::start().await;
    server.will::<RecallRequest>(Reply::failing_with_mangled_details(Status::not_found("gone")));
    let error = server.client().recall("tea").await.unwrap_err();
    assert_eq!((error.code(), error.message(), error.reason()), (Code::NotFound, "gone", None));
}

#[tokio::test]
async fn a_method_that_an_older_server_does_not_have_is_unknown() {
    let server = Server::start().await;
    let error = server.client().recall("tea").await.unwrap_err();
    assert!(error.is_method_unknown());
    assert!(error.to_string().starts_with("not supported by this server"));
}

#[tokio::test]
async fn what_a_newer_server_adds_does_no_harm() {
    let server = Server::start().await;
    let mut memory = Memory { kind: 99, ..Default::default() };
    memory.content = "tea".into();
    let newer = NewerAnswer { memory: Some(memory), revision: Some(Revision::default()), added: "later".into() };
    server.will::<GetMemoryRequest>(Reply::with([newer]));
    assert_eq!(server.client().get("m1").await.unwrap().kind, 99);
}

#[derive(Clone, PartialEq, prost::Message)]
struct NewerAnswer {
    #[prost(message, optional, tag = "1")]
    memory: Option<Memory>,
    #[prost(message, optional, tag = "2")]
    revision: Option<Revision>,
    #[prost(string, tag = "900")]
    added: String,
}

#[tokio::test]
async fn nothing_that_is_printed_holds_a_key() {
    let tls = Tls::new().identity("chain", "private");
    let builder = Client::builder().key("cam_secret").tls(tls);
    assert!(!format!("{builder:?}").contains("cam_secret"));
    let client = Client::builder().key("cam_secret").connect().unwrap();
    assert!(!format!("{client:?} {:?}", client.service()).contains("cam_secret"));
    assert!(!format!("{:?}", Tls::new().identity("chain", "private")).contains("112"));
}

#[tokio::test]
async fn a_key_that_would_be_read_on_the_way_is_told() {
    let told = Warnings::default();
    tracing::subscriber::with_default(told.clone(), || {
        let to = |address: &str| Client::builder().address(address).key("cam_secret");
        to("camillo.example:7070").connect().unwrap();
        to("camillo.example:7070").key("").connect().unwrap();
        to("camillo.example:7070").tls(Tls::new()).connect().unwrap();
        to("localhost:7070").connect().unwrap();
    });
    assert_eq!(
        told.0.lock().unwrap().as_slice(),
        ["the key goes to camillo.example:7070 unencrypted: connect with tls"]
    );
}

/// Holds what this client tells.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "camillo_client"
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut |_: &tracing::field::Field, value: &dyn std::fmt::Debug| {
            self.0.lock().unwrap().push(format!("{value:?}"));
        });
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}
