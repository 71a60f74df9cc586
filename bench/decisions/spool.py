"""Measures an append to the spool: `python -m bench.decisions.spool [DIRECTORY]` (docs/adr/0091).

The directory is on the disk that is asked about; by default, one below the current directory. Contenders take turns. `each synced` is
the spool without its sharing of syncs; `SQLite` commits each write to a table by a thread, with a write-ahead log and full syncs.
"""

import asyncio
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.caller import Caller
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Principal, Role, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.spool.spool import Spool
from camillo_server.spool.spooled_write import SpooledWrite

from bench.measure.timing import Rounds, taking_turns

ROUNDS = 5
SECONDS = 1.0
AT_ONCE = 16
BODY_BYTES = 600
MAX_BYTES = 1 << 30
SCOPE = Scope(TenantId("bench"), AgentId("agent"))
PRINCIPAL = Principal(SCOPE.tenant_id, SCOPE.agent_id, Role.WRITER)

Append = Callable[[SpooledWrite], Awaitable[None]]


def main() -> None:
    """Prints appends a second and the milliseconds of one."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else ".") as directory:
        figures = asyncio.run(_rounds(Path(directory))).figures()
    print(f"appends of {BODY_BYTES} bytes, encrypted, {ROUNDS} rounds; medians")
    for name, rate in figures.items():
        many = AT_ONCE if name.startswith(str(AT_ONCE)) else 1
        print(f"{name:28}{rate.median:8,.0f} a second {1000 * many / rate.median:7.2f} ms each")


async def _rounds(directory: Path) -> Rounds:
    rounds = Rounds()
    spool = Spool(directory / "spool", MAX_BYTES, Keyring({"k": os.urandom(32)}))
    single = Spool(directory / "single", MAX_BYTES, Keyring({"k": os.urandom(32)}))
    turn, database = asyncio.Lock(), _Database(directory / "spool.db")

    async def alone(write: SpooledWrite) -> None:
        async with turn:
            await single.append(write)

    contenders: dict[str, tuple[Append, int]] = {
        "one at a time": (spool.append, 1),
        "one at a time, SQLite": (database.append, 1),
        f"{AT_ONCE} at once": (spool.append, AT_ONCE),
        f"{AT_ONCE} at once, each synced": (alone, AT_ONCE),
        f"{AT_ONCE} at once, SQLite": (database.append, AT_ONCE),
    }
    for name in taking_turns(list(contenders), ROUNDS):
        append, callers = contenders[name]
        rounds.add({name: await _rate(append, callers)})
    await spool.close()
    await single.close()
    return rounds


async def _rate(append: Append, callers: int) -> float:
    """Appends a second."""
    end = time.perf_counter() + SECONDS

    async def append_on() -> int:
        count = 0
        while time.perf_counter() < end:
            await append(_write())
            count += 1
        return count

    began = time.perf_counter()
    counts = await asyncio.gather(*(append_on() for _ in range(callers)))
    return sum(counts) / (time.perf_counter() - began)


def _write() -> SpooledWrite:
    request = RequestKey(uuid4().hex, os.urandom(32))
    body = os.urandom(BODY_BYTES)
    return SpooledWrite(
        uuid4(),
        "MemoryService.Remember",
        SCOPE,
        datetime.now(UTC),
        request,
        False,
        Caller(PRINCIPAL),
        body,
    )


class _Database:
    """A table of writes, in a thread of its own."""

    def __init__(self, path: Path) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = full")
        self._connection.execute("create table writes (id integer primary key, body blob)")

    async def append(self, write: SpooledWrite) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._insert, write.body)

    def _insert(self, body: bytes) -> None:
        self._connection.execute("insert into writes (body) values (?)", (body,))


if __name__ == "__main__":
    main()
