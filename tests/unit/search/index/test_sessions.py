"""Neighbours in sessions: as going through each session memory by memory finds them."""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
from camillo_server.search.index.columns import SPARE_ROWS, RowColumns, Sessions
from camillo_server.search.store.packed_rows import ScopeRows
from camillo_server.search.store.scope_rows import to_columns
from numpy.typing import NDArray

from tests.cases import each_case
from tests.storage.search.recall_rows import DIMENSIONS, MODEL, NOW, row

SESSIONS = ("", "一号", "مرحبا", "🎉", "four")
BUILT, ADDED = 60, 25
Live = NDArray[np.bool_]


def rows_of(first: int, count: int, seed: int) -> ScopeRows:
    """Memories of a few sessions and of none, many at the same moment."""
    numbers = np.random.default_rng(seed)
    sessions, seconds = numbers.integers(0, len(SESSIONS), count), numbers.integers(0, 20, count)
    rows = [
        row(number, "text", session_id=SESSIONS[session], occurred_at=NOW + timedelta(seconds=late))
        for number, (session, late) in enumerate(zip(sessions.tolist(), seconds.tolist(), strict=True), first)
    ]
    return to_columns(rows, 1, MODEL, DIMENSIONS)


def built(added: int, seed: int) -> tuple[RowColumns, Sessions]:
    """Sessions of so many rows, and rows that were added one by one."""
    columns = RowColumns()
    columns.append(rows_of(0, BUILT, seed))
    sessions = Sessions(columns)
    for number in range(BUILT, BUILT + added):
        columns.append(rows_of(number, 1, number))
        sessions.add(number)
    return columns, sessions


def plain_neighbours(columns: RowColumns, own: int, live: Live, reach: int) -> Sequence[int]:
    """Neighbours by definition: of the live rows of the session and this one, in order, those beside it."""
    arrays = columns.arrays
    code = arrays["session"][own]
    line = [
        other
        for other in range(len(live))
        if code and arrays["session"][other] == code and (live[other] or other == own)
    ]
    line.sort(key=lambda other: [arrays[name][other] for name in ("occurred_at", "id_high", "id_low")])
    place = line.index(own) if code else None
    found = []
    for distance in range(1, reach + 1):
        for step in (-distance, distance):
            is_there = place is not None and 0 <= place + step < len(line)
            found.append(line[place + step] if place is not None and is_there else -1)
    return found


@each_case("share_live", [1.0, 0.8, 0.2])
@each_case("added", [0, ADDED])
@each_case("reach", [1, 2])
@each_case("seed", range(3))
def test_neighbours_are_those_that_stepping_over_each_memory_finds(
    seed: int, reach: int, added: int, share_live: float
) -> None:
    columns, sessions = built(added, seed)
    live = np.random.default_rng(seed).random(BUILT + added) < share_live
    rows = np.arange(BUILT + added)
    found = sessions.neighbours(rows, live, reach).tolist()
    assert found == [plain_neighbours(columns, own, live, reach) for own in rows.tolist()]
    assert any(max(each) >= 0 for each in found)
    assert any(min(each) < 0 for each in found)


def test_rows_that_a_view_does_not_know_yet_are_no_neighbours() -> None:
    columns, sessions = built(ADDED, 1)
    rows, earlier = np.arange(BUILT), np.ones(BUILT, np.bool_)
    expected = [plain_neighbours(columns, own, earlier, 2) for own in rows.tolist()]
    assert sessions.neighbours(rows, earlier, 2).tolist() == expected
    assert sessions.neighbours(rows, np.ones(BUILT + ADDED, np.bool_), 2).max() >= BUILT


def test_rows_are_linked_beyond_the_room_that_was_reserved_for_more() -> None:
    columns, sessions = built(2 * SPARE_ROWS, 1)
    live = np.ones(columns.count, np.bool_)
    last = np.arange(columns.count - ADDED, columns.count)
    expected = [plain_neighbours(columns, own, live, 2) for own in last.tolist()]
    assert sessions.neighbours(last, live, 2).tolist() == expected
