"""Measures what a write costs Postgres and the disk without the server: `python -m bench.decisions.write_limits`
(docs/performance.md).

The same rows, a text and a vector of 384 numbers, with fsync on: one INSERT each into a table that has nothing but its
key, by one connection and by sixteen; COPY in binary of batches of 1,000 into such a table; and the statement of
Remember itself, with its indexes, policies, audit trail and foreign keys. Beside them, how long the disk takes to write
8 kB. Contenders take turns; the figures are medians of rounds, and `least` the fastest of them.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from statistics import median
from typing import Any, LiteralString
from uuid import uuid4

import numpy as np
import psycopg
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.store.rows import row_parameters
from camillo_server.rows.store.writer import REMEMBER
from camillo_server.storage.database import Binding, Session
from camillo_server.storage.embedded.account import DATABASE, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.statements import scope_parameters
from camillo_server.storage.wire import register_vectors
from camillo_server.storage.written_requests import audit_of, audits_json
from rich.console import Console
from rich.table import Table

from bench.decisions.scratch import DIMENSIONS, MODEL, SCOPE, scratch_postgres, superuser_of
from bench.material.texts import Texts

ROUNDS, WRITES, CALLERS, BATCH, BATCHES = 5, 100, 16, 1_000, 5
CREATE = "create table camillo.bare (id uuid primary key, content text not null, embedding vector not null)"
INSERT: LiteralString = "insert into camillo.bare values (%s, %s, %s)"
COPY: LiteralString = "copy camillo.bare from stdin (format binary)"
# Does some writes, and returns how many.
Contender = Callable[[], Awaitable[int]]


@cache
def material() -> Sequence[tuple[str, Any]]:
    """Texts with vectors."""
    numbers = np.random.default_rng(7).standard_normal((BATCH, DIMENSIONS)).astype(np.float32)
    return [*zip(Texts(3).sentences(BATCH), numbers, strict=True)]


def rows(count: int) -> list[tuple[Any, str, Any]]:
    """New rows, no two of which say the same."""
    return [(memory_id := uuid4(), f"{text} {memory_id}", vector) for text, vector in material()[:count]]


async def inserts(connections: Sequence[psycopg.AsyncConnection[Any]]) -> int:
    async def insert(connection: psycopg.AsyncConnection[Any], given: Sequence[Any]) -> None:
        for row in given:
            await connection.execute(INSERT, row, binary=True)

    share = max(WRITES // len(connections), 20)
    made = rows(share * len(connections))
    parts = [made[begin : begin + share] for begin in range(0, len(made), share)]
    await asyncio.gather(*map(insert, connections, parts))
    return len(made)


async def copies(connection: psycopg.AsyncConnection[Any]) -> int:
    for _ in range(BATCHES):
        async with connection.cursor() as cursor, cursor.copy(COPY) as copy:
            copy.set_types(["uuid", "text", "vector"])
            for row in rows(BATCH):
                await copy.write_row(row)
    return BATCH * BATCHES


async def remembers(session: Session) -> int:
    now, binding = datetime.now(UTC), Binding(SCOPE, 10_000)
    for memory_id, content, values in rows(WRITES):
        vector = Vector(MODEL, values)
        row = NewRow(MemoryDraft(content, vector=vector).memory(SCOPE.agent_id, memory_id, now), vector)
        parameters = {**scope_parameters(SCOPE), **row_parameters(SCOPE, row), "marks": None, "now": now}
        parameters |= {"request_id": str(memory_id), "content_digest": bytes(32), "facts": "{}", "added_memories": 1}
        parameters |= {"audits": audits_json([audit_of(None, now)]), "added_terms": parameters["term_count"]}
        await session.run_alone(binding, (REMEMBER, parameters))
    return WRITES


async def flushes() -> int:
    with tempfile.TemporaryFile() as file:
        for number in range(WRITES):
            os.pwrite(file.fileno(), bytes(8_192), 8_192 * (number % 100))
            os.fdatasync(file.fileno())
    return WRITES


async def measure(postgres: EmbeddedPostgres) -> dict[str, list[float]]:
    """Milliseconds for each write of each contender, round by round."""
    url = postgres.url(SUPERUSER, DATABASE)
    bare = [await psycopg.AsyncConnection.connect(url, autocommit=True) for _ in range(CALLERS)]
    session = await Session.connect(postgres.url(SERVER, DATABASE), autocommit=True)
    await session.execute("select set_config('search_path', 'camillo, public', false)")
    for connection in (*bare, session):
        await register_vectors(connection)
    contenders: dict[str, Contender] = {
        "8 kB written and flushed": flushes,
        "bare INSERT, one connection": lambda: inserts(bare[:1]),
        f"bare INSERT, {CALLERS} connections": lambda: inserts(bare),
        "Remember's statement, one connection": lambda: remembers(session),
        f"bare COPY, batches of {BATCH}": lambda: copies(bare[0]),
    }
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(ROUNDS + 1):
        for name, contender in contenders.items():
            began = time.perf_counter()
            count = await contender()
            if number:
                found[name].append(1_000 * (time.perf_counter() - began) / count)
    for connection in (*bare, session):
        await connection.close()
    return found


def main() -> None:
    with scratch_postgres() as postgres:
        with superuser_of(postgres) as superuser:
            superuser.execute(CREATE)
            superuser.execute("alter table camillo.bare alter column embedding set storage external")
        found = asyncio.run(measure(postgres))
    table = Table("write", "ms, median", "least", "a second, median")
    for name, each in found.items():
        table.add_row(name, f"{median(each):.3f}", f"{min(each):.3f}", f"{1_000 / median(each):,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
