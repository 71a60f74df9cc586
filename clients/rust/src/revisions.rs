//! The client's own writes, remembered so that its reads see them on every replica.
//!
//! A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began after
//! every earlier one had completed has the newest revision of them all, so its token alone is enough. A write that
//! overlapped with another may be older or newer than it, and so may one that repeats an earlier request id, for it gets
//! the first answer. Then the next read asks for full consistency, and the revision that it is answered from is carried
//! from there on.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::v1::freshness::Requirement;
use crate::v1::{Freshness, Revision};

/// A write or a read of one scope, and how many writes had completed when it began.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    agent_id: String,
    completed: u64,
}

#[derive(Debug, Default)]
struct Scope {
    completed: u64,
    revision: Option<Revision>,
    // Whether every write that completed may not be covered by `revision`.
    is_doubtful: bool,
}

/// The newest revision of this client's writes, by agent id.
#[derive(Debug, Default)]
pub(crate) struct WrittenRevisions {
    scopes: Mutex<HashMap<String, Scope>>,
}

impl WrittenRevisions {
    /// To be called before a write or a read is sent.
    pub(crate) fn begin(&self, agent_id: &str) -> Ticket {
        let mut scopes = self.lock();
        let completed = scopes.entry(agent_id.to_owned()).or_default().completed;
        Ticket { agent_id: agent_id.to_owned(), completed }
    }

    /// A write completed; `is_repeatable` if its request id was the caller's and may have been used before.
    pub(crate) fn wrote(&self, ticket: &Ticket, revision: &Revision, is_repeatable: bool) {
        if revision.token.is_empty() {
            return;
        }
        self.with(ticket, |scope| {
            let was_alone = ticket.completed == scope.completed;
            scope.is_doubtful = !was_alone || (is_repeatable && scope.revision.is_some());
            scope.revision = Some(revision.clone());
            scope.completed += 1;
        });
    }

    /// What a read has to ask for to see the writes; None if there were none.
    pub(crate) fn demand(&self, ticket: &Ticket) -> Option<Freshness> {
        self.with(ticket, |scope| {
            let revision = scope.revision.clone()?;
            let requirement = match scope.is_doubtful {
                true => Requirement::FullyConsistent(true),
                false => Requirement::AtLeastAsFresh(revision),
            };
            Some(Freshness { requirement: Some(requirement) })
        })
    }

    /// A read that met the demand was answered from this revision: it covers what had been written by then.
    pub(crate) fn read(&self, ticket: &Ticket, revision: &Revision) {
        self.with(ticket, |scope| {
            if scope.completed == ticket.completed && !revision.token.is_empty() && scope.is_doubtful {
                scope.revision = Some(revision.clone());
                scope.is_doubtful = false;
            }
        });
    }

    /// The server does not know the revision: forget it, unless a later write has taken its place.
    pub(crate) fn forget(&self, ticket: &Ticket) {
        self.with(ticket, |scope| {
            if scope.completed == ticket.completed {
                scope.revision = None;
                scope.is_doubtful = false;
            }
        });
    }

    fn with<T>(&self, ticket: &Ticket, work: impl FnOnce(&mut Scope) -> T) -> T {
        work(self.lock().entry(ticket.agent_id.clone()).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Scope>> {
        // Nothing panics while it is held.
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_demands_are_those_that_all_clients_make() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../own_writes.json");
        let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for case in vectors["cases"].as_array().unwrap() {
            play(case);
        }
    }

    fn play(case: &Value) {
        let written = WrittenRevisions::default();
        let mut tickets: HashMap<&str, Ticket> = HashMap::new();
        for step in case["steps"].as_array().unwrap() {
            let name = step["ticket"].as_str().unwrap();
            let revision = Revision { token: step["revision"].as_str().unwrap_or_default().to_owned() };
            match step["do"].as_str().unwrap() {
                "begin" => drop(tickets.insert(name, written.begin(step["agent_id"].as_str().unwrap()))),
                "wrote" => written.wrote(&tickets[name], &revision, step["repeatable"] == true),
                "demand" => assert_eq!(told(written.demand(&tickets[name])), step["expected"], "{case}"),
                "read" => written.read(&tickets[name], &revision),
                "drop" => written.forget(&tickets[name]),
                other => panic!("{other} is no step"),
            }
        }
    }

    fn told(demand: Option<Freshness>) -> Value {
        match demand.and_then(|freshness| freshness.requirement) {
            None => Value::Null,
            Some(Requirement::AtLeastAsFresh(revision)) => json!({"at_least_as_fresh": revision.token}),
            Some(Requirement::FullyConsistent(true)) => json!("fully_consistent"),
            Some(other) => panic!("nobody demands {other:?}"),
        }
    }
}
