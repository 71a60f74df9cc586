//! The audit trail: entered, listed, followed and checked.

use crate::scripted_server::{Reply, Server, status, unavailable};
use camillo_client::v1::{
    AuditChange, AuditEntry, AuditFilter, AuditHead, AuditPolicy, AuditProblem, GetAuditPolicyRequest,
    GetAuditPolicyResponse, ListAuditEntriesRequest, ListAuditEntriesResponse, NewAuditAction, RecordAuditEntryRequest,
    RecordAuditEntryResponse, SetAuditPolicyRequest, SetAuditPolicyResponse, VerifyAuditRequest, VerifyAuditResponse,
    WatchAuditRequest, WatchAuditResponse,
};
use camillo_client::{Code, Reason, to_json};
use serde_json::json;
use tokio_stream::StreamExt;

#[tokio::test]
async fn an_action_is_entered_in_the_trail() {
    let server = Server::start().await;
    server.will_answer::<RecordAuditEntryRequest>(RecordAuditEntryResponse {
        action_id: "a1".into(),
        ..Default::default()
    });
    let meta = json!({"€": [1.0, null]});
    let action = NewAuditAction::of("invoice.approved", "发票 🧾").with_meta(&meta).in_session("s");
    assert_eq!(server.client().audit().record(action.clone()).await.unwrap().action_id, "a1");
    let sent = server.requests::<RecordAuditEntryRequest>().remove(0);
    assert_eq!((sent.agent_id.as_str(), sent.action), ("ada", Some(action.clone())));
    assert!(!sent.request_id.is_empty());
    assert_eq!(to_json(&action.meta.unwrap()), meta);
}

#[tokio::test]
async fn entries_are_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |position, next: &str| ListAuditEntriesResponse {
        entries: vec![AuditEntry { position, ..Default::default() }],
        next_page_token: next.into(),
    };
    server.will_answer::<ListAuditEntriesRequest>(page(2, "p2")).will_answer::<ListAuditEntriesRequest>(page(1, ""));
    let filter = AuditFilter { method: "MemoryService/".into(), ..Default::default() };
    let all: Vec<_> = server.client().audit().list(filter.clone()).collect().await;
    let positions: Vec<i64> = all.into_iter().map(|entry| entry.unwrap().position).collect();
    assert_eq!(positions, [2, 1]);
    assert_eq!(server.requests::<ListAuditEntriesRequest>().remove(1).filter, Some(filter));
}

#[tokio::test]
async fn a_watch_of_the_trail_goes_on_behind_the_last_change() {
    let told = |token: &str| WatchAuditResponse {
        change: Some(AuditChange { resume_token: token.into(), ..Default::default() }),
    };
    let server = Server::start().await;
    server
        .will::<WatchAuditRequest>(Reply::with([told("1")]).then_failing(unavailable()))
        .will::<WatchAuditRequest>(Reply::with([told("2")]).then_waiting());
    let start = WatchAuditRequest { resume_token: "0".into(), ..Default::default() };
    let changes: Vec<_> = server.client().audit().watch(start).take(2).collect().await;
    let tokens: Vec<String> = changes.into_iter().map(|change| change.unwrap().resume_token).collect();
    assert_eq!(tokens, ["1", "2"]);
    let sent = server.requests::<WatchAuditRequest>();
    assert_eq!((sent[0].resume_token.as_str(), sent[1].resume_token.as_str()), ("0", "1"));
}

#[tokio::test]
async fn chains_are_checked_against_heads_that_are_known() {
    let server = Server::start().await;
    let found = |problems| VerifyAuditResponse { problems, ..Default::default() };
    server.will::<VerifyAuditRequest>(Reply::with([found(vec![]), found(vec![AuditProblem::default()])]));
    let known = AuditHead { agent_id: "ada".into(), position: 3, ..Default::default() };
    let all: Vec<_> = server.client().audit().verify([known.clone()]).collect().await;
    let problems: Vec<usize> = all.into_iter().map(|found| found.unwrap().problems.len()).collect();
    assert_eq!(problems, [0, 1]);
    assert_eq!(server.requests::<VerifyAuditRequest>().remove(0).known_heads, [known]);
}

#[tokio::test]
async fn the_policy_of_the_trail_is_read_and_set() {
    let server = Server::start().await;
    let policy = AuditPolicy { retention_days: 90, audit_reads: true };
    server
        .will_answer::<GetAuditPolicyRequest>(GetAuditPolicyResponse { policy: Some(policy) })
        .will_answer::<SetAuditPolicyRequest>(SetAuditPolicyResponse { policy: Some(policy) })
        .will::<SetAuditPolicyRequest>(Reply::failing(status(Code::PermissionDenied, "SCOPE_FORBIDDEN", None)));
    let audit = server.client().audit();
    assert_eq!(audit.policy().await.unwrap(), policy);
    assert_eq!(audit.set_policy(policy).await.unwrap(), policy);
    assert_eq!(audit.set_policy(policy).await.unwrap_err().reason(), Some(&Reason::ScopeForbidden));
    assert_eq!(server.requests::<SetAuditPolicyRequest>().remove(0).policy, Some(policy));
}
