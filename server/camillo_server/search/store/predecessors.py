"""Reads the memories that others have replaced."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.rows import RowReader, filter_parameters
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("search/store/predecessors")


@dataclass(frozen=True, slots=True)
class Predecessors:
    """Raises StorageUnavailable, KeyMissing, BytesLost."""

    database: Database
    keyring: Keyring

    async def of(
        self, scope: Scope, memory_ids: Sequence[MemoryId], filter_: MemoryFilter, now: datetime
    ) -> Mapping[MemoryId, Sequence[Row]]:
        """The memories that each of these replaced and that pass the filter, by its id, the latest first."""
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(filter_),
            "memory_ids": list(memory_ids),
            "now": now,
        }
        rows = await self.database.rows(scope, SQL["predecessors"], parameters)
        reading = RowReader(scope, self.keyring)
        memories = await reading.memories([columns for _, *columns in rows])
        found = defaultdict[MemoryId, list[Row]](list)
        for (successor, *_), memory in zip(rows, memories, strict=True):
            found[successor].append(memory)
        return found
