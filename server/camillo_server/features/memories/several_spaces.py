"""Lists of memories of several spaces, as of one."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from camillo_server.kernel.background import task_group
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter

# Reads at most so many rows of a scope behind a cursor, newest first; with the revision read at.
ReadPage = Callable[
    [Scope, MemoryFilter, PageCursor | None, int, Freshness], Coroutine[Any, Any, tuple[Sequence[Row], int]]
]
LAST_ID = 2**128 - 1


class SpaceCursor(NamedTuple):
    """The last memory of a page, and the number of its space in the order of their ids: a memory that was taken to
    another space has the same time and id there."""

    number: int
    at: PageCursor


class SpacePage(NamedTuple):
    """Memories with the numbers of their spaces, one more where there is a next page; the revisions read at."""

    rows: Sequence[tuple[int, Row]]
    revisions: Mapping[Scope, int]


async def page_of_spaces(
    read: ReadPage,
    own: Scope,
    spaces: Mapping[Scope, Freshness],
    query: MemoryFilter,
    after: SpaceCursor | None,
    size: int,
) -> SpacePage:
    """The newest of all spaces; of those with one time and id, the one in the first space."""
    of_others = query.without_restricted()
    ordered = sorted(spaces)
    async with task_group() as group:
        tasks = [
            group.create_task(
                read(scope, query if scope == own else of_others, _behind(after, number), size + 1, spaces[scope])
            )
            for number, scope in enumerate(ordered)
        ]
    pages = [task.result() for task in tasks]
    numbered = ([(number, row) for row in rows] for number, (rows, _) in enumerate(pages))
    merged = merge(*numbered, key=_place, reverse=True)
    revisions = {scope: revision for scope, (_, revision) in zip(ordered, pages, strict=True)}
    return SpacePage([*islice(merged, size + 1)], revisions)


def _place(numbered: tuple[int, Row]) -> tuple[object, ...]:
    number, row = numbered
    return row.created_at, row.memory_id, -number


def _behind(after: SpaceCursor | None, number: int) -> PageCursor | None:
    """The cursor in the space of this number: a row of the cursor's own time and id is still to come where the number
    is higher."""
    if after is None:
        return None
    if number <= after.number or after.at.row_id.int == LAST_ID:
        return after.at
    return after.at._replace(row_id=UUID(int=after.at.row_id.int + 1))
