"""Rows of spooled writes: kept by scope, within a bound, and let go."""

from dataclasses import replace

from camillo_server.kernel.ids import AgentId
from camillo_server.search.index.budget import SpooledRows

from tests.storage.memories.replicas import ALICE, new_row

BOB = ALICE._replace(agent_id=AgentId("bob"))


def test_rows_are_kept_by_scope_and_id() -> None:
    rows, (one, other) = SpooledRows(), (new_row("海象"), new_row("walrus"))
    assert rows.add(ALICE, [one, other]) == [one, other]
    changed = replace(one, memory=one.memory._replace(content="海象二"))
    rows.add(ALICE, [changed])
    assert {row.memory.content for row in rows.of(ALICE)} == {"海象二", "walrus"}
    assert (ALICE in rows, BOB in rows, rows.of(BOB)) == (True, False, [])


def test_what_is_removed_is_counted_no_more() -> None:
    rows, (one, other, third) = SpooledRows(), map(new_row, ("一", "two", "trois"))
    rows.add(ALICE, [one, other, third])
    rows.remove(ALICE, [one.memory.memory_id.bytes])
    rows.keep_only(ALICE, {third.memory.memory_id.bytes})
    assert rows.of(ALICE) == [third]
    assert rows.nbytes > 0
    assert rows.take(ALICE) == [third.memory.memory_id.bytes]
    assert (rows.nbytes, rows.scopes, rows.take(ALICE)) == (0, [], [])


def test_rows_beyond_the_bound_are_not_kept() -> None:
    rows, (one, other) = SpooledRows(max_bytes=3_000), (new_row("一"), new_row("two"))
    assert rows.add(ALICE, [one, other]) == [one]
    # One that takes its place has room.
    assert rows.add(ALICE, [one]) == [one]
    rows.take(ALICE)
    assert rows.add(BOB, [other]) == [other]
