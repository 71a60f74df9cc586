//! Fields that a caller states about an artifact, and which part of one it wants.

use std::time::SystemTime;

use serde_json::Value;

use crate::v1::artifact_range::Range;
use crate::v1::{ArtifactRange, ByteRange, JsonValue, LineRange, LinesAround, NewArtifact, Sensitivity};
use crate::values::{to_struct, to_timestamp};

/// Everything is optional: `NewArtifact::default()` says nothing.
impl NewArtifact {
    /// An artifact of this name, such as that of a file.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The text in the memory ref; default: made from the content.
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The tool that made it.
    pub fn made_by(mut self, tool: impl Into<String>) -> Self {
        self.tool = tool.into();
        self
    }

    /// The command that made it, and how that ended.
    pub fn with_command(mut self, command: impl Into<String>, exit_code: i32) -> Self {
        self.command = command.into();
        self.exit_code = Some(exit_code);
        self
    }

    /// The conversation it belongs to.
    pub fn in_session(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = session_id.into();
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

    /// A flat JSON object.
    pub fn with_metadata(mut self, metadata: &Value) -> Self {
        self.metadata = Some(to_struct(metadata));
        self
    }

    /// Gone from this moment on; default: as the server's retention says.
    pub fn expires_at(mut self, time: SystemTime) -> Self {
        self.expires_at = Some(to_timestamp(time));
        self
    }

    /// For every agent of the tenant to read.
    pub fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }
}

/// All of it, or one of these parts. An end, or a last line, of 0 or less means to the end.
impl ArtifactRange {
    /// All of it.
    pub fn all() -> Self {
        Self::default()
    }

    /// Bytes from 0, the one at `end` not among them. A negative start counts from the end of the artifact.
    pub fn bytes(start: i64, end: i64) -> Self {
        Range::Bytes(ByteRange { start, end: end.max(0) }).into()
    }

    /// Lines from 1, both among them.
    pub fn lines(first: i64, last: i64) -> Self {
        Range::Lines(LineRange { first, last: last.max(0) }).into()
    }

    /// The first so many lines.
    pub fn head(lines: i64) -> Self {
        Range::HeadLines(lines).into()
    }

    /// The last so many lines.
    pub fn tail(lines: i64) -> Self {
        Range::TailLines(lines).into()
    }

    /// A line with so many before and after it.
    pub fn around(line: i64, context: i32) -> Self {
        // In the contract a context of 0 is the default.
        match context {
            0 => Self::lines(line, line),
            _ => Range::Around(LinesAround { line, context }).into(),
        }
    }

    /// The value at a JSON pointer such as `/users/3/name`; empty: the whole document.
    pub fn json(pointer: impl Into<String>) -> Self {
        Range::Json(JsonValue { pointer: pointer.into(), start: None, end: None }).into()
    }

    /// Elements of the array at a JSON pointer, the one at `end` not among them.
    pub fn json_slice(pointer: impl Into<String>, start: i64, end: i64) -> Self {
        Range::Json(JsonValue { pointer: pointer.into(), start: Some(start), end: Some(end) }).into()
    }
}

impl From<Range> for ArtifactRange {
    fn from(range: Range) -> Self {
        Self { range: Some(range) }
    }
}
