//! How a query is to be answered.

use crate::v1::freshness::Requirement;
use crate::v1::recall_request::Query;
use crate::v1::scoring_profile::Profile;
use crate::v1::{Channel, Freshness, MemoryFilter, RecallRequest, ScoringProfile, ScoringWeights, Source, Vector};

/// A query for the memories that answer it best: `RecallRequest::from("tea").with_limit(3)`.
impl From<&str> for RecallRequest {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// As of a `&str`.
impl From<String> for RecallRequest {
    fn from(text: String) -> Self {
        Self { query: Some(Query::Text(text)), ..Self::default() }
    }
}

/// A query by meaning alone.
impl From<Vector> for RecallRequest {
    fn from(vector: Vector) -> Self {
        Self { query: Some(Query::Vector(vector)), ..Self::default() }
    }
}

/// Everything is optional; what the contract says of each field holds.
impl RecallRequest {
    /// At most so many hits: 1 to 200; default 5.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = limit;
        self
    }

    /// What may be found.
    pub fn with_filter(mut self, filter: MemoryFilter) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Where to look; default: memories. Hits of other sources have a chunk in place of a memory; [`crate::FoundItem`] reads
    /// either.
    pub fn with_sources(mut self, sources: impl IntoIterator<Item = Source>) -> Self {
        self.sources = sources.into_iter().map(i32::from).collect();
        self
    }

    /// The order of the hits: `relevance` (default), `recency_weighted`, `evidence`, `blended`.
    pub fn with_profile(mut self, name: impl Into<String>) -> Self {
        self.profile = Some(ScoringProfile { profile: Some(Profile::Name(name.into())), diversity: 0.0 });
        self
    }

    /// The order of the hits, by weights of one's own.
    pub fn with_weights(mut self, weights: ScoringWeights) -> Self {
        self.profile = Some(ScoringProfile { profile: Some(Profile::Weights(weights)), diversity: 0.0 });
        self
    }

    /// Leave out hits that score less.
    pub fn with_min_score(mut self, score: f32) -> Self {
        self.min_score = score;
        self
    }

    /// At most so many tokens of content in all hits; default: no bound.
    pub fn with_max_tokens(mut self, tokens: i32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// How fresh the answer has to be; default: as fresh as this client's own writes.
    pub fn with_freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = Some(freshness);
        self
    }

    /// Look in the scope that all agents of the tenant share for the other sources, too.
    pub fn including_shared(mut self) -> Self {
        self.include_shared = true;
        self
    }

    /// How fresh the shared scope has to be, where it is searched; default: as fresh as this client's own writes.
    pub fn with_shared_freshness(mut self, freshness: Freshness) -> Self {
        self.shared_freshness = Some(freshness);
        self
    }

    /// Whether it looks into the tenant's shared scope beside its own: what is in documents and in the audit trail is the
    /// tenant's, whichever agent asks.
    pub(crate) fn searches_shared(&self) -> bool {
        self.include_shared || self.sources().any(|source| matches!(source, Source::Document | Source::Audit))
    }

    /// Where `search_my_memories` looks and how it orders, as far as the caller has not said it.
    pub(crate) fn for_my_memories(mut self) -> Self {
        if self.sources.is_empty() {
            self = self.with_sources([Source::Memory, Source::Audit, Source::WorkflowStep, Source::Document]);
        }
        if self.profile.is_none() {
            self = self.with_profile("blended");
        }
        if self.limit == 0 {
            self = self.with_limit(5);
        }
        self
    }

    /// Where the hits will be shown; default: private.
    pub fn shown_in(mut self, channel: Channel) -> Self {
        self.set_channel(channel);
        self
    }

    /// Say how each score came about.
    pub fn explained(mut self) -> Self {
        self.explain = true;
        self
    }
}

impl Freshness {
    /// The answer of whatever the replica holds, which may lack this client's own writes.
    pub fn minimize_latency() -> Self {
        Self { requirement: Some(Requirement::MinimizeLatency(true)) }
    }

    /// The answer from everything committed when the call arrives; costs a question to Postgres.
    pub fn fully_consistent() -> Self {
        Self { requirement: Some(Requirement::FullyConsistent(true)) }
    }
}
