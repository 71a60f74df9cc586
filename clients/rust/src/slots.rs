//! Slots: JSON under keys, of which the last write is in force.

use std::time::SystemTime;

use serde_json::Value;
use tokio_stream::StreamExt;

use crate::client::Client;
use crate::error::Result;
use crate::resumed_watches::MAX_RECONNECTS;
use crate::streams::Messages;
use crate::v1::slot_source::Stated;
use crate::v1::{
    GetSlotRequest, ListSlotHistoryRequest, ListSlotsRequest, ProvenanceKind, RestoreSlotRequest, SetMemoryRequest,
    Slot, SlotChange, SlotEntry, SlotProvenance, SlotSource, WatchSlotsRequest,
};
use crate::values::{to_struct, to_timestamp};
use crate::written::Written;

/// Slots of the client's agent: [`Client::slots`]. For what these methods leave out (secrets that the server took out), send
/// the request itself with [`Client::call`].
#[derive(Clone, Debug)]
pub struct Slots {
    client: Client,
}

impl Slots {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Writes JSON text under a key, kept byte for byte; `null` is a tombstone. The source is words or a [`SlotProvenance`].
    /// `durability` of the answer says where the version is; its number is 0 while it is spooled.
    ///
    /// # Errors
    /// `ProvenanceRequired` where content from outside does not tell all of its source, `InvalidField` for what is no key or
    /// no JSON, `QuotaExceeded`.
    pub async fn set_memory(
        &self,
        key: impl Into<String>,
        json: impl Into<String>,
        source: impl Into<SlotSource>,
    ) -> Result<Written<Slot>> {
        self.set_memory_as(SetMemoryRequest {
            key: key.into(),
            json_content: json.into(),
            source: Some(source.into()),
            ..Default::default()
        })
        .await
    }

    /// As [`Slots::set_memory`], with all that a request can say.
    ///
    /// # Errors
    /// `VersionConflict` where the slot is not at `if_version`; 0 is that of a key without one.
    pub async fn set_memory_as(&self, request: SetMemoryRequest) -> Result<Written<Slot>> {
        Ok(self.client.call(request).await?.into())
    }

    /// The newest version of a slot.
    ///
    /// # Errors
    /// `SlotNotFound` if it has no content.
    pub async fn get(&self, key: impl Into<String>) -> Result<Slot> {
        self.get_as(GetSlotRequest { key: key.into(), ..Default::default() }).await
    }

    /// As [`Slots::get`], for a channel or in the shared scope.
    ///
    /// # Errors
    /// `SlotNotFound` if it has no content, or the channel may not load it.
    pub async fn get_as(&self, request: GetSlotRequest) -> Result<Slot> {
        Ok(self.client.call(request).await?.slot.unwrap_or_default())
    }

    /// The slots below a prefix, in the order of keys; below the empty one: all.
    pub fn list(&self, prefix: impl Into<String>) -> Messages<SlotEntry> {
        self.list_as(ListSlotsRequest { prefix: prefix.into(), ..Default::default() })
    }

    /// As [`Slots::list`], of what passes all conditions of a request.
    pub fn list_as(&self, request: ListSlotsRequest) -> Messages<SlotEntry> {
        self.client.items(request, |page| page.entries)
    }

    /// Every version of a slot, the newest first, tombstones among them.
    pub fn history(&self, key: impl Into<String>) -> Messages<Slot> {
        self.history_as(ListSlotHistoryRequest { key: key.into(), ..Default::default() })
    }

    /// As [`Slots::history`], for a channel or in the shared scope.
    pub fn history_as(&self, request: ListSlotHistoryRequest) -> Messages<Slot> {
        self.client.items(request, |page| page.versions)
    }

    /// Every version of slots as it is written, and which slots were forgotten, checkpoints among them, without end; goes on by
    /// itself as [`Client::watch`].
    pub fn watch(&self, start: WatchSlotsRequest) -> Messages<SlotChange> {
        let answers = self.client.resumed(start, MAX_RECONNECTS);
        Box::pin(answers.filter_map(|answer| answer.map(|answer| answer.change).transpose()))
    }

    /// Writes the content of an earlier version again, as the newest one.
    ///
    /// # Errors
    /// `SlotNotFound` if there is no such version.
    pub async fn restore(&self, key: impl Into<String>, version: i64) -> Result<Slot> {
        self.restore_as(RestoreSlotRequest { key: key.into(), version, ..Default::default() }).await
    }

    /// As [`Slots::restore`], with all that a request can say.
    ///
    /// # Errors
    /// `VersionConflict` where the slot is not at `if_version`.
    pub async fn restore_as(&self, request: RestoreSlotRequest) -> Result<Slot> {
        Ok(self.client.call(request).await?.slot.unwrap_or_default())
    }
}

/// In words.
impl From<&str> for SlotSource {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// As of a `&str`.
impl From<String> for SlotSource {
    fn from(text: String) -> Self {
        Self { stated: Some(Stated::Text(text)) }
    }
}

/// So that it can be found again.
impl From<SlotProvenance> for SlotSource {
    fn from(provenance: SlotProvenance) -> Self {
        Self { stated: Some(Stated::Provenance(provenance)) }
    }
}

/// Content of the web, a tool or a file needs all of it: `SlotProvenance::of(ProvenanceKind::Web, "example.com")…`.
impl SlotProvenance {
    /// A source of a kind, by the name of a person, a tool, a site or a file.
    pub fn of(kind: ProvenanceKind, name: impl Into<String>) -> Self {
        Self { kind: kind.into(), name: name.into(), ..Self::default() }
    }

    /// When it was read there.
    pub fn retrieved_at(mut self, time: SystemTime) -> Self {
        self.retrieved_at = Some(to_timestamp(time));
        self
    }

    /// Where in it: a JSON object, such as `{"url": "https://example.com"}`.
    pub fn located_at(mut self, locator: &Value) -> Self {
        self.locator = Some(to_struct(locator));
        self
    }
}
