//! How a query is to be answered.

use std::time::SystemTime;

use crate::v1::freshness::Requirement;
use crate::v1::recall_request::Query;
use crate::v1::scoring_profile::Profile;
use crate::v1::{
    Channel, Freshness, LinkMode, MemoryFilter, RecallContext, RecallMode, RecallRequest, Rerank, ScoringProfile,
    ScoringWeights, Source, SpaceRead, SpaceWeights, SpeechMode, TimeMode, Vector,
};
use crate::values::to_timestamp;

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

    /// Returns what may be found.
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

    /// The order of the hits: `relevance` (default), `recency_weighted`, `evidence`, `blended`, `similarity`, `precise`, `reranked`.
    pub fn with_profile(mut self, name: impl Into<String>) -> Self {
        self.profile_mut().profile = Some(Profile::Name(name.into()));
        self
    }

    /// The order of the hits, by weights of one's own.
    pub fn with_weights(mut self, weights: ScoringWeights) -> Self {
        self.profile_mut().profile = Some(Profile::Weights(weights));
        self
    }

    /// How much a hit counts by its kind of space, 0 to 1; default: 1.
    pub fn with_space_weights(mut self, weights: SpaceWeights) -> Self {
        self.profile_mut().space_weights = Some(weights);
        self
    }

    fn profile_mut(&mut self) -> &mut ScoringProfile {
        self.profile.get_or_insert_with(ScoringProfile::default)
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

    /// Other spaces to search as one collection with the client's own, such as `projects/shop`: up to 7, each at least as fresh as
    /// this client's own writes.
    pub fn with_spaces<T: Into<String>>(mut self, paths: impl IntoIterator<Item = T>) -> Self {
        self.spaces = paths.into_iter().map(|path| SpaceRead { space: path.into(), freshness: None }).collect();
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
        if self.profile_mut().profile.is_none() {
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

    /// For a tool's answer or a trace: texts are masked by their sensitivity, as the tenant's masking says.
    pub fn masked(mut self) -> Self {
        self.masked = true;
        self
    }

    /// Say how each score came about.
    pub fn explained(mut self) -> Self {
        self.explain = true;
        self
    }

    /// Whether the answer ends where the scores fall off, or at the limit; default: as the profile says.
    pub fn with_mode(mut self, mode: RecallMode) -> Self {
        self.set_mode(mode);
        self
    }

    /// The conversation that goes on: what is of this session, has these tags or resembles these turns is preferred.
    pub fn in_context(mut self, context: RecallContext) -> Self {
        self.context = Some(context);
        self
    }

    /// The moment at which it was true, as far as is known now; default: now.
    pub fn as_of(mut self, time: SystemTime) -> Self {
        self.as_of = Some(to_timestamp(time));
        self
    }

    /// The moment at which it was known: what was stored by then, in the version of then; default: now.
    pub fn known_at(mut self, time: SystemTime) -> Self {
        self.known_at = Some(to_timestamp(time));
        self
    }

    /// From where "yesterday" in the query counts, its `query_time`; default: the server's clock.
    pub fn asked_at(mut self, time: SystemTime) -> Self {
        self.query_time = Some(to_timestamp(time));
        self
    }

    /// In which its days begin and end, such as `Europe/Madrid`; default: the machine's.
    pub fn in_time_zone(mut self, name: impl Into<String>) -> Self {
        self.time_zone = name.into();
        self
    }

    /// The effect of a time that the query names; default: what happened then, or names it, is preferred.
    pub fn with_time_mode(mut self, mode: TimeMode) -> Self {
        self.set_time_mode(mode);
        self
    }

    /// Whether what the best candidates are linked with is a candidate, too; default: it is.
    pub fn with_link_mode(mut self, mode: LinkMode) -> Self {
        self.set_link_mode(mode);
        self
    }

    /// Whether it counts who says what, and whether it asks or tells; default: it does.
    pub fn with_speech_mode(mut self, mode: SpeechMode) -> Self {
        self.set_speech_mode(mode);
        self
    }

    /// Read the best candidates again with the server's reranker, as it is set there.
    pub fn reranked(self) -> Self {
        self.with_rerank(Rerank { enabled: true, ..Rerank::default() })
    }

    /// As [`RecallRequest::reranked`], with how many of them and for how long.
    pub fn with_rerank(mut self, rerank: Rerank) -> Self {
        self.rerank = Some(rerank);
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
