//! The outcome of spooled writes, and what the tenant wants of them.

use crate::client::Client;
use crate::error::Result;
use crate::streams::Messages;
use crate::v1::{
    DiscardSpooledRequest, GetSpoolPolicyRequest, ListSpooledRequest, RetrySpooledRequest, RetrySpooledResponse,
    SetSpoolPolicyRequest, SpoolPolicy, SpoolState, SpooledWrite,
};

/// Writes that were acknowledged while Postgres was away and are not stored: [`Client::spool`]. For keys of tenant
/// administrators.
#[derive(Clone, Debug)]
pub struct Spool {
    client: Client,
}

impl Spool {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Writes that failed, then those that wait on the disk of the server that answers, each the oldest first; those of one
    /// state where that is not unspecified. Failed writes are not seen while Postgres is away.
    pub fn list(&self, state: SpoolState) -> Messages<SpooledWrite> {
        self.client.items(ListSpooledRequest { state: state.into(), ..Default::default() }, |page| page.writes)
    }

    /// Tries up to 100 writes again that failed, in the order given: how many are stored now, and which failed again.
    ///
    /// # Errors
    /// `InvalidField` for what is no id, `ScopeForbidden`.
    pub async fn retry<T: Into<String>>(&self, ids: impl IntoIterator<Item = T>) -> Result<RetrySpooledResponse> {
        let spool_ids = ids.into_iter().map(Into::into).collect();
        self.client.call(RetrySpooledRequest { spool_ids, ..Default::default() }).await
    }

    /// Removes up to 1,000 writes that failed, for good; how many there were.
    ///
    /// # Errors
    /// `InvalidField` for what is no id, `ScopeForbidden`.
    pub async fn discard<T: Into<String>>(&self, ids: impl IntoIterator<Item = T>) -> Result<i32> {
        let spool_ids = ids.into_iter().map(Into::into).collect();
        Ok(self.client.call(DiscardSpooledRequest { spool_ids, ..Default::default() }).await?.discarded)
    }

    /// The tenant's wishes for its writes while Postgres is away.
    ///
    /// # Errors
    /// `ScopeForbidden`.
    pub async fn policy(&self) -> Result<SpoolPolicy> {
        Ok(self.client.call(GetSpoolPolicyRequest {}).await?.policy())
    }

    /// Changes that; every server follows within 15 seconds.
    ///
    /// # Errors
    /// `ScopeForbidden`.
    pub async fn set_policy(&self, policy: SpoolPolicy) -> Result<SpoolPolicy> {
        let request = SetSpoolPolicyRequest { policy: policy.into(), ..Default::default() };
        Ok(self.client.call(request).await?.policy())
    }
}
