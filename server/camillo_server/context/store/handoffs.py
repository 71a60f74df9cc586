"""Handoffs: kept in the scope of the agent that they are for, their requests in that of the one who gives."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.context.view import Handoff, HandoffPacket, HandoffReplay
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.storage.blocklist import fingerprint_texts_off_loop, refuse_blocked
from camillo_server.storage.database import Session
from camillo_server.storage.requests import first_answer, keep_answer, write_once
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.text.value_fingerprints import OF_PACKETS, stated_by

SQL = statements("context/store/context")


class HandoffStore:
    """Packets between agents of a tenant. Every method raises StorageUnavailable; `put` raises RequestIdReused."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes
        self._database = writes.database

    async def put(
        self,
        scope: Scope,
        handoff: Handoff,
        replay: HandoffReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[HandoffReplay]:
        """Stores a packet of this scope for another agent, whose scope's revision it advances and returns. Raises NotFound for
        an agent that does not exist, ValueRejected for text that either agent has forgotten."""
        receiver = Scope(scope.tenant_id, handoff.to_agent_id)
        stated = await fingerprint_texts_off_loop(scope, _stated(handoff))
        parameters = {**handoff_parameters(scope, handoff), "now": now}

        async def work(session: Session) -> Written[HandoffReplay]:
            async with session.transaction():
                answer = await first_answer(session, scope, request, HandoffReplay, now)
                if answer is not None:
                    return answer
                taken = await session.row(SQL["take_receivers_turn"], scope_parameters(receiver))
                if taken is None:
                    raise NotFound("agent", handoff.to_agent_id)
                for each in (scope, receiver):
                    await refuse_blocked(session, each, stated)
                await session.execute(SQL["put_handoff"], parameters)
                written = Written(taken[0], replay)
                await keep_answer(session, scope, request, written, now)
                return written

        written = await write_once(lambda: self._writes.run(receiver, work))
        self._writes.notify(receiver, written.revision, ())
        return written

    async def incoming(self, scope: Scope, size: int, *, now: datetime) -> Sequence[Handoff]:
        """Unexpired packets to this agent, the latest first."""
        parameters = {**scope_parameters(scope), "size": size, "now": now}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["handoffs"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return [handoff_from(row) for row in rows]


def handoff_parameters(scope: Scope, handoff: Handoff) -> dict[str, Any]:
    """Everything that a statement stores of a handoff, in the scope of the agent that it is for."""
    packet = handoff.packet
    return {
        "tenant_id": scope.tenant_id,
        "agent_id": handoff.to_agent_id,
        "handoff_id": handoff.handoff_id,
        "from_agent_id": handoff.from_agent_id,
        "session_id": handoff.session_id,
        "created_at": handoff.created_at,
        "expires_at": handoff.expires_at,
        "details": Jsonb(
            {
                "text": handoff.text,
                "tokens": handoff.tokens,
                "goal": packet.goal,
                "plan_step": packet.plan_step,
                "note": packet.note,
                "task_ids": [str(task_id) for task_id in packet.task_ids],
                "decision_ids": [str(decision_id) for decision_id in packet.decision_ids],
                "constraints": list(packet.constraints),
            }
        ),
    }


def handoff_from(row: Sequence[Any]) -> Handoff:
    """The handoff in the columns of the fragment `handoff_columns`."""
    handoff_id, from_agent_id, to_agent_id, session_id, created_at, expires_at, details = row
    return Handoff(
        handoff_id=handoff_id,
        from_agent_id=AgentId(from_agent_id),
        to_agent_id=AgentId(to_agent_id),
        session_id=session_id,
        packet=HandoffPacket(
            goal=details["goal"],
            plan_step=details["plan_step"],
            note=details["note"],
            task_ids=tuple(map(UUID, details["task_ids"])),
            decision_ids=tuple(map(UUID, details["decision_ids"])),
            constraints=tuple(details["constraints"]),
        ),
        text=details["text"],
        tokens=details["tokens"],
        created_at=created_at,
        expires_at=expires_at,
    )


def _stated(handoff: Handoff) -> Mapping[str, str]:
    """With the tasks and decisions that the packet names, as they are shown."""
    return {**stated_by(handoff.packet, OF_PACKETS, "packet."), "packet": handoff.text}
