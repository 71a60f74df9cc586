//! Fields that a caller states about an event.

use std::time::SystemTime;

use serde_json::Value;

use crate::v1::new_event::Content;
use crate::v1::{
    Actor, ActorType, Channel, EventKind, NewEvent, Sensitivity, ToolCall, ToolResult, WorkflowStatus, WorkflowStep,
};
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

/// A step of a workflow. The conversation is the run, else the workflow, and who caused it the system of the workflow's name,
/// unless said otherwise afterwards.
impl From<WorkflowStep> for NewEvent {
    fn from(step: WorkflowStep) -> Self {
        let session_id = if step.run.is_empty() { &step.workflow } else { &step.run }.clone();
        let event = Self { session_id, kind: EventKind::WorkflowStep.into(), ..Self::default() };
        let event = event.by(ActorType::System, step.workflow.clone());
        Self { content: Some(Content::WorkflowStep(step)), ..event }
    }
}

/// `WorkflowStep::of("backup", "copy").in_run("monday").ended(WorkflowStatus::Failed).with_output("disk full")`.
impl WorkflowStep {
    /// A step of a workflow that succeeded.
    pub fn of(workflow: impl Into<String>, step: impl Into<String>) -> Self {
        Self { workflow: workflow.into(), step: step.into(), ..Self::default() }
    }

    /// Which run of the workflow.
    pub fn in_run(mut self, run: impl Into<String>) -> Self {
        self.run = run.into();
        self
    }

    /// How it stands.
    pub fn ended(mut self, status: WorkflowStatus) -> Self {
        self.set_status(status);
        self
    }

    /// Its output: up to 8 MiB. The beginning of a long output stays in the event, and the whole becomes an artifact.
    pub fn with_output(mut self, output: impl Into<String>) -> Self {
        self.output = output.into();
        self
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

    /// Returns what it tells; default: as the content says, else a message.
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
