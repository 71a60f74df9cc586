"""The agents whose actions an agent is shown: itself, and those from which it accepts handoffs."""

from dataclasses import dataclass

from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("search/store/accepted_senders")


@dataclass(frozen=True, slots=True)
class AcceptedSenders:
    """Reads from which agents an agent accepts handoffs."""

    database: Database

    async def of(self, receiver: Scope) -> frozenset[AgentId] | None:
        """The agent itself and those from which it accepts handoffs; None: any. Itself alone while Postgres is away."""
        try:
            rows = await self.database.rows(receiver, SQL["senders"], scope_parameters(receiver))
        except StorageUnavailable:
            return frozenset({receiver.agent_id})
        senders = rows[0][0] if rows else None
        return None if senders is None else frozenset({receiver.agent_id, *senders})
