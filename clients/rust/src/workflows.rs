//! The steps of workflows, as events.

use crate::client::Client;
use crate::error::Result;
use crate::streams::Messages;
use crate::v1::{Event, ListWorkflowRequest, NewEvent, RecordedEvent};
use crate::written::Written;

/// Workflows of the client's agent: [`Client::workflows`].
#[derive(Clone, Debug)]
pub struct Workflows {
    client: Client,
}

impl Workflows {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Stores a step: `WorkflowStep::of("backup", "copy").in_run("monday")`, or a [`NewEvent`] of one with what else is said of
    /// it.
    ///
    /// # Errors
    /// As [`Events::record`](crate::Events::record).
    pub async fn record(&self, step: impl Into<NewEvent>) -> Result<Written<RecordedEvent>> {
        self.client.events().record(step).await
    }

    /// The steps of a workflow, the agent's and the tenant's shared ones, in the order in which they happened.
    pub fn list(&self, workflow: impl Into<String>) -> Messages<Event> {
        self.list_as(ListWorkflowRequest { workflow: workflow.into(), ..Default::default() })
    }

    /// As [`Workflows::list`], of a run, of statuses, or for a channel.
    pub fn list_as(&self, request: ListWorkflowRequest) -> Messages<Event> {
        self.client.items(request, |page| page.steps)
    }
}
