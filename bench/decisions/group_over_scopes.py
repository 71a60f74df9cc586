"""Measures whether Remembers of several agents of a tenant are stored together or each alone: `python -m
bench.decisions.group_over_scopes` (docs/adr/revisions-and-writes.md#adr-0130).

Sixteen callers write to scopes of their own, one memory after the other, past the server's door, with fsync on. Both
ways take turns, on the same database; the processor's time of Postgres is that of all its connections.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from statistics import median
from uuid import uuid4

from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.rows.write_records import MemoriesReplay
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.embedded.account import DATABASE, SERVER
from camillo_server.storage.group_commit import GroupCommit
from camillo_server.storage.scope_writes import ScopeWrites
from rich.console import Console
from rich.table import Table

from bench.decisions.scratch import MODEL, SCOPE, opened_database, scratch_postgres
from bench.decisions.write_limits import CALLERS, material
from bench.measure.servers import backend_seconds

ROUNDS, WRITES, CONNECTIONS = 5, 40, 8
SCOPES = [Scope(SCOPE.tenant_id, AgentId(f"agent-{number}")) for number in range(CALLERS)]


class AloneWriter(MemoryWriter):
    """Stores only writes of one scope together."""

    def __init__(self, writes: ScopeWrites) -> None:
        super().__init__(writes)
        self._groups = GroupCommit(self._remember_group)


async def write(writer: MemoryWriter, scope: Scope) -> None:
    for text, values in material()[:WRITES]:
        now, memory_id, vector = datetime.now(UTC), MemoryId(uuid4()), Vector(MODEL, values)
        row = NewRow(MemoryDraft(f"{text} {memory_id}", vector=vector).memory(scope.agent_id, memory_id, now), vector)
        replay = MemoriesReplay(at=now, memory_ids=(memory_id,), models=(MODEL,), ends=(None,), attributions=())
        await writer.remember(scope, row, replay, None, now=now)


@asynccontextmanager
async def writer_of(url: str, kind: type[MemoryWriter]) -> AsyncIterator[tuple[MemoryWriter, list[int]]]:
    """A writer, and the processes of its connections."""
    async with opened_database(url, CONNECTIONS) as database:
        await database._pool.wait()
        await database._pool.resize(CONNECTIONS, CONNECTIONS)
        await database._pool.wait()
        writer = kind(ScopeWrites(database, ChangeNotifier(url)))
        yield writer, [each.info.backend_pid for each in database._pool._pool]


async def measure(url: str) -> dict[str, list[tuple[float, ...]]]:
    """Writes a second, and microseconds of the processor for one: of this process, of Postgres; round by round."""
    found: dict[str, list[tuple[float, ...]]] = {"each alone": [], "together": []}
    async with writer_of(url, AloneWriter) as alone, writer_of(url, MemoryWriter) as together:
        for number in range(ROUNDS + 1):
            for name, (writer, backends) in zip(found, (alone, together), strict=True):
                before, own, began = sum(map(backend_seconds, backends)), time.process_time(), time.perf_counter()
                await asyncio.gather(*(write(writer, scope) for scope in SCOPES))
                writes, seconds = CALLERS * WRITES, time.perf_counter() - began
                spent = time.process_time() - own, sum(map(backend_seconds, backends)) - before
                if number:
                    found[name].append((writes / seconds, *(1e6 * each / writes for each in spent)))
    return found


def main() -> None:
    with scratch_postgres() as postgres:
        found = asyncio.run(measure(postgres.url(SERVER, DATABASE)))
    table = Table("16 callers, a scope each", "writes a second", "us of the writer", "us of Postgres")
    for name, rounds in found.items():
        table.add_row(name, *(f"{median(each):,.0f}" for each in zip(*rounds, strict=True)))
    Console().print(table)


if __name__ == "__main__":
    main()
