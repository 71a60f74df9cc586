"""Handoffs: kept in the scope of the agent that they are for, their requests in that of the one who gives."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg.errors import UniqueViolation

from camillo_server.context.ports import HandoffReplay
from camillo_server.context.store.views import handoff_from, handoff_parameters
from camillo_server.context.view import Handoff
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.storage.blocklist import marked_aside, refuse_blocked
from camillo_server.storage.database import Session
from camillo_server.storage.errors import violates
from camillo_server.storage.requests import PRIMARY_KEY, first_answer, keep_answer
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.text.value_fingerprints import OF_PACKETS, stated_by

SQL = statements("context/store/context")


class PostgresHandoffStore:
    """`HandoffStore` on Postgres."""

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
        """The revision is that of the other agent's scope. What either has forgotten is handed to nobody."""
        receiver = Scope(scope.tenant_id, handoff.to_agent_id)
        stated = await marked_aside(scope, _stated(handoff))
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

        try:
            written = await self._writes.run(receiver, work)
        except UniqueViolation as error:
            if not violates(error, PRIMARY_KEY):
                raise
            # The same request came twice at once, and the other was first.
            written = await self._writes.run(receiver, work)
        self._writes.notify(receiver, written.revision, ())
        return written

    async def incoming(self, scope: Scope, size: int, *, now: datetime) -> Sequence[Handoff]:
        parameters = {**scope_parameters(scope), "size": size, "now": now}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["handoffs"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return [handoff_from(row) for row in rows]


def _stated(handoff: Handoff) -> Mapping[str, str]:
    """With the tasks and decisions that the packet names, as they are shown."""
    return {**stated_by(handoff.packet, OF_PACKETS, "packet."), "packet": handoff.text}
