//! Bytes under keys of a space: slots that no recall and no digest shows.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use camillo_client::v1::{
    ArtifactRange, BatchSetMemoryRequest, DeleteArtifactRequest, ForgetRequest, NewArtifact, NewSlot, RecordIds, Slot,
    SlotSource, forget_request, slot_source,
};
use camillo_client::{Client, Reason, Result};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_stream::StreamExt;
use uuid::Uuid;

const SOURCE: &str = "rig";
// A slot holds 64 KiB, and base64 adds a third.
const MAX_INLINE: usize = 44 * 1024;
const RANDOM_BYTES: usize = 16;
const ARTIFACT: &str = "artifact:";
const MAX_NAME: usize = 200;
const MAX_FORGOTTEN: usize = 1_000;

#[derive(Clone, Debug)]
pub(crate) struct Records(Client);

impl Records {
    pub(crate) fn new(camillo: Client) -> Self {
        Self(camillo)
    }

    /// The newest version at a key.
    pub(crate) async fn newest(&self, key: &str) -> Result<Option<Slot>> {
        match self.0.slots().get(key).await {
            Err(error) if error.reason() == Some(&Reason::SlotNotFound) => Ok(None),
            slot => slot.map(Some),
        }
    }

    /// The slots at a key and below it, in the order of keys.
    pub(crate) async fn below(&self, prefix: &str) -> Result<Vec<Slot>> {
        let mut entries = self.0.slots().list(prefix);
        let mut found = Vec::new();
        while let Some(entry) = entries.next().await {
            found.extend(entry?.slot);
        }
        Ok(found)
    }

    /// A slot that holds bytes; what is too long is an artifact. All is in the bytes, with random ones before, or in tags:
    /// what is forgotten goes with whatever states the same, such as an id.
    pub(crate) async fn slot(&self, key: &str, bytes: &[u8], if_version: Option<i64>) -> Result<NewSlot> {
        let held = [Uuid::new_v4().as_bytes().as_slice(), bytes].concat();
        let stated = if held.len() <= MAX_INLINE {
            json!({"type": SOURCE, "data": STANDARD.encode(held)})
        } else {
            let about =
                NewArtifact { media_type: "application/octet-stream".into(), ..Default::default() }.made_by(SOURCE);
            let artifact = self.0.artifacts().put(held, about).await?;
            json!({"type": SOURCE, "tags": [format!("{ARTIFACT}{}", artifact.artifact_id)]})
        };
        Ok(NewSlot {
            key: key.into(),
            json_content: stated.to_string(),
            source: Some(SlotSource { stated: Some(slot_source::Stated::Text(SOURCE.into())) }),
            if_version,
            unindexed: true,
            ..Default::default()
        })
    }

    /// Writes slots, all or none; whether they can be read as they were written, which is not so of secrets.
    pub(crate) async fn write(&self, slots: &[NewSlot]) -> Result<bool> {
        let answer = self.0.call(BatchSetMemoryRequest { slots: slots.to_vec(), ..Default::default() }).await?;
        let stored = answer.results.iter().filter_map(|result| result.slot.as_ref());
        Ok(stored.zip(slots).all(|(slot, new)| slot.json_content == new.json_content))
    }

    /// The bytes of a slot; nothing where its artifact is gone.
    pub(crate) async fn bytes(&self, slot: &Slot) -> Result<Option<Vec<u8>>> {
        let held = match artifact_of(&slot.json_content) {
            None => {
                let stated: Value = serde_json::from_str(&slot.json_content).unwrap_or_default();
                STANDARD.decode(stated["data"].as_str().unwrap_or_default()).unwrap_or_default()
            }
            Some(artifact) => match self.0.artifacts().read(artifact, ArtifactRange::all()).await {
                Err(error) if error.reason() == Some(&Reason::ArtifactNotFound) => return Ok(None),
                bytes => bytes?,
            },
        };
        Ok(Some(held.get(RANDOM_BYTES..).unwrap_or_default().to_vec()))
    }

    /// Removes slots for good, with their artifacts.
    pub(crate) async fn forget(&self, slots: &[Slot]) -> Result<()> {
        for some in slots.chunks(MAX_FORGOTTEN) {
            let records = RecordIds {
                slot_ids: some.iter().map(|slot| slot.slot_id.clone()).collect(),
                artifact_ids: some.iter().filter_map(|slot| artifact_of(&slot.json_content)).collect(),
                ..Default::default()
            };
            let selector = Some(forget_request::Selector::Records(records));
            self.0.call(ForgetRequest { selector, allow_restating: true, ..Default::default() }).await?;
        }
        Ok(())
    }

    /// Removes the artifact of a version that another one has replaced.
    pub(crate) async fn forget_replaced(&self, slot: Option<&Slot>) -> Result<()> {
        if let Some(artifact_id) = slot.and_then(|slot| artifact_of(&slot.json_content)) {
            self.0.call(DeleteArtifactRequest { artifact_id, ..Default::default() }).await?;
        }
        Ok(())
    }

    /// Removes the artifacts of slots that were not written.
    pub(crate) async fn forget_artifacts(&self, slots: &[NewSlot]) -> Result<()> {
        for artifact_id in slots.iter().filter_map(|slot| artifact_of(&slot.json_content)) {
            self.0.call(DeleteArtifactRequest { artifact_id, ..Default::default() }).await?;
        }
        Ok(())
    }
}

/// One name of a key for any text: quoted, or of a long one its digest.
pub(crate) fn slot_name(text: &str) -> String {
    let mut quoted = String::from("=");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'-' | b'~' => quoted.push(byte.into()),
            _ => quoted.push_str(&format!("%{byte:02X}")),
        }
    }
    if quoted.len() <= MAX_NAME {
        return quoted;
    }
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn artifact_of(json: &str) -> Option<String> {
    let stated: Value = serde_json::from_str(json).ok()?;
    stated["tags"][0].as_str()?.strip_prefix(ARTIFACT).map(str::to_owned)
}
