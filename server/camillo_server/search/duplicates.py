"""Candidates that say exactly the same: one of them becomes a hit, which names the others."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, ChunkKind, is_chunk
from camillo_server.kernel.off_loop import ROW, TimeSlices
from camillo_server.rows.row import DAY_TERMS, Row, canonical_text
from camillo_server.search.candidates import CandidatePool
from camillo_server.search.signals.brevity import BREVITY

MAX_REFS = 200


class Duplicates:
    """The candidates of a pool that say the same as one that has been chosen.

    Only the texts of candidates with as many terms as the chosen one are read; in a search by a vector alone, where no
    length is known, all texts are. Each is read once.
    """

    def __init__(self, pool: CandidatePool) -> None:
        self._pool = pool
        self._slices = TimeSlices()
        self._lengths = _lengths(pool)
        self._said: dict[int, str] = {}
        self._refs: dict[int, Sequence[str]] = {}
        self._chosen: set[int] = set()
        self._dropped: set[int] = set()

    def is_dropped(self, candidate: int) -> bool:
        """Whether one that was chosen says the same."""
        return candidate in self._dropped

    def refs(self, candidate: int) -> Sequence[str]:
        """The ids of the candidates that were dropped for this one; for a chunk, the id of its source."""
        return self._refs.get(candidate, ())

    async def choose(self, candidate: int) -> None:
        """Drops the candidates that say the same as this one."""
        if candidate in self._chosen:
            return
        self._chosen.add(candidate)
        as_long = np.flatnonzero(self._lengths == self._lengths[candidate]).tolist()
        others = [each for each in as_long if each != candidate and each not in self._dropped]
        if others:
            unread = sum(each not in self._said for each in (candidate, *others))
            drop = partial(self._drop_equal, candidate, others)
            await self._slices.run(unread * ROW / 4, drop)

    async def distinct(self, ranking: Sequence[int]) -> list[int]:
        """The candidates of a ranking without those that say the same as one before."""
        kept: list[int] = []
        for candidate in ranking:
            if candidate not in self._dropped:
                kept.append(candidate)
                await self.choose(candidate)
        return kept

    def _drop_equal(self, candidate: int, others: Sequence[int]) -> None:
        self._read([each for each in (candidate, *others) if each not in self._said])
        text = self._said[candidate]
        equal = [each for each in others if self._said[each] == text]
        if not equal:
            return
        self._dropped.update(equal)
        own, *refs = map(row_ref, self._pool.memories([candidate, *equal]))
        self._refs[candidate] = [ref for ref in dict.fromkeys(refs) if ref != own][:MAX_REFS]

    def _read(self, candidates: Sequence[int]) -> None:
        texts = map(canonical_text, self._pool.texts(candidates))
        self._said.update(zip(candidates, texts, strict=True))


def row_ref(row: Row) -> str:
    """The id of a memory; for a chunk, the id of its source."""
    if is_chunk(row.kind) and row.source_refs:
        return row.source_refs[0]
    return str(row.memory_id)


def _lengths(pool: CandidatePool) -> NDArray[np.int64]:
    """The terms of each candidate's own text: the index has those of its day before the text of a chunk,
    but for passages of documents."""
    counts = pool.arms.signals.get(BREVITY)
    if counts is None:
        return np.zeros(len(pool), np.int64)
    has_day = (pool.kinds >= KINDS_OF_A_SOURCE) & (pool.kinds != ChunkKind.PASSAGE)
    lengths: NDArray[np.int64] = counts.astype(np.int64) - DAY_TERMS * has_day
    return lengths
