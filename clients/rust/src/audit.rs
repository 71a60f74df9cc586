//! The audit trail of the tenant.

use serde_json::Value;
use tokio_stream::StreamExt;

use crate::client::Client;
use crate::error::Result;
use crate::resumed_watches::MAX_RECONNECTS;
use crate::streams::Messages;
use crate::v1::{
    AuditChange, AuditEntry, AuditFilter, AuditHead, AuditPolicy, GetAuditPolicyRequest, ListAuditEntriesRequest,
    NewAuditAction, RecordAuditEntryRequest, RecordAuditEntryResponse, SetAuditPolicyRequest, VerifyAuditRequest,
    VerifyAuditResponse, WatchAuditRequest,
};
use crate::values::to_struct;

/// The audit trail of the tenant: [`Client::audit`]. All but [`Audit::record`] is for keys of tenant administrators that reach
/// every agent.
#[derive(Clone, Debug)]
pub struct Audit {
    client: Client,
}

impl Audit {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Enters an action of the agent's runtime, such as `NewAuditAction::of("invoice.approved", "…")`; every agent of the
    /// tenant finds it.
    ///
    /// # Errors
    /// `InvalidField`, `ValueRejected` for what was forgotten and may not be stated again.
    pub async fn record(&self, action: NewAuditAction) -> Result<RecordAuditEntryResponse> {
        self.client.call(RecordAuditEntryRequest { action: Some(action), ..Default::default() }).await
    }

    /// Entries that pass the filter, the last committed first.
    pub fn list(&self, filter: AuditFilter) -> Messages<AuditEntry> {
        self.client.items(ListAuditEntriesRequest { filter: Some(filter), ..Default::default() }, |page| page.entries)
    }

    /// Entries that pass the filter of a request in the order of their commits, without end, from the oldest one or from
    /// behind its resume token, with checkpoints without an entry among them; goes on by itself as [`Client::watch`].
    pub fn watch(&self, start: WatchAuditRequest) -> Messages<AuditChange> {
        let answers = self.client.resumed(start, MAX_RECONNECTS);
        Box::pin(answers.filter_map(|answer| answer.map(|answer| answer.change).transpose()))
    }

    /// Checks every chain of the tenant: what was found of each, by agent. Known heads are those that an earlier check has
    /// told.
    pub fn verify(&self, known_heads: impl IntoIterator<Item = AuditHead>) -> Messages<VerifyAuditResponse> {
        self.client.stream(VerifyAuditRequest { known_heads: known_heads.into_iter().collect() })
    }

    /// How long the tenant keeps entries, and whether reads leave any.
    ///
    /// # Errors
    /// `ScopeForbidden`.
    pub async fn policy(&self) -> Result<AuditPolicy> {
        Ok(self.client.call(GetAuditPolicyRequest {}).await?.policy.unwrap_or_default())
    }

    /// Changes that, all of it.
    ///
    /// # Errors
    /// `InvalidField` for too few days, `ScopeForbidden`.
    pub async fn set_policy(&self, policy: AuditPolicy) -> Result<AuditPolicy> {
        let request = SetAuditPolicyRequest { policy: Some(policy), ..Default::default() };
        Ok(self.client.call(request).await?.policy.unwrap_or_default())
    }
}

impl NewAuditAction {
    /// Returns what was done, in the words of the runtime, and in a sentence or two for those who search.
    pub fn of(action: impl Into<String>, message: impl Into<String>) -> Self {
        Self { action: action.into(), message: message.into(), ..Self::default() }
    }

    /// Details: a JSON object.
    pub fn with_meta(mut self, meta: &Value) -> Self {
        self.meta = Some(to_struct(meta));
        self
    }

    /// The conversation.
    pub fn in_session(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = session_id.into();
        self
    }
}
