"""Large scopes are read from row groups and the tables together: always as the tables alone tell."""

import logging
from contextlib import aclosing

import pytest
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.grouped_loading import TooFewGrouped, grouped_scope
from camillo_server.search.index.row_grouping import RowGrouping
from camillo_server.search.store.row_groups import (
    GROUP_ROWS,
    RowGroupStore,
)
from camillo_server.search.store.scope_rows import ScopeRowsReader

from tests.storage.memories.replicas import (
    ALICE,
    DIMENSIONS,
    contents,
    new_row,
    new_rows,
    numbered_id,
    spec,
    unit,
)
from tests.storage.search.grouped_scopes import BOB, ROWS, Grouped, plain_rows
from tests.storage.search.test_scope_copy import varied_row


async def test_a_load_from_groups_is_as_the_tables_tell(grouped: Grouped) -> None:
    rows = [varied_row(number) for number in range(ROWS)]
    rows = [row for row in rows if row.memory.sensitivity is not Sensitivity.RESTRICTED]
    encrypted = [new_row(f"hidden {number}", sensitivity=Sensitivity.RESTRICTED) for number in range(5)]
    await grouped.here.remember_many([*rows, *encrypted])
    await grouped.here.remember(new_row("of another", unit(1.0)), BOB)
    assert await grouped.from_groups() == 0
    await grouped.check()
    assert await grouped.grouping.pack(ALICE) == 1
    assert await grouped.from_groups() == len(rows)
    index = await grouped.check()
    assert index.unreadable_count == 0
    # Nothing has changed: nothing is packed.
    assert await grouped.grouping.pack(ALICE) == 0


async def test_what_came_later_is_read_from_the_tables(grouped: Grouped) -> None:
    rows = plain_rows(ROWS)
    await grouped.here.remember_many(rows)
    await grouped.grouping.pack(ALICE)
    # Between the ids, and behind them.
    added = [new_row("added in the midst"), new_row("added at the end", memory_id=numbered_id(2**64 - 1, 5))]
    await grouped.here.remember_many(added)
    pinned = rows[7].memory.memory_id
    grouped.execute(
        "with next as (update scopes set revision = revision + 1 where agent_id = 'alice' returning revision)"
        " update memories set pinned = true, revision = next.revision from next where memory_id = %s",
        [pinned],
    )
    grouped.execute("insert into memory_access values ('acme', 'alice', %s, now(), 7, 3)", [rows[9].memory.memory_id])
    assert grouped.count() == 1
    assert await grouped.from_groups() == ROWS - 1
    index = await grouped.check()
    assert index.snapshot.arrays["pinned"][index.rows_of(pinned.bytes)].tolist() == [1]
    assert index.snapshot.arrays["access_count"][index.rows_of(rows[9].memory.memory_id.bytes)].tolist() == [7]
    assert "added in the midst" in contents(index.snapshot)


async def test_groups_are_packed_anew_where_rows_have_changed(grouped: Grouped) -> None:
    rows = plain_rows(2 * ROWS)
    await grouped.here.remember_many(rows[:ROWS])
    assert await grouped.grouping.pack(ALICE) == 1
    await grouped.here.remember_many(rows[ROWS:])
    assert await grouped.grouping.pack(ALICE) == 1
    assert await grouped.from_groups() == 2 * ROWS
    await grouped.here.forget([rows[0].memory.memory_id])
    assert await grouped.from_groups() == 0
    assert await grouped.grouping.pack(ALICE) == 1
    assert await grouped.from_groups() == 2 * ROWS - 1
    await grouped.check()


async def test_groups_without_most_rows_are_not_used(grouped: Grouped) -> None:
    await grouped.here.remember_many(plain_rows(ROWS))
    await grouped.grouping.pack(ALICE)
    await grouped.here.remember_many(new_rows(ROWS, "another"))
    assert await grouped.from_groups() == 0
    await grouped.check()
    with pytest.raises(TooFewGrouped):
        await grouped.parts()


@pytest.mark.parametrize(
    "change",
    [
        "packed = overlay(packed placing 'x' from 60)",
        "packed = substr(packed, 1, 100)",
        "packed = ''",
        "checksum = checksum + 1",
    ],
)
async def test_a_damaged_group_is_read_from_the_tables(
    grouped: Grouped, caplog: pytest.LogCaptureFixture, change: str
) -> None:
    rows = plain_rows(4 * GROUP_ROWS + 20)
    await grouped.here.remember_many(rows)
    assert await grouped.grouping.pack(ALICE) == 5
    # Fewer rows than would make all be read from the tables.
    grouped.execute(
        f"update row_groups set {change} where first_id = (select first_id from row_groups order by 1 limit 1)"
    )
    with caplog.at_level(logging.WARNING):
        left = await grouped.from_groups()
    assert 0 < left < len(rows)
    assert "row groups are damaged" in caplog.text
    await grouped.check()


@pytest.mark.parametrize("change", ["format = 'x'", "row_count = 0"])
async def test_groups_of_another_form_are_not_used(grouped: Grouped, change: str) -> None:
    await grouped.here.remember_many(plain_rows(ROWS))
    await grouped.grouping.pack(ALICE)
    assert await grouped.from_groups() == ROWS
    grouped.execute(f"update row_groups set {change}")
    assert await grouped.from_groups() == 0
    await grouped.check()


async def test_another_model_has_groups_of_its_own_form(grouped: Grouped) -> None:
    await grouped.here.remember_many(plain_rows(ROWS))
    await grouped.grouping.pack(ALICE)
    reader = ScopeRowsReader(grouped.here.database, "another", DIMENSIONS)
    with pytest.raises(TooFewGrouped):
        async with aclosing(grouped_scope(reader, RowGroupStore(reader), ALICE, grouped.receivers)) as parts:
            await anext(parts)
    grouping = RowGrouping(reader, RowGroupStore(reader), CacheBudget(0), grouped.here.pool, pause=0)
    assert await grouping.pack(ALICE) == 1
    # In place of the first one's.
    assert grouped.count() == 1
    assert await grouped.from_groups() == 0


async def test_without_groups_only_the_time_differs(grouped: Grouped) -> None:
    await grouped.here.remember_many(plain_rows(ROWS))
    await grouped.grouping.pack(ALICE)
    before = await grouped.check()
    grouped.execute("delete from row_groups")
    after = await grouped.check()
    assert contents(before.snapshot) == contents(after.snapshot)


async def test_a_group_that_tells_of_rows_that_are_gone_is_not_believed(grouped: Grouped) -> None:
    rows = plain_rows(ROWS)
    await grouped.here.remember_many(rows)
    await grouped.grouping.pack(ALICE)
    # As if the trigger had failed.
    grouped.execute("alter table memories disable trigger user")
    grouped.execute("delete from memories where memory_id = %s", [rows[0].memory.memory_id])
    grouped.execute("update scopes set memory_count = memory_count - 1, term_count = term_count - 2")
    assert grouped.count() == 1
    index = await grouped.check()
    assert rows[0].memory.content not in contents(index.snapshot)


async def test_large_scopes_in_memory_are_packed(grouped: Grouped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.search.index.row_grouping.MIN_GROUPED_ROWS", ROWS)
    await grouped.here.remember_many(plain_rows(ROWS))
    await grouped.here.remember_many(plain_rows(ROWS - 1), BOB)
    for scope in (ALICE, BOB):
        await grouped.here.warm(scope)
    grouping = grouped.grouping
    await grouping.run()
    assert grouped.execute("select agent_id from row_groups") == [("alice",)]
    # It was looked at just now.
    grouped.execute("delete from row_groups")
    await grouping.run()
    assert grouped.count() == 0


async def test_recalls_find_the_same(grouped: Grouped) -> None:
    await grouped.here.remember_many(new_rows(ROWS, tags=["a"]))
    by_tables = await grouped.index()
    await grouped.grouping.pack(ALICE)
    assert await grouped.from_groups() == ROWS
    by_groups = await grouped.index()
    for query in (spec(["memory", "17"]), spec(vector=unit(1.0, 2.0)), spec(["memory"], unit(0.5, -1.0))):
        answers = []
        for index in (by_tables, by_groups):
            pool = find_candidates(index.snapshot, query)
            answers.append(sorted(pool.memories(range(len(pool)))))
        assert answers[0] == answers[1]
        assert answers[0]
