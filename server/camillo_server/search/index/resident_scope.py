"""A scope held in memory: its index, brought to Postgres' revision on demand or when changes are announced."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Executor
from contextlib import aclosing, suppress
from contextvars import Context
from dataclasses import replace
from typing import TypeVar

from camillo_server.kernel.background import retrieve_error
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import (
    AtLeastAsFresh,
    Freshness,
    FullyConsistent,
    demands_committed,
)
from camillo_server.rows.row import NewRow
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.scope_index import RowsChange, ScopeIndex
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.store.scope_rows import (
    PackedPage,
    ScopeRowsReader,
    to_columns,
)

# More rows in one commit are read back from Postgres, page by page and giving way to other calls.
MAX_ROWS_AT_COMMIT = 32
# Rows of commits are applied together, when the scope is read or when they are so many: alone, each takes four times as
# long.
MAX_ROWS_GATHERED = 16
# Under half a millisecond. A thread would let other calls in later and take twice as long, since unpacking keeps the
# interpreter's lock: `python -m bench.decisions.event_loop page`.
ROWS_UNPACKED_AT_ONCE = 128
# Fewer of those that have to be decrypted first, which takes several times as long.
ROWS_DECRYPTED_AT_ONCE = 32
T = TypeVar("T")


class ResidentScope:
    """One index and the way to keep it true. Raises IndexFailed where it cannot be: it must then be dropped."""

    def __init__(self, scope: Scope, index: ScopeIndex, reader: ScopeRowsReader) -> None:
        self.scope = scope
        self.index = index
        self._reader = reader
        self._committed_revision = 0
        # Removals by commits that were told without their revisions: how many were heard of, and how many of these the
        # index has.
        self._removals_heard = self._removals_applied = 0
        # Rows of commits that the index has not applied yet, with their revisions, and the revision after the last of
        # these.
        self._gathered: list[tuple[int, NewRow]] = []
        self._gathered_revision = 0
        # Rows of writes that are spooled here, which the index does not show yet.
        self._unshown: list[NewRow] = []
        self._is_applying = False
        self._changing = asyncio.Lock()
        self._next_refresh: asyncio.Task[None] | None = None

    @property
    def snapshot(self) -> IndexSnapshot:
        """The snapshot, with the rows of commits of this process unless that takes long. Raises IndexFailed."""
        self.apply_gathered()
        return self.index.snapshot

    @property
    def revision(self) -> int:
        return self._gathered_revision if self._gathered else self.index.snapshot.facts.revision

    @property
    def memory_count(self) -> int:
        """Memories and chunks as of the revision."""
        return self.index.facts.memory_count + len(self._gathered)

    async def snapshot_for(self, freshness: Freshness) -> IndexSnapshot | None:
        """The index as fresh as demanded; None where Postgres itself has not come so far. Raises StorageUnavailable."""
        if isinstance(freshness, FullyConsistent):
            await self.refresh()
        elif isinstance(freshness, AtLeastAsFresh) and self.revision < freshness.revision:
            await self.refresh()
            if self.revision < freshness.revision:
                return None
        elif self._removals_applied < self._removals_heard or self.revision < self._committed_revision:
            # Only what other processes added or changed may be missed. With Postgres away, the index is true as of its
            # revision.
            with suppress(StorageUnavailable):
                await self.refresh()
        if not self.apply_gathered():
            # A refresh applies the gathered changes before it asks Postgres.
            with suppress(StorageUnavailable):
                await self.refresh()
        snapshot = self.index.snapshot
        return snapshot.committed() if snapshot.spooled and demands_committed(freshness) else snapshot

    async def refresh(self) -> None:
        """Applies everything committed before this call; callers share a refresh that has not begun when they come.

        Raises StorageUnavailable.
        """
        if self._next_refresh is None:
            # A task without the caller's deadline: a change must not be left half applied when the caller goes.
            self._next_refresh = asyncio.create_task(self._refresh(), context=Context())
            self._next_refresh.add_done_callback(retrieve_error)
        await asyncio.shield(self._next_refresh)

    def on_commit(self, revision: int, rows: Sequence[NewRow] | None) -> bool:
        """A revision was committed here; `rows` are all that it changed of memories and chunks, each new, or None where
        it may have changed others. True if the index has it now; else it has to be refreshed."""
        self._committed_revision = max(self._committed_revision, revision)
        if revision <= self.revision:
            return True
        is_next = revision == self.revision + 1 and not self._changing.locked()
        # Behind a revision that the index lacks, not even one without rows: it would seem to hold that one.
        if not is_next or rows is None or len(rows) > MAX_ROWS_AT_COMMIT:
            return False
        if not rows and not self._gathered:
            self.index.advance(revision)
            return True
        self._gathered += [(revision, row) for row in rows]
        self._gathered_revision = revision
        return len(self._gathered) < MAX_ROWS_GATHERED or self.apply_gathered()

    def on_removal(self) -> None:
        """Rows were removed: none of them is shown to a caller who comes from now on, while Postgres is there."""
        self._removals_heard += 1

    def apply_gathered(self) -> bool:
        """Applies the rows of commits. False where that would take long, which a refresh has to do."""
        if not self._gathered:
            return True
        change = self._gathered_change()
        if not self.index.has_room(change):
            return False
        self._gathered.clear()
        self.index.apply_now(change)
        return True

    def on_spooled(self, rows: Sequence[NewRow]) -> bool:
        """A write was spooled here, of which these rows are new. True if the index shows them now; else `show_spooled`
        has to. The revision stays what it is."""
        self._unshown += rows
        if self._is_applying or len(self._unshown) > MAX_ROWS_AT_COMMIT:
            return False
        if not self.apply_gathered() or not self.index.is_whole:
            return False
        change = self._spooled_change()
        if change is None:
            return True
        if not self.index.has_room(change):
            return False
        self._unshown.clear()
        self.index.apply_now(change)
        return True

    async def show_spooled(self) -> None:
        """Shows the rows of spooled writes, unless a refresh has to complete the index before."""
        async with self._changing:
            if self.index.is_whole:
                await self._show_spooled()

    @property
    def spooled_ids(self) -> set[bytes]:
        """The ids of rows that are spooled still, as far as this index has heard."""
        unshown = {row.memory.memory_id.bytes for row in self._unshown}
        return unshown | self.index.spooled_ids if self.index.snapshot.spooled else unshown

    async def withdraw(self, ids: Sequence[bytes]) -> None:
        """Drops these rows, but for those that have been committed."""
        if self._is_applying:
            async with self._changing:
                self.withdraw_now(ids)
        else:
            self.withdraw_now(ids)

    def withdraw_now(self, ids: Sequence[bytes]) -> None:
        """Does the same as `withdraw`; must not be called while a change is applied."""
        withdrawn = set(ids)
        self._unshown = [row for row in self._unshown if row.memory.memory_id.bytes not in withdrawn]
        self.index.withdraw(b"".join(withdrawn))

    async def merge_segments(self, pool: Executor) -> None:
        """Arranges the vectors for faster search; the work is done in this pool."""
        merged = await off_loop(UNBOUNDED, self.index.merge_segments, pool)
        # Waits until no change is being applied.
        async with self._changing:
            self.index.adopt_merged(merged)

    async def _refresh(self) -> None:
        async with self._changing:
            self._next_refresh = None
            heard = self._removals_heard
            await self._catch_up()
            # Not before: who recalls meanwhile would be shown what is gone.
            self._removals_applied = heard
            if self._unshown:
                await self._show_spooled()

    async def _catch_up(self) -> None:
        if not self.apply_gathered():
            await self._apply_all_gathered()
        page = await self._reader.changes(self.scope, self.revision)
        if page.facts.revision == self.revision:
            return
        if page.facts.revision < self.revision:
            raise IndexFailed("the scope has gone back to an earlier revision, or is gone")
        if page.is_last:
            await self._apply(self._changes(_one(page)))
        else:
            async with aclosing(self._reader.pages(self.scope, self.revision)) as pages:
                await self._apply(self._changes(pages))

    async def _apply_all_gathered(self) -> None:
        change = self._gathered_change()
        self._gathered.clear()
        await self._apply(_one(change))

    async def _show_spooled(self) -> None:
        if not self.apply_gathered():
            await self._apply_all_gathered()
        change = self._spooled_change()
        self._unshown.clear()
        if change is not None:
            await self._apply(_one(change))

    async def _apply(self, changes: AsyncIterator[RowsChange]) -> None:
        self._is_applying = True
        try:
            await self.index.apply(changes)
        finally:
            self._is_applying = False

    def _spooled_change(self) -> RowsChange | None:
        """The rows that are not shown yet; None if all of them have been committed."""
        # The last row of each id.
        by_id = {row.memory.memory_id.bytes: row for row in self._unshown}
        rows = [row for id_, row in by_id.items() if not self.index.has_committed(id_)]
        if not rows:
            return None
        facts = self.index.facts
        added = to_columns(rows, facts.revision, self._reader.model_id, self._reader.dimensions)
        return RowsChange(added, b"", facts, is_spooled=True)

    def _gathered_change(self) -> RowsChange:
        revisions, rows = zip(*self._gathered, strict=True)
        added = to_columns(rows, revisions, self._reader.model_id, self._reader.dimensions)
        facts = self.index.facts
        terms = facts.term_count + int(added.fixed["term_count"].sum())
        after = replace(
            facts,
            revision=self._gathered_revision,
            memory_count=self.memory_count,
            term_count=terms,
        )
        return RowsChange(added, b"", after)

    async def _changes(self, pages: AsyncIterator[PackedPage]) -> AsyncIterator[RowsChange]:
        async for page in pages:
            size = ROWS_DECRYPTED_AT_ONCE if page.has_encrypted else ROWS_UNPACKED_AT_ONCE
            for part in page.split(size):
                rows = self._reader.unpack(self.scope, part)
                if len(part) < len(page):
                    # Gives way to other calls.
                    await asyncio.sleep(0)
                yield RowsChange(rows, part.forgotten, part.facts)


async def _one(item: T) -> AsyncIterator[T]:
    yield item
