//! How to connect.

use std::env;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::calls::{Calls, Pause, lasting_pause};
use crate::client::Client;
use crate::credentials::Credentials;
use crate::error::Result;
use crate::local_key::found_key;
use crate::plaintext_keys;
use crate::revisions::WrittenRevisions;
use crate::target;
use crate::tls::Tls;
use crate::wire::Wire;

const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// The options of a client; [`Builder::connect`] makes it.
#[derive(Default)]
pub struct Builder {
    address: Option<String>,
    key: Option<String>,
    agent_id: String,
    tls: Option<Tls>,
    timeout: Option<Duration>,
    max_message_bytes: Option<usize>,
    pause: Option<Pause>,
}

impl Builder {
    /// Host and port. Default: `CAMILLO_ADDRESS`, else `localhost:7070`.
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// Default: `CAMILLO_KEY`, else for a server on this machine the `root.key` in this user's data directory. Space around it is
    /// taken off.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The agent that is acted for, with a key that may act for any; [`SHARED`](crate::SHARED) is the tenant's shared scope.
    /// Default: that of the key, else `CAMILLO_AGENT`, else `default`.
    pub fn agent_id(mut self, agent_id: impl Into<String>) -> Self {
        self.agent_id = agent_id.into();
        self
    }

    /// Encrypts the connection. Default: nothing is encrypted, the key neither; of one that leaves this machine so, a warning
    /// of `tracing` tells.
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// For each unary call, repetitions included. Default: 10 seconds.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The largest message that is sent or taken. Default: 64 MiB.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.max_message_bytes = Some(bytes);
        self
    }

    /// Waits in another way than by letting time pass. For tests.
    #[doc(hidden)]
    pub fn pause<F, P>(mut self, pause: F) -> Self
    where
        F: Fn(Duration) -> P + Send + Sync + 'static,
        P: Future<Output = ()> + Send + 'static,
    {
        self.pause = Some(Arc::new(move |duration| Box::pin(pause(duration))));
        self
    }

    /// The client; it connects when it is first used. To be called where a Tokio runtime runs.
    ///
    /// # Errors
    /// `InvalidArgument` for an address, a key or certificates that cannot be right.
    pub fn connect(self) -> Result<Client> {
        let address = target::resolved_address(self.address, |name| env::var(name).ok())?;
        let found = found_key(self.key, &address, self.tls.as_ref(), |name| env::var(name).ok());
        plaintext_keys::warn(&address, &found.key, self.tls.is_some());
        let wire = Wire {
            channel: target::channel(&address, self.tls.as_ref())?,
            credentials: Credentials::new(found, env::var("CAMILLO_AGENT").ok())?,
            max_message_bytes: self.max_message_bytes.unwrap_or(MAX_MESSAGE_BYTES),
        };
        let calls = Calls { wire, pause: self.pause.unwrap_or_else(lasting_pause) };
        Ok(Client {
            calls: Arc::new(calls),
            written: Arc::new(WrittenRevisions::default()),
            agent_id: self.agent_id.into(),
            beside: Arc::default(),
            timeout: self.timeout.unwrap_or(TIMEOUT),
            stream_timeout: None,
        })
    }
}

impl fmt::Debug for Builder {
    /// Without the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = formatter.debug_struct("Builder");
        told.field("address", &self.address).field("agent_id", &self.agent_id).field("tls", &self.tls);
        told.field("timeout", &self.timeout).finish_non_exhaustive()
    }
}
