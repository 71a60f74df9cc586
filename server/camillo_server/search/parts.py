"""Several things with numbered items, one after the other: an item has one number in all of them together."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

P = TypeVar("P")
T = TypeVar("T")


class Parts(Generic[P]):
    """Parts in order. `counts` are the numbers of their items, `starts` the number of the first item of each, `count`
    is how many items all have."""

    def __init__(self, parts: Sequence[P], counts: Sequence[int]) -> None:
        self.parts = parts
        self.counts = counts
        *self.starts, self.count = accumulate(counts, initial=0)

    def read(self, items: Sequence[int], read: Callable[[P, Sequence[int]], Sequence[T]]) -> list[T]:
        """The result of `read` for each of these items, in their order; it is called once for each part that has any of
        them, with their numbers there."""
        positions = defaultdict[int, list[int]](list)
        for position, item in enumerate(items):
            positions[bisect_right(self.starts, item) - 1].append(position)
        found: dict[int, T] = {}
        for number, own in positions.items():
            start = self.starts[number]
            results = read(self.parts[number], [items[position] - start for position in own])
            found.update(zip(own, results, strict=True))
        return [found[position] for position in range(len(items))]

    def divide(self, items: NDArray[Any]) -> Iterator[tuple[NDArray[np.intp], NDArray[Any]]]:
        """For each part, the positions of its own among these items, and their numbers there."""
        for start, end in pairwise((*self.starts, self.count)):
            within = np.flatnonzero((items >= start) & (items < end))
            yield within, items[within] - start
