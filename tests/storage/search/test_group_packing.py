"""A row group is its rows as bytes; and the ids between which rows are packed."""

import numpy as np
import pytest
from camillo_server.search.index.row_grouping import MIN_GROUP_ROWS, GroupRange, ranges_to_pack
from camillo_server.search.store.row_groups import (
    GROUP_ROWS,
    ID_AND_REVISION,
    MAX_GROUP_ROWS,
    BrokenGroup,
    RowGroup,
    pack_group,
    unpack_group,
)
from camillo_server.search.store.scope_rows import to_columns
from numpy.typing import NDArray

from tests.storage.memories.replicas import (
    DIMENSIONS,
    MODEL,
    numbered_id,
)
from tests.storage.search.test_scope_copy import varied_row


def _bytes(posting: tuple[int, NDArray[np.void], NDArray[np.uint64]]) -> tuple[int, bytes, bytes]:
    row, terms, labels = posting
    return row, terms.tobytes(), labels.tobytes()


def test_packed_rows_are_what_they_were() -> None:
    rows = to_columns([varied_row(number) for number in range(20)], 5, MODEL, DIMENSIONS)
    packed = pack_group(rows)
    read = unpack_group(packed, DIMENSIONS)
    for same in (read, read.select(np.ones(20, np.bool_))):
        assert pack_group(same) == packed
    for chosen in (np.arange(20) % 2 == 1, np.zeros(20, np.bool_)):
        few = read.select(chosen)
        assert pack_group(unpack_group(pack_group(few), DIMENSIONS)) == pack_group(few)
        assert few.fixed["memory_id"].tobytes() == rows.fixed["memory_id"][chosen].tobytes()
        assert [each for _, *each in map(_bytes, few.postings())] == [
            each for (_, *each), is_chosen in zip(map(_bytes, rows.postings()), chosen, strict=True) if is_chosen
        ]
    for broken in (packed[:-1], packed + b"x", b"", packed[:40], b"\xff" * len(packed)):
        with pytest.raises(BrokenGroup):
            unpack_group(broken, DIMENSIONS)


def listed(*rows: tuple[int, int]) -> NDArray[np.void]:
    return np.array([(numbered_id(0, number).bytes, revision) for number, revision in rows], ID_AND_REVISION)


def packed_rows(first: int, last: int, revision: int = 1) -> RowGroup:
    return RowGroup(numbered_id(0, first), numbered_id(0, last), revision, last - first + 1)


def id_range(first: int, last: int) -> GroupRange:
    return GroupRange(numbered_id(0, first), numbered_id(0, last))


# Ids that end with zeros in bytes are among them.
ALL = [(number, 1) for number in range(10 * GROUP_ROWS)]
FIRST = packed_rows(0, GROUP_ROWS - 1)


@pytest.mark.parametrize(
    ("rows", "groups", "expected"),
    [
        ([], [], []),
        (ALL[: MIN_GROUP_ROWS - 1], [], []),
        (ALL[:MIN_GROUP_ROWS], [], [id_range(0, MIN_GROUP_ROWS - 1)]),
        (ALL[: 2 * GROUP_ROWS], [], [id_range(0, GROUP_ROWS - 1), id_range(GROUP_ROWS, 2 * GROUP_ROWS - 1)]),
        (ALL[::-1][-GROUP_ROWS:], [], [id_range(0, GROUP_ROWS - 1)]),
        (ALL[: GROUP_ROWS + 20], [FIRST], []),
        (ALL[: 2 * GROUP_ROWS], [FIRST], [id_range(GROUP_ROWS, 2 * GROUP_ROWS - 1)]),
        # The middle is gone.
        (
            ALL[: 3 * GROUP_ROWS],
            [FIRST, packed_rows(2 * GROUP_ROWS, 3 * GROUP_ROWS - 1)],
            [id_range(GROUP_ROWS, 2 * GROUP_ROWS - 1)],
        ),
        # A quarter has changed, and more.
        ([*ALL[:192], *((number, 2) for number in range(192, 256))], [FIRST], []),
        ([*ALL[:191], *((number, 2) for number in range(191, 256))], [FIRST], [id_range(0, 255)]),
        # Few rows are packed again with those behind them.
        (ALL[:200], [packed_rows(0, 99)], [id_range(0, 199)]),
        (ALL[:100], [packed_rows(0, 99)], []),
        # Groups that overlap.
        (ALL[:GROUP_ROWS], [FIRST, packed_rows(100, 200)], []),
        # So many rows came between that it is split.
        (ALL[: MAX_GROUP_ROWS + 1], [packed_rows(0, MAX_GROUP_ROWS)], None),
    ],
)
def test_what_is_packed(rows: list[tuple[int, int]], groups: list[RowGroup], expected: list[GroupRange] | None) -> None:
    found = [*ranges_to_pack(listed(*rows), groups)]
    if expected is None:
        assert len(found) == 3
    else:
        assert found == expected
