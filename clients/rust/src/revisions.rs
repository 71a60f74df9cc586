//! The client's own writes, remembered so that its reads see them on every replica.
//!
//! A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began after
//! every earlier one had completed has the newest revision of them all, so its token alone is enough. A write that
//! overlapped with another may be older or newer than it, and so may one that repeats an earlier request id, for it gets
//! the first answer. Then the next read asks for full consistency, and the revision that it is answered from is carried
//! from there on.
//!
//! The number kept is bounded: with too many scopes all are forgotten, and the next read of any asks for full consistency.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::v1::freshness::Requirement;
use crate::v1::{Freshness, Revision};

const MAX_SCOPES: usize = 10_000;

/// A write or a read of one scope, and its newest write that had completed when it began.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    pub(crate) agent_id: String,
    newest: u64,
}

#[derive(Debug)]
struct Scope {
    newest: u64,
    revision: Option<Revision>,
    // Whether every write that completed may not be covered by `revision`.
    is_doubtful: bool,
}

#[derive(Debug, Default)]
struct Scopes {
    // Revisions of scopes that were written, and nothing of those that were only read.
    known: HashMap<String, Scope>,
    // How many writes of all scopes had completed, by which each has a number of its own.
    writes: u64,
    // The newest write of a scope that was forgotten; 0: none was.
    forgotten: u64,
}

/// The newest revision of this client's writes, by agent id.
#[derive(Debug, Default)]
pub(crate) struct WrittenRevisions(Mutex<Scopes>);

impl WrittenRevisions {
    /// To be called before a write or a read is sent.
    pub(crate) fn begin(&self, agent_id: &str) -> Ticket {
        Ticket { agent_id: agent_id.to_owned(), newest: self.lock().newest(agent_id) }
    }

    /// A write completed; `is_repeatable` if its request id was the caller's and may have been used before.
    pub(crate) fn wrote(&self, ticket: &Ticket, revision: &Revision, is_repeatable: bool) {
        if revision.token.is_empty() {
            return;
        }
        let mut scopes = self.lock();
        let was_alone = ticket.newest == scopes.newest(&ticket.agent_id);
        let is_first = scopes.demand(&ticket.agent_id).is_none();
        scopes.writes += 1;
        let newest = scopes.writes;
        let is_doubtful = !was_alone || (is_repeatable && !is_first);
        scopes.keep(&ticket.agent_id, Scope { newest, revision: Some(revision.clone()), is_doubtful });
    }

    /// Returns what a read has to ask for to see the writes; None if there were none.
    pub(crate) fn demand(&self, ticket: &Ticket) -> Option<Freshness> {
        Some(Freshness { requirement: Some(self.lock().demand(&ticket.agent_id)?) })
    }

    /// A read that met the demand was answered from this revision: it covers what had been written by then.
    pub(crate) fn read(&self, ticket: &Ticket, revision: &Revision) {
        let mut scopes = self.lock();
        let newest = scopes.newest(&ticket.agent_id);
        let is_doubtful = matches!(scopes.demand(&ticket.agent_id), Some(Requirement::FullyConsistent(_)));
        if newest == ticket.newest && !revision.token.is_empty() && is_doubtful {
            let scope = Scope { newest, revision: Some(revision.clone()), is_doubtful: false };
            scopes.keep(&ticket.agent_id, scope);
        }
    }

    /// The server does not know the revision: forget it, unless a later write has taken its place.
    pub(crate) fn forget(&self, ticket: &Ticket) {
        if let Some(scope) = self.lock().known.get_mut(&ticket.agent_id)
            && scope.newest == ticket.newest
        {
            scope.revision = None;
            scope.is_doubtful = false;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Scopes> {
        // Nothing panics while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scopes {
    fn newest(&self, agent_id: &str) -> u64 {
        self.known.get(agent_id).map_or(self.forgotten, |scope| scope.newest)
    }

    fn demand(&self, agent_id: &str) -> Option<Requirement> {
        let Some(scope) = self.known.get(agent_id) else {
            return (self.forgotten > 0).then_some(Requirement::FullyConsistent(true));
        };
        let revision = scope.revision.clone()?;
        Some(match scope.is_doubtful {
            true => Requirement::FullyConsistent(true),
            false => Requirement::AtLeastAsFresh(revision),
        })
    }

    fn keep(&mut self, agent_id: &str, scope: Scope) {
        if self.known.len() >= MAX_SCOPES && !self.known.contains_key(agent_id) {
            self.known.clear();
            self.forgotten = self.writes;
        }
        self.known.insert(agent_id.to_owned(), scope);
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

    fn revision(token: &str) -> Revision {
        Revision { token: token.to_owned() }
    }

    fn filled() -> WrittenRevisions {
        let written = WrittenRevisions::default();
        for number in 0..=MAX_SCOPES {
            written.wrote(&written.begin(&format!("agent {number}")), &revision("r"), false);
        }
        written
    }

    #[test]
    fn what_is_only_read_takes_no_room() {
        let written = WrittenRevisions::default();
        written.demand(&written.begin("ada"));
        assert!(written.lock().known.is_empty());
    }

    #[test]
    fn reads_of_scopes_that_were_forgotten_ask_for_everything_once() {
        let written = filled();
        assert_eq!(written.lock().known.len(), 1);
        let read = written.begin("agent 7");
        assert_eq!(told(written.demand(&read)), json!("fully_consistent"));
        written.read(&read, &revision("r1"));
        assert_eq!(told(written.demand(&written.begin("agent 7"))), json!({"at_least_as_fresh": "r1"}));
    }

    #[test]
    fn a_write_that_overlapped_in_a_forgotten_scope_is_not_taken_for_the_last() {
        let written = filled();
        let (first, second) = (written.begin("agent 7"), written.begin("agent 7"));
        written.wrote(&first, &revision("w1"), false);
        written.wrote(&second, &revision("w2"), false);
        assert_eq!(told(written.demand(&written.begin("agent 7"))), json!("fully_consistent"));
    }

    fn play(case: &Value) {
        let written = WrittenRevisions::default();
        let mut tickets: HashMap<&str, Ticket> = HashMap::new();
        for step in case["steps"].as_array().unwrap() {
            let name = step["ticket"].as_str().unwrap();
            let revision = revision(step["revision"].as_str().unwrap_or_default());
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
