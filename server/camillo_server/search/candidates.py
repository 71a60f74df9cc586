"""What the arms of a recall found, as columns over the candidates, whoever found it."""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.memories.memory import Memory
from camillo_server.search.fusion import ArmScores, QueryFacts


class AnsweredBy(enum.IntEnum):
    """Who found the candidates. The numbers are those of the contract."""

    CACHE = 1
    POSTGRES = 2


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """Candidates of one recall, read at one revision: row i of each column is one candidate.

    `kinds` are numbers of rows' kinds (kernel/kinds.py); `memory_ids` are the two halves of each id as numbers, shape (n, 2); `occurred_at` is in microseconds since 1970.
    `memories` makes the memories of these places, in that order;
    `vectors` their vectors, float32 of shape (places, dimensions), zeros where there is none.
    `sealed_not_searched`: rows that are encrypted at rest may have been found, and were not looked at.
    """

    arms: ArmScores
    query: QueryFacts
    kinds: NDArray[np.int16]
    memory_ids: NDArray[np.uint64]
    occurred_at: NDArray[np.int64]
    importance: NDArray[np.float32]
    pinned: NDArray[np.bool_]
    memories: Callable[[Sequence[int]], list[Memory]]
    vectors: Callable[[Sequence[int]], NDArray[np.float32]]
    revision: int
    vectors_pending: bool
    answered_by: AnsweredBy
    sealed_not_searched: bool = False

    def __len__(self) -> int:
        return len(self.occurred_at)
