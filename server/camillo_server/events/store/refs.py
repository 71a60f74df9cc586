"""Refs: checks that what is cited exists."""

import re
from collections.abc import Sequence
from uuid import UUID

from camillo_server.kernel.errors import RefNotFound
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/refs")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


class RefResolver:
    """Knows which ids exist: of events, chunks, memories, decisions, tasks and artifacts. Those of another tenant or
    another agent count as missing. Raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def check(self, scope: Scope, refs: Sequence[str]) -> None:
        """Raises RefNotFound for the first ref that does not exist."""
        if refs and (missing := await self.missing(scope, refs)):
            raise RefNotFound(missing[0])

    async def missing(self, scope: Scope, refs: Sequence[str]) -> Sequence[str]:
        """Those of the refs that exist neither in the scope nor in the tenant's shared scope, in their order."""
        ids = {ref: UUID(ref) for ref in refs if _UUID.fullmatch(ref)}
        names = {ref for ref in refs if _ARTIFACT_ID.fullmatch(ref)}
        if not ids and not names:
            return list(refs)
        parameters = {
            **scope_parameters(scope),
            "ids": list(set(ids.values())),
            "artifact_ids": list(names),
        }

        async def work(session: Session) -> set[object]:
            return {row[0] for row in await session.rows(SQL["found"], parameters)}

        found = await self._database.read(scope.tenant_id, work)
        return [ref for ref in refs if str(ids.get(ref, ref)) not in found]
