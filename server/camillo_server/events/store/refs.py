"""Which ids name something."""

import re
from collections.abc import Sequence
from uuid import UUID

from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/refs")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


class PostgresRefResolver:
    """`RefResolver` on Postgres. What is in another tenant, or another agent's, is as missing as what is nowhere."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def missing(self, scope: Scope, refs: Sequence[str]) -> Sequence[str]:
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
