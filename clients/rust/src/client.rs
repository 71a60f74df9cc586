//! The client: one server, one key, one agent.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tonic::codegen::InterceptedService;
use tonic::transport::Channel;

use crate::artifacts::Artifacts;
use crate::audit::Audit;
use crate::builder::Builder;
use crate::calls::Calls;
use crate::context::Context;
use crate::credentials::Authorization;
use crate::documents::Documents;
use crate::error::Result;
use crate::events::Events;
use crate::links::Links;
use crate::revisions::WrittenRevisions;
use crate::runs::Runs;
use crate::skills::Skills;
use crate::slots::Slots;
use crate::spaces::Beside;
use crate::spool::Spool;
use crate::v1::{WhoAmIRequest, WhoAmIResponse};
use crate::workflows::Workflows;

/// The agent id of the tenant's shared scope.
pub const SHARED: &str = "@shared";

const LONGEST_TIMEOUT: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// A client of one server. Clones are cheap and share the connection, and what they know of their own writes.
#[derive(Clone)]
pub struct Client {
    pub(crate) calls: Arc<Calls>,
    pub(crate) written: Arc<WrittenRevisions>,
    pub(crate) agent_id: Arc<str>,
    pub(crate) beside: Arc<Beside>,
    pub(crate) timeout: Duration,
    pub(crate) stream_timeout: Option<Duration>,
}

impl Client {
    /// A client of the server at this address: host and port. The key is that of `CAMILLO_KEY`, else that of a server on this machine.
    ///
    /// # Errors
    /// As [`Builder::connect`].
    pub fn connect(address: impl Into<String>) -> Result<Self> {
        Self::builder().address(address).connect()
    }

    /// The options of a client.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The same client for another agent, which the key has to reach; [`SHARED`](crate::SHARED) is the tenant's shared scope.
    pub fn for_agent(&self, agent_id: impl Into<String>) -> Self {
        Self { agent_id: agent_id.into().into(), beside: Arc::default(), ..self.clone() }
    }

    /// The same client with another timeout for each unary call, repetitions included.
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self { timeout, ..self.clone() }
    }

    /// The same client with a timeout for each connection of a stream, an upload or a watch; without it they have none.
    pub fn with_stream_timeout(&self, timeout: Duration) -> Self {
        Self { stream_timeout: Some(timeout), ..self.clone() }
    }

    /// Events: what an agent is told and does.
    pub fn events(&self) -> Events {
        Events::new(self.clone())
    }

    /// Context for a model, under a budget of tokens.
    pub fn context(&self) -> Context {
        Context::new(self.clone())
    }

    /// Runs: what an agent keeps in mind from the start of a run to its end.
    pub fn runs(&self) -> Runs {
        Runs::new(self.clone())
    }

    /// Slots: JSON under keys, of which the last write is in force.
    pub fn slots(&self) -> Slots {
        Slots::new(self.clone())
    }

    /// Documents: what the tenant knows, found in passages.
    pub fn documents(&self) -> Documents {
        Documents::new(self.clone())
    }

    /// Skills: instructions that an agent loads by name.
    pub fn skills(&self) -> Skills {
        Skills::new(self.clone())
    }

    /// The audit trail of the tenant.
    pub fn audit(&self) -> Audit {
        Audit::new(self.clone())
    }

    /// Links: what belongs together.
    pub fn links(&self) -> Links {
        Links::new(self.clone())
    }

    /// Writes that were acknowledged while Postgres was away and are not stored.
    pub fn spool(&self) -> Spool {
        Spool::new(self.clone())
    }

    /// The steps of workflows, as events.
    pub fn workflows(&self) -> Workflows {
        Workflows::new(self.clone())
    }

    /// Artifacts: large outputs, kept out of the context.
    pub fn artifacts(&self) -> Artifacts {
        Artifacts::new(self.clone())
    }

    /// Whose the key is, and what the server is.
    ///
    /// # Errors
    /// `CredentialInvalid` for a key that is unknown, expired or revoked.
    pub async fn who_am_i(&self) -> Result<WhoAmIResponse> {
        self.call(WhoAmIRequest {}).await
    }

    /// Returns what the stubs of the services take, such as `MemoryServiceClient::new(client.service())`. Their calls carry the
    /// key, and nothing else of what this client does.
    pub fn service(&self) -> InterceptedService<Channel, Authorization> {
        let authorization =
            Authorization { credentials: self.calls.wire.credentials.clone(), agent_id: self.agent_id.to_string() };
        InterceptedService::new(self.calls.wire.channel.clone(), authorization)
    }

    /// Gives this handle up. The connection is closed with the last clone and the last stream.
    pub fn close(self) {}

    pub(crate) fn deadline(&self) -> Option<Instant> {
        deadline_after(self.timeout)
    }

    pub(crate) fn stream_deadline(&self) -> Option<Instant> {
        self.stream_timeout.and_then(deadline_after)
    }
}

/// None for what is longer than anybody waits: clocks do not reach `Duration::MAX`.
fn deadline_after(timeout: Duration) -> Option<Instant> {
    (timeout < LONGEST_TIMEOUT).then(|| Instant::now() + timeout)
}

impl fmt::Debug for Client {
    /// Without the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = formatter.debug_struct("Client");
        told.field("agent_id", &self.agent_id).field("timeout", &self.timeout);
        told.field("stream_timeout", &self.stream_timeout).finish_non_exhaustive()
    }
}
