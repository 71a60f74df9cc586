"""What may be put together, read in pages: thousands of memories, some of them to be opened."""

from collections.abc import Sequence
from typing import Any, LiteralString

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.compaction.grouping import KINDS
from camillo_server.domain.compaction.ports import Wanted
from camillo_server.domain.memory import Memory
from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.row_reading import RowReading
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements

SQL = statements("compactions")
PAGE = 500


class CompactionCandidates:
    """Reads them, each call in one snapshot. Every method raises StorageUnavailable, KeyMissing and BytesLost."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._keyring = keyring

    async def newest(self, scope: Scope, wanted: Wanted) -> Sequence[NewRow]:
        """See `CompactionStore`."""
        async with self._database.snapshot(scope.tenant_id) as session:
            return await self._rows(session, scope, SQL["newest"], _parameters(scope, wanted))

    async def tagged(
        self, scope: Scope, wanted: Wanted, tag_threshold: int
    ) -> tuple[Sequence[str], Sequence[Memory]]:
        """See `CompactionStore`."""
        parameters = {**_parameters(scope, wanted), "tag_threshold": tag_threshold}
        async with self._database.snapshot(scope.tenant_id) as session:
            tags = [row[0] for row in await session.rows(SQL["crowded_tags"], parameters)]
            if not tags:
                return (), ()
            rows = await self._rows(session, scope, SQL["tagged"], {**parameters, "tags_any": tags})
        return tags, [row.memory for row in rows]

    async def _rows(
        self, session: Session, scope: Scope, sql: LiteralString, parameters: dict[str, Any]
    ) -> list[NewRow]:
        reading = RowReading(scope, self._keyring)
        found: list[NewRow] = []
        async with session.cursor("candidates", binary=True) as cursor:
            await cursor.execute(sql, parameters)
            while rows := await cursor.fetchmany(PAGE):
                found += await reading.new_rows(rows)
        return found


def _parameters(scope: Scope, wanted: Wanted) -> dict[str, Any]:
    return {
        **scope_parameters(scope),
        "kinds": [int(kind) for kind in KINDS],
        "tags_any": list(wanted.tags) or None,
        "now": wanted.now,
        "size": wanted.size,
    }
