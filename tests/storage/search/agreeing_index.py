"""An index in memory that agrees with Postgres, for tests that then bring one of the two out of step."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import psycopg
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import NewRow
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.verification import find_difference

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    NOW,
    Observer,
    Replica,
    new_row,
    numbered_id,
    replica,
    unit,
)

# The memory with this number.
OF = "where memory_id = '00000000-0000-0000-0000-00000000000%d'"


def deaf(observer: Observer) -> Observer:
    """An observer that loses every notification."""
    return lambda name: None


def varied_rows() -> list[NewRow]:
    """Rows that each have something that no other has, and ids that count from 1."""
    rows = [
        new_row("walrus likes walrus tea", unit(1.0), tags=["sea", "tusk"], session_id="третья"),
        new_row("北京烤鸭 🦆", unit(0.5, 0.5), metadata={"zebra": 1, "a": "é", "bb": True}),
        new_row("שלום עולם", None, source_refs=["a.md", "b.md"], importance=0.25),
        new_row("é cafe\u0301", Vector("of another", unit(0.3).values), pinned=True),
        new_row(
            "kept for a while",
            unit(0.1, -0.9),
            expires_at=NOW.replace(year=2040),
            kind=MemoryKind.PREFERENCE,
        ),
    ]
    return [
        replace(row, memory=row.memory._replace(memory_id=numbered_id(0, number))) for number, row in enumerate(rows, 1)
    ]


async def compared(here: Replica, resident: ResidentScope) -> str | None:
    return await find_difference(resident, here.reader, here.pool)


def execute(database: TestDatabase, statement: str) -> None:
    """Runs a statement as superuser, past every policy; it must change something."""
    with psycopg.connect(database.superuser_url, options="-c search_path=camillo,public") as owner:
        assert owner.execute(statement).rowcount > 0


@asynccontextmanager
async def agreeing(database: TestDatabase) -> AsyncIterator[tuple[Replica, ResidentScope]]:
    """The varied rows, three of them loaded and two added at their commit, in an index that agrees."""
    async with replica(database, heard_through=deaf) as here:
        rows = varied_rows()
        await here.remember_many(rows[:3])
        resident = await here.warm()
        for row in rows[3:]:
            await here.remember(row)
        assert resident.snapshot.count == 5
        assert await compared(here, resident) is None
        yield here, resident
