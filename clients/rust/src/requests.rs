//! Holds what every request and answer of the contract can be asked for. Implemented for all of them by generated code.

use prost::Name;

use crate::client::Client;
use crate::error::Result;
use crate::v1;

/// The name of an RPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// The full name of its service, such as `camillo.v1.MemoryService`.
    pub service: &'static str,
    /// Its own name, such as `Recall`.
    pub name: &'static str,
}

impl Method {
    /// The method of this service and name.
    pub const fn new(service: &'static str, name: &'static str) -> Self {
        Self { service, name }
    }

    /// Where it is called over HTTP: `/camillo.v1.MemoryService/Recall`.
    pub fn path(&self) -> String {
        format!("/{}/{}", self.service, self.name)
    }
}

/// Holds what is sent to a method. The fields that only some have are None for the others.
pub trait Request: Name + Clone + Default + Send + Sync + 'static {
    /// Holds what comes back, once or as a stream.
    type Answer: Answer;
    /// Whom it is sent to.
    const METHOD: Method;

    /// For which agent; empty: the client's own.
    fn agent_id(&mut self) -> Option<&mut String> {
        None
    }

    /// By which a repetition is known; empty: the client makes one.
    fn request_id(&mut self) -> Option<&mut String> {
        None
    }

    /// How fresh the answer has to be; unset: as fresh as the client's own writes.
    fn freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        None
    }

    /// How fresh the tenant's shared scope has to be; unset: as `freshness`. None for what does not search it.
    fn shared_freshness(&mut self) -> Option<&mut Option<v1::Freshness>> {
        None
    }

    /// Other spaces to read as one with the agent's own. None for what reads one alone.
    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {
        None
    }

    /// Whether to read the tenant's shared scope, too. None for what cannot.
    fn include_shared(&mut self) -> Option<&mut bool> {
        None
    }

    /// Whether it changes the tenant's shared scope, whichever agent sends it.
    fn changes_shared(&self) -> bool {
        false
    }

    /// Whether only to tell what would happen.
    fn is_dry_run(&self) -> bool {
        false
    }
}

/// Holds what a method answers.
pub trait Answer: Name + Default + Send + Sync + 'static {
    /// The revision that holds what was written, or that was read.
    fn revision(&self) -> Option<&v1::Revision> {
        None
    }

    /// The revision of the tenant's shared scope that holds what was written there, or that was read.
    fn shared_revision(&self) -> Option<&v1::Revision> {
        None
    }

    /// The revisions at which the other spaces of the request were read.
    fn spaces(&self) -> &[v1::SpaceRevision] {
        &[]
    }
}

/// A request that gets one answer.
pub trait UnaryRequest: Request {
    /// Sends it as [`Client::call`] promises.
    #[doc(hidden)]
    fn sent_by(self, client: &Client) -> impl Future<Output = Result<Self::Answer>> + Send {
        client.called(self, client.deadline())
    }
}

/// A request that gets a stream of answers.
pub trait StreamRequest: Request {}

/// One of a stream of requests that get one answer.
pub trait UploadRequest: Request {}

/// A request for one page of a list.
pub trait ListRequest: UnaryRequest<Answer: Page> {
    /// Where the page begins; empty: at the beginning.
    fn page_token(&mut self) -> &mut String;
}

/// One page of a list.
pub trait Page: Answer {
    /// Where the next page begins; empty on the last one.
    fn next_page_token(&self) -> &str;
}

/// A request for changes as they happen, without end.
pub trait WatchRequest: StreamRequest<Answer: Change> {
    /// Begin behind the change that carried this token.
    fn resume(&mut self, token: String);
}

/// One change of a watch.
pub trait Change: Answer {
    /// By which a watch goes on behind it.
    fn resume_token(&self) -> &str;
}
