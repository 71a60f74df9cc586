//! Holds what a read demands of the server so that it sees this client's own writes.

use crate::client::{Client, SHARED};
use crate::requests::{Answer, Request};
use crate::revisions::{Ticket, WrittenRevisions};
use crate::v1::{Freshness, Revision, SpaceRead};

/// The demands of one read; none where nothing was written, or where they are the caller's own.
#[derive(Debug, Default)]
pub(crate) struct Demands {
    own: Option<Ticket>,
    // Revision of the tenant's shared scope.
    shared: Option<Ticket>,
    // Each space that is read beside it, by its place in the request.
    spaces: Vec<(usize, Ticket)>,
}

impl Demands {
    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_none() && self.shared.is_none() && self.spaces.is_empty()
    }

    /// The read was answered so.
    pub(crate) fn met(&self, written: &WrittenRevisions, answer: &impl Answer) {
        let read = |ticket: &Option<Ticket>, revision: Option<&Revision>| {
            if let (Some(ticket), Some(revision)) = (ticket, revision) {
                written.read(ticket, revision);
            }
        };
        read(&self.own, answer.revision());
        read(&self.shared, answer.shared_revision());
        for (_, ticket) in &self.spaces {
            let told = answer.spaces().iter().find(|told| told.space == ticket.agent_id);
            if let Some(revision) = told.and_then(|told| told.revision.as_ref()) {
                written.read(ticket, revision);
            }
        }
    }

    /// One of them is void: the database was restored, or the scope removed.
    pub(crate) fn release(&self, written: &WrittenRevisions, request: &mut impl Request) {
        let release = |ticket: &Option<Ticket>, freshness: Option<&mut Option<Freshness>>| {
            if let (Some(ticket), Some(freshness)) = (ticket, freshness) {
                written.forget(ticket);
                *freshness = None;
            }
        };
        release(&self.own, request.freshness());
        release(&self.shared, request.shared_freshness());
        for (place, ticket) in &self.spaces {
            written.forget(ticket);
            if let Some(space) = request.spaces().and_then(|spaces| spaces.get_mut(*place)) {
                space.freshness = None;
            }
        }
    }
}

impl Client {
    /// Puts the client's demands into a read.
    pub(crate) fn carry<R: Request>(&self, request: &mut R, agent_id: &str) -> Demands {
        Demands {
            own: put(&self.written, request.freshness(), agent_id),
            shared: put(&self.written, request.shared_freshness(), SHARED),
            spaces: request.spaces().map(|spaces| put_each(&self.written, spaces)).unwrap_or_default(),
        }
    }
}

fn put_each(written: &WrittenRevisions, spaces: &mut [SpaceRead]) -> Vec<(usize, Ticket)> {
    let demands = spaces.iter_mut().enumerate();
    demands.filter_map(|(place, read)| Some((place, put(written, Some(&mut read.freshness), &read.space)?))).collect()
}

fn put(written: &WrittenRevisions, freshness: Option<&mut Option<Freshness>>, agent_id: &str) -> Option<Ticket> {
    let freshness = freshness.filter(|freshness| freshness.is_none())?;
    let ticket = written.begin(agent_id);
    *freshness = Some(written.demand(&ticket)?);
    Some(ticket)
}
