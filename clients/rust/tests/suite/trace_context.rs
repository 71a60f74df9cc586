//! Calls belong to the span they were made in.

use crate::scripted_server::Server;
use camillo_client::v1::{RecallRequest, RecallResponse};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};

#[tokio::test]
async fn a_call_carries_the_context_of_the_active_span() {
    let server = Server::start().await;
    server.will_answer::<RecallRequest>(RecallResponse::default());
    let state = TraceState::from_key_value([("tea", "green")]).unwrap();
    let span = SpanContext::new(TraceId::from(0xabu128), SpanId::from(0xcdu64), TraceFlags::SAMPLED, false, state);
    let _active = Context::new().with_remote_span_context(span).attach();
    server.client().recall("tea").await.unwrap();
    let call = server.calls::<RecallRequest>().remove(0);
    let parent = format!("00-{:032x}-{:016x}-01", 0xab, 0xcd);
    assert_eq!(call.header("traceparent"), Some(parent.as_str()));
    assert_eq!(call.header("tracestate"), Some("tea=green"));
}

#[tokio::test]
async fn without_a_span_nothing_is_added() {
    let server = Server::start().await;
    server.will_answer::<RecallRequest>(RecallResponse::default());
    server.client().recall("tea").await.unwrap();
    assert_eq!(server.calls::<RecallRequest>().remove(0).header("traceparent"), None);
}
