//! What a caller states about an event.

use std::time::SystemTime;

use serde_json::Value;

use crate::v1::new_event::Content;
use crate::v1::{Actor, ActorType, Channel, EventKind, NewEvent, Sensitivity, ToolCall, ToolResult};
use crate::values::{to_struct, to_timestamp};

/// Somebody said something.
impl From<&str> for NewEvent {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// As of a `&str`.
impl From<String> for NewEvent {
    fn from(text: String) -> Self {
        Self { content: Some(Content::Text(text)), ..Self::default() }
    }
}

/// A tool was called.
impl From<ToolCall> for NewEvent {
    fn from(call: ToolCall) -> Self {
        let kind = EventKind::ToolCall.into();
        Self { content: Some(Content::ToolCall(call)), kind, ..Self::default() }
    }
}

/// A tool answered.
impl From<ToolResult> for NewEvent {
    fn from(result: ToolResult) -> Self {
        let kind = EventKind::ToolResult.into();
        Self { content: Some(Content::ToolResult(result)), kind, ..Self::default() }
    }
}

/// Everything but the content is optional; what the contract says of each field holds.
impl NewEvent {
    /// An event whose content is a JSON object.
    pub fn of_json(object: &Value) -> Self {
        Self { content: Some(Content::Json(to_struct(object))), ..Self::default() }
    }

    /// The conversation.
    pub fn in_session(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = session_id.into();
        self
    }

    /// Who caused it.
    pub fn by(mut self, kind: ActorType, id: impl Into<String>) -> Self {
        self.actor = Some(Actor { r#type: kind.into(), id: id.into() });
        self
    }

    /// What it tells; default: as the content says, else a message.
    pub fn of_kind(mut self, kind: EventKind) -> Self {
        self.set_kind(kind);
        self
    }

    /// Where it happened; default: private.
    pub fn said_in(mut self, channel: Channel) -> Self {
        self.set_channel(channel);
        self
    }

    /// Who may be shown it; default: internal.
    pub fn with_sensitivity(mut self, sensitivity: Sensitivity) -> Self {
        self.set_sensitivity(sensitivity);
        self
    }

    /// Words to find it by.
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// When it happened; default: now.
    pub fn occurred_at(mut self, time: SystemTime) -> Self {
        self.occurred_at = Some(to_timestamp(time));
        self
    }

    /// The ids of what it is about.
    pub fn about<T: Into<String>>(mut self, refs: impl IntoIterator<Item = T>) -> Self {
        self.refs = refs.into_iter().map(Into::into).collect();
        self
    }
}
