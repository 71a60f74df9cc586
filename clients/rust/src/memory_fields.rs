//! Fields that a caller states about a memory.

use std::time::SystemTime;

use prost_types::FieldMask;
use serde_json::Value;

use crate::v1::{Memory, MemoryKind, NewMemory, Sensitivity, Vector};
use crate::values::{to_struct, to_timestamp};

/// A memory that says so, and nothing else: `NewMemory::from("…").of_kind(MemoryKind::Preference)`.
impl From<&str> for NewMemory {
    fn from(content: &str) -> Self {
        content.to_owned().into()
    }
}

/// As of a `&str`.
impl From<String> for NewMemory {
    fn from(content: String) -> Self {
        Self { content, ..Self::default() }
    }
}

/// Everything is optional; what the contract says of each field holds.
impl NewMemory {
    /// Returns what it is about; default: a fact.
    pub fn of_kind(mut self, kind: MemoryKind) -> Self {
        self.set_kind(kind);
        self
    }

    /// Words to find it by.
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// 0 to 1; default 0.5.
    pub fn with_importance(mut self, importance: f32) -> Self {
        self.importance = Some(importance);
        self
    }

    /// A flat JSON object.
    pub fn with_metadata(mut self, metadata: &Value) -> Self {
        self.metadata = Some(to_struct(metadata));
        self
    }

    /// The conversation it comes from.
    pub fn in_session(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = session_id.into();
        self
    }

    /// When that which it tells happened; default: now.
    pub fn occurred_at(mut self, time: SystemTime) -> Self {
        self.occurred_at = Some(to_timestamp(time));
        self
    }

    /// Who may be shown it; default: internal.
    pub fn with_sensitivity(mut self, sensitivity: Sensitivity) -> Self {
        self.set_sensitivity(sensitivity);
        self
    }

    /// Hidden from this moment on; default: by the lifetime of its kind.
    pub fn expires_at(mut self, time: SystemTime) -> Self {
        self.expires_at = Some(to_timestamp(time));
        self
    }

    /// Exempt from clean-up, always a candidate for a snapshot.
    pub fn pinned(mut self) -> Self {
        self.pinned = true;
        self
    }

    /// The ids of what it rests on.
    pub fn resting_on<T: Into<String>>(mut self, refs: impl IntoIterator<Item = T>) -> Self {
        self.source_refs = refs.into_iter().map(Into::into).collect();
        self
    }

    /// From when on that which it tells is true; default: unknown.
    pub fn valid_from(mut self, time: SystemTime) -> Self {
        self.valid_from = Some(to_timestamp(time));
        self
    }

    /// From when on it is true no longer; default: it still is, as far as is known.
    pub fn valid_until(mut self, time: SystemTime) -> Self {
        self.valid_until = Some(to_timestamp(time));
        self
    }

    /// The ids of memories whose place it takes.
    pub fn superseding<T: Into<String>>(mut self, ids: impl IntoIterator<Item = T>) -> Self {
        self.supersedes = ids.into_iter().map(Into::into).collect();
        self
    }
}

/// New values for fields of a memory; those not named stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub(crate) memory: Memory,
    paths: Vec<String>,
}

impl Changes {
    /// No change yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The statement.
    pub fn content(self, content: impl Into<String>) -> Self {
        self.with("content", |memory| memory.content = content.into())
    }

    /// Its subjects.
    pub fn kind(self, kind: MemoryKind) -> Self {
        self.with("kind", |memory| memory.set_kind(kind))
    }

    /// In place of all tags.
    pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        self.with("tags", |memory| memory.tags = tags.into_iter().map(Into::into).collect())
    }

    /// 0 to 1.
    pub fn importance(self, importance: f32) -> Self {
        self.with("importance", |memory| memory.importance = Some(importance))
    }

    /// In place of all metadata: a flat JSON object.
    pub fn metadata(self, metadata: &Value) -> Self {
        self.with("metadata", |memory| memory.metadata = Some(to_struct(metadata)))
    }

    /// The conversation it comes from.
    pub fn session_id(self, session_id: impl Into<String>) -> Self {
        self.with("session_id", |memory| memory.session_id = session_id.into())
    }

    /// When that which it tells happened.
    pub fn occurred_at(self, time: SystemTime) -> Self {
        self.with("occurred_at", |memory| memory.occurred_at = Some(to_timestamp(time)))
    }

    /// Who may be shown it.
    pub fn sensitivity(self, sensitivity: Sensitivity) -> Self {
        self.with("sensitivity", |memory| memory.set_sensitivity(sensitivity))
    }

    /// Hidden from this moment on; None: never.
    pub fn expires_at(self, time: Option<SystemTime>) -> Self {
        self.with("expires_at", |memory| memory.expires_at = time.map(to_timestamp))
    }

    /// Exempt from clean-up.
    pub fn pinned(self, is_pinned: bool) -> Self {
        self.with("pinned", |memory| memory.pinned = is_pinned)
    }

    /// Out of recall unless asked for.
    pub fn archived(self, is_archived: bool) -> Self {
        self.with("archived", |memory| memory.archived = is_archived)
    }

    /// The ids of what it rests on.
    pub fn source_refs<T: Into<String>>(self, refs: impl IntoIterator<Item = T>) -> Self {
        self.with("source_refs", |memory| memory.source_refs = refs.into_iter().map(Into::into).collect())
    }

    /// An embedding made by the caller; None: the server makes one.
    pub fn vector(self, vector: Option<Vector>) -> Self {
        self.with("vector", |memory| memory.vector = vector)
    }

    /// From when on that which it tells is true; None: unknown.
    pub fn valid_from(self, time: Option<SystemTime>) -> Self {
        self.with("valid_from", |memory| memory.valid_from = time.map(to_timestamp))
    }

    /// From when on it is true no longer; None: it still is, as far as is known.
    pub fn valid_until(self, time: Option<SystemTime>) -> Self {
        self.with("valid_until", |memory| memory.valid_until = time.map(to_timestamp))
    }

    pub(crate) fn mask(&self) -> FieldMask {
        FieldMask { paths: self.paths.clone() }
    }

    fn with(mut self, path: &str, change: impl FnOnce(&mut Memory)) -> Self {
        change(&mut self.memory);
        // Said twice, a field is named once.
        if !self.paths.iter().any(|named| named == path) {
            self.paths.push(path.to_owned());
        }
        self
    }
}
