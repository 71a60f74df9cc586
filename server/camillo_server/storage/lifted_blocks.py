"""Values that may not be stated: looked for outside of a write, and lifted."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.domain.replay import replay_record
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey
from camillo_server.storage.database import Database, Session
from camillo_server.storage.receipts import require_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.value_blocks import blocked_marks, has_blocks, lift


@replay_record
@dataclass(frozen=True, slots=True)
class LiftedReplay:
    """How many values may be stated again."""

    lifted: int


class PostgresValueBlocks:
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


class PostgresForgottenValues:
    """`ForgottenValues` on Postgres. What is being forgotten at the same time may not be among them yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def exist(self, scope: Scope) -> bool:
        return await self._database.read(
            scope.tenant_id, lambda session: has_blocks(session, scope)
        )

    async def hold(self, scope: Scope, marks: Collection[bytes]) -> bool:
        found = await self._database.read(
            scope.tenant_id, lambda session: blocked_marks(session, scope, marks)
        )
        return bool(found)
