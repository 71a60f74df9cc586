"""Recall answered by Postgres: vector distance and BM25 over the scope, in one statement."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from psycopg import AsyncRawCursor, sql

from camillo_server.domain.candidates import CandidatePool
from camillo_server.domain.lexical_weights import LENGTH_NORMALIZATION, SATURATION
from camillo_server.domain.ports import RecallSpec
from camillo_server.domain.revision import Freshness
from camillo_server.storage.candidate_rows import CandidateRows
from camillo_server.storage.database import Database, Session
from camillo_server.storage.freshness import read_fresh
from camillo_server.storage.lexemes import COUNTED_OCCURRENCES, tsquery_texts
from camillo_server.storage.rows import filter_parameters, scope_parameters
from camillo_server.storage.statements import statements
from camillo_server.storage.vector_index import IndexedVectors, KnownIndexes

SQL = statements("recall")
PARAMETER = re.compile(r"%(?:\((\w+)\)s|%)")
# How much is asked of an index: a power of two, so that few texts of the statement come about; what exceeds the
# arm's share makes up for what the index misses. The breadth of its search is a multiple of that.
LEAST_WALKED = 64
BREADTH = 2
MOST_BREADTH = 1_000
# The weight of a position in ts_rank, and the sum over all positions that it divides by.
POSITION_WEIGHT, ALL_POSITIONS = np.float32(0.1), 1.64493406685


@dataclass(frozen=True, slots=True)
class Statement:
    """A text with parameters by number, and their names in that order."""

    text: bytes
    names: tuple[str, ...]


class PostgresMemorySearch:
    """`MemorySearch` on Postgres."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._indexes = KnownIndexes()

    async def candidates(self, spec: RecallSpec, freshness: Freshness) -> CandidatePool:
        parameters = _parameters(spec)

        async def work(session: Session) -> tuple[CandidateRows, int]:
            statement = await self._statement(session, spec)
            cursor = AsyncRawCursor(session)
            values = [parameters[name] for name in statement.names]
            await cursor.execute(statement.text, values, binary=True)
            rows = CandidateRows(cursor)
            return rows, rows.revision

        rows, _ = await read_fresh(self._database, spec.scope, freshness, work)
        return rows.pool(spec)

    async def _statement(self, session: Session, spec: RecallSpec) -> Statement:
        has_conditions = not spec.filter.is_empty
        if spec.vector is not None:
            scope, vector = spec.scope, spec.vector
            vectors = IndexedVectors(
                scope.tenant_id, scope.agent_id, vector.model_id, vector.values.size
            )
            if await self._indexes.has(session, vectors):
                return indexed_statement(
                    vectors, _walked(spec.candidates_per_arm), has_conditions=has_conditions
                )
        return exact_statement(has_conditions=has_conditions)


@cache
def exact_statement(*, has_conditions: bool) -> Statement:
    """The statement that compares with every vector of the scope."""
    return _composed(_exact(has_conditions), has_conditions)


@lru_cache(maxsize=1_000)
def indexed_statement(vectors: IndexedVectors, walked: int, *, has_conditions: bool) -> Statement:
    """The statement that asks the index of these vectors for so many of them."""
    nearest = sql.SQL(SQL["nearest_by_index"]).format(
        tenant_id=_literal(vectors.tenant_id),
        agent_id=_literal(vectors.agent_id),
        model_id=_literal(vectors.model_id),
        dimensions=_literal(vectors.dimensions),
        candidates=_literal(walked),
        breadth=_literal(str(min(BREADTH * walked, MOST_BREADTH))),
        nearest=_exact(has_conditions),
        passes=_passes(has_conditions),
    )
    return _composed(nearest, has_conditions)


def _composed(nearest: sql.Composable, has_conditions: bool) -> Statement:
    recall = sql.SQL(SQL["recall"]).format(nearest=nearest, passes=_passes(has_conditions))
    return _numbered(recall.as_string(None))


def _numbered(text: str) -> Statement:
    """Done once, where the driver would do it in each call: for a text of this length that takes a millisecond."""
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${names.setdefault(match[1], len(names) + 1)}" if match[1] else "%"

    return Statement(PARAMETER.sub(number, text).encode(), tuple(names))


def _exact(has_conditions: bool) -> sql.Composable:
    is_found = sql.SQL(SQL["is_found" if has_conditions else "is_not_hidden"])
    return sql.SQL(SQL["nearest"]).format(is_found=is_found.format(passes=_passes(has_conditions)))


def _passes(has_conditions: bool) -> sql.Composable:
    """Two texts and not one with both: parameters cost time for each row, and an estimate of what is not asked for
    keeps Postgres from keeping its plan."""
    return sql.SQL(SQL["conditions" if has_conditions else "no_conditions"])


def rank_borders() -> list[float]:
    """Between ts_rank of a term that occurs n times and one that occurs n + 1 times, for each n.

    The rank is the sum of 1 / i^2 over its positions, weighed, which Postgres adds up in single precision.
    """
    counts = np.arange(1, COUNTED_OCCURRENCES + 1)
    summed = np.cumsum(POSITION_WEIGHT / counts.astype(np.float32) ** 2, dtype=np.float32)
    ranks = summed.astype(np.float64) / ALL_POSITIONS
    borders: list[float] = ((ranks[:-1] + ranks[1:]) / 2).tolist()
    return borders


def _literal(value: str | int) -> sql.SQL:
    """A value in the text of a statement, whose percent signs are not those of a parameter."""
    return sql.SQL(sql.Literal(value).as_string(None).replace("%", "%%"))


def _walked(candidates: int) -> int:
    return max(LEAST_WALKED, 1 << (candidates - 1).bit_length())


def _parameters(spec: RecallSpec) -> dict[str, Any]:
    return {
        **scope_parameters(spec.scope),
        **filter_parameters(spec.filter),
        "now": spec.now,
        "embedding": spec.vector.values if spec.vector else None,
        "model_id": spec.vector.model_id if spec.vector else "",
        "queries": tsquery_texts(spec.scope, spec.terms),
        "per_arm": spec.candidates_per_arm,
        "with_neighbours": spec.with_neighbours,
        "with_vectors": spec.with_vectors,
        "rank_borders": RANK_BORDERS,
        "k1": SATURATION,
        "b": LENGTH_NORMALIZATION,
    }


# As Postgres reads it: a list would be written anew in each call.
RANK_BORDERS = f"{{{','.join(map(str, rank_borders()))}}}"
