//! Promises of the store: rig's own suite, random calls beside its own store, large bytes, agents.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use camillo_client::v1::{ArtifactFilter, RecallRequest};
use camillo_client::{Client, FoundItem};
use camillo_rig::CamilloStore;
use rig_agent::AgentBuilder;
use rig_core::DynModel;
use rig_core::message::Message;
use rig_core::operation::Completion;
use rig_core::test_utils::{MockCompletionModel, MockTurn};
use rig_memory::conformance::check_store;
use rig_memory::{AsyncStore, Files, LogWriteError, MemoryStore, Store, load_async};
use tokio_stream::StreamExt;

const README: &str = include_str!("../README.md");

/// A client for a person whom no other test knows.
fn somebody(test: &str) -> Client {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let camillo = Client::builder().connect().unwrap().with_timeout(Duration::from_secs(60));
    camillo.for_user(format!("{test}-{now}-{}", std::process::id())).unwrap()
}

async fn artifacts(camillo: &Client) -> usize {
    let mut listed = camillo.artifacts().list(ArtifactFilter::default());
    let mut count = 0;
    while let Some(artifact) = listed.next().await {
        artifact.unwrap();
        count += 1;
    }
    count
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_keeps_the_contract_that_rig_checks() {
    let camillo = somebody("contract");
    let (here, there) = (CamilloStore::new(camillo.clone(), "s"), CamilloStore::new(camillo, "s"));
    check_store(&here, &there).await.unwrap();
}

#[tokio::test]
async fn random_calls_leave_what_rigs_own_store_has() {
    let camillo = somebody("random");
    for seed in 1..4_u64 {
        let (store, own) = (CamilloStore::new(camillo.clone(), format!("s/{seed} ü")), MemoryStore::default());
        let mut chance = seed;
        let mut next = |below: u64| {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (chance >> 33) % below
        };
        for step in 0..20 {
            let name = ["chat", "Чат 猫"][next(2) as usize];
            let bytes = format!("step {step}, قطة\n").repeat(next(3) as usize).into_bytes();
            // Now and then of another length than the log has.
            let length = own.read_log(name).map_or(0, |log| log.len() as u64) + u64::from(next(5) == 0);
            match next(4) {
                0 => {
                    store.write_file_async(name, &bytes).await.unwrap();
                    own.write_file(name, &bytes).unwrap();
                }
                1 => same(store.replace_log_async(name, length, &bytes).await, own.replace_log(name, length, &bytes)),
                _ => same(store.append_log_async(name, length, &bytes).await, own.append_log(name, length, &bytes)),
            }
            assert_eq!(store.read_log_async(name).await.ok(), own.read_log(name).ok());
            assert_eq!(store.read_file_async(name).await.ok(), own.read_file(name).ok());
        }
    }
}

fn same(ours: Result<(), LogWriteError>, own: Result<(), LogWriteError>) {
    assert_eq!(matches!(ours, Err(LogWriteError::Changed)), own.is_err());
    assert_eq!(ours.is_ok(), own.is_ok());
}

#[tokio::test]
async fn large_bytes_come_back_and_a_deleted_session_leaves_nothing() {
    let camillo = somebody("large");
    let (store, other) = (CamilloStore::new(camillo.clone(), "s"), CamilloStore::new(camillo.clone(), "other"));
    let large: Vec<u8> = (0..300_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    store.append_log_async("log", 0, b"first\n").await.unwrap();
    store.append_log_async("log", 6, &large).await.unwrap();
    assert!(matches!(store.append_log_async("log", 6, &large).await, Err(LogWriteError::Changed)));
    store.write_file_async("blobs/a", &large).await.unwrap();
    store.write_file_async("blobs/a", &large[1..]).await.unwrap();
    other.write_file_async("blobs/a", b"stays").await.unwrap();
    assert_eq!(store.read_log_async("log").await.unwrap(), [b"first\n".as_slice(), &large].concat());
    assert_eq!(store.read_file_async("blobs/a").await.unwrap(), &large[1..]);
    assert_eq!(artifacts(&camillo).await, 2);
    store.replace_log_async("log", 6 + large.len() as u64, b"short").await.unwrap();
    assert_eq!(store.read_log_async("log").await.unwrap(), b"short");
    assert_eq!(artifacts(&camillo).await, 1);
    store.delete().await.unwrap();
    assert!(store.read_log_async("log").await.is_err());
    assert!(store.read_file_async("blobs/a").await.is_err());
    assert_eq!(artifacts(&camillo).await, 0);
    assert_eq!(other.read_file_async("blobs/a").await.unwrap(), b"stays");
}

// [README]
async fn answer(
    ada: Client,
    model: impl Into<DynModel<Completion>>,
    chat: &str,
    question: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    let store = CamilloStore::new(ada, "support");
    let agent = AgentBuilder::new(model).memory(store).conversation(chat).build();
    Ok(agent.prompt(question).await?.to_string())
}
// [README]

#[tokio::test]
async fn the_readmes_agent_goes_on_with_a_conversation_that_no_recall_finds() {
    let example = include_str!("store.rs").split("// [README]\n").nth(1).unwrap();
    assert!(README.contains(example));
    let camillo = somebody("agent");
    for (chat, question, said) in
        [("chat-7", "I drink tea.", "Noted."), ("chat-7", "Что я пью?", "You drink tea."), ("chat-8", "Hi", "Hello")]
    {
        let model = MockCompletionModel::from_turns([MockTurn::text(said)]);
        assert_eq!(answer(camillo.clone(), model.clone(), chat, question).await.unwrap(), said);
        let sent = model.requests()[0].chat_history.len();
        assert_eq!(sent, if question == "Что я пью?" { 3 } else { 1 });
    }
    let kept = load_async(&CamilloStore::new(camillo.clone(), "support"), "chat-7").await.unwrap();
    assert_eq!(kept.messages().first().map(|message| (**message).clone()), Some(Message::user("I drink tea.")));
    assert_eq!(kept.messages().len(), 4);
    camillo.remember("The shop sells tea").await.unwrap();
    let hits = camillo.recall(RecallRequest::from("tea")).await.unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.text().to_string()).collect::<Vec<_>>(), ["The shop sells tea"]);
}
