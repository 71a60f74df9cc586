"""Refs: what events, decisions and tasks cite, and whether it exists."""

import re
from collections.abc import Sequence
from uuid import UUID

from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/refs")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


class RefResolver:
    """Checks that cited events, chunks, memories, decisions, tasks, slots and artifacts exist; those of another tenant
    or another agent count as missing. Raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def missing(self, scope: Scope, refs: Sequence[str]) -> Sequence[str]:
        """The refs that exist neither in the scope nor in the tenant's shared scope, in their order."""
        ids = {ref: UUID(ref) for ref in refs if _UUID.fullmatch(ref)}
        names = {ref for ref in refs if _ARTIFACT_ID.fullmatch(ref)}
        if not ids and not names:
            return list(refs)
        parameters = {
            **scope_parameters(scope),
            "ids": list(set(ids.values())),
            "artifact_ids": list(names),
        }

        rows = await self._database.rows(scope, SQL["existing"], parameters)
        existing = {ref for (ref,) in rows}
        return [ref for ref in refs if str(ids.get(ref, ref)) not in existing]
