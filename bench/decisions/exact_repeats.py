"""What a repeat costs: `python -m bench.decisions.exact_repeats` (docs/adr/0029).

One caller stores memories that are new, and repeats others: bare, and with a tag that makes a new version of them; in rounds
that take turns. Then batches of an import, new and repeated.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import numpy as np
import psycopg
from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId, time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import MemoryDraft
from camillo_server.memories.ports import MemoriesReplay, NewRow
from camillo_server.memories.store.writer import PostgresMemoryWriter
from camillo_server.settings import DatabaseSettings
from camillo_server.storage.change_notifier import PostgresChangeBell
from camillo_server.storage.database import Database
from camillo_server.storage.scope_writes import ScopeWrites

from bench.decisions.scratch import scratch_postgres
from bench.measure.timing import percentile, taking_turns

ROUNDS = 8
WRITES_A_ROUND = 200
IMPORTED = 1_000
DIMENSIONS = 384
SCOPE = Scope(TenantId("acme"), AgentId("alice"))
NO_REPLAY = MemoriesReplay(datetime.now(UTC), (), ())

Write = Callable[[int], Awaitable[object]]


def main() -> int:
    """Prints a line for each way."""
    with scratch_postgres() as postgres:
        with psycopg.connect(postgres.owner_url) as owner:
            owner.execute("select set_config('camillo.tenant', %s, true)", [SCOPE.tenant_id])
            owner.execute("insert into camillo.tenants values (%s, '', now())", [SCOPE.tenant_id])
        asyncio.run(_compare(postgres.server_url))
    return 0


async def _compare(url: str) -> None:
    async with _writer(url) as writer:
        ways = _ways(writer)
        taken: dict[str, list[float]] = {name: [] for name in ways}
        counts = dict.fromkeys(ways, 0)
        for name in taking_turns(list(ways), ROUNDS):
            for number in range(counts[name], counts[name] + WRITES_A_ROUND):
                taken[name].append(await _milliseconds(ways[name](number)))
            counts[name] += WRITES_A_ROUND
        print(f"{ROUNDS * WRITES_A_ROUND} writes each, one caller, fsync on; milliseconds")
        for name, each in taken.items():
            print(f"{name:24}{percentile(each, 50):6.2f}{percentile(each, 95):7.2f}")
        await _imports(writer)


@asynccontextmanager
async def _writer(url: str) -> AsyncIterator[PostgresMemoryWriter]:
    database = Database(url, DatabaseSettings(pool_min=2, pool_max=4, connect_timeout_seconds=5))
    await database.open()
    yield PostgresMemoryWriter(ScopeWrites(database, PostgresChangeBell(url)))
    await database.close()


def _ways(writer: PostgresMemoryWriter) -> dict[str, Write]:
    """A repeat is of one of as many memories as a round has, which are new in its first round only."""

    async def remember(text: str, **fields: Any) -> None:
        await writer.remember(SCOPE, _row(text, **fields), NO_REPLAY, None, now=datetime.now(UTC))

    return {
        "new": lambda number: remember(f"new {number}"),
        "repeat": lambda number: remember(f"bare {number % WRITES_A_ROUND}"),
        "repeat with a tag": lambda number: remember(
            f"tagged {number % WRITES_A_ROUND}", tags=(f"round {number // WRITES_A_ROUND}",)
        ),
    }


async def _imports(writer: PostgresMemoryWriter) -> None:
    for name in ("new", "repeated"):
        taken = []
        for number in range(ROUNDS):
            rows = [_row(f"imported {number} {place}") for place in range(IMPORTED)]
            now = datetime.now(UTC)
            batch = writer.import_rows(SCOPE, rows, replace=False, after=None, now=now)
            taken.append(await _milliseconds(batch))
        print(f"import of {IMPORTED:,}, {name:9}{percentile(taken, 50):6.0f}")


async def _milliseconds(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return (time.perf_counter() - started) * 1000


def _row(text: str, **fields: Any) -> NewRow:
    now = datetime.now(UTC)
    values = np.random.default_rng(len(text)).standard_normal(DIMENSIONS, dtype=np.float32)
    vector = Vector("measured", values / np.linalg.norm(values))
    content = f"The customer prefers to be called in the morning, and has said so in {text}"
    draft = MemoryDraft(content=content, vector=vector, **fields)
    return NewRow(draft.memory(SCOPE.agent_id, MemoryId(time_ordered_uuid(now)), now), vector)


if __name__ == "__main__":
    sys.exit(main())
