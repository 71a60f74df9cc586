"""Values that may not be stated: looked for outside of a write, and lifted."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.replay import replay_record
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.storage.blocklist import lift
from camillo_server.storage.database import Session
from camillo_server.storage.receipts import require_receipt
from camillo_server.storage.scope_writes import ScopeWrites


@replay_record
@dataclass(frozen=True, slots=True)
class LiftedReplay:
    """How many values may be stated again."""

    lifted: int


class BlocklistStore:
    """`ValueBlocks` on Postgres."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes

    async def lift(
        self, scope: Scope, what: str | UUID, request: RequestKey | None, *, now: datetime
    ) -> int:
        async def change(session: Session, revision: int) -> LiftedReplay:
            if isinstance(what, UUID):
                await require_receipt(session, scope, what)
            return LiftedReplay(await lift(session, scope, what))

        written = await self._writes.write(scope, request, LiftedReplay, change, now)
        return written.record.lifted
