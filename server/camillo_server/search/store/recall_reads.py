"""Rows that a recall reads beside its candidates: versions that were in force at a moment, memories that others have
replaced, and from which agents an agent accepts handoffs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.kernel.errors import QuotaExceeded, StorageUnavailable
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.rows import RowReader, filter_parameters
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("search/store/recall_reads")
# Their terms are counted in each recall: about a second for so many.
MAX_VERSIONS = 5_000


@dataclass(frozen=True, slots=True)
class PastVersions:
    """Raises StorageUnavailable, KeyMissing, BytesLost."""

    database: Database
    keyring: Keyring

    async def of(self, scope: Scope, known_at: datetime, now: datetime, model_id: str) -> Sequence[NewRow]:
        """The versions of memories that still exist and have not expired by `now`: with this model's vector where the
        current version says the same, and never less sensitive than the current version. Raises QuotaExceeded for more
        than 5,000."""
        parameters = {
            **scope_parameters(scope),
            "known_at": known_at,
            "now": now,
            "model_id": model_id,
            "size": MAX_VERSIONS + 1,
        }
        rows = await self.database.rows(scope, SQL["past_versions"], parameters)
        if len(rows) > MAX_VERSIONS:
            raise QuotaExceeded("memories changed since known_at", MAX_VERSIONS)
        reading = RowReader(scope, self.keyring)
        memories = await reading.memories([columns for _, *columns in rows])
        found = []
        for memory, (level, *_, embedding, key_id, ciphertext) in zip(memories, rows, strict=True):
            vector = None
            if embedding is not None or ciphertext is not None:
                columns = (embedding, key_id, ciphertext)
                vector = reading.vector(memory.memory_id, model_id, columns)
            shown = memory._replace(sensitivity=max(memory.sensitivity, Sensitivity(level)))
            found.append(NewRow(shown, None).with_vector(vector))
        return found


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
