"""Candidates that say exactly the same: of them one becomes a hit, which names the others."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.memories.memory import Memory
from camillo_server.memories.repeats import canonical_text
from camillo_server.search.candidates import CandidatePool

MAX_REFS = 200
# Loading a row and bringing its text to its canonical form.
_ROW_MICROSECONDS = 25.0
# Equal texts have equal scores, but for rounding.
_ROUNDING = 1e-4


class Duplicates:
    """The candidates of a pool that say the same as one that has been chosen.

    Texts are read of those alone that have as many terms as the chosen one and the same score for them: equal texts have. In a
    search by a vector alone, of those that are as near to it.
    """

    def __init__(self, pool: CandidatePool) -> None:
        self._pool = pool
        self._slices = TimeSlices()
        self._groups = _groups(pool)
        self._sizes = np.bincount(self._groups)
        self._refs: dict[int, Sequence[str]] = {}
        self._dropped: set[int] = set()

    def is_dropped(self, candidate: int) -> bool:
        """Whether one that was chosen says the same."""
        return candidate in self._dropped

    def refs(self, candidate: int) -> Sequence[str]:
        """Those that were dropped for this one: ids of memories, or of what the chunks are of."""
        return self._refs.get(candidate, ())

    async def choose(self, candidate: int) -> None:
        """Drops what says the same as this candidate."""
        if candidate in self._refs or self._sizes[self._groups[candidate]] == 1:
            return
        alike = np.flatnonzero(self._groups == self._groups[candidate]).tolist()
        others = [each for each in alike if each not in self._dropped and each != candidate]
        cost = _ROW_MICROSECONDS * (1 + len(others))
        await self._slices.run(cost, partial(self._drop_equal, candidate, others))

    async def distinct(self, ranking: Sequence[int]) -> list[int]:
        """The candidates of a ranking without those that say the same as one before."""
        kept: list[int] = []
        for candidate in ranking:
            if candidate not in self._dropped:
                kept.append(candidate)
                await self.choose(candidate)
        return kept

    def _drop_equal(self, candidate: int, others: Sequence[int]) -> None:
        chosen, *rows = self._pool.memories([candidate, *others])
        text = canonical_text(chosen.content)
        equal = [
            (index, row)
            for index, row in zip(others, rows, strict=True)
            if canonical_text(row.content) == text
        ]
        self._dropped.update(index for index, _ in equal)
        refs = dict.fromkeys(_ref(row) for _, row in equal)
        refs.pop(_ref(chosen), None)
        self._refs[candidate] = list(refs)[:MAX_REFS]


def _ref(row: Memory) -> str:
    if is_chunk(row.kind) and row.source_refs:
        return row.source_refs[0]
    return str(row.memory_id)


def _groups(pool: CandidatePool) -> NDArray[np.intp]:
    """A number for each candidate, the same for all that may say the same."""
    lengths, scores = pool.arms.term_counts, pool.arms.lexical
    if lengths is None:
        lengths, scores = np.zeros(len(pool), np.int64), pool.arms.dense
    order = np.lexsort((scores, lengths))
    ordered, counts = scores[order], np.asarray(lengths)[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = counts[1:] != counts[:-1]
    is_first[1:] |= np.diff(ordered) > _ROUNDING * (1 + np.abs(ordered[1:]))
    groups = np.empty(len(order), np.intp)
    groups[order] = np.cumsum(is_first) - 1
    return groups
