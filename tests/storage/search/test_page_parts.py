"""A page of changes is taken in parts: the same rows, and others get their turn between."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import fields

import numpy as np
import pytest
from camillo_server.search.index.resident_scope import ROWS_UNPACKED_AT_ONCE
from camillo_server.search.index.scope_index import RowsChange
from camillo_server.search.store.packed_rows import ScopeRows
from camillo_server.search.store.scope_rows import PackedPage

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    DIMENSIONS,
    Replica,
    contents,
    new_row,
    new_rows,
    replica,
    unit,
)

TEXTS = ("北京烤鸭", "🦭" * 300, "שלום עולם", "e\u0301tude", "")


async def mixed_page(here: Replica) -> PackedPage:
    """Rows of very different lengths, without and with vectors, tags and sessions, and something forgotten."""
    gone = new_row("gone")
    await here.remember(gone)
    before = await here.remember(new_row("before"))
    rows = [
        new_row(
            f"{TEXTS[number % 5]} {number}",
            unit(1.0, number) if number % 3 else None,
            tags=[f"tag{tag}" for tag in range(number % 4)],
            session_id="會話" if number % 2 else "",
        )
        for number in range(20)
    ]
    await here.remember_many(rows)
    await here.forget([gone.memory.memory_id])
    page = await here.reader.changes(ALICE, before.revision)
    assert (len(page), len(page.forgotten)) == (20, 16)
    return page


def joined(pages: list[ScopeRows], name: str) -> dict[str, list[object]]:
    """A field of all pages, one after the other."""
    values = [getattr(page, name) for page in pages]
    if not isinstance(values[0], dict):
        values = [{name: value} for value in values]
    return {key: np.concatenate([value[key] for value in values]).tolist() for key in values[0]}


@pytest.mark.parametrize("rows", [1, 3, 10, 19, 20, 1_000])
async def test_the_parts_of_a_page_hold_its_rows_in_order(database: TestDatabase, rows: int) -> None:
    async with replica(database) as here:
        page = await mixed_page(here)
        found = list(page.split(rows))
        assert [len(part) for part in found] == [min(rows, 20 - first) for first in range(0, 20, rows)]
        assert [part.forgotten for part in found] == [page.forgotten] + [b""] * (len(found) - 1)
        assert {part.facts for part in found} == {page.facts}
        whole = page.unpack(DIMENSIONS)
        unpacked = [part.unpack(DIMENSIONS) for part in found]
        for field in fields(ScopeRows):
            assert joined(unpacked, field.name) == joined([whole], field.name)


async def test_a_page_without_rows_still_tells_what_was_forgotten(database: TestDatabase) -> None:
    async with replica(database) as here:
        gone = new_row("gone")
        written = await here.remember(gone)
        await here.forget([gone.memory.memory_id])
        page = await here.reader.changes(ALICE, written.revision)
        assert list(page.split(5)) == [page]
        assert page.forgotten == gone.memory.memory_id.bytes


async def test_others_get_their_turn_while_a_large_page_is_unpacked(
    database: TestDatabase,
) -> None:
    async with replica(database) as here, replica(database) as other:
        await here.remember_many(new_rows(3))
        resident = await here.warm()
        await other.remember_many(new_rows(900, "later"))
        page = await here.reader.changes(ALICE, resident.revision)
        turns = 0

        async def turning() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async def one() -> AsyncIterator[PackedPage]:
            yield page

        turn = asyncio.create_task(turning())
        changes: list[RowsChange] = []
        async for change in resident._changes(one()):
            changes.append(change)
            assert turns == len(changes)
        turn.cancel()
        assert [len(change.rows) for change in changes] == [ROWS_UNPACKED_AT_ONCE] * 7 + [4]
        await resident.refresh()
        assert len(contents(resident.snapshot)) == 903


async def test_a_page_that_is_not_large_is_unpacked_in_one_turn(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(ROWS_UNPACKED_AT_ONCE))
        resident = await here.warm()
        page = await here.reader.changes(ALICE, 0)

        async def one() -> AsyncIterator[PackedPage]:
            yield page

        async def first() -> RowsChange:
            return await anext(resident._changes(one()))

        waiting = asyncio.create_task(first())
        await asyncio.sleep(0)
        assert waiting.done()
        assert len(waiting.result().rows) == len(page) == ROWS_UNPACKED_AT_ONCE
