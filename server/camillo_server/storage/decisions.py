"""Decisions, and the chunks by which they are found."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.decisions.decision import (
    Decision,
    DecisionFilter,
    DecisionId,
    DecisionStatus,
)
from camillo_server.domain.decisions.ports import (
    DecisionCursor,
    DecisionReplay,
    Supersession,
    SupersessionReplay,
)
from camillo_server.domain.errors import DecisionCycle, NotFound, VersionConflict
from camillo_server.domain.forgetting.stated import OF_DECISIONS, stated_by
from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey, Written
from camillo_server.storage.chunk_rows import rows_with_terms, store_chunks
from camillo_server.storage.database import Session
from camillo_server.storage.decision_rows import DecisionRows, filter_parameters
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import statements
from camillo_server.storage.value_blocks import Marked, marked_aside

SQL = statements("decisions")
R = TypeVar("R")
BEHIND_ALL = DecisionCursor(datetime.max.replace(tzinfo=UTC), DecisionId(UUID(int=2**128 - 1)))


class PostgresDecisionStore:
    """`DecisionStore` on Postgres. Writes raise KeyMissing, too, and reads BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._keyring = keyring
        self._rows = DecisionRows(keyring)

    async def record(
        self,
        scope: Scope,
        decision: Decision,
        row: NewRow,
        replay: DecisionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[DecisionReplay]:
        rows = await rows_with_terms([row])
        stated = await _stated(scope, decision)

        async def change(session: Session, revision: int) -> DecisionReplay:
            await self._insert(session, scope, decision, rows, revision)
            return replay

        return await self._writes.write(
            scope, request, DecisionReplay, change, now, rows, stated=stated
        )

    async def supersede(
        self,
        scope: Scope,
        supersession: Supersession,
        replay: SupersessionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[SupersessionReplay]:
        """A successor that was there gets a new version; one that is not in force raises VersionConflict."""
        rows = await rows_with_terms([supersession.row] if supersession.row else [])
        stated = await _stated(scope, supersession.successor) if rows else None
        key = {
            **scope_parameters(scope),
            "decision_id": supersession.decision_id,
            "successor_id": supersession.successor.decision_id,
            "now": now,
        }

        async def change(session: Session, revision: int) -> SupersessionReplay:
            await _require_no_cycle(session, key, supersession)
            await _require_in_force(
                session, key, supersession.decision_id, supersession.expected_version
            )
            if rows:
                await self._insert(session, scope, supersession.successor, rows, revision)
            else:
                await _require_in_force(
                    session, key, supersession.successor.decision_id, supersession.successor.version
                )
                await session.execute(SQL["touch"], {**key, "revision": revision})
            await session.execute(SQL["supersede"], {**key, "revision": revision})
            await session.execute(SQL["archive_chunk"], {**key, "revision": revision})
            return replay

        return await self._writes.write(
            scope, request, SupersessionReplay, change, now, rows, stated=stated
        )

    async def first_answer(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        *,
        now: datetime,
    ) -> Written[R] | None:
        return await self._writes.first_answer(scope, request, record_type, now)

    async def get(
        self, scope: Scope, decision_ids: Sequence[DecisionId]
    ) -> dict[DecisionId, Decision]:
        parameters = {**scope_parameters(scope), "decision_ids": list(decision_ids)}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["get"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        found = await self._rows.decisions(scope.tenant_id, rows)
        return {decision.decision_id: decision for decision in found}

    async def page(
        self, scope: Scope, wanted: DecisionFilter, after: DecisionCursor | None, size: int
    ) -> Sequence[Decision]:
        """Made: as `created_at` tells."""
        behind = after or BEHIND_ALL
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(wanted),
            "after_at": behind.at,
            "after_id": behind.decision_id,
            "size": size,
        }

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["page"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return await self._rows.decisions(scope.tenant_id, rows)

    async def _insert(
        self,
        session: Session,
        scope: Scope,
        decision: Decision,
        rows: Sequence[NewRow],
        revision: int,
    ) -> None:
        """Inside the caller's transaction, which has taken the scope's turn."""
        parameters = {**self._rows.parameters(scope, decision), "revision": revision}
        await session.execute(SQL["insert"], parameters)
        await store_chunks(session, scope, rows, self._keyring)


async def _stated(scope: Scope, decision: Decision) -> Marked:
    return await marked_aside(scope, stated_by(decision.stated, OF_DECISIONS))


async def _require_no_cycle(
    session: Session, key: dict[str, Any], supersession: Supersession
) -> None:
    """Raises DecisionCycle where the successor lost its place, sooner or later, to the one whose place it takes."""
    successor_id = supersession.successor.decision_id
    rows = await session.rows(SQL["successors"], {**key, "decision_id": successor_id})
    if supersession.decision_id in {row[0] for row in rows}:
        raise DecisionCycle(supersession.decision_id)


async def _require_in_force(
    session: Session, key: dict[str, Any], decision_id: DecisionId, expected_version: int
) -> None:
    """Raises NotFound, VersionConflict."""
    found = await session.row(SQL["lock"], {**key, "decision_id": decision_id})
    if found is None:
        raise NotFound("decision", decision_id)
    version, status = found
    if version != expected_version or status != DecisionStatus.ACTIVE:
        raise VersionConflict("decision", expected_version, version)
