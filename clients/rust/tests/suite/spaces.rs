//! A client for one person, project or team, and what it reads beside that.

use crate::scripted_server::{Reply, Server, status};
use camillo_client::requests::UnaryRequest;
use camillo_client::v1::freshness::Requirement;
use camillo_client::v1::scoring_profile::Profile;
use camillo_client::v1::{
    BatchRecallRequest, BatchRecallResponse, BatchRecallResult, BuildBundleRequest, BuildBundleResponse,
    BuildDigestRequest, BuildDigestResponse, BuildSnapshotRequest, BuildSnapshotResponse, BuildWorkingMemoryRequest,
    BuildWorkingMemoryResponse, Bundle, Freshness, RecallRequest, RecallResponse, RecordEventRequest,
    RecordEventResponse, RememberRequest, RememberResponse, Revision, ScoringWeights, SpaceRead, SpaceRevision,
    SpaceWeights,
};
use camillo_client::{Code, Reason, SHARED};

fn revision(token: &str) -> Option<Revision> {
    Some(Revision { token: token.into() })
}

fn written(token: &str) -> RememberResponse {
    RememberResponse { revision: revision(token), ..Default::default() }
}

fn told(freshness: Option<&Freshness>) -> String {
    match freshness.and_then(|freshness| freshness.requirement.clone()) {
        Some(Requirement::AtLeastAsFresh(revision)) => revision.token,
        Some(_) => "all".into(),
        None => String::new(),
    }
}

fn beside(spaces: &[SpaceRead]) -> String {
    spaces.iter().map(|each| format!(" {}:{}", each.space, told(each.freshness.as_ref()))).collect()
}

/// Returns what each read: its space, what was demanded of it, and the same of others.
fn read(recalls: &[RecallRequest]) -> Vec<String> {
    let one = |sent: &RecallRequest| {
        let own = format!("{}:{}", sent.agent_id, told(sent.freshness.as_ref()));
        own + &beside(&sent.spaces) + if sent.include_shared { " shared" } else { "" }
    };
    recalls.iter().map(one).collect()
}

async fn answering(recalls: usize) -> Server {
    let server = Server::start().await;
    for _ in 0..recalls {
        server.will_answer::<RecallRequest>(RecallResponse::default());
    }
    server
}

#[tokio::test]
async fn every_part_of_a_client_for_a_space_names_the_space() {
    let server = answering(6).await;
    server.will_answer::<RecordEventRequest>(RecordEventResponse { recorded: None, ..Default::default() });
    let client = server.builder().agent_id("ada").connect().unwrap();
    let ana = client.for_user("42").unwrap();
    let shop = client.for_project("github.com/acme/shop").unwrap();
    let team = client.for_team("eu/ops").unwrap();
    let shared = client.for_space(SHARED).unwrap();
    for each in [&ana, &shop, &team, &ana.for_user("43").unwrap(), &shared, &client] {
        each.recall("茶").await.unwrap();
    }
    ana.call(RecordEventRequest::default()).await.unwrap();
    assert_eq!(server.requests::<RecordEventRequest>()[0].agent_id, "users/42");
    let named = ["users/42:", "projects/github.com/acme/shop:", "teams/eu/ops:", "users/43:", "@shared:", "ada:"]
        .map(str::to_owned);
    assert_eq!(read(&server.requests::<RecallRequest>()), named);
}

#[tokio::test]
async fn what_a_client_reads_beside_its_own_is_in_each_recall_as_fresh_as_it_was_written() {
    let server = answering(3).await;
    server.will_answer::<RememberRequest>(written("r2")).will_answer::<RememberRequest>(written("r1"));
    server.will_answer::<BatchRecallRequest>(BatchRecallResponse { results: vec![BatchRecallResult::default(); 2] });
    let client = server.client();
    client.for_user("42").unwrap().remember("茶").await.unwrap();
    client.for_project("shop").unwrap().remember("tea").await.unwrap();
    let read_too = ["users/42", "projects/shop", "teams/eu", "teams/eu", SHARED];
    let ana = client.for_user("42").unwrap().with_spaces(read_too).unwrap();
    ana.recall("tea").await.unwrap();
    ana.search_my_memories("tea").await.unwrap();
    ana.call(RecallRequest::default()).await.unwrap();
    let one = "users/42:r2 projects/shop:r1 teams/eu: shared".to_owned();
    assert_eq!(read(&server.requests::<RecallRequest>()), vec![one.clone(); 3]);
    let others = RecallRequest { agent_id: "users/43".into(), ..RecallRequest::from("tea") };
    ana.recall_many([RecallRequest::from("tea"), others]).await.unwrap();
    let batch = server.requests::<BatchRecallRequest>().remove(0);
    assert_eq!(read(&batch.requests), [one, "users/43:".into()]);
}

#[tokio::test]
async fn a_recall_that_says_what_it_reads_reads_that_alone() {
    let server = answering(5).await;
    let client = server.builder().agent_id("ada").connect().unwrap();
    let shop = client.with_spaces(["projects/shop", SHARED]).unwrap();
    shop.recall("tea").await.unwrap();
    shop.recall(RecallRequest { agent_id: "users/43".into(), ..RecallRequest::from("tea") }).await.unwrap();
    shop.recall(RecallRequest::from("tea").with_spaces(["teams/eu"])).await.unwrap();
    shop.for_user("42").unwrap().recall("tea").await.unwrap();
    client.recall("tea").await.unwrap();
    let named = ["ada: projects/shop: shared", "users/43:", "ada: teams/eu:", "users/42:", "ada:"].map(str::to_owned);
    assert_eq!(read(&server.requests::<RecallRequest>()), named);
}

#[test]
fn spaces_weigh_beside_any_profile() {
    let weights = SpaceWeights { users: Some(1.0), shared: Some(0.0), ..SpaceWeights::default() };
    let weighed = RecallRequest::from("tea").with_space_weights(weights).with_profile("blended");
    let profile = weighed.profile.unwrap();
    assert_eq!(profile.space_weights, Some(weights));
    assert_eq!(profile.profile, Some(Profile::Name("blended".into())));
    let own = RecallRequest::from("tea")
        .with_profile("blended")
        .with_space_weights(weights)
        .with_weights(ScoringWeights::default());
    assert_eq!(own.profile.unwrap().space_weights, Some(weights));
    assert_eq!(RecallRequest::from("tea").profile, None);
}

#[tokio::test]
async fn a_demand_that_is_void_is_dropped_and_one_of_the_callers_stands() {
    let server = Server::start().await;
    let unknown = Reply::failing(status(Code::OutOfRange, "REVISION_UNKNOWN", None));
    server.will_answer::<RememberRequest>(written("r1")).will_answer::<RecallRequest>(RecallResponse::default());
    server.will::<RecallRequest>(unknown).will_answer::<RecallRequest>(RecallResponse::default());
    server.will_answer::<RecallRequest>(RecallResponse::default());
    let client = server.builder().agent_id("ada").connect().unwrap();
    client.for_project("shop").unwrap().remember("tea").await.unwrap();
    let mine = SpaceRead { space: "projects/shop".into(), freshness: Some(Freshness::fully_consistent()) };
    client.recall(RecallRequest { spaces: vec![mine], ..RecallRequest::from("tea") }).await.unwrap();
    for _ in 0..2 {
        client.recall(RecallRequest::from("tea").with_spaces(["projects/shop"])).await.unwrap();
    }
    let named = ["all", "r1", "", ""].map(|demanded| format!("ada: projects/shop:{demanded}"));
    assert_eq!(read(&server.requests::<RecallRequest>()), named);
}

#[tokio::test]
async fn the_revision_that_a_space_was_read_at_covers_what_was_written() {
    let server = Server::start().await;
    let at = SpaceRevision { space: "users/42".into(), revision: revision("r9") };
    let answer = RecallResponse { spaces: vec![at], ..Default::default() };
    server.will_answer::<RememberRequest>(written("r1")).will_answer::<RememberRequest>(written("r1"));
    server.will_answer::<RecallRequest>(answer.clone()).will_answer::<RecallRequest>(answer);
    let client = server.builder().agent_id("ada").connect().unwrap();
    let ana = client.for_user("42").unwrap();
    for id in ["", "mine"] {
        ana.call(RememberRequest { request_id: id.into(), ..Default::default() }).await.unwrap();
    }
    for _ in 0..2 {
        client.recall(RecallRequest::from("tea").with_spaces(["users/42"])).await.unwrap();
    }
    let named = ["all", "r9"].map(|demanded| format!("ada: users/42:{demanded}"));
    assert_eq!(read(&server.requests::<RecallRequest>()), named);
}

/// Returns what each build of a client read that names a project and a team, where the first answer tells a revision.
async fn built<R: UnaryRequest>(
    answer: impl Fn(Option<Bundle>) -> R::Answer,
    told: impl Fn(&R) -> (&String, &Vec<SpaceRead>),
) -> Vec<String> {
    let server = Server::start().await;
    let at = SpaceRevision { space: "projects/shop".into(), revision: revision("r9") };
    let bundle = Bundle { spaces: vec![at], ..Default::default() };
    let unknown = Reply::failing(status(Code::OutOfRange, "REVISION_UNKNOWN", None));
    server.will_answer::<RememberRequest>(written("r1")).will_answer::<RememberRequest>(written("r1"));
    server.will_answer::<R>(answer(Some(bundle))).will::<R>(unknown);
    server.will_answer::<R>(answer(None)).will_answer::<R>(answer(None));
    let client = server.client();
    let shop = client.for_project("shop").unwrap();
    for id in ["", "mine"] {
        shop.call(RememberRequest { request_id: id.into(), ..Default::default() }).await.unwrap();
    }
    let ana = client.for_user("42").unwrap().with_spaces(["projects/shop", "teams/eu", SHARED]).unwrap();
    for _ in 0..2 {
        ana.call(R::default()).await.unwrap();
    }
    ana.for_agent("bob").call(R::default()).await.unwrap();
    let one = |sent: &R| {
        let (agent_id, spaces) = told(sent);
        format!("{agent_id}:{}", beside(spaces))
    };
    server.requests::<R>().iter().map(one).collect()
}

#[tokio::test]
async fn bundles_read_what_their_client_reads_and_tell_what_they_were_read_at() {
    macro_rules! builds {
        ($(($request:ident, $response:ident)),*) => {
            [$((
                stringify!($request),
                built::<$request>(|bundle| $response { bundle }, |sent| (&sent.agent_id, &sent.spaces)).await,
            )),*]
        };
    }
    let read = [
        "users/42: projects/shop:all teams/eu:",
        "users/42: projects/shop:r9 teams/eu:",
        "users/42: projects/shop: teams/eu:",
        "bob:",
    ];
    let all = builds![
        (BuildBundleRequest, BuildBundleResponse),
        (BuildSnapshotRequest, BuildSnapshotResponse),
        (BuildWorkingMemoryRequest, BuildWorkingMemoryResponse),
        (BuildDigestRequest, BuildDigestResponse)
    ];
    for (build, sent) in all {
        assert_eq!(sent, read, "{build}");
    }
}

#[tokio::test]
async fn a_name_that_no_space_has_is_refused_before_a_call() {
    let server = answering(1).await;
    let client = server.client();
    let long = "a".repeat(129);
    for name in ["", " ", "a/", "/a", "a//b", "-a", "a b", "a\n", "..", &long, "a/b/c/d", "日本"] {
        let bindings = [
            client.for_user(name),
            client.for_project(name),
            client.for_team(name),
            client.for_space(name),
            client.with_spaces([format!("users/{name}")]),
        ];
        for bound in bindings {
            let error = bound.expect_err(name);
            assert_eq!((error.code(), error.reason()), (Code::InvalidArgument, None::<&Reason>));
        }
    }
    for space in ["a", "A.b_c-9", "users/a@b|c+d=e~f", "teams/a/b/c"] {
        client.for_space(space).expect(space);
    }
    let many: Vec<String> = (0..8).map(|number| format!("users/{number}")).collect();
    client.with_spaces(many.clone()).expect_err("eight are too many");
    client.for_user("0").unwrap().with_spaces(many).unwrap().recall("tea").await.unwrap();
    assert_eq!(server.requests::<RecallRequest>()[0].spaces.len(), 7);
}
