//! The outcome of spooled writes, and what the tenant wants of them.

use crate::scripted_server::{Reply, Server, status};
use camillo_client::v1::{
    DiscardSpooledRequest, DiscardSpooledResponse, GetSpoolPolicyRequest, GetSpoolPolicyResponse, ListSpooledRequest,
    ListSpooledResponse, RetrySpooledRequest, RetrySpooledResponse, SetSpoolPolicyRequest, SetSpoolPolicyResponse,
    SpoolPolicy, SpoolState, SpooledWrite,
};
use camillo_client::{Code, Reason};
use tokio_stream::StreamExt;

fn spooled(spool_id: &str) -> SpooledWrite {
    SpooledWrite { spool_id: spool_id.into(), ..Default::default() }
}

#[tokio::test]
async fn spooled_writes_are_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |id: &str, next: &str| ListSpooledResponse {
        writes: vec![spooled(id)],
        next_page_token: next.into(),
        ..Default::default()
    };
    server.will_answer::<ListSpooledRequest>(page("s1", "p2")).will_answer::<ListSpooledRequest>(page("s2", ""));
    let all: Vec<_> = server.client().spool().list(SpoolState::Failed).collect().await;
    let ids: Vec<String> = all.into_iter().map(|write| write.unwrap().spool_id).collect();
    assert_eq!(ids, ["s1", "s2"]);
    let asked = server.requests::<ListSpooledRequest>().remove(1);
    assert_eq!((asked.state(), asked.page_token.as_str()), (SpoolState::Failed, "p2"));
}

#[tokio::test]
async fn writes_that_failed_are_retried_and_discarded() {
    let server = Server::start().await;
    server
        .will_answer::<RetrySpooledRequest>(RetrySpooledResponse { stored: 1, failed: vec![spooled("s1")] })
        .will_answer::<DiscardSpooledRequest>(DiscardSpooledResponse { discarded: 1 });
    let spool = server.client().spool();
    let answer = spool.retry(["s1", "s2"]).await.unwrap();
    assert_eq!((answer.stored, answer.failed), (1, vec![spooled("s1")]));
    assert_eq!(spool.discard(["s1"]).await.unwrap(), 1);
    assert_eq!(server.requests::<RetrySpooledRequest>().remove(0).spool_ids, ["s1", "s2"]);
    let discarded = server.requests::<DiscardSpooledRequest>().remove(0);
    assert_eq!(discarded.spool_ids, ["s1"]);
    assert!(!discarded.request_id.is_empty());
}

#[tokio::test]
async fn the_policy_is_read_and_set() {
    let server = Server::start().await;
    let (kept, drop) = (SpoolPolicy::Spool, SpoolPolicy::Drop);
    server
        .will_answer::<GetSpoolPolicyRequest>(GetSpoolPolicyResponse { policy: kept.into() })
        .will_answer::<SetSpoolPolicyRequest>(SetSpoolPolicyResponse { policy: drop.into() })
        .will::<SetSpoolPolicyRequest>(Reply::failing(status(Code::PermissionDenied, "SCOPE_FORBIDDEN", None)));
    let spool = server.client().spool();
    assert_eq!(spool.policy().await.unwrap(), kept);
    assert_eq!(spool.set_policy(drop).await.unwrap(), drop);
    assert_eq!(spool.set_policy(drop).await.unwrap_err().reason(), Some(&Reason::ScopeForbidden));
    assert_eq!(server.requests::<SetSpoolPolicyRequest>().remove(0).policy(), drop);
}
