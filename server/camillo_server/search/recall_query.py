"""A recall as its caller requests it, and which scope each source is searched in: documents and audit entries are the
tenant's, the rest is each agent's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import Freshness
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.reordering import RecallContext, RerankQuery
from camillo_server.search.scoring import ScoringProfile
from camillo_server.search.signals.temporal import TimeMode

TENANT_SOURCES = frozenset({Source.DOCUMENT, Source.AUDIT})
"""Their rows are all in the tenant's shared scope, and every agent finds them there."""


@dataclass(frozen=True, slots=True)
class BesideSearch:
    """The search of another scope beside the caller's own: its filter, and how fresh it has to be."""

    scope: Scope
    filter: MemoryFilter
    freshness: Freshness


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A recall as the caller requests it: by a text or a vector, of rows that pass the filter and that the channel may
    load.

    With `masked`, hits are masked by the tenant's rules for their sensitivity, and their tokens counted as shown. The
    scopes `beside` are searched, too, the tenant's shared one last, and the scope itself only if its filter has any
    source. With a `context`, hits that belong to it are preferred; with `follows_links`, one step along links is
    searched, too; with `weighs_speech`, it counts who says what, and whether it asks or tells. `query_time` is when it
    is asked, `time_zone` where, None for UTC; `query_time` is None for now: from there "yesterday" counts. With
    `rerank`, the best candidates are read again."""

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
    beside: Sequence[BesideSearch] = ()
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
        """The sources that are searched in any scope."""
        filters = (self.filter, *(each.filter for each in self.beside))
        return frozenset(source for each in filters for source in each.sources)

    @property
    def has_spaces(self) -> bool:
        """Whether another scope than the tenant's shared one is searched beside."""
        return bool(self.beside and self.beside[0].scope.agent_id)

    @property
    def shared(self) -> BesideSearch | None:
        """The search of the tenant's shared scope beside another one."""
        return self.beside[-1] if self.beside and not self.beside[-1].scope.agent_id else None

    def with_actions_of(self, agents: frozenset[AgentId] | None) -> "RecallQuery":
        """The query, which finds the actions of these agents alone in the shared scope; None: of any."""
        shared = self.shared
        if agents is None or shared is None:
            return self
        filter_ = replace(shared.filter, acting_agents=agents)
        return replace(self, beside=(*self.beside[:-1], replace(shared, filter=filter_)))


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
    `include_shared`, for the others, too."""
    sources = query.filter.sources
    in_shared = sources if include_shared else [each for each in sources if each in TENANT_SOURCES]
    shared = BesideSearch(shared_scope(query.scope), _of_others(query.filter, in_shared), freshness)
    own = tuple(each for each in sources if each not in TENANT_SOURCES)
    return replace(query, filter=replace(query.filter, sources=own), beside=(*query.beside, shared))


def over_spaces(query: RecallQuery, spaces: Sequence[tuple[Scope, Freshness]]) -> RecallQuery:
    """The query of a scope, which searches these for the same as well, but for the tenant's sources. Call it before
    `over_both_scopes`."""
    sources = [each for each in query.filter.sources if each not in TENANT_SOURCES]
    filter_ = _of_others(query.filter, sources)
    beside = tuple(BesideSearch(scope, filter_, freshness) for scope, freshness in spaces if sources)
    return replace(query, beside=beside)


def _of_others(filter_: MemoryFilter, sources: Sequence[Source]) -> MemoryFilter:
    """The filter for another scope."""
    return replace(filter_.without_restricted(), sources=tuple(sources))
