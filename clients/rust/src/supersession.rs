//! Memories in the place of others, and those that contradict each other.

use std::time::SystemTime;

use crate::client::Client;
use crate::error::Result;
use crate::streams::Messages;
use crate::v1::{
    Contradiction, ListContradictionsRequest, ListContradictionsResponse, MemoryFilter, SupersedeMemoryRequest,
    SupersedeMemoryResponse,
};
use crate::values::to_timestamp;

impl Client {
    /// Puts a memory in the place of another, which stays readable as history. Since when: `None` is as the successor says.
    ///
    /// # Errors
    /// `VersionConflict` if the memory is no longer at the version, or was superseded already.
    pub async fn supersede(
        &self,
        memory_id: impl Into<String>,
        version: i64,
        successor_id: impl Into<String>,
        since: Option<SystemTime>,
    ) -> Result<SupersedeMemoryResponse> {
        let request = SupersedeMemoryRequest {
            memory_id: memory_id.into(),
            expected_version: version,
            successor_id: successor_id.into(),
            since: since.map(to_timestamp),
            ..Default::default()
        };
        self.call(request).await
    }

    /// Pairs of memories that probably contradict each other, the newest first, among those that pass the filter. Nothing is
    /// changed by itself.
    pub fn contradictions(&self, filter: MemoryFilter) -> Messages<Contradiction> {
        let request = ListContradictionsRequest { filter: Some(filter), ..Default::default() };
        self.items(request, |page| page.contradictions)
    }

    /// The pairs of `contradictions` with what the server's language model says of each, and others that it proposes. It costs
    /// money of the tenant's budget and may take long. A pair that could not be judged says why in its judgement;
    /// [`Client::judged_contradiction_pages`] also tells of what might have been proposed.
    pub fn judged_contradictions(&self, filter: MemoryFilter) -> Messages<Contradiction> {
        self.items(judged(filter), |page| page.contradictions)
    }

    /// The pages of `judged_contradictions`, each with the reasons (`degraded()`) for which pairs were not judged.
    pub fn judged_contradiction_pages(&self, filter: MemoryFilter) -> Messages<ListContradictionsResponse> {
        self.pages(judged(filter))
    }
}

fn judged(filter: MemoryFilter) -> ListContradictionsRequest {
    ListContradictionsRequest { filter: Some(filter), judge: true, ..Default::default() }
}
