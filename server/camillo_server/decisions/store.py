"""Decisions, and the chunks by which they are found."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from camillo_server.crypto.keyring import Keyring
from camillo_server.decisions.decision import (
    Decision,
    DecisionCursor,
    DecisionDraft,
    DecisionFilter,
    DecisionId,
    DecisionReach,
    DecisionReplay,
    DecisionStatus,
    Supersession,
    SupersessionReplay,
)
from camillo_server.events.store.chunk_rows import rows_with_terms, store_chunks
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import DecisionCycle, NotFound, VersionConflict
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.encrypted_rows import MIN_ENCRYPTED
from camillo_server.storage.blocklist import Marked, marked_aside
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import JsonPlace, SealedJson
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.text.value_fingerprints import OF_DECISIONS, stated_by

Row = Sequence[Any]
PURPOSE = "decision"
# Reading one, most of it decryption and JSON.
DECISION_MICROSECONDS = 30.0


class DecisionRows:
    """Turns decisions into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

    def parameters(self, scope: Scope, decision: Decision) -> dict[str, Any]:
        """Everything that a statement stores of a new decision, but for the revision. Raises KeyMissing."""
        stated = decision.stated
        details = {
            "decision": stated.decision,
            "rationale": list(stated.rationale),
            "constraints": list(stated.constraints),
            "alternatives": list(stated.alternatives),
            "consequences": list(stated.consequences),
        }
        place = _place(scope.tenant_id, scope.agent_id, decision.decision_id)
        return {
            **scope_parameters(scope),
            "decision_id": decision.decision_id,
            "version": decision.version,
            "reach": int(stated.reach),
            "channel": int(stated.channel),
            "sensitivity": int(stated.sensitivity),
            "session_id": stated.session_id,
            "tags": list(stated.tags),
            "refs": list(stated.refs),
            "decided_at": stated.decided_at or decision.created_at,
            "created_at": decision.created_at,
            **self._sealed.columns(details, place, is_sealed=stated.sensitivity >= MIN_ENCRYPTED),
        }

    async def decisions(self, tenant_id: TenantId, rows: Sequence[Row]) -> list[Decision]:
        """The decisions in the columns of the fragment `decision_columns`. Raises KeyMissing, BytesLost."""
        return await off_loop(
            len(rows) * DECISION_MICROSECONDS,
            lambda: [self.decision(tenant_id, row) for row in rows],
        )

    def decision(self, tenant_id: TenantId, row: Row) -> Decision:
        """The decision of one row. Raises KeyMissing, BytesLost."""
        place = _place(tenant_id, row[1], row[0])
        details = self._sealed.read((row[15], row[16], row[17]), place)
        return Decision(
            decision_id=DecisionId(row[0]),
            agent_id=AgentId(row[1]),
            version=row[2],
            status=DecisionStatus(row[3]),
            stated=DecisionDraft(
                decision=details["decision"],
                refs=tuple(row[9]),
                reach=DecisionReach(row[4]),
                rationale=tuple(details["rationale"]),
                constraints=tuple(details["constraints"]),
                alternatives=tuple(details["alternatives"]),
                consequences=tuple(details["consequences"]),
                session_id=row[7],
                channel=Channel(row[5]),
                sensitivity=Sensitivity(row[6]),
                tags=tuple(row[8]),
                decided_at=row[10],
            ),
            created_at=row[11],
            superseded_by=DecisionId(row[12]) if row[12] else None,
            superseded_at=row[13],
            supersedes=tuple(map(DecisionId, row[14])),
        )


def filter_parameters(wanted: DecisionFilter) -> dict[str, Any]:
    """The parameters of the statement `page`, but for scope, cursor and size."""
    return {
        "statuses": [int(status) for status in wanted.statuses],
        "reaches": [int(reach) for reach in wanted.reaches] or None,
        "session_id": wanted.session_id or None,
        "tags_any": list(wanted.tags_any) or None,
        "ref": wanted.ref.lower() or None,
        "sensitivities": [int(level) for level in wanted.sensitivities],
        "is_public": wanted.is_public,
    }


def _place(tenant_id: str, agent_id: str, decision_id: object) -> JsonPlace:
    return JsonPlace(tenant_id, PURPOSE, f"{agent_id}\0{decision_id}")


SQL = statements("decisions/decisions")
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
