"""Candidates of a recall: the query that both searches take, and the pool of rows that either finds."""

import enum
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.typed_words import IdRange
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import Memory
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.fusion import ArmScores, Fusion, QueryFacts

# The most rows that are found by the beginning of their ids.
MAX_NAMED_ROWS = 50


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """The counts from which the weights of a query's terms are computed, read at one revision of one scope: how many
    rows are searched, how many terms they have together, and how many rows that pass the filter have each term, in the
    query's order."""

    memories: int
    term_count: int
    matches: tuple[int, ...]
    revision: int = 0

    @property
    def rarities(self) -> list[float]:
        """The rarity (idf) of each term, by the formula of both searches."""
        return [math.log(1 + (self.memories - matching + 0.5) / (matching + 0.5)) for matching in self.matches]

    @property
    def mean_terms(self) -> float:
        """The mean length of a row."""
        return max(1, self.term_count) / max(1, self.memories)


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """A recall as searches take it: the query's index terms, its vector, and the filter with the channel's limits.

    `with_neighbours`: the rows next to a match in its session are candidates too, and raise its score.
    `with_vectors`: the pool must be able to return the candidates' vectors. `statistics`: those of the collection of which this
    scope is a part; without any, the scope is all that is searched.
    `linked`: rows that links lead to, which are candidates if they pass the filter, and how well that matches from which they lead.
    `follows_links`: they are looked for. `speakers`: the terms of who says what, of those whom the query names (lib/text/speech.py); None
    where it does not count who says what, and whether it asks.
    """

    scope: Scope
    terms: Sequence[str]
    vector: Vector | None
    filter: MemoryFilter
    candidates_per_arm: int
    now: datetime
    with_neighbours: bool = True
    with_vectors: bool = False
    statistics: TermStatistics | None = None
    linked: Mapping[MemoryId, float] | None = None
    follows_links: bool = True
    speakers: Sequence[str] | None = None
    # Rows with these ids are candidates, too.
    ids: IdRange | None = None

    @property
    def model_id(self) -> str:
        """The embedder of the vector; empty without one."""
        return self.vector.model_id if self.vector else ""


def linked_column(linked: Mapping[MemoryId, float], memory_ids: NDArray[np.uint64]) -> NDArray[np.float32]:
    """How well that matches which each of these ids is linked with: two halves in a row each; 0 where no link leads to it."""
    column = np.zeros(len(memory_ids), np.float32)
    for memory_id, value in linked.items():
        halves = np.array((memory_id.int >> 64, memory_id.int & 2**64 - 1), np.uint64)
        column[(memory_ids == halves).all(axis=1)] = value
    return column


def is_named(ids: IdRange, memory_ids: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Whether each of these ids, two halves in a row each, is in the range."""
    high, low = memory_ids[:, 0], memory_ids[:, 1]
    (first_high, first_low), (last_high, last_low) = (
        (np.uint64(each.int >> 64), np.uint64(each.int & 2**64 - 1)) for each in ids
    )
    after = (high > first_high) | ((high == first_high) & (low >= first_low))
    before = (high < last_high) | ((high == last_high) & (low <= last_low))
    return np.asarray(after & before)


class ReadPart(NamedTuple):
    """A reading of the query, and the weights of its fusion."""

    text: str
    fusion: Fusion


class AnsweredBy(enum.IntEnum):
    """The place where the candidates were found. The numbers are those of the contract."""

    CACHE = 1
    POSTGRES = 2


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """Candidates of one recall, read at one revision: item i of each column belongs to candidate i.

    `relevance` is how likely it is by each that the query is answered, 0 to 1; `kinds` are numbers of rows' kinds (kernel/kinds.py);
    `memory_ids`, shape (n, 2), the two halves of each id; `occurred_at` microseconds since 1970. `memories` loads the memories of these
    candidates, in that order; `encoded` returns what a function makes of them, always the same function, since it is asked only for
    what is not kept; `texts` loads their contents alone, `tokens` counts their tokens, and `vectors` loads their vectors, float32 of shape (candidates,
    dimensions), zeros where there is none. With `encrypted_not_searched`, rows that are encrypted at rest might have matched and were
    not searched.
    """

    arms: ArmScores
    query: QueryFacts
    fusion: Fusion
    relevance: NDArray[np.float32]
    kinds: NDArray[np.int16]
    memory_ids: NDArray[np.uint64]
    occurred_at: NDArray[np.int64]
    importance: NDArray[np.float32]
    pinned: NDArray[np.bool_]
    memories: Callable[[Sequence[int]], list[Memory]]
    texts: Callable[[Sequence[int]], list[str]]
    encoded: Callable[[Sequence[int], Callable[[Memory], bytes]], list[bytes]]
    tokens: Callable[[Sequence[int]], Sequence[int]]
    vectors: Callable[[Sequence[int]], NDArray[np.float32]]
    revision: int
    vectors_pending: bool
    answered_by: AnsweredBy
    encrypted_not_searched: bool = False
    # Vectors were not searched, since pgvector or an index of it failed.
    vector_search_failed: bool = False
    # The revision that last changed the links of the scope, 0 before the first; and the ref from which links led to a row.
    links_revision: int = 0
    linked_from: Mapping[MemoryId, str] | None = None
    # Readings of the query, if there are several (search/readings.py), and which of them each candidate has its scores from.
    readings: Sequence[ReadPart] = ()
    reading_of: NDArray[np.intp] | None = None
    # From this one on, candidates are of the tenant's shared scope; below 0 where that was not searched beside another.
    first_shared: int = -1

    def __len__(self) -> int:
        return len(self.occurred_at)


class MemorySearch(Protocol):
    """Finds candidates: in memory (search/index/engine.py) or in Postgres (search/store/recall.py)."""

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """The candidates as fresh as demanded. Raises StorageUnavailable, RevisionBehind."""
        ...

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics of the query's terms, as fresh as demanded. Raises StorageUnavailable, RevisionBehind."""
        ...
