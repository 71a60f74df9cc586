"""ListContradictions: memories that say nearly the same of one subject, but for a number, a date, a negation or a name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from camillo_server.embedding.embedder import Vector
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.paging import PageCursor
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.store.reader import MemoryReader
from camillo_server.search.candidates import CandidateQuery, MemorySearch
from camillo_server.search.query_terms import terms_of_query
from camillo_server.text.differences import Comparison, compare

# What each memory is compared with: the nearest by either arm.
NEAREST_PER_ARM = 8
# Comparing two texts of usual length.
COMPARISON_MICROSECONDS = 200.0


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two memories, and what they differ in."""

    newer: Memory
    older: Memory
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class ContradictionPage:
    """What was found for a page of memories, where the next one begins (None after the last), and the revision read at."""

    contradictions: Sequence[Contradiction]
    next_cursor: PageCursor | None
    revision: int


class Contradictions:
    """Finds likely contradictions, and changes nothing. Raises StorageUnavailable, RevisionBehind."""

    def __init__(
        self, reader: MemoryReader, search: MemorySearch, embedding: TextEmbedding, clock: Clock
    ) -> None:
        self._reader = reader
        self._search = search
        self._embedding = embedding
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        filter_: MemoryFilter,
        after: PageCursor | None,
        size: int,
        freshness: Freshness,
    ) -> ContradictionPage:
        """Those of a page of memories with older ones, the newest first; of what is true now, unless the filter asks for more."""
        filter_ = replace(filter_, validity=filter_.searched_validity)
        now = self._clock.now()
        rows, revision = await self._reader.page(
            scope, filter_, after, size + 1, freshness, now=now
        )
        page = rows[:size]
        vectors = await self._reader.vectors(scope, [each.memory_id for each in page])
        query = CandidateQuery(
            scope, (), None, filter_, NEAREST_PER_ARM, now, with_neighbours=False
        )
        found, slices = list[Contradiction](), TimeSlices()
        for memory in page:
            own = await self._own_query(query, memory, vectors.get(memory.memory_id))
            pool = await self._search.candidates(own, freshness)
            found += await _contradicted(memory, pool.memories(range(len(pool))), slices)
        cursor = PageCursor(page[-1].created_at, page[-1].memory_id) if len(rows) > size else None
        return ContradictionPage(found, cursor, revision)

    async def _own_query(
        self, query: CandidateQuery, memory: Memory, vector: Vector | None
    ) -> CandidateQuery:
        """The query for what says nearly the same as a memory."""
        is_comparable = vector is not None and vector.model_id == self._embedding.model_id
        return replace(
            query,
            terms=await terms_of_query(memory.content),
            vector=vector if is_comparable else None,
        )


async def _contradicted(
    memory: Memory, others: Sequence[Memory], slices: TimeSlices
) -> list[Contradiction]:
    """Those with memories that were stored before: each pair is found once."""
    found = []
    for other in sorted(others, key=_stored, reverse=True):
        if _stored(other) >= _stored(memory) or _is_history(memory, other):
            continue
        await slices.spend(COMPARISON_MICROSECONDS)
        is_one_session = memory.session_id == other.session_id != ""
        comparison = compare(memory.content, other.content, is_one_session=is_one_session)
        if comparison is not None:
            older, newer = sorted(
                (memory, other), key=lambda each: (each.occurred_at, _stored(each))
            )
            found.append(Contradiction(newer, older, comparison))
    return found


def _stored(memory: Memory) -> tuple[object, MemoryId]:
    return memory.created_at, memory.memory_id


def _is_history(one: Memory, other: Memory) -> bool:
    """Whether one of them has been superseded: somebody has seen to it already."""
    return one.superseded_by is not None or other.superseded_by is not None
