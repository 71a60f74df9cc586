"""Recall answered by Postgres: exact vector distance and BM25 over the scope, in one statement."""

from collections.abc import Sequence
from typing import Any

from camillo_server.domain.ports import Candidate, CandidatePool, RecallSpec
from camillo_server.domain.revision import Freshness
from camillo_server.storage.database import Database, Session
from camillo_server.storage.freshness import read_fresh
from camillo_server.storage.lexemes import tsquery_texts
from camillo_server.storage.rows import filter_parameters, memory_from, scope_parameters
from camillo_server.storage.statements import statements

SQL = statements("recall")
# BM25's length normalisation; its k1 is fixed by the way ts_rank saturates.
LENGTH_NORMALIZATION = 0.4


class PostgresMemorySearch:
    """`MemorySearch` on Postgres."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def candidates(self, spec: RecallSpec, freshness: Freshness) -> CandidatePool:
        parameters = _parameters(spec)

        async def work(session: Session) -> tuple[Sequence[Sequence[Any]], int]:
            rows = await session.rows(SQL["recall"], parameters)
            return rows, rows[0][0]

        rows, revision = await read_fresh(self._database, spec.scope, freshness, work)
        found = [
            Candidate(memory_from(row[2:]), row[22], row[23]) for row in rows if row[2] is not None
        ]
        return CandidatePool(found, revision, vectors_pending=rows[0][1])


def _parameters(spec: RecallSpec) -> dict[str, Any]:
    return {
        **scope_parameters(spec.scope),
        **filter_parameters(spec.filter),
        "without_conditions": spec.filter.is_empty,
        "now": spec.now,
        "embedding": spec.vector.values if spec.vector else None,
        "model_id": spec.vector.model_id if spec.vector else "",
        "queries": tsquery_texts(spec.scope, spec.terms),
        "per_arm": spec.candidates_per_arm,
        "b": LENGTH_NORMALIZATION,
    }
