"""Candidates of a recall: the query that both searches take, and the pool of rows that either finds."""

import enum
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.fusion import ArmScores, Fusion, QueryFacts
from camillo_server.search.signals.signal import Signal, at_rows


class Prepared(Protocol):
    """A result that a reader of rows has made of one, kept beside it."""

    @property
    def nbytes(self) -> int:
        """Always the same number."""
        ...


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

    `with_neighbours`: the rows next to a match in its session are candidates too, and raise its score. `with_vectors`:
    the pool must be able to return the candidates' vectors. `statistics`: those of the collection of which this scope
    is a part; without any, the scope is all that is searched. `signals`: the argument of each signal that the query
    asks for. `follows_links`: rows that links lead to are looked for."""

    scope: Scope
    terms: Sequence[str]
    vector: Vector | None
    filter: MemoryFilter
    candidates_per_arm: int
    now: datetime
    with_neighbours: bool = True
    with_vectors: bool = False
    statistics: TermStatistics | None = None
    follows_links: bool = True
    signals: Mapping[Signal, Any] = field(default_factory=dict)

    @property
    def model_id(self) -> str:
        """The embedder of the vector; empty without one."""
        return self.vector.model_id if self.vector else ""

    def asking(self, signal: Signal, argument: Any) -> "CandidateQuery":
        """The query which asks for this signal, too."""
        return replace(self, signals={**self.signals, signal: argument})


class ScopeSearch(NamedTuple):
    """The search of one scope, and how fresh that scope has to be."""

    query: CandidateQuery
    freshness: Freshness


class ReadAt(NamedTuple):
    """The revision at which a scope was read, and the one that last changed its links, 0 before the first."""

    revision: int
    links_revision: int


class ReadPart(NamedTuple):
    """A reading of the query, and the weights of its fusion."""

    text: str
    fusion: Fusion


class AnsweredBy(enum.IntEnum):
    """The store in which the candidates were found. The numbers are those of the contract."""

    CACHE = 1
    POSTGRES = 2


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """Candidates of one recall, read at one revision: item i of each column belongs to candidate i.

    `relevance` is how likely it is by each that the query is answered, 0 to 1; `kinds` are numbers of rows' kinds
    (kernel/kinds.py); `memory_ids`, shape (n, 2), the two halves of each id; `occurred_at` microseconds since 1970.
    `memories` loads the memories of these candidates, in that order; `encoded` returns what a function makes of them,
    always the same function, since it is asked only for what is not kept, and `prepared` does so for bundles; `texts`
    loads their contents alone, `tokens` counts their tokens, and `vectors` loads their vectors, float32 of shape
    (candidates, dimensions), zeros where there is none. With `encrypted_not_searched`, rows that are encrypted at rest
    might have matched and were not searched.
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
    memories: Callable[[Sequence[int]], list[Row]]
    texts: Callable[[Sequence[int]], list[str]]
    encoded: Callable[[Sequence[int], Callable[[Row], bytes]], list[bytes]]
    prepared: Callable[[Sequence[int], Callable[[Row], Any]], list[Any]]
    tokens: Callable[[Sequence[int]], Sequence[int]]
    vectors: Callable[[Sequence[int]], NDArray[np.float32]]
    revision: int
    vectors_pending: bool
    answered_by: AnsweredBy
    encrypted_not_searched: bool = False
    # Vectors were not searched, since pgvector or an index of it failed.
    vector_search_failed: bool = False
    # The revision that last changed the links of the scope, 0 before the first; and the ref from which links led to a
    # row.
    links_revision: int = 0
    linked_from: Mapping[MemoryId, str] | None = None
    # Readings of the query, if there are several (search/readings.py), and which of them each candidate has its scores
    # from.
    readings: Sequence[ReadPart] = ()
    reading_of: NDArray[np.intp] | None = None
    # Where several scopes were searched: where the candidates of each further one begin, and at what each was read.
    starts: Sequence[int] = ()
    read_at: Sequence[ReadAt] = ()
    # The weight of each candidate's space, where spaces have weights.
    space_weights: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.occurred_at)

    def scope_numbers(self) -> NDArray[np.intp]:
        """The number of each candidate's scope, in the order in which scopes were searched."""
        return np.asarray(self.starts, np.intp).searchsorted(np.arange(len(self)), side="right")

    @property
    def scopes_read_at(self) -> Sequence[ReadAt]:
        """At what each scope was read, one or several."""
        return self.read_at or (ReadAt(self.revision, self.links_revision),)


def without(pool: CandidatePool, others: CandidatePool) -> CandidatePool:
    """The candidates that are not among the others."""
    known = _keys(others)
    return selected(pool, np.flatnonzero(~np.isin(_keys(pool), known)))


def _keys(pool: CandidatePool) -> NDArray[np.void]:
    """The ids of the pool, each as one value."""
    return np.ascontiguousarray(pool.memory_ids).view("V16").ravel()


def selected(pool: CandidatePool, rows: NDArray[np.intp]) -> CandidatePool:
    """The pool with these candidates alone; its fusion is still to be made."""

    def at(indices: Sequence[int]) -> list[int]:
        chosen: list[int] = rows[indices].tolist()
        return chosen

    arms = pool.arms
    return replace(
        pool,
        arms=replace(
            arms,
            dense=arms.dense[rows],
            lexical=arms.lexical[rows],
            dense_near=arms.dense_near[rows],
            lexical_near=arms.lexical_near[rows],
            sessions=None if arms.sessions is None else arms.sessions[rows],
            signals=at_rows(arms.signals, rows),
        ),
        relevance=pool.relevance[rows],
        kinds=pool.kinds[rows],
        memory_ids=pool.memory_ids[rows],
        occurred_at=pool.occurred_at[rows],
        importance=pool.importance[rows],
        pinned=pool.pinned[rows],
        space_weights=None if pool.space_weights is None else pool.space_weights[rows],
        memories=lambda indices: pool.memories(at(indices)),
        texts=lambda indices: pool.texts(at(indices)),
        encoded=lambda indices, encode: pool.encoded(at(indices), encode),
        prepared=lambda indices, prepare: pool.prepared(at(indices), prepare),
        tokens=lambda indices: pool.tokens(at(indices)),
        vectors=lambda indices: pool.vectors(at(indices)),
    )


class MemorySearch(Protocol):
    """Finds candidates: in memory (search/index/engine.py) or in Postgres (search/store/recall.py)."""

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """The candidates as fresh as demanded. Raises StorageUnavailable, RevisionBehind."""
        ...

    async def together(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        """The candidates of several scopes, two at least, as of one collection: scope by scope, each with the score
        that it has in one scope which holds everything. The queries have the same terms, vector and signals. Raises
        StorageUnavailable, RevisionBehind."""
        ...

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics of the query's terms, as fresh as demanded. Raises StorageUnavailable, RevisionBehind."""
        ...
