//! Skills: put, read, listed and removed.

use crate::scripted_server::{Reply, Server, status};
use camillo_client::v1::{
    BuildBundleRequest, BuildBundleResponse, DeleteSkillRequest, DeleteSkillResponse, GetSkillRequest,
    GetSkillResponse, ListSkillsRequest, ListSkillsResponse, PutSkillRequest, PutSkillResponse, Skill, SkillLevel,
};
use camillo_client::{Code, Reason};
use tokio_stream::StreamExt;

const TEXT: &str = "---\nname: tea\ndescription: 泡茶 🍵\n---\nשלום e\u{301}\n";

fn skill(name: &str) -> Skill {
    Skill { name: name.into(), text: TEXT.into(), version: 1, ..Default::default() }
}

#[tokio::test]
async fn a_skill_is_put_read_and_removed_by_its_name() {
    let server = Server::start().await;
    server
        .will_answer::<PutSkillRequest>(PutSkillResponse { skill: Some(skill("tea")), ..Default::default() })
        .will_answer::<GetSkillRequest>(GetSkillResponse { skill: Some(skill("tea")) })
        .will_answer::<DeleteSkillRequest>(DeleteSkillResponse::default());
    let skills = server.client().skills();
    assert_eq!(skills.put(TEXT).await.unwrap().skill.unwrap().version, 1);
    let global = GetSkillRequest { name: "tea".into(), level: SkillLevel::Global.into(), ..Default::default() };
    assert_eq!(skills.get_as(global).await.unwrap().text, TEXT);
    skills.delete("tea").await.unwrap();
    let put = server.requests::<PutSkillRequest>().remove(0);
    assert_eq!((put.text.as_str(), put.agent_id.as_str(), put.level), (TEXT, "ada", 0));
    assert!(!put.request_id.is_empty());
    assert_eq!(server.requests::<GetSkillRequest>().remove(0).level(), SkillLevel::Global);
    assert_eq!(server.requests::<DeleteSkillRequest>().remove(0).name, "tea");
}

#[tokio::test]
async fn what_a_skill_is_refused_for_is_typed() {
    let server = Server::start().await;
    server
        .will::<PutSkillRequest>(Reply::failing(status(Code::Aborted, "VERSION_CONFLICT", None)))
        .will::<GetSkillRequest>(Reply::failing(status(Code::NotFound, "SKILL_NOT_FOUND", None)));
    let skills = server.client().skills();
    let request = PutSkillRequest { text: TEXT.into(), expected_version: Some(0), ..Default::default() };
    assert_eq!(skills.put_as(request).await.unwrap_err().reason(), Some(&Reason::VersionConflict));
    assert_eq!(server.requests::<PutSkillRequest>().remove(0).expected_version, Some(0));
    assert_eq!(skills.get("tea").await.unwrap_err().reason(), Some(&Reason::SkillNotFound));
}

#[tokio::test]
async fn skills_are_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |name: &str, next: &str| ListSkillsResponse { skills: vec![skill(name)], next_page_token: next.into() };
    server.will_answer::<ListSkillsRequest>(page("coffee", "p2")).will_answer::<ListSkillsRequest>(page("tea", ""));
    let all: Vec<_> = server.client().skills().list().collect().await;
    let names: Vec<String> = all.into_iter().map(|skill| skill.unwrap().name).collect();
    assert_eq!(names, ["coffee", "tea"]);
    assert_eq!(server.requests::<ListSkillsRequest>()[1].page_token, "p2");
}

#[tokio::test]
async fn a_bundle_loads_skills_whole() {
    let server = Server::start().await;
    server.will_answer::<BuildBundleRequest>(BuildBundleResponse::default());
    server.client().context().bundle(BuildBundleRequest::from("tea").with_skills(["tea"])).await.unwrap();
    assert_eq!(server.requests::<BuildBundleRequest>().remove(0).skills, ["tea"]);
}
