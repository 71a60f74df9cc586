"""Which memories say nearly the same: by their vectors, the same figures in both.

Vectors of a sentence and of the same one with another number in it are as alike as vectors come; whoever corrects a
figure does not repeat the old one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.domain.compaction.compaction import MOST_SOURCES
from camillo_server.domain.compaction.facts import figures, plain
from camillo_server.domain.memory import Memory

Rows = NDArray[np.float32]
# Rows compared at once: against 10,000 others, 20 MB of cosines.
_BLOCK = 512
# Of a vector with itself, in single precision.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Comparable:
    """Memories with what they are compared by: two that both have a vector of one model, by these; any others by vectors
    made of their words alone. Rows of unit length in the order of the memories, zeros where there is none."""

    memories: Sequence[Memory]
    vectors: Rows
    model_ids: Sequence[str]
    words: Rows | None


def near_duplicates(found: Comparable, likeness: float) -> Iterator[Sequence[Memory]]:
    """Groups of 2 to 64 in the order of their first ones; each is like the first of its group, so that no chain of small
    steps leads from one thing to another. The same groups for the same memories in the same order."""
    fates = _codes([(memory.sensitivity, _figures(memory)) for memory in found.memories])
    models = _codes(found.model_ids)
    taken = np.zeros(len(found.memories), np.bool_)
    for begin in range(0, len(found.memories), _BLOCK):
        alike = _alike(found, models, slice(begin, begin + _BLOCK), likeness)
        of_one_fate = np.equal(fates[begin : begin + _BLOCK, None], fates[None, begin:])
        alike &= of_one_fate
        for row in range(len(alike)):
            first = begin + row
            if taken[first]:
                continue
            others = np.flatnonzero(alike[row, row + 1 :] & ~taken[first + 1 :])[: MOST_SOURCES - 1]
            if len(others):
                group = [first, *(first + 1 + others).tolist()]
                taken[group] = True
                yield [found.memories[place] for place in group]


def _alike(
    found: Comparable, models: NDArray[np.intp], rows: slice, likeness: float
) -> NDArray[np.bool_]:
    """Whether each of these rows is like each one from the first of them on."""
    cosines = found.vectors[rows] @ found.vectors[rows.start :].T
    if found.words is not None:
        has_vector = np.array([bool(each) for each in found.model_ids])
        both = np.logical_and(has_vector[rows, None], has_vector[None, rows.start :])
        of_one_model = np.equal(models[rows, None], models[None, rows.start :])
        by_words = found.words[rows] @ found.words[rows.start :].T
        cosines = np.where(both & of_one_model, cosines, by_words)
    alike: NDArray[np.bool_] = cosines >= np.float32(likeness - _ROUNDING)
    return alike


def _figures(memory: Memory) -> frozenset[str]:
    return frozenset(figures(plain(memory.content)))


def _codes(values: Sequence[object]) -> NDArray[np.intp]:
    """A number for each value, the same for equal ones."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.intp)
