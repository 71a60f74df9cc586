//! Links: what belongs together.

use crate::scripted_server::Server;
use camillo_client::v1::list_related_request::To;
use camillo_client::v1::{
    AddLinksRequest, AddLinksResponse, EntityType, Link, LinkEnd, LinkType, ListRelatedRequest, ListRelatedResponse,
    NewLink, Related, RemoveLinksRequest, RemoveLinksResponse, Source,
};
use tokio_stream::StreamExt;

#[tokio::test]
async fn links_are_stated_and_taken_away() {
    let server = Server::start().await;
    let stated = Link { r#type: LinkType::Follows.into(), ..Default::default() };
    server
        .will_answer::<AddLinksRequest>(AddLinksResponse { links: vec![stated.clone()], ..Default::default() })
        .will_answer::<RemoveLinksRequest>(RemoveLinksResponse { removed: 1, ..Default::default() });
    let links = server.client().links();
    let link = NewLink::between(LinkEnd::memory("m1"), LinkType::Follows, LinkEnd::of(Source::Slot, "/kb/tea"));
    assert_eq!(links.add([link.clone()]).await.unwrap(), [stated]);
    assert_eq!(links.remove([link.clone()]).await.unwrap(), 1);
    let added = server.requests::<AddLinksRequest>().remove(0);
    assert_eq!(added.links, std::slice::from_ref(&link));
    assert!(!added.request_id.is_empty());
    let removed = server.requests::<RemoveLinksRequest>().remove(0);
    assert_eq!(removed.links, [link]);
    assert!(!removed.request_id.is_empty());
}

#[tokio::test]
async fn what_is_related_is_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |text: &str, next: &str| ListRelatedResponse {
        related: vec![Related { text: text.into(), ..Default::default() }],
        next_page_token: next.into(),
        ..Default::default()
    };
    server
        .will_answer::<ListRelatedRequest>(page("tea", "p2"))
        .will_answer::<ListRelatedRequest>(page("milk", ""))
        .will_answer::<ListRelatedRequest>(page("お茶", ""));
    let links = server.client().links();
    let related: Vec<_> = links.related(LinkEnd::memory("m1"), [LinkType::Follows]).collect().await;
    let mentioning: Vec<_> = links.mentioning(EntityType::Ticket, "ABC-123").collect().await;
    let texts: Vec<String> = related.into_iter().chain(mentioning).map(|each| each.unwrap().text).collect();
    assert_eq!(texts, ["tea", "milk", "お茶"]);
    let asked = server.requests::<ListRelatedRequest>();
    assert_eq!(asked[1].page_token, "p2");
    assert_eq!(asked[1].to, Some(To::Item(LinkEnd::memory("m1"))));
    assert_eq!(asked[1].types, [i32::from(LinkType::Follows)]);
    let Some(To::Entity(entity)) = &asked[2].to else { panic!("asked was {:?}", asked[2]) };
    assert_eq!((entity.r#type(), entity.name.as_str()), (EntityType::Ticket, "ABC-123"));
}
