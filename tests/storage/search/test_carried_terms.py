"""The terms of a memory that is remembered: counted for the statement, and handed on to the index in memory."""

from camillo_server.lib.text.counted_terms import counted_terms
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.search.store.scope_rows import to_columns
from camillo_server.storage.scope_writes import ScopeWrites

from tests.postgres_fixtures import TestDatabase
from tests.storage.commits import Commits
from tests.storage.memories.replicas import ALICE, DIMENSIONS, MODEL, NOW, new_row, replica
from tests.storage.replays import OF_MEMORIES
from tests.storage.search.test_scope_rows import assert_same_rows, pages_of

TEXT = "tea 茶 שלום tea 🍵 app/userStore.py"


async def test_a_remembered_row_comes_to_the_index_with_the_terms_that_were_stored(database: TestDatabase) -> None:
    commits = Commits(takes_in=False)
    row = new_row(TEXT)
    assert row.carried_terms is None
    async with replica(database) as here:
        here.notifier.subscribe(commits)
        writes = ScopeWrites(here.database, here.notifier)
        writer = MemoryWriter(writes)
        written = await writer.remember(ALICE, row, OF_MEMORIES, None, now=NOW)
        (page,) = await pages_of(here.reader)
        stored = page.unpack(DIMENSIONS)
    ((_, _, rows),) = commits.told
    assert rows is not None
    (committed,) = rows
    assert committed.carried_terms == counted_terms(TEXT)
    assert_same_rows(to_columns([committed], written.revision, MODEL, DIMENSIONS), stored)


def test_a_row_that_carries_its_terms_makes_the_same_columns_as_one_that_does_not() -> None:
    row = new_row(TEXT)
    carrying = row.with_terms()
    assert carrying.carried_terms is carrying.terms()
    assert_same_rows(to_columns([carrying], 1, MODEL, DIMENSIONS), to_columns([row], 1, MODEL, DIMENSIONS))
