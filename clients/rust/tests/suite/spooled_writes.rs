//! Writes while Postgres is away: they say so, have no revision, and reads that follow demand none of them.

use crate::scripted_server::Server;
use camillo_client::v1::freshness::Requirement;
use camillo_client::v1::{
    Durability, Memory, RecallHit, RecallRequest, RecallResponse, RecordEventRequest, RecordEventResponse,
    RememberRequest, RememberResponse, Revision, SetMemoryRequest, SetMemoryResponse, WorkflowStep,
};
use camillo_client::{Client, Written};

fn tea() -> Memory {
    Memory { memory_id: "m1".into(), content: "ชา".into(), ..Default::default() }
}

fn answer(durability: Durability, spool_id: &str, revision: Option<&str>) -> RememberResponse {
    let revision = revision.map(|token| Revision { token: token.into() });
    let durability = durability.into();
    RememberResponse { memory: Some(tea()), revision, durability, spool_id: spool_id.into(), ..Default::default() }
}

fn place<T>(written: Written<T>) -> (Durability, Option<String>) {
    (written.durability, written.spool_id)
}

/// The places of a memory, an event, a step of a workflow and a slot.
async fn written(client: &Client) -> Vec<(Durability, Option<String>)> {
    vec![
        place(client.remember("茶 before dinner").await.unwrap()),
        place(client.events().record("есть чай?").await.unwrap()),
        place(client.workflows().record(WorkflowStep::of("backup", "copy")).await.unwrap()),
        place(client.slots().set_memory("/茶", "1", "chat").await.unwrap()),
    ]
}

fn script(server: &Server, durability: Durability, spool_id: &str) {
    let (durability, spool_id) = (durability.into(), spool_id.to_owned());
    let event = RecordEventResponse { durability, spool_id: spool_id.clone(), ..Default::default() };
    let slot = SetMemoryResponse { durability, spool_id: spool_id.clone(), ..Default::default() };
    server
        .will_answer::<RememberRequest>(RememberResponse { durability, spool_id, ..Default::default() })
        .will_answer::<RecordEventRequest>(event.clone())
        .will_answer::<RecordEventRequest>(event)
        .will_answer::<SetMemoryRequest>(slot);
}

#[tokio::test]
async fn a_spooled_write_tells_where_it_is_and_is_demanded_of_no_read() {
    let server = Server::start().await;
    let client = server.client();
    script(&server, Durability::Spooled, "s1");
    for place in written(&client).await {
        assert_eq!(place, (Durability::Spooled, Some("s1".into())));
    }
    server.will_answer::<RememberRequest>(answer(Durability::Spooled, "s2", None));
    client.call(RememberRequest { request_id: "mine".into(), ..Default::default() }).await.unwrap();
    let hit = RecallHit { is_spooled: true, ..Default::default() };
    server.will_answer::<RecallRequest>(RecallResponse { hits: vec![hit], ..Default::default() });
    assert!(client.recall("茶").await.unwrap().hits[0].is_spooled);
    assert_eq!(server.requests::<RecallRequest>().remove(0).freshness, None);
}

#[tokio::test]
async fn what_was_stored_before_and_after_it_is_demanded() {
    let server = Server::start().await;
    let client = server.client();
    server
        .will_answer::<RememberRequest>(answer(Durability::Committed, "", Some("r1")))
        .will_answer::<RememberRequest>(answer(Durability::Spooled, "s1", None))
        .will_answer::<RememberRequest>(answer(Durability::Committed, "", Some("r2")));
    let stored = client.remember("ชา").await.unwrap();
    assert_eq!((stored.content.as_str(), &stored.value), ("ชา", &tea()));
    assert_eq!(place(stored), (Durability::Committed, None));
    for _ in 0..2 {
        client.remember("ชา").await.unwrap();
        server.will_answer::<RecallRequest>(RecallResponse::default());
        client.recall("ชา").await.unwrap();
    }
    let demanded: Vec<_> =
        server.requests::<RecallRequest>().into_iter().map(|sent| sent.freshness.unwrap().requirement).collect();
    let at_least = |token: &str| Some(Requirement::AtLeastAsFresh(Revision { token: token.into() }));
    assert_eq!(demanded, [at_least("r1"), at_least("r2")]);
}

#[tokio::test]
async fn a_dropped_write_has_nothing_but_that() {
    let server = Server::start().await;
    script(&server, Durability::Dropped, "");
    for place in written(&server.client()).await {
        assert_eq!(place, (Durability::Dropped, None));
    }
}
