"""ListContradictions: memories that say nearly the same of one subject, but for a number, a date, a negation or a
name."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import MemoryId, PageCursor
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness
from camillo_server.lib.text.differences import Comparison, compare
from camillo_server.models.embedding.embedder import Vector
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.search.candidates import CandidateQuery, MemorySearch
from camillo_server.search.contradiction import (
    Contradiction,
    ContradictionPage,
    UnjudgedReason,
)
from camillo_server.search.judging import Judging
from camillo_server.search.query_text import terms_of_query

# Each memory is compared with this many of the nearest ones by each arm.
NEAREST_PER_ARM = 8
# The number of memories nearest in meaning that a model is asked about for each memory, beside those that rules find;
# and the number of pairs that ends a page.
NEAREST_JUDGED, MAX_JUDGED = 3, 40


class Contradictions:
    """Finds likely contradictions, and changes nothing. Raises StorageUnavailable, RevisionBehind."""

    def __init__(
        self,
        reader: MemoryReader,
        search: MemorySearch,
        embedding: TextEmbedding,
        clock: Clock,
        judging: Judging,
    ) -> None:
        self._reader = reader
        self._search = search
        self._embedding = embedding
        self._clock = clock
        self._judging = judging

    async def __call__(
        self,
        scope: Scope,
        filter_: MemoryFilter,
        after: PageCursor | None,
        size: int,
        freshness: Freshness,
        *,
        judge: bool = False,
    ) -> ContradictionPage:
        """Finds the contradictions of a page of memories with older ones, the newest first; only memories that are true
        now, unless the filter asks for more.

        `judge` asks a model, which costs money: a page ends early, after a memory, once there are many pairs to judge.
        """
        filter_ = replace(filter_, validity=filter_.searched_validity)
        now = self._clock.now()
        rows, revision = await self._reader.page(scope, filter_, after, size + 1, freshness, now=now)
        query = CandidateQuery(
            scope,
            (),
            None,
            filter_,
            NEAREST_PER_ARM,
            now,
            with_neighbours=False,
            with_vectors=judge,
        )
        found, compared = await self._found(rows[:size], query, freshness)
        cursor = None
        if compared < len(rows):
            last = rows[compared - 1]
            cursor = PageCursor(last.created_at, last.memory_id)
        if not judge:
            return ContradictionPage(found, cursor, revision)
        judged = await self._judging(found, scope)
        proposals = [each for each in judged if each.is_proposal]
        return ContradictionPage(proposals, cursor, revision, self._degraded(judged))

    async def _found(
        self, page: Sequence[Row], query: CandidateQuery, freshness: Freshness
    ) -> tuple[list[Contradiction], int]:
        """The pairs of a page's memories, and with how many of these they are complete."""
        vectors = await self._reader.vectors(query.scope, [each.memory_id for each in page])
        found, slices = list[Contradiction](), TimeSlices()
        for number, memory in enumerate(page, 1):
            own = await self._own_query(query, memory, vectors.get(memory.memory_id))
            pool = await self._search.candidates(own, freshness)
            others = pool.memories(range(len(pool)))
            found += await _contradicted(memory, others, slices)
            if query.with_vectors and own.vector is not None and others:
                near = pool.vectors(range(len(pool))) @ own.vector.values
                found += self._near(memory, others, near)
            if query.with_vectors and len(found) >= MAX_JUDGED:
                return found, number
        return found, len(page)

    async def _own_query(self, query: CandidateQuery, memory: Row, vector: Vector | None) -> CandidateQuery:
        """The query for memories that say nearly the same as this one."""
        is_comparable = vector is not None and vector.model_id == self._embedding.model_id
        return replace(
            query,
            terms=await terms_of_query(memory.content),
            vector=vector if is_comparable else None,
        )

    def _near(self, memory: Row, others: Sequence[Row], cosines: NDArray[np.float32]) -> list[Contradiction]:
        """Pairs of the memory with ones that are near in meaning and were stored before, the nearest first, where rules
        find no difference and a model may read both. Empty without a model."""
        pairs = list[Contradiction]()
        for index in np.argsort(-cosines, kind="stable"):
            other, cosine = others[index], float(cosines[index])
            if cosine < self._judging.min_similarity or len(pairs) == NEAREST_JUDGED:
                break
            pair = _pair(memory, other, Comparison((), min(1.0, cosine)))
            if _is_compared(memory, other) and pair.may_be_sent and not _compare(memory, other):
                pairs.append(pair)
        return pairs if self._judging.has_model else []

    def _degraded(self, judged: Sequence[Contradiction]) -> list[UnjudgedReason]:
        """The reasons why some pairs were not judged."""
        if not self._judging.has_model:
            return [UnjudgedReason.NO_MODEL]
        reasons = {each.judgement.unjudged_reason for each in judged if each.judgement}
        return sorted(each for each in reasons if each is not None)


async def _contradicted(memory: Row, others: Sequence[Row], slices: TimeSlices) -> list[Contradiction]:
    """The contradictions with memories that were stored before, so that each pair is found once."""
    found = []
    for other in sorted(others, key=_stored, reverse=True):
        if not _is_compared(memory, other):
            continue
        await slices.spend()
        comparison = _compare(memory, other)
        if comparison is not None:
            found.append(_pair(memory, other, comparison))
    return found


def _compare(memory: Row, other: Row) -> Comparison | None:
    is_one_session = memory.session_id == other.session_id != ""
    return compare(memory.content, other.content, is_one_session=is_one_session)


def _pair(memory: Row, other: Row, comparison: Comparison) -> Contradiction:
    older, newer = sorted((memory, other), key=lambda each: (each.occurred_at, _stored(each)))
    return Contradiction(newer, older, comparison)


def _is_compared(memory: Row, other: Row) -> bool:
    """Whether the other memory was stored before, and neither has been superseded."""
    return _stored(other) < _stored(memory) and not _is_history(memory, other)


def _stored(memory: Row) -> tuple[object, MemoryId]:
    return memory.created_at, memory.memory_id


def _is_history(one: Row, other: Row) -> bool:
    """Whether one of the two has been superseded: somebody has resolved the pair already."""
    return one.superseded_by is not None or other.superseded_by is not None
