//! Fields that a caller states about a document, and which part of one it wants.

use std::time::SystemTime;

use prost_types::FieldMask;
use serde_json::Value;

use crate::v1::get_document_request::Document as Key;
use crate::v1::{Channel, GetDocumentRequest, NewDocument, Sensitivity};
use crate::values::{to_struct, to_timestamp};

/// A document of this name, of which nothing else is said: `NewDocument::from("handbook/travel.md").about(["travel"])`.
impl From<&str> for NewDocument {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

/// As of a `&str`.
impl From<String> for NewDocument {
    fn from(name: String) -> Self {
        Self { name, ..Self::default() }
    }
}

/// Everything is optional; what the contract says of each field holds.
impl NewDocument {
    /// Default: its first heading, or else the last part of its name.
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Such as `text/markdown`; default: by its name, or else by its content.
    pub fn of_media_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = media_type.into();
        self
    }

    /// The categories by which keys and recipes grant it.
    pub fn about<T: Into<String>>(mut self, categories: impl IntoIterator<Item = T>) -> Self {
        self.categories = categories.into_iter().map(Into::into).collect();
        self
    }

    /// Words to find it by.
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Who may be shown it; default: internal.
    pub fn with_sensitivity(mut self, sensitivity: Sensitivity) -> Self {
        self.set_sensitivity(sensitivity);
        self
    }

    /// Where it comes from.
    pub fn from_url(mut self, url: impl Into<String>) -> Self {
        self.source_url = url.into();
        self
    }

    /// Who made it, when it was fetched and the like: a flat JSON object.
    pub fn with_provenance(mut self, provenance: &Value) -> Self {
        self.provenance = Some(to_struct(provenance));
        self
    }

    /// Not found before this time; default: at once.
    pub fn effective_from(mut self, time: SystemTime) -> Self {
        self.effective_from = Some(to_timestamp(time));
        self
    }

    /// Not found from this time on; default: always.
    pub fn effective_until(mut self, time: SystemTime) -> Self {
        self.effective_until = Some(to_timestamp(time));
        self
    }
}

/// Which document, and which part of it: `GetDocumentRequest::of("…").bytes(0, 1_000)`.
impl GetDocumentRequest {
    /// The document of this id.
    pub fn of(document_id: impl Into<String>) -> Self {
        Self { document: Some(Key::DocumentId(document_id.into())), ..Self::default() }
    }

    /// The document of this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { document: Some(Key::Name(name.into())), ..Self::default() }
    }

    /// An earlier version; default: the newest.
    pub fn at_version(mut self, version: i64) -> Self {
        self.version = Some(version);
        self
    }

    /// Bytes from 0, the one at `until` not among them; 0 there is the end. Both are moved to whole characters.
    pub fn bytes(mut self, from: i64, until: i64) -> Self {
        (self.byte_from, self.byte_until) = (from, until);
        self
    }

    /// Where it will be shown; default: private.
    pub fn shown_in(mut self, channel: Channel) -> Self {
        self.set_channel(channel);
        self
    }
}

/// New values for what is said of a document; fields not named stay as they are, empty ones get their default.
#[derive(Clone, Debug, Default)]
pub struct DocumentChanges {
    pub(crate) document: NewDocument,
    paths: Vec<String>,
}

impl DocumentChanges {
    /// No change yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Its name.
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with("title", |document| document.title = title.into())
    }

    /// In place of all categories.
    pub fn categories<T: Into<String>>(self, categories: impl IntoIterator<Item = T>) -> Self {
        self.with("categories", |document| document.categories = categories.into_iter().map(Into::into).collect())
    }

    /// In place of all tags.
    pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        self.with("tags", |document| document.tags = tags.into_iter().map(Into::into).collect())
    }

    /// Who may be shown it.
    pub fn sensitivity(self, sensitivity: Sensitivity) -> Self {
        self.with("sensitivity", |document| document.set_sensitivity(sensitivity))
    }

    /// Where it comes from.
    pub fn source_url(self, url: impl Into<String>) -> Self {
        self.with("source_url", |document| document.source_url = url.into())
    }

    /// In place of all provenance: a flat JSON object.
    pub fn provenance(self, provenance: &Value) -> Self {
        self.with("provenance", |document| document.provenance = Some(to_struct(provenance)))
    }

    /// Not found before this time; None: at once.
    pub fn effective_from(self, time: Option<SystemTime>) -> Self {
        self.with("effective_from", |document| document.effective_from = time.map(to_timestamp))
    }

    /// Not found from this time on; None: always.
    pub fn effective_until(self, time: Option<SystemTime>) -> Self {
        self.with("effective_until", |document| document.effective_until = time.map(to_timestamp))
    }

    pub(crate) fn mask(&self) -> FieldMask {
        FieldMask { paths: self.paths.clone() }
    }

    fn with(mut self, path: &str, change: impl FnOnce(&mut NewDocument)) -> Self {
        change(&mut self.document);
        // Said twice, a field is named once.
        if !self.paths.iter().any(|named| named == path) {
            self.paths.push(path.to_owned());
        }
        self
    }
}
