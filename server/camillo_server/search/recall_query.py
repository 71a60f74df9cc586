"""A recall as its caller requests it, and which scope each source is searched in: documents and audit entries are the
tenant's, the rest is each agent's own."""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity, Source
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.reordering import RecallContext, RerankQuery
from camillo_server.search.scoring import ScoringProfile
from camillo_server.search.signals.temporal import TimeMode

TENANT_SOURCES = frozenset({Source.DOCUMENT, Source.AUDIT})
"""Their rows are all in the tenant's shared scope, and every agent finds them there."""


@dataclass(frozen=True, slots=True)
class SharedSearch:
    """The search of the tenant's shared scope beside the agent's own: its filter, and how fresh it has to be."""

    filter: MemoryFilter
    freshness: Freshness


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A recall as the caller requests it: by a text or a vector, of rows that pass the filter and that the channel may
    load.

    With `masked`, hits are masked by the tenant's rules for their sensitivity, and their tokens counted as shown. With
    `shared`, the tenant's shared scope is searched, too, and the scope itself only if its filter has any source. With a
    `context`, hits that belong to it are preferred; with `follows_links`, one step along links is searched, too; with
    `weighs_speech`, it counts who says what, and whether it asks or tells. `query_time` is when it is asked,
    `time_zone` where, None for UTC; `query_time` is None for now: from there "yesterday" counts. With `rerank`, the
    best candidates are read again."""

    scope: Scope
    text: str
    vector: Vector | None
    filter: MemoryFilter
    limit: int
    profile: ScoringProfile
    min_score: float
    max_tokens: int
    freshness: Freshness
    explain: bool = False
    channel: Channel = Channel.PRIVATE
    masked: bool = False
    shared: SharedSearch | None = None
    context: RecallContext | None = None
    follows_links: bool = True
    weighs_speech: bool = True
    query_time: datetime | None = None
    time_zone: tzinfo | None = None
    time_mode: TimeMode = TimeMode.PREFER
    rerank: RerankQuery | None = None

    @property
    def known_at(self) -> datetime | None:
        """The moment whose memories are recalled, as they were stored then; None for the present."""
        return self.filter.known_at

    @property
    def compares_hits(self) -> bool:
        """Whether vectors of the candidates are compared with one another, or with the turns around the query."""
        in_context = self.context is not None and bool(self.context.turns)
        return self.profile.diversity > 0 or self.profile.is_precise or in_context

    @property
    def sources(self) -> frozenset[Source]:
        """The sources that are searched in either scope."""
        return frozenset((*self.filter.sources, *(self.shared.filter.sources if self.shared else ())))

    def with_actions_of(self, agents: frozenset[AgentId] | None) -> "RecallQuery":
        """The query, which finds the actions of these agents alone in the shared scope; None: of any."""
        if agents is None or self.shared is None:
            return self
        filter_ = replace(self.shared.filter, acting_agents=agents)
        return replace(self, shared=replace(self.shared, filter=filter_))


def as_known(query: RecallQuery, moment: datetime) -> RecallQuery:
    """The query for what was known at a moment: unless it says otherwise, it is asked then, and finds memories that
    were true then. Links are those of now, so it follows none."""
    filter_ = query.filter
    return replace(
        query,
        filter=replace(filter_, known_at=moment, as_of=filter_.as_of or moment),
        query_time=query.query_time or moment,
        follows_links=False,
    )


def over_both_scopes(query: RecallQuery, freshness: Freshness, *, include_shared: bool) -> RecallQuery:
    """The query of an agent's scope, which searches the shared scope for the tenant's sources and, with
    `include_shared`, for the others, too. Restricted rows are shown to their own agent alone."""
    sources = query.filter.sources
    in_shared = sources if include_shared else [each for each in sources if each in TENANT_SOURCES]
    levels = query.filter.sensitivities or tuple(Sensitivity)
    shared = replace(
        query.filter,
        sources=tuple(in_shared),
        sensitivities=tuple(each for each in levels if each is not Sensitivity.RESTRICTED),
    )
    own = tuple(each for each in sources if each not in TENANT_SOURCES)
    return replace(
        query,
        filter=replace(query.filter, sources=own),
        shared=SharedSearch(shared, freshness),
    )
