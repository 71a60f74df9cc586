"""The searches of several spaces for a bundle, as of one collection."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from camillo_server.kernel.background import task_group
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness, FullyConsistent
from camillo_server.search.candidates import CandidatePool, CandidateQuery, MemorySearch, ScopeSearch
from camillo_server.search.collection import Collection
from camillo_server.search.recall_query import BesideSearch
from camillo_server.search.searches import follow_links
from camillo_server.search.space_weights import SpaceWeights
from camillo_server.search.store.linked_ends import LinkedEnds


@dataclass(slots=True)
class ReadSpaces:
    """The revision at which each space was searched, the oldest where it was searched more than once, None where no
    search could read it; and the spaces that some search could not read."""

    revisions: dict[Scope, int | None] = field(default_factory=dict)
    unread: set[Scope] = field(default_factory=set)

    def note(self, scope: Scope, revision: int | None) -> None:
        """Enters one search; None: it could not read the space."""
        known = self.revisions.setdefault(scope, revision)
        if revision is None:
            self.unread.add(scope)
        else:
            self.revisions[scope] = revision if known is None else min(known, revision)


@dataclass(frozen=True, slots=True)
class Beside:
    """The searches of other spaces as one collection with the own one, each by a filter of its own; and what all
    searches of one bundle have read."""

    searches: Sequence[BesideSearch]
    read: ReadSpaces

    def filtered(self, **changed: Any) -> "Beside":
        """The same, by filters with these changes."""
        searches = [replace(each, filter=replace(each.filter, **changed)) for each in self.searches]
        return replace(self, searches=searches)


@dataclass(frozen=True, slots=True)
class SpaceSearch:
    """Finds candidates in the own space and in those beside, as `Reader.candidates` needs it. A space that cannot be
    read while Postgres is away is left out, and entered as unread."""

    search: MemorySearch
    links: LinkedEnds
    freshness: Freshness
    beside: Beside
    follows_links: bool
    weights: SpaceWeights | None

    async def find(self, query: CandidateQuery) -> CandidatePool:
        """Raises RevisionBehind; StorageUnavailable where no space can be read, or one that has to be consistent."""
        scopes = self._scopes(query)
        try:
            pool = await self._found(scopes)
        except StorageUnavailable:
            scopes = await self._readable(scopes)
            if not scopes:
                raise
            pool = await self._found(scopes)
        for (searched, _), read_at in zip(scopes, pool.scopes_read_at, strict=True):
            self.beside.read.note(searched.scope, read_at.revision)
        return pool

    async def count(self, query: CandidateQuery) -> Sequence[int]:
        """How many rows of all spaces have each term of the query."""
        scopes = self._scopes(query)
        counted = [await self.search.statistics(each.query, each.freshness) for each in scopes]
        return [*map(sum, zip(*(each.matches for each in counted), strict=True))]

    def _scopes(self, query: CandidateQuery) -> list[ScopeSearch]:
        # Links are followed from one space into another as well, when all have been searched.
        query = replace(query, follows_links=False)
        scopes = [ScopeSearch(query, self.freshness)]
        for each in self.beside.searches:
            scopes.append(ScopeSearch(replace(query, scope=each.scope, filter=each.filter), each.freshness))
        return [each for each in scopes if each.query.scope not in self.beside.read.unread]

    async def _found(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        collection = Collection(self.search, scopes, self.weights)
        pool = await collection.candidates()
        return await follow_links(self.links, collection, pool) if self.follows_links else pool

    async def _readable(self, scopes: Sequence[ScopeSearch]) -> list[ScopeSearch]:
        async with task_group() as group:
            tasks = [group.create_task(self._is_readable(each)) for each in scopes]
        return [each for each, task in zip(scopes, tasks, strict=True) if task.result()]

    async def _is_readable(self, scope: ScopeSearch) -> bool:
        try:
            await self.search.candidates(scope.query, scope.freshness)
        except StorageUnavailable:
            if isinstance(scope.freshness, FullyConsistent):
                raise
            self.beside.read.note(scope.query.scope, None)
            return False
        return True
