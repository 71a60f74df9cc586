//! Lists, streams and watches.

use std::time::Duration;

use crate::scripted_server::{Reply, Server, overloaded, status, unavailable};
use camillo_client::v1::watch_memories_request::Start;
use camillo_client::v1::{
    Event, EventFilter, ExportMemoriesRequest, ExportMemoriesResponse, ListEventsRequest, ListEventsResponse,
    ListMemoriesRequest, ListMemoriesResponse, ListRunsRequest, ListRunsResponse, Memory, MemoryChange, MemoryFilter,
    Run, WatchMemoriesRequest, WatchMemoriesResponse,
};
use camillo_client::{Code, Messages, Reason};
use tokio_stream::StreamExt;

fn memory(id: &str) -> Memory {
    Memory { memory_id: id.to_owned(), ..Default::default() }
}

fn change(token: &str) -> WatchMemoriesResponse {
    let change = MemoryChange { resume_token: token.to_owned(), ..Default::default() };
    WatchMemoriesResponse { change: Some(change) }
}

async fn tokens(changes: &mut Messages<MemoryChange>, count: usize) -> Vec<String> {
    let taken: Vec<_> = changes.take(count).collect().await;
    taken.into_iter().map(|change| change.unwrap().resume_token).collect()
}

#[tokio::test]
async fn a_list_goes_on_to_its_last_page() {
    let server = Server::start().await;
    let page = |ids: &[&str], next: &str| ListMemoriesResponse {
        memories: ids.iter().map(|id| memory(id)).collect(),
        next_page_token: next.to_owned(),
        ..Default::default()
    };
    server
        .will_answer::<ListMemoriesRequest>(page(&["m3", "m2"], "behind m2"))
        .will_answer::<ListMemoriesRequest>(page(&["m1"], ""));
    let all: Vec<_> = server.client().memories(MemoryFilter::default()).collect().await;
    let ids: Vec<String> = all.into_iter().map(|memory| memory.unwrap().memory_id).collect();
    assert_eq!(ids, ["m3", "m2", "m1"]);
    let asked: Vec<String> =
        server.requests::<ListMemoriesRequest>().into_iter().map(|request| request.page_token).collect();
    assert_eq!(asked, ["", "behind m2"]);
}

#[tokio::test]
async fn runs_are_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |ids: &[&str], next: &str| ListRunsResponse {
        runs: ids.iter().map(|&id| Run { run_id: id.to_owned(), ..Default::default() }).collect(),
        next_page_token: next.to_owned(),
    };
    server
        .will_answer::<ListRunsRequest>(page(&["r3", "r2"], "behind r2"))
        .will_answer::<ListRunsRequest>(page(&["r1"], ""));
    let of_session = ListRunsRequest { session_id: "s1".to_owned(), ..Default::default() };
    let all: Vec<_> = server.client().runs().list(of_session).collect().await;
    let ids: Vec<String> = all.into_iter().map(|run| run.unwrap().run_id).collect();
    assert_eq!(ids, ["r3", "r2", "r1"]);
    let asked: Vec<_> = server
        .requests::<ListRunsRequest>()
        .into_iter()
        .map(|request| (request.agent_id, request.session_id, request.page_token))
        .collect();
    let request = |token: &str| ("ada".to_owned(), "s1".to_owned(), token.to_owned());
    assert_eq!(asked, [request(""), request("behind r2")]);
}

#[tokio::test]
async fn a_page_is_asked_for_when_the_one_before_has_been_taken() {
    let server = Server::start().await;
    let page =
        ListEventsResponse { events: vec![Event::default()], next_page_token: "next".to_owned(), ..Default::default() };
    server.will_answer::<ListEventsRequest>(page);
    let mut events = server.client().events().list(EventFilter::default());
    assert!(server.calls::<ListEventsRequest>().is_empty());
    events.next().await.unwrap().unwrap();
    assert_eq!(server.calls::<ListEventsRequest>().len(), 1);
}

#[tokio::test]
async fn the_error_of_a_stream_comes_behind_what_came_before() {
    let server = Server::start().await;
    let part = ExportMemoriesResponse { memories: vec![memory("m1")], ..Default::default() };
    let broken = status(Code::PermissionDenied, "SCOPE_FORBIDDEN", None);
    server.will::<ExportMemoriesRequest>(Reply::with([part]).then_failing(broken));
    let parts: Vec<_> = server.client().stream(ExportMemoriesRequest::default()).collect().await;
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[1].as_ref().unwrap_err().reason(), Some(&Reason::ScopeForbidden));
    assert_eq!(server.requests::<ExportMemoriesRequest>()[0].agent_id, "ada");
}

#[tokio::test]
async fn a_watch_goes_on_behind_the_last_change_handed_out() {
    let server = Server::start().await;
    server
        .will::<WatchMemoriesRequest>(Reply::with([change("c1"), change("c2")]).then_failing(unavailable()))
        .will::<WatchMemoriesRequest>(Reply::with([change("c3")]))
        .will::<WatchMemoriesRequest>(Reply::with([change("c4")]).then_waiting());
    let start = WatchMemoriesRequest { start: Some(Start::FromBeginning(true)), ..Default::default() };
    let mut changes = server.client().watch(start);
    assert_eq!(tokens(&mut changes, 4).await, ["c1", "c2", "c3", "c4"]);
    let starts: Vec<_> = server.requests::<WatchMemoriesRequest>().into_iter().map(|request| request.start).collect();
    let behind = |token: &str| Some(Start::ResumeToken(token.to_owned()));
    assert_eq!(starts, [Some(Start::FromBeginning(true)), behind("c2"), behind("c3")]);
}

#[tokio::test]
async fn a_watch_comes_back_to_a_busy_server_when_it_says() {
    let server = Server::start().await;
    let pause = Duration::from_millis(70);
    server
        .will::<WatchMemoriesRequest>(Reply::failing(overloaded(Some(pause))))
        .will::<WatchMemoriesRequest>(Reply::with([change("c1")]).then_waiting());
    let mut changes = server.client().watch(WatchMemoriesRequest::default());
    assert_eq!(tokens(&mut changes, 1).await, ["c1"]);
    assert_eq!(server.pauses(), [pause]);
}

#[tokio::test]
async fn a_watch_goes_on_when_something_on_the_way_breaks_it_off() {
    let server = Server::start().await;
    server
        .will::<WatchMemoriesRequest>(Reply::with([change("c1")]).then_breaking_off())
        .will::<WatchMemoriesRequest>(Reply::with([change("c2")]).then_waiting());
    let mut changes = server.client().watch(WatchMemoriesRequest::default());
    assert_eq!(tokens(&mut changes, 2).await, ["c1", "c2"]);
    assert_eq!(server.pauses().len(), 1);
}

#[tokio::test]
async fn a_stream_that_was_broken_off_is_never_taken_for_whole() {
    let server = Server::start().await;
    let part = ExportMemoriesResponse { memories: vec![memory("m1")], ..Default::default() };
    server.will::<ExportMemoriesRequest>(Reply::with([part]).then_breaking_off());
    let parts: Vec<_> = server.client().stream(ExportMemoriesRequest::default()).collect().await;
    assert!(parts[1].as_ref().unwrap_err().is_unavailable());
}

#[tokio::test]
async fn a_watch_gives_up_after_ten_connections_that_brought_nothing() {
    let server = Server::start().await;
    for _ in 0..20 {
        server.will::<WatchMemoriesRequest>(Reply::failing(unavailable()));
    }
    let mut changes = server.client().watch(WatchMemoriesRequest::default());
    assert!(changes.next().await.unwrap().unwrap_err().is_unavailable());
    assert!(changes.next().await.is_none());
    assert_eq!(server.calls::<WatchMemoriesRequest>().len(), 11);
    let pauses = server.pauses();
    assert!(pauses[0] <= Duration::from_millis(100) && pauses[9] >= Duration::from_millis(2_500), "{pauses:?}");
}

#[tokio::test]
async fn a_watch_that_is_refused_is_not_begun_again() {
    let server = Server::start().await;
    server.will::<WatchMemoriesRequest>(Reply::failing(status(Code::InvalidArgument, "INVALID_PAGE_TOKEN", None)));
    let mut changes = server.client().watch(WatchMemoriesRequest::default());
    let error = changes.next().await.unwrap().unwrap_err();
    assert_eq!(error.reason(), Some(&Reason::InvalidPageToken));
    assert_eq!(server.calls::<WatchMemoriesRequest>().len(), 1);
}

#[tokio::test]
async fn a_stream_ends_with_the_timeout_it_was_given() {
    let server = Server::start().await;
    server.will::<ExportMemoriesRequest>(Reply::with([ExportMemoriesResponse::default()]).then_waiting());
    let client = server.client().with_stream_timeout(Duration::from_millis(100));
    let mut parts = client.stream(ExportMemoriesRequest::default());
    parts.next().await.unwrap().unwrap();
    assert!(parts.next().await.unwrap().unwrap_err().is_deadline_exceeded());
}
