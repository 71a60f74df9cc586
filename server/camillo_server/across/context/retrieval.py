"""Retrieval for a bundle: the hits of its query, section by section, within bounds that hold for all together."""

from collections import defaultdict
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from camillo_server.across.context.bundle import BundleRequest, Degraded, OmissionReason
from camillo_server.across.context.candidates import RecalledRow
from camillo_server.across.context.ranking import SectionSearch, best_hits, prepared_in
from camillo_server.across.context.recipe import Recipe, SectionRecipe, SectionSource
from camillo_server.across.context.records import ContextRecords, Loading
from camillo_server.across.context.space_search import Beside, ReadSpaces, SpaceSearch
from camillo_server.kernel.background import task_group
from camillo_server.kernel.clock import in_zone
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import (
    MINIMIZE_LATENCY,
    AtLeastAsFresh,
    Freshness,
    FullyConsistent,
)
from camillo_server.lib.text.speech import is_small_talk, speakers_in
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import Archived, MemoryFilter, Validity
from camillo_server.rows.store.removal import StaleMarks
from camillo_server.search.candidates import CandidatePool, CandidateQuery, MemorySearch
from camillo_server.search.precision import with_words_in_common
from camillo_server.search.query_text import event_query, query_window, terms_of_query
from camillo_server.search.readings import Reader
from camillo_server.search.recall_query import TENANT_SOURCES, BesideSearch
from camillo_server.search.scoring import PROFILES, WEEK_HOURS, ScoringProfile, score
from camillo_server.search.searches import TimedSearch
from camillo_server.search.signals.speech import SPEECH
from camillo_server.search.signals.temporal import TimeMode, TimeWindow
from camillo_server.search.space_weights import with_space_weights
from camillo_server.search.store.linked_ends import LinkedEnds
from camillo_server.search.store.recall_reads import AcceptedSenders

POOL = 2_000
SCORED = 200
CANDIDATES_PER_ARM = 200
# A hit has up to two neighbours, and there are two arms.
_ROWS_OF_A_CANDIDATE = 6
_DECISIONS_PER_ARM = 50
_DECISIONS_SCORED = 20
# The characters that are read of a query: the rest is no question any more, and the embedder would cut it, too.
_QUERY_CHARACTERS = 8_000
EVIDENCE = PROFILES["evidence"]
_DECISIONS_PROFILE = PROFILES["relevance"]
_DECISIONS = MemoryFilter(sources=(Source.DECISION,))
_SEARCHED = (SectionSource.RECALL, SectionSource.DECISIONS)
# Sources that a tenant's agents share: each agent finds them.
_SHARED = TENANT_SOURCES | {Source.WORKFLOW_STEP}
# A hit as it is packed, the hit of a section of decisions as its row; and its score.
Found = tuple[RecalledRow | Row, float]
HiddenFound = tuple[Row, float]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The hits of each section, the best first; decisions as their chunks."""

    found: Mapping[str, Sequence[Found]]
    terms: Sequence[str] = ()
    pool_size: int = 0
    scored: int = 0
    model_id: str = ""
    profile: ScoringProfile = EVIDENCE
    revision: int | None = None
    # The revisions of spaces that are searched as one, the own one among them; None for one that could not be.
    spaces: Mapping[Scope, int | None] = field(default_factory=dict)
    degraded: frozenset[Degraded] = frozenset()
    # Memories that are left out since they are stale, or not true, by section; only of a bundle that is to be
    # explained.
    hidden: Mapping[OmissionReason, Mapping[str, Sequence[HiddenFound]]] = field(default_factory=dict)


NOTHING_RETRIEVED = Retrieved({})


def searches_anything(request: BundleRequest, recipe: Recipe) -> bool:
    """Whether the request has a query, and the recipe a section for its hits."""
    return bool(_searched(recipe)) and bool(request.query_text[:_QUERY_CHARACTERS].strip())


def _searched(recipe: Recipe) -> list[SectionRecipe]:
    return [section for section in recipe.sections if section.source in _SEARCHED]


class Retrieval:
    """Searches for all sections of a bundle at once."""

    def __init__(
        self,
        search: MemorySearch,
        embedding: TextEmbedding,
        stale_marks: StaleMarks,
        senders: AcceptedSenders,
        links: LinkedEnds,
        half_life_hours: float = WEEK_HOURS,
    ) -> None:
        """`half_life_hours` holds where a profile names none."""
        self._search = search
        self._embedding = embedding
        self._reader = Reader(embedding)
        self._stale_marks = stale_marks
        self._senders = senders
        self._links = links
        self._half_life_hours = half_life_hours

    async def __call__(
        self,
        request: BundleRequest,
        recipe: Recipe,
        loading: Loading,
        now: datetime,
        records: Awaitable[ContextRecords],
    ) -> Retrieved:
        """Searches, and marks what is missing while Postgres is away. `records` tell whether there may be decisions.
        Raises RevisionBehind, what `records` raises, and StorageUnavailable if everything committed is demanded."""
        sections = _searched(recipe)
        text = request.query_text[:_QUERY_CHARACTERS]
        scope, terms = request.scope, await terms_of_query(text)
        vector = await self._embedding.query_vector(text, scope)
        query = CandidateQuery(
            scope,
            terms,
            vector,
            MemoryFilter(),
            CANDIDATES_PER_ARM,
            now,
            follows_links=request.follows_links,
            signals={SPEECH: speakers_in(text, terms)} if request.weighs_speech and terms else {},
        )
        if scope.agent_id and any(Source.AUDIT in each.sources for each in sections):
            loading = replace(loading, acting_agents=await self._senders.of(scope))
        spaces = ReadSpaces()
        searches = list(self._searches(sections, query, text, request, loading, spaces))
        if request.time_mode is not TimeMode.IGNORE:
            asked_at = in_zone(now, request.time_zone) if request.time_zone else now
            searches = await self._timed(searches, text, asked_at, request.time_mode)
        found_by = partial(self._found, scope, text, records)
        async with task_group() as group:
            tasks = [group.create_task(found_by(search)) for search in searches]
        found = [each for task in tasks for each in task.result()]
        pools = [(search, pool) for search, pool in found if pool is not None]
        degraded = {flag for _, pool in pools for flag in _degraded(pool)}
        if vector is None and terms:
            degraded.add(Degraded.EMBEDDING_UNAVAILABLE)
        if len(pools) < len(found) or spaces.unread:
            degraded.add(Degraded.STORAGE_UNAVAILABLE)
        by_section: dict[str, list[Found]] = {section.name: [] for section in sections}
        if is_small_talk(text):
            pools = [(search, with_words_in_common(pool)) for search, pool in pools]
        for search, pool in pools:
            scores = score(pool, search.profile, now)
            of_section = by_section[search.section.name]
            if search.section.source is SectionSource.RECALL:
                of_section += await best_hits(scores, search, prepared_in(pool))
            else:
                of_section += await best_hits(scores, search, pool.memories)
        return Retrieved(
            found={name: sorted(each, key=lambda one: -one[1]) for name, each in by_section.items()},
            terms=terms,
            pool_size=sum(len(pool) for _, pool in pools),
            scored=sum(min(len(pool), search.scored) for search, pool in pools),
            model_id=vector.model_id if vector else "",
            profile=_reported_profile(searches),
            revision=spaces.revisions.get(scope)
            if request.beside
            else min((p.revision for s, p in pools if s.query.scope == scope), default=None),
            degraded=frozenset(degraded),
            hidden=await self._hidden(searches, now) if request.explain else {},
            spaces=spaces.revisions,
        )

    async def _timed(
        self, searches: list[SectionSearch], text: str, now: datetime, mode: TimeMode
    ) -> list[SectionSearch]:
        """The searches with the time that the query names: by a date, or by an event of which the first section that
        recalls finds something."""
        window = await query_window(text, now, partial(self._event_candidates, searches))
        if window is None or not window.is_known:
            return searches
        return [_timed(search, window, mode) for search in searches]

    async def _event_candidates(self, searches: Sequence[SectionSearch], event: str) -> CandidatePool | None:
        recalls = [each for each in searches if each.section.source is SectionSource.RECALL]
        if not recalls:
            return None
        search = recalls[0]
        vector = await self._embedding.query_vector(event, search.query.scope)
        query = event_query(search.query, await terms_of_query(event), vector)
        return await self._pool(replace(search, query=query))

    async def _hidden(
        self, searches: Sequence[SectionSearch], now: datetime
    ) -> dict[OmissionReason, dict[str, list[HiddenFound]]]:
        """The memories that sections would have found, were they not stale or untrue."""
        stale, untrue = defaultdict[str, list[HiddenFound]](list), defaultdict[str, list[HiddenFound]](list)
        for search in searches:
            if search.section.source is not SectionSource.RECALL:
                continue
            name, scope = search.section.name, search.query.scope
            best = await self._best_of(search, now, archived=Archived.ONLY)
            marks = self._stale_marks.added_to if search.beside is None else self._marked_in_spaces
            shown = await marks(scope, [memory for memory, _ in best])
            stale[name] += [
                (memory, own) for memory, (_, own) in zip(shown, best, strict=True) if memory.stale is not None
            ]
            untrue[name] += await self._best_of(search, now, validity=Validity.NOT_TRUE)
        return {OmissionReason.STALE: stale, OmissionReason.NOT_TRUE: untrue}

    async def _best_of(self, search: SectionSearch, now: datetime, **changed: Any) -> Sequence[HiddenFound]:
        """The hits of a section by its filter with these changes; none while Postgres is away."""
        filter_ = replace(search.query.filter, **changed)
        search = replace(search, query=replace(search.query, filter=filter_))
        if search.beside is not None:
            search = replace(search, beside=search.beside.filtered(**changed))
        pool = await self._pool(search)
        return [] if pool is None else await best_hits(score(pool, search.profile, now), search, pool.memories)

    async def _marked_in_spaces(self, own: Scope, memories: Sequence[Row]) -> Sequence[Row]:
        """The memories of several spaces; those that are stale say so."""
        marked: dict[int, Row] = {}
        for agent_id in dict.fromkeys(each.agent_id for each in memories):
            of_one = [(index, each) for index, each in enumerate(memories) if each.agent_id == agent_id]
            shown = await self._stale_marks.added_to(own._replace(agent_id=agent_id), [each for _, each in of_one])
            marked.update(zip((index for index, _ in of_one), shown, strict=True))
        return [marked[index] for index in range(len(memories))]

    async def _found(
        self, scope: Scope, text: str, records: Awaitable[ContextRecords], search: SectionSearch
    ) -> list[tuple[SectionSearch, CandidatePool | None]]:
        """The search and its candidates; nothing for a search of decisions or of a shared scope that has none: an empty
        shared scope has no index in memory, and Postgres would compare every word and every vector of a scope to find
        none."""
        is_shared = search.query.scope != scope
        if is_shared or search.section.source is SectionSource.DECISIONS:
            known = await records
            if not (known.has_shared_rows if is_shared else known.has_decisions):
                return []
        return [(search, await self._pool(search, text))]

    async def _pool(self, search: SectionSearch, text: str = "") -> CandidatePool | None:
        """The candidates. If Postgres is away and the scope not in memory: None, or an error if fully consistent."""
        searching = self._search
        if search.window is not None:
            searching = TimedSearch(self._search, search.window, search.time_mode)
        try:
            query, weights = search.query, search.profile.space_weights
            if search.beside is not None:
                over = SpaceSearch(
                    searching, self._links, search.freshness, search.beside, query.follows_links, weights
                )
                if not text:
                    return await over.find(query)
                return await self._reader.candidates(text, query, over.find, over.count)
            pool = await self._reader.in_scope(text, query, searching, search.freshness)
            return with_space_weights(pool, weights, [query.scope])
        except StorageUnavailable:
            if isinstance(search.freshness, FullyConsistent):
                raise
            return None

    def _searches(
        self,
        sections: Sequence[SectionRecipe],
        query: CandidateQuery,
        text: str,
        request: BundleRequest,
        loading: Loading,
        read: ReadSpaces,
    ) -> Iterator[SectionSearch]:
        """The searches of all sections, which together find and score a bounded number of candidates."""
        freshness = request.freshness
        sources = [section.source for section in sections]
        recalls = sources.count(SectionSource.RECALL)
        scopes = dict.fromkeys((query.scope, shared_scope(query.scope)))
        # Counts two arms of two scopes, even if both scopes are the same.
        room, scored = POOL, SCORED
        if SectionSource.DECISIONS in sources:
            room, scored = POOL - 4 * _DECISIONS_PER_ARM, SCORED - 2 * _DECISIONS_SCORED
        for section in sections:
            if section.source is SectionSource.RECALL:
                per_arm = min(CANDIDATES_PER_ARM, room // (_ROWS_OF_A_CANDIDATE * recalls))
                profile = self._profile(section.profile or EVIDENCE, section)
                for scope, filter_ in _recalled(section, query.scope):
                    is_shared = scope != query.scope
                    recall = replace(
                        query,
                        scope=scope,
                        filter=loading.filter(filter_, is_shared=is_shared),
                        candidates_per_arm=per_arm,
                        with_vectors=profile.is_precise,
                    )
                    fresh = _freshness_of(freshness, is_shared=is_shared)
                    found = SectionSearch(section, recall, text, fresh, profile, scored // recalls)
                    yield (
                        found
                        if is_shared or not request.beside
                        else _over_spaces(found, filter_, request, loading, read)
                    )
                continue
            for scope in scopes:
                is_shared = scope != query.scope
                decisions = replace(
                    query,
                    scope=scope,
                    filter=loading.filter(_DECISIONS, is_shared=is_shared),
                    candidates_per_arm=_DECISIONS_PER_ARM,
                    with_neighbours=False,
                    signals={},
                )
                fresh = _freshness_of(freshness, is_shared=is_shared)
                profile = self._profile(_DECISIONS_PROFILE, section)
                found = SectionSearch(section, decisions, text, fresh, profile, _DECISIONS_SCORED)
                yield (
                    found
                    if is_shared or not request.beside
                    else _over_spaces(found, _DECISIONS, request, loading, read)
                )

    def _profile(self, profile: ScoringProfile, section: SectionRecipe) -> ScoringProfile:
        """The profile with the weights of the section's spaces, and a half life."""
        if section.space_weights is not None:
            profile = replace(profile, space_weights=section.space_weights)
        if profile.half_life_hours is not None:
            return profile
        return replace(profile, half_life_hours=self._half_life_hours)


def _timed(search: SectionSearch, window: TimeWindow, mode: TimeMode) -> SectionSearch:
    """The search with a time, which runs twice, each for half as many candidates."""
    per_arm = search.query.candidates_per_arm // 2
    query = replace(search.query, candidates_per_arm=per_arm)
    return replace(search, query=query, window=window, time_mode=mode)


def _over_spaces(
    search: SectionSearch, filter_: MemoryFilter, request: BundleRequest, loading: Loading, read: ReadSpaces
) -> SectionSearch:
    """The search of the own space, as one with those that are read beside it, but for the tenant's sources."""
    sources = tuple(each for each in filter_.sources if each not in TENANT_SOURCES)
    if not sources:
        return search
    of_others = loading.filter(replace(filter_, sources=sources), is_shared=True)
    searches = [BesideSearch(scope, of_others, freshness) for scope, freshness in request.beside]
    return replace(search, beside=Beside(searches, read))


def _recalled(section: SectionRecipe, own: Scope) -> Iterator[tuple[Scope, MemoryFilter]]:
    """The scopes in which a section recalls, and their filters: the agent's own, and the tenant's shared one."""
    filter_ = MemoryFilter(
        sources=section.sources,
        kinds=section.kinds,
        tags_any=section.tags,
        metadata=section.metadata,
        document_categories=section.categories,
    )
    if own == shared_scope(own):
        yield own, filter_
        return
    if sources := tuple(each for each in section.sources if each not in TENANT_SOURCES):
        yield own, replace(filter_, sources=sources)
    if shared := tuple(each for each in section.sources if each in _SHARED):
        yield shared_scope(own), replace(filter_, sources=shared)


def _freshness_of(freshness: Freshness, *, is_shared: bool) -> Freshness:
    # A revision of the one scope is none of the other.
    is_revision = isinstance(freshness, AtLeastAsFresh)
    return MINIMIZE_LATENCY if is_shared and is_revision else freshness


def _degraded(pool: CandidatePool) -> Iterator[Degraded]:
    if pool.vectors_pending:
        yield Degraded.VECTORS_PENDING
    if pool.encrypted_not_searched:
        yield Degraded.SEALED_NOT_SEARCHED
    if pool.vector_search_failed:
        yield Degraded.VECTOR_SEARCH_UNAVAILABLE


def _reported_profile(searches: Sequence[SectionSearch]) -> ScoringProfile:
    """The profile of the first section that recalls, or else of the first search."""
    recalls = [each for each in searches if each.section.source is SectionSource.RECALL]
    return (recalls or searches)[0].profile
