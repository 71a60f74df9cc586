//! Memories in the place of others, and what a recall is asked beside its query.

use std::time::{Duration, SystemTime};

use crate::scripted_server::Server;
use camillo_client::v1::{
    Contradiction, Judgement, LinkMode, ListContradictionsRequest, ListContradictionsResponse, Memory, MemoryFilter,
    NewMemory, RecallContext, RecallMode, RecallRequest, Rerank, SupersedeMemoryRequest, SupersedeMemoryResponse,
    TimeMode, UnjudgedReason,
};
use tokio_stream::StreamExt;

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

#[tokio::test]
async fn a_memory_takes_the_place_of_another() {
    let server = Server::start().await;
    let memory = Memory { memory_id: "m2".into(), ..Default::default() };
    let answer = SupersedeMemoryResponse { memory: Some(memory.clone()), ..Default::default() };
    server.will_answer::<SupersedeMemoryRequest>(answer.clone()).will_answer::<SupersedeMemoryRequest>(answer);
    let client = server.client();
    assert_eq!(client.supersede("m1", 3, "m2", Some(at(7))).await.unwrap().memory, Some(memory));
    client.supersede("m1", 3, "m2", None).await.unwrap();
    let sent = server.requests::<SupersedeMemoryRequest>();
    for each in &sent {
        assert_eq!((each.memory_id.as_str(), each.expected_version, each.successor_id.as_str()), ("m1", 3, "m2"));
        assert!(!each.request_id.is_empty());
    }
    assert_eq!(sent[0].since.as_ref().map(|since| since.seconds), Some(7));
    assert_eq!(sent[1].since, None);
}

#[tokio::test]
async fn contradictions_are_listed_over_all_pages_some_of_which_have_none() {
    let server = Server::start().await;
    let found = Contradiction { similarity: 0.5, ..Default::default() };
    server
        .will_answer::<ListContradictionsRequest>(ListContradictionsResponse {
            next_page_token: "p2".into(),
            ..Default::default()
        })
        .will_answer::<ListContradictionsRequest>(ListContradictionsResponse {
            contradictions: vec![found.clone()],
            ..Default::default()
        });
    let filter = MemoryFilter { tags_any: vec!["tea".into()], ..Default::default() };
    let all: Vec<_> = server.client().contradictions(filter.clone()).collect().await;
    assert_eq!(all.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [found]);
    let asked = server.requests::<ListContradictionsRequest>().remove(1);
    assert_eq!((asked.page_token.as_str(), asked.filter), ("p2", Some(filter)));
}

#[tokio::test]
async fn contradictions_are_judged_where_that_is_asked_for() {
    let server = Server::start().await;
    let judgement = Judgement { current_id: "m2".into(), ..Default::default() };
    let found = Contradiction { judgement: Some(judgement), ..Default::default() };
    server.will_answer::<ListContradictionsRequest>(ListContradictionsResponse {
        contradictions: vec![found.clone()],
        ..Default::default()
    });
    let all: Vec<_> = server.client().judged_contradictions(MemoryFilter::default()).collect().await;
    assert_eq!(all.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [found]);
    assert!(server.requests::<ListContradictionsRequest>().remove(0).judge);
}

#[tokio::test]
async fn each_page_of_judged_contradictions_says_why_pairs_were_not_judged() {
    let server = Server::start().await;
    let why = [UnjudgedReason::Budget, UnjudgedReason::Timeout];
    server
        .will_answer::<ListContradictionsRequest>(ListContradictionsResponse {
            degraded: why.map(i32::from).to_vec(),
            next_page_token: "p2".into(),
            ..Default::default()
        })
        .will_answer::<ListContradictionsRequest>(ListContradictionsResponse {
            contradictions: vec![Contradiction::default()],
            ..Default::default()
        });
    let filter = MemoryFilter { tags_any: vec!["お茶".into()], ..Default::default() };
    let pages: Vec<_> = server.client().judged_contradiction_pages(filter.clone()).collect().await;
    let pages: Vec<_> = pages.into_iter().map(Result::unwrap).collect();
    let told: Vec<_> = pages.iter().map(|page| (page.degraded().collect(), page.contradictions.len())).collect();
    assert_eq!(told, [(why.to_vec(), 0), (vec![], 1)]);
    for asked in server.requests::<ListContradictionsRequest>() {
        assert_eq!((asked.judge, asked.filter), (true, Some(filter.clone())));
    }
}

#[test]
fn a_recall_says_what_it_belongs_to_and_how_time_and_links_count() {
    let context = RecallContext { turns: vec!["お茶?".into()], ..Default::default() };
    let rerank = Rerank { enabled: true, candidates: 50, budget_ms: 400 };
    let request = RecallRequest::from("tea")
        .with_mode(RecallMode::Precise)
        .in_context(context.clone())
        .as_of(at(7))
        .asked_at(at(8))
        .with_time_mode(TimeMode::Only)
        .with_link_mode(LinkMode::Ignore)
        .with_rerank(rerank);
    assert_eq!(
        (request.mode(), request.time_mode(), request.link_mode()),
        (RecallMode::Precise, TimeMode::Only, LinkMode::Ignore)
    );
    assert_eq!((request.context, request.rerank), (Some(context), Some(rerank)));
    let seconds = [request.as_of, request.query_time].map(|time| time.unwrap().seconds);
    assert_eq!(seconds, [7, 8]);
    let reranked = RecallRequest::from("tea").reranked().rerank.unwrap();
    assert!(reranked.enabled && reranked.candidates == 0);
}

#[test]
fn a_memory_says_when_it_is_true_and_what_it_supersedes() {
    let memory = NewMemory::from("tea").valid_from(at(7)).valid_until(at(8)).superseding(["m0"]);
    let seconds = [memory.valid_from, memory.valid_until].map(|time| time.unwrap().seconds);
    assert_eq!((seconds, memory.supersedes), ([7, 8], vec!["m0".to_owned()]));
}
