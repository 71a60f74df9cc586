"""Recall answered by Postgres: vector distance and BM25 over the scope, in one statement."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
from psycopg import AsyncRawCursor, sql

from camillo_server.kernel.writes import Freshness
from camillo_server.lib.text.index_terms import LENGTH_NORMALIZATION, SATURATION
from camillo_server.rows.store.rows import IS_TRUE, filter_parameters
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    ScopeSearch,
    TermStatistics,
)
from camillo_server.search.collection import searched_apart
from camillo_server.search.signals.signal import Signal, with_columns
from camillo_server.search.store.candidate_rows import CandidateRows
from camillo_server.search.store.vector_index import IndexedVectors, ReadyIndexes
from camillo_server.storage.connection_pool import StorageDamaged
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import COUNTED_OCCURRENCES, read_fresh, tsquery_texts
from camillo_server.storage.statements import filled, scope_parameters, statements

SQL = statements("search/store/recall")
PARAMETER = re.compile(r"%(?:\((\w+)\)s|%)")
# The limit of an index scan is a power of two, so that the statement has few different texts; more than the arm needs
# makes up for what the index misses. `hnsw.ef_search` is a multiple of the limit.
MIN_INDEX_LIMIT = 64
EF_SEARCH_FACTOR = 2
MAX_EF_SEARCH = 1_000
# The weight of a position in ts_rank, and the sum over all positions that it divides by.
POSITION_WEIGHT, ALL_POSITIONS = np.float32(0.1), 1.64493406685

# The parts of the statement, and the named text of each: for a query without conditions, for one with some, and for one
# from which a channel hides rows.
NO_CONDITIONS = {
    "passes": "no_conditions",
    "is_found": "is_not_hidden",
    "encrypted_not_searched": "encrypted_memory_not_searched",
    "scope": "scope",
    "rarity": "rarity",
    "vectors_pending": "vectors_pending",
    "neighboured": "neighboured",
}
CONDITIONS = {
    **NO_CONDITIONS,
    "passes": "conditions",
    "is_found": "is_found",
    "encrypted_not_searched": "encrypted_not_searched",
}
NARROWED = {
    **CONDITIONS,
    "scope": "scope_of_passing",
    "vectors_pending": "vectors_pending_of_passing",
    "neighboured": "neighboured_of_passing",
}
# The fragments of a query with a vector, and of one without: the latter runs without pgvector. Even a null of its
# types, or a function that is not called, would be looked up in its library.
VECTORS = {"dense": "dense", "own_vector": "own_vector"}
NO_VECTORS = {"dense": "no_dense", "own_vector": "no_own_vector"}
# A scope that is a part of what is searched takes these from the whole.
OF_COLLECTION = {"scope": "scope_of_collection", "rarity": "rarity_in_collection"}
Parts = Mapping[str, sql.Composable]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NumberedStatement:
    """A text with numbered parameters, and their names in that order."""

    text: bytes
    names: tuple[str, ...]


class PostgresMemorySearch:
    """`MemorySearch` on Postgres."""

    def __init__(self, database: Database, on_vector_fault: Callable[[], None] = lambda: None) -> None:
        """`on_vector_fault` is called for a query that was answered without vectors, since Postgres could not search
        them."""
        self._database = database
        self._on_vector_fault = on_vector_fault
        self._indexes = ReadyIndexes()

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """The candidates, by words alone if vectors cannot be searched. Raises StorageDamaged if neither can."""
        try:
            return await self._candidates(query, freshness)
        except StorageDamaged:
            if query.vector is None:
                raise
        by_words = await self._candidates(replace(query, vector=None), freshness)
        self._on_vector_fault()
        logger.warning("vectors in postgres cannot be searched: words alone were")
        return replace(by_words, vector_search_failed=True)

    async def together(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        """Each scope by a connection bound to it. Raises what `candidates` does."""
        return await searched_apart(self, scopes)

    async def _candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        parameters = _parameters(query)

        async def work(session: Session) -> tuple[CandidateRows, int]:
            statement = await self._statement(session, query)
            cursor = AsyncRawCursor(session)
            values = [parameters[name] for name in statement.names]
            await cursor.execute(statement.text, values, binary=True)
            rows = CandidateRows(cursor)
            return rows, rows.revision

        rows, _ = await read_fresh(self._database, query.scope, freshness, work)
        return rows.pool(query)

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics of the rows as Postgres has them. Raises StorageUnavailable, RevisionBehind."""
        statement = statistics_statement(has_conditions=not query.filter.is_empty, narrowed=query.filter.is_narrowed)
        parameters = _parameters(query)

        async def work(session: Session) -> tuple[TermStatistics, int]:
            cursor = AsyncRawCursor(session)
            values = [parameters[name] for name in statement.names]
            await cursor.execute(statement.text, values, binary=True)
            row = await cursor.fetchone()
            assert row is not None  # noqa: S101 (one row, whatever the scope holds)
            revision, memories, term_count, matches = row
            read = TermStatistics(memories, int(term_count), tuple(matches), revision)
            return read, revision

        statistics, _ = await read_fresh(self._database, query.scope, freshness, work)
        return statistics

    async def _statement(self, session: Session, query: CandidateQuery) -> NumberedStatement:
        has_conditions, narrowed = not query.filter.is_empty, query.filter.is_narrowed
        in_collection, signals = query.statistics is not None, tuple(query.signals)
        if query.vector is not None:
            scope, vector = query.scope, query.vector
            vectors = IndexedVectors(scope.tenant_id, scope.agent_id, vector.model_id, vector.values.size)
            if await self._indexes.has(session, vectors):
                limit = max(MIN_INDEX_LIMIT, 1 << (query.candidates_per_arm - 1).bit_length())
                return indexed_statement(
                    vectors,
                    limit,
                    has_conditions=has_conditions,
                    narrowed=narrowed,
                    in_collection=in_collection,
                    signals=signals,
                )
        return exact_statement(
            has_conditions=has_conditions,
            narrowed=narrowed,
            in_collection=in_collection,
            has_vector=query.vector is not None,
            signals=signals,
        )


@cache
def exact_statement(
    *,
    has_conditions: bool,
    narrowed: bool = False,
    in_collection: bool = False,
    has_vector: bool = True,
    signals: tuple[Signal, ...] = (),
) -> NumberedStatement:
    """The statement that compares with every vector of the scope, or, without one, with none."""
    parts = _parts(
        has_conditions,
        narrowed,
        in_collection,
        has_vector=has_vector,
        signals=signals,
    )
    nearest = _exact(parts) if has_vector else sql.SQL(SQL["no_nearest"])
    return _compose(nearest, parts)


@cache
def statistics_statement(*, has_conditions: bool, narrowed: bool) -> NumberedStatement:
    """The statement that counts the rows that have each term."""
    named = NARROWED if narrowed else CONDITIONS if has_conditions else NO_CONDITIONS
    passes = sql.SQL(SQL[named["passes"]])
    counts = sql.SQL(SQL["counts_of_passing" if narrowed else "counts"]).format(passes=passes)
    return _numbered(sql.SQL(SQL["term_statistics"]).format(counts=counts, passes=passes))


@lru_cache(maxsize=1_000)
def indexed_statement(
    vectors: IndexedVectors,
    limit: int,
    *,
    has_conditions: bool,
    narrowed: bool = False,
    in_collection: bool = False,
    signals: tuple[Signal, ...] = (),
) -> NumberedStatement:
    """The statement that scans the index of these vectors for so many of them."""
    parts = _parts(
        has_conditions,
        narrowed,
        in_collection,
        signals=signals,
    )
    nearest = sql.SQL(SQL["nearest_by_index"]).format(
        tenant_id=_literal(vectors.tenant_id),
        agent_id=_literal(vectors.agent_id),
        model_id=_literal(vectors.model_id),
        dimensions=_literal(vectors.dimensions),
        limit=_literal(limit),
        ef_search=_literal(str(min(EF_SEARCH_FACTOR * limit, MAX_EF_SEARCH))),
        nearest=_exact(parts),
        passes=parts["passes"],
    )
    return _compose(nearest, parts)


def _compose(nearest: sql.Composable, parts: Parts) -> NumberedStatement:
    return _numbered(sql.SQL(SQL["recall"]).format(nearest=nearest, **parts))


def _numbered(statement: sql.Composable) -> NumberedStatement:
    """The statement with its parameters numbered once: the driver would do it in each call, which takes a millisecond
    for a text of this length."""
    text = statement.as_string(None)
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${names.setdefault(match[1], len(names) + 1)}" if match[1] else "%"

    return NumberedStatement(PARAMETER.sub(number, text).encode(), tuple(names))


def _exact(parts: Parts) -> sql.Composable:
    return sql.SQL(SQL["nearest"]).format(is_found=parts["is_found"])


def _parts(
    has_conditions: bool,
    narrowed: bool,
    in_collection: bool,
    *,
    has_vector: bool = True,
    signals: tuple[Signal, ...] = (),
) -> Parts:
    """The parts for one of the texts. One text with every condition as a parameter would cost time for each row, and
    its estimates would keep Postgres from caching a plan."""
    named = NARROWED if narrowed else CONDITIONS if has_conditions else NO_CONDITIONS
    if in_collection:
        named = {**named, **OF_COLLECTION}
    named = {**named, **(VECTORS if has_vector else NO_VECTORS)}
    passes = sql.SQL(SQL[named["passes"]])
    rows = [sql.SQL(filled(signal.sql_rows)).format(passes=passes) for signal in signals if signal.sql_rows]
    columns = [sql.SQL(", " + filled(signal.sql_column)) for signal in with_columns(signals)]
    return {
        **{part: sql.SQL(SQL[name]).format(passes=passes) for part, name in named.items()},
        "signal_rows": sql.SQL(" ").join(rows),
        "signal_columns": sql.SQL("").join(columns),
    }


def _rank_borders() -> list[float]:
    """The border between ts_rank of a term that occurs n times and of one that occurs n + 1 times, for each n.

    The rank is the sum of 1 / i^2 over its positions, weighed, which Postgres adds up in single precision.
    """
    counts = np.arange(1, COUNTED_OCCURRENCES + 1)
    summed = np.cumsum(POSITION_WEIGHT / counts.astype(np.float32) ** 2, dtype=np.float32)
    ranks = summed.astype(np.float64) / ALL_POSITIONS
    borders: list[float] = ((ranks[:-1] + ranks[1:]) / 2).tolist()
    return borders


def _literal(value: str | int) -> sql.SQL:
    """A value as part of a statement's text, its percent signs escaped."""
    return sql.SQL(sql.Literal(value).as_string(None).replace("%", "%%"))


def _parameters(query: CandidateQuery) -> dict[str, Any]:
    known = query.statistics
    return {
        **scope_parameters(query.scope),
        **filter_parameters(query.filter),
        "is_true": IS_TRUE[query.filter.searched_validity],
        "now": query.now,
        "embedding": query.vector.values if query.vector else None,
        "model_id": query.vector.model_id if query.vector else "",
        "queries": tsquery_texts(query.scope, query.terms),
        "per_arm": query.candidates_per_arm,
        "with_neighbours": query.with_neighbours,
        "with_vectors": query.with_vectors,
        "rank_borders": RANK_BORDERS,
        "memories": known.memories if known else None,
        "mean_terms": known.mean_terms if known else None,
        "rarities": known.rarities if known else None,
        "k1": SATURATION,
        "b": LENGTH_NORMALIZATION,
        **{
            name: value
            for signal, argument in query.signals.items()
            for name, value in signal.sql_parameters(query.scope, argument).items()
        },
    }


# The borders as Postgres reads an array: a list would be formatted again in each call.
RANK_BORDERS = f"{{{','.join(map(str, _rank_borders()))}}}"
