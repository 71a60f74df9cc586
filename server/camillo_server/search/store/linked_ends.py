"""The ends of links: the links of a scope are read once, and again when they have changed."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import MemoryId, chunk_id
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("search/store/linked_ends")
# In a scope with more links, each recall reads only the links of its own candidates.
MAX_KEPT_LINKS = 10_000
# Together with a few hundred bytes for each link, some ten megabytes.
MAX_LINKS_IN_MEMORY = 50_000
CHUNKS_OF_END = 3


class LinkedEnd(NamedTuple):
    """The other end of a link."""

    source: Source
    id: UUID


Neighbours = Mapping[UUID, Sequence[LinkedEnd]]


class _Kept(NamedTuple):
    revision: int
    neighbours: Neighbours
    links: int


class LinkedEnds:
    """The links of scopes as neighbours of each end, the least recently used scopes dropped first. They are ids alone;
    those of forgotten rows are gone with the scope's next recall."""

    def __init__(self, database: Database, max_kept: int = MAX_KEPT_LINKS) -> None:
        """`max_kept` is the most links of one scope that are kept."""
        self._database = database
        self._max_kept = max_kept
        self._kept: OrderedDict[Scope, _Kept] = OrderedDict()
        self._links = 0

    def __len__(self) -> int:
        return len(self._kept)

    async def of(self, scope: Scope, revision: int, ends: Sequence[UUID]) -> Neighbours:
        """The neighbours of these ends, at this revision of the scope's links or later; none while Postgres is away."""
        kept = self._kept.get(scope)
        if kept is not None and kept.revision == revision:
            self._kept.move_to_end(scope)
            return kept.neighbours
        try:
            return await self._read(scope, ends)
        except StorageUnavailable:
            return {}

    async def rows_of(self, scope: Scope, ends: Iterable[LinkedEnd]) -> Mapping[UUID, list[MemoryId]]:
        """The ids of the rows in which a search finds each of these ends: the first few."""
        rows: dict[UUID, list[MemoryId]] = {}
        others = []
        for end in ends:
            if end.source is Source.MEMORY:
                rows[end.id] = [MemoryId(end.id)]
            elif end.source in (Source.EVENT, Source.DECISION):
                rows[end.id] = [chunk_id(end.id, index) for index in range(CHUNKS_OF_END)]
            else:
                # The ids of chunks of slots and documents depend on their versions.
                others.append(end.id)
        if others:
            rows |= await self._chunks_of(scope, others)
        return rows

    async def _chunks_of(self, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, list[MemoryId]]:
        parameters = {
            **scope_parameters(scope),
            "ids": list(ids),
            "refs": [str(each) for each in ids],
            "chunks": CHUNKS_OF_END,
        }
        rows: dict[UUID, list[MemoryId]] = defaultdict(list)
        try:
            for memory_id, origin in await self._database.rows(scope, SQL["chunks_of"], parameters):
                rows[origin].append(memory_id)
        except StorageUnavailable:
            return {}
        return rows

    async def _read(self, scope: Scope, ends: Sequence[UUID]) -> Neighbours:
        key = scope_parameters(scope)
        rows = await self._database.rows(scope, SQL["links"], {**key, "size": self._max_kept + 1})
        if len(rows) <= self._max_kept:
            revision = rows[0][0]
            links = [links for _, *links in rows if links[0] is not None]
            kept = _Kept(revision, _neighbours(links), len(links))
            self._keep(scope, kept)
            return kept.neighbours
        self._drop(scope)
        parameters = {**key, "ends": list(ends)}
        return _neighbours(await self._database.rows(scope, SQL["links_of_ends"], parameters))

    def _keep(self, scope: Scope, kept: _Kept) -> None:
        self._drop(scope)
        self._kept[scope] = kept
        # A scope without links any more counts, too.
        self._links += kept.links + 1
        while self._links > MAX_LINKS_IN_MEMORY and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, scope: Scope) -> None:
        kept = self._kept.pop(scope, None)
        if kept is not None:
            self._links -= kept.links + 1


def _neighbours(links: Iterable[Sequence[object]]) -> Neighbours:
    """The neighbours of each end: a link counts for both of its ends."""
    neighbours: dict[UUID, list[LinkedEnd]] = defaultdict(list)
    for from_source, from_id, to_source, to_id in links:
        neighbours[from_id].append(LinkedEnd(Source(to_source), to_id))  # type: ignore[index,arg-type]
        neighbours[to_id].append(LinkedEnd(Source(from_source), from_id))  # type: ignore[index,arg-type]
    return dict(neighbours)
