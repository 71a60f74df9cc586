//! Runs: what an agent keeps in mind from the start of a run to its end.

use crate::client::Client;
use crate::streams::Messages;
use crate::v1::{ListRunsRequest, Run};

/// Runs of the client's agent: [`Client::runs`]. Methods that are no lists are sent with [`Client::call`].
#[derive(Clone, Debug)]
pub struct Runs {
    client: Client,
}

impl Runs {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// The runs that have not ended, the last started first. `ListRunsRequest::default()` asks for all of them.
    pub fn list(&self, request: ListRunsRequest) -> Messages<Run> {
        self.client.items(request, |page| page.runs)
    }
}
