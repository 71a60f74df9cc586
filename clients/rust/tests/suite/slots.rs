//! JSON under keys, by the newest version and the history.

use std::time::{Duration, UNIX_EPOCH};

use crate::scripted_server::{Reply, Server, status};
use camillo_client::v1::slot_change::Change;
use camillo_client::v1::slot_source::Stated;
use camillo_client::v1::watch_slots_request::Start;
use camillo_client::v1::{
    BuildDigestRequest, BuildDigestResponse, Bundle, GetSlotRequest, ListSlotHistoryRequest, ListSlotHistoryResponse,
    ListSlotsRequest, ListSlotsResponse, ProvenanceKind, RestoreSlotRequest, RestoreSlotResponse, SetMemoryRequest,
    SetMemoryResponse, Slot, SlotChange, SlotEntry, SlotProvenance, WatchSlotsRequest, WatchSlotsResponse,
};
use camillo_client::{Code, Reason, to_json};
use serde_json::json;
use tokio_stream::StreamExt;

const KEY: &str = "/user/calendar/2026-02-23_10-00_牙科复诊";

fn slot(version: i64) -> Slot {
    Slot { version, ..Default::default() }
}

#[tokio::test]
async fn content_is_sent_as_it_is_with_its_source() {
    let server = Server::start().await;
    let answer = SetMemoryResponse { slot: Some(slot(1)), ..Default::default() };
    server.will_answer::<SetMemoryRequest>(answer.clone()).will_answer::<SetMemoryRequest>(answer);
    let slots = server.client().slots();
    let content = "{\"n\": 1.0,  \"text\": \"牙科 🦷 שלום e\u{301}\"}\n";
    assert_eq!(slots.set_memory(KEY, content, "chat").await.unwrap().version, 1);
    let locator = json!({"url": "https://example.com/茶", "at": [1.0, {"b": null}]});
    let page = SlotProvenance::of(ProvenanceKind::Web, "example.com")
        .retrieved_at(UNIX_EPOCH + Duration::from_secs(1))
        .located_at(&locator);
    slots.set_memory("/kb/tea", "null", page).await.unwrap();
    let mut sent = server.requests::<SetMemoryRequest>();
    let (said, read) = (sent.remove(0), sent.remove(0));
    assert_eq!((said.key.as_str(), said.json_content.as_str(), said.if_version), (KEY, content, None));
    assert_eq!(said.source.unwrap().stated, Some(Stated::Text("chat".into())));
    assert_ne!(said.request_id, read.request_id);
    let Some(Stated::Provenance(provenance)) = read.source.unwrap().stated else { panic!("no provenance was sent") };
    assert_eq!((provenance.kind(), provenance.name.as_str()), (ProvenanceKind::Web, "example.com"));
    assert_eq!(provenance.retrieved_at.unwrap().seconds, 1);
    assert_eq!(to_json(&provenance.locator.unwrap()), locator);
}

#[tokio::test]
async fn what_a_slot_is_refused_for_is_typed() {
    let server = Server::start().await;
    server
        .will::<SetMemoryRequest>(Reply::failing(status(Code::FailedPrecondition, "PROVENANCE_REQUIRED", None)))
        .will::<SetMemoryRequest>(Reply::failing(status(Code::Aborted, "VERSION_CONFLICT", None)))
        .will::<GetSlotRequest>(Reply::failing(status(Code::NotFound, "SLOT_NOT_FOUND", None)));
    let slots = server.client().slots();
    let refused = slots.set_memory("/kb/tea", "1", "chat").await.unwrap_err();
    assert_eq!(refused.reason(), Some(&Reason::ProvenanceRequired));
    let request = SetMemoryRequest {
        key: KEY.into(),
        json_content: "1".into(),
        source: Some("chat".into()),
        if_version: Some(0),
        ..Default::default()
    };
    let conflict = slots.set_memory_as(request).await.unwrap_err();
    assert_eq!(conflict.reason(), Some(&Reason::VersionConflict));
    assert_eq!(server.requests::<SetMemoryRequest>()[1].if_version, Some(0));
    let missing = slots.get_as(GetSlotRequest { key: KEY.into(), shared: true, ..Default::default() }).await;
    assert_eq!(missing.unwrap_err().reason(), Some(&Reason::SlotNotFound));
    let asked = server.requests::<GetSlotRequest>().remove(0);
    assert_eq!((asked.key.as_str(), asked.shared), (KEY, true));
}

#[tokio::test]
async fn slots_and_versions_are_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |keys: &[&str], next: &str| ListSlotsResponse {
        entries: keys.iter().map(|&key| SlotEntry { key: key.into(), ..Default::default() }).collect(),
        next_page_token: next.to_owned(),
    };
    let versions = |numbers: &[i64], next: &str| ListSlotHistoryResponse {
        versions: numbers.iter().map(|&number| slot(number)).collect(),
        next_page_token: next.to_owned(),
    };
    server
        .will_answer::<ListSlotsRequest>(page(&["/user/a", "/user/b"], "p2"))
        .will_answer::<ListSlotsRequest>(page(&["/user/c"], ""))
        .will_answer::<ListSlotHistoryRequest>(versions(&[3, 2], "p2"))
        .will_answer::<ListSlotHistoryRequest>(versions(&[1], ""));
    let slots = server.client().slots();
    let all: Vec<_> = slots.list("/user").collect().await;
    let keys: Vec<String> = all.into_iter().map(|entry| entry.unwrap().key).collect();
    assert_eq!(keys, ["/user/a", "/user/b", "/user/c"]);
    let asked: Vec<_> = server
        .requests::<ListSlotsRequest>()
        .into_iter()
        .map(|request| (request.agent_id, request.prefix, request.page_token))
        .collect();
    let request = |token: &str| ("ada".to_owned(), "/user".to_owned(), token.to_owned());
    assert_eq!(asked, [request(""), request("p2")]);
    let all: Vec<_> = slots.history(KEY).collect().await;
    let numbers: Vec<i64> = all.into_iter().map(|slot| slot.unwrap().version).collect();
    assert_eq!(numbers, [3, 2, 1]);
}

#[tokio::test]
async fn an_earlier_version_is_written_again() {
    let server = Server::start().await;
    server.will_answer::<RestoreSlotRequest>(RestoreSlotResponse { slot: Some(slot(3)), ..Default::default() });
    assert_eq!(server.client().slots().restore(KEY, 1).await.unwrap().version, 3);
    let sent = server.requests::<RestoreSlotRequest>().remove(0);
    assert_eq!((sent.key.as_str(), sent.version, sent.if_version), (KEY, 1, None));
    assert!(!sent.request_id.is_empty());
}

#[tokio::test]
async fn a_watch_goes_on_behind_the_last_change_handed_out() {
    let written = |token: &str| WatchSlotsResponse {
        change: Some(SlotChange {
            resume_token: token.into(),
            change: Some(Change::Written(Slot { key: KEY.into(), ..Default::default() })),
            ..Default::default()
        }),
    };
    let server = Server::start().await;
    let unavailable = status(Code::Unavailable, "", None);
    server
        .will::<WatchSlotsRequest>(Reply::with([written("c1")]).then_failing(unavailable))
        .will::<WatchSlotsRequest>(Reply::with([written("c2")]).then_waiting());
    let start =
        WatchSlotsRequest { start: Some(Start::FromBeginning(true)), prefix: "/user".into(), ..Default::default() };
    let changes: Vec<_> = server.client().slots().watch(start).take(2).collect().await;
    for change in changes {
        let Some(Change::Written(slot)) = change.unwrap().change else { panic!("nothing was written") };
        assert_eq!(slot.key, KEY);
    }
    let sent = server.requests::<WatchSlotsRequest>();
    assert_eq!(sent[0].prefix, "/user");
    assert_eq!(sent[1].start, Some(Start::ResumeToken("c1".into())));
}

#[tokio::test]
async fn a_digest_is_asked_for_in_the_words_of_the_contract() {
    let server = Server::start().await;
    let bundle = Bundle { prompt: "- user/style 茶".into(), ..Default::default() };
    server.will_answer::<BuildDigestRequest>(BuildDigestResponse { bundle: Some(bundle.clone()) });
    let request = BuildDigestRequest { token_limit: Some(100), tags: vec!["茶".into()], ..Default::default() };
    assert_eq!(server.client().context().digest(request).await.unwrap().prompt, bundle.prompt);
    let sent = server.requests::<BuildDigestRequest>().remove(0);
    assert_eq!((sent.token_limit, sent.tags), (Some(100), vec!["茶".to_owned()]));
}
