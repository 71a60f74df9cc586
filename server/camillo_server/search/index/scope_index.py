"""One scope in memory: vectors, postings, columns and texts, changed by one writer and read through snapshots."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.off_loop import fits_loop, off_loop
from camillo_server.search.index.columns import IdTable, RowColumns, RowIds, Sessions
from camillo_server.search.index.dense import DenseIndex
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.lexical import MAX_ROWS, Postings, label_postings, term_postings
from camillo_server.search.index.row_conditions import is_any_dated
from camillo_server.search.index.snapshot import IndexSnapshot, has_memories_alone
from camillo_server.search.index.snapshot_caches import EncodedRows, PreparedRows
from camillo_server.search.store.encrypted_records import UNREADABLE_KIND
from camillo_server.search.store.packed_rows import NEVER, ScopeRows
from camillo_server.search.store.scope_copy import VECTOR, CopiedValues
from camillo_server.search.store.scope_rows import ScopeFacts

ROWS_AT_ONCE = 64
# Rows added since an index was built are found a little slower than those it was built of.
ADDED_SHARE = 0.25
MIN_ADDED_ROWS = 2_048
# Python's objects around the arrays, most of what a scope of a few memories takes.
SCOPE_BYTES = 9_000


@dataclass(frozen=True, slots=True)
class RowsChange:
    """Rows in their latest state, ids (16 bytes each) forgotten before those were written, and the facts afterwards, in
    which spooled rows do not count."""

    rows: ScopeRows
    forgotten: bytes
    facts: ScopeFacts
    is_spooled: bool = False


class IndexBuilder:
    """Collects the rows of a scope, and builds its index. Belongs to one thread at a time."""

    def __init__(self, dimensions: int, expected_rows: int) -> None:
        self._columns = RowColumns(expected_rows)
        self._vectors = np.empty((expected_rows, dimensions), np.float16)
        self._has_vector = np.empty(expected_rows, np.bool_)
        self._terms: list[tuple[NDArray[np.void], NDArray[np.int64]]] = []
        self._labels: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self._ids: IdTable | None = None

    def add(self, rows: ScopeRows) -> None:
        """Adds a page of rows. Raises IndexFailed for more rows than were expected, or than an index holds."""
        first, end = self._columns.count, self._columns.count + len(rows)
        if end > len(self._vectors) or end > MAX_ROWS:
            raise IndexFailed("the scope has more rows than its counters say")
        self._columns.append(rows)
        self._vectors[first:end] = rows.vectors
        self._has_vector[first:end] = rows.has_vector
        self._terms.append((rows.terms, rows.term_lengths))
        self._labels.append((rows.labels, rows.label_lengths))

    def put(self, values: CopiedValues) -> None:
        """Puts values into the columns of rows, after all of these were added. Raises IndexFailed for another row."""
        if self._ids is None:
            self._ids = self._columns.id_table()
        rows = self._ids.rows(values.ids)
        for name, column in values.columns.items():
            if name == VECTOR:
                self._vectors[rows] = column
                self._has_vector[rows] = True
            else:
                self._columns.arrays[name][rows] = column

    def build(self, agent_id: AgentId, model_id: str, facts: ScopeFacts) -> "ScopeIndex":
        """The index of the rows added, as of these facts. Raises IndexFailed where the two disagree."""
        self._columns.trim()
        count = self._columns.count
        terms, rows = _concatenate(self._terms)
        postings = term_postings(terms["code"], rows, terms["count"])
        labels = label_postings(*_concatenate(self._labels))
        dense = DenseIndex.build(self._vectors[:count], self._has_vector[:count])
        return ScopeIndex(agent_id, model_id, self._columns, postings, labels, dense, facts)


class ScopeIndex:
    """The index of one scope. Every change replaces `snapshot`; readers keep the snapshot that they have."""

    def __init__(
        self,
        agent_id: AgentId,
        model_id: str,
        columns: RowColumns,
        terms: Postings,
        labels: Postings,
        dense: DenseIndex,
        facts: ScopeFacts,
    ) -> None:
        self._agent_id = agent_id
        self._model_id = model_id
        self._columns = columns
        self._terms = terms
        self._labels = labels
        self._dense = dense
        self._sessions = Sessions(columns)
        self._ids = RowIds(columns)
        self._encoded = EncodedRows()
        self._prepared = PreparedRows()
        self._spooled: frozenset[int] = frozenset()
        # The facts as of Postgres; the snapshot counts spooled rows, too.
        self.facts = facts
        self._built_rows = columns.count
        self._live = np.ones(columns.count, np.bool_)
        self._deleted_rows = self._term_count = self._pending = 0
        self._expires = self._has_chunks = self._is_dated = False
        self._count_in(columns.arrays)
        self.snapshot = self._publish(facts)

    async def apply(self, changes: AsyncIterator[RowsChange]) -> None:
        """Applies all changes, in order; readers see them all at once, at the end. One call at a time.

        Raises IndexFailed where the result disagrees with the last change's facts: the index must then be dropped.
        """
        outdated: list[NDArray[np.int64]] = []
        facts = self.facts
        async for change in changes:
            outdated += self._outdated_rows(change)
            # Copying a million rows takes most of a second.
            await off_loop(self._room_cost(change), partial(self._columns.reserve, change.rows))
            for first in range(0, len(change.rows), ROWS_AT_ONCE):
                self._append(change.rows.part(first, first + ROWS_AT_ONCE), change.is_spooled)
                await asyncio.sleep(0)
            facts = change.facts
        self._delete(outdated)
        self.snapshot = self._publish(facts)

    def has_room(self, change: RowsChange) -> bool:
        """Whether `apply_now` takes no long time: now and then, rows have to be copied to make room."""
        return fits_loop(self._room_cost(change))

    def apply_now(self, change: RowsChange) -> None:
        """Applies a small change without giving way to other tasks. Raises IndexFailed as `apply` does."""
        outdated = self._outdated_rows(change)
        self._append(change.rows, change.is_spooled)
        self._delete(outdated)
        self.snapshot = self._publish(change.facts)

    def advance(self, revision: int) -> None:
        """Is as of this revision from now on, which changed no row."""
        self.facts = replace(self.facts, revision=revision)
        # Keeps the filters and results that the snapshot has cached: they are of the same rows.
        self.snapshot = replace(self.snapshot, facts=replace(self.snapshot.facts, revision=revision))

    def rows_of(self, ids: bytes) -> NDArray[np.int64]:
        """The live rows of those of these ids (16 bytes each) that have one."""
        rows = self._ids.find(ids)
        return rows[self._live[rows]]

    @property
    def is_whole(self) -> bool:
        """Whether no change was left half applied, which the next one would complete."""
        return self._committed_counts() == (self.facts.memory_count, self.facts.term_count)

    def has_committed(self, id_: bytes) -> bool:
        """Whether a live row that is not spooled has this id."""
        return any(row not in self._spooled for row in self.rows_of(id_).tolist())

    @property
    def spooled_ids(self) -> set[bytes]:
        """The ids of the spooled rows."""
        halves = ("id_high", "id_low")
        return {b"".join(self._columns.arrays[name].item(row).to_bytes(8) for name in halves) for row in self._spooled}

    def withdraw(self, ids: bytes) -> None:
        """Drops those of these rows (16 bytes each) that are still spooled. Raises IndexFailed as `apply` does."""
        rows = [row for row in self.rows_of(ids).tolist() if row in self._spooled]
        if rows:
            self._delete([np.array(rows, np.int64)])
            self.snapshot = self._publish(self.facts)

    @property
    def needs_rebuild(self) -> bool:
        """Whether so much has changed since the index was built that building it anew pays."""
        added = self._columns.count - self._built_rows
        return added + self._deleted_rows > max(MIN_ADDED_ROWS, ADDED_SHARE * self._built_rows)

    @property
    def unreadable_count(self) -> int:
        """How many live rows could not be decrypted; no search finds them."""
        count = self._columns.count
        unreadable = self._columns.arrays["kind"][:count] == UNREADABLE_KIND
        return int(np.count_nonzero(unreadable & self._live[:count]))

    @property
    def needs_merge(self) -> bool:
        """Searches by vector would be faster after a merge of segments."""
        return self._dense.needs_merge

    def merge_segments(self) -> DenseIndex:
        """The current vectors, arranged for faster search. Takes seconds; call it in a thread."""
        return self._dense.merge_segments()

    def adopt_merged(self, merged: DenseIndex) -> None:
        """Searches the merged segments from now on. Raises IndexFailed."""
        self._dense = self._dense.with_merged(merged)
        self.snapshot = self._publish(self.facts)

    @property
    def nbytes(self) -> int:
        searched = (self._columns, self._terms, self._labels, self._dense, self._sessions)
        parts = (*searched, self._ids, self._encoded, self._prepared, self.snapshot.recent_results)
        return SCOPE_BYTES + self._live.nbytes + sum(part.nbytes for part in parts)

    def clear_caches(self) -> None:
        """Drops the cached rows of answers and the results of repeated queries: they are made again when needed."""
        self._encoded.clear()
        self._prepared.clear()
        self.snapshot.recent_results.clear()

    def _room_cost(self, change: RowsChange) -> float:
        # A copy in C: most of its time is the first use of the new memory.
        return self._columns.bytes_to_copy(change.rows) / 128

    def _outdated_rows(self, change: RowsChange) -> list[NDArray[np.int64]]:
        ids = change.rows.fixed["memory_id"].tobytes()
        return [self.rows_of(change.forgotten), self.rows_of(ids)]

    def _delete(self, outdated: Sequence[NDArray[np.int64]]) -> None:
        if not any(map(len, outdated)):
            return
        rows = np.unique(np.concatenate(outdated))
        # A copy: snapshots go on to read the mask that they have.
        self._live = self._live.copy()
        self._live[rows] = False
        if self._spooled:
            self._spooled = self._spooled.difference(rows.tolist())
        for kept in (self._encoded, self._prepared):
            kept.discard(rows.tolist())
        self._deleted_rows += len(rows)
        self._term_count -= int(self._columns.arrays["term_count"][rows].sum())
        self._pending -= int(self._columns.arrays["pending"][rows].sum())

    def _append(self, rows: ScopeRows, is_spooled: bool) -> None:
        first, end = self._columns.count, self._columns.count + len(rows)
        if first == end:
            return
        if end > MAX_ROWS:
            raise IndexFailed("the scope has more rows than an index holds")
        self._columns.append(rows)
        if end > len(self._live):
            self._live = np.append(self._live[:first], np.ones(end - first + end // 8, np.bool_))
        self._dense = self._dense.append_rows(rows.vectors.astype(np.float32), rows.has_vector)
        for row, terms, labels in rows.postings():
            self._terms.add(first + row, terms["code"].tolist(), terms["count"].tolist())
            self._labels.add(first + row, labels.tolist(), [1] * len(labels))
            self._sessions.add(first + row)
        self._ids.add()
        if is_spooled:
            self._spooled = self._spooled.union(range(first, end))
        self._count_in(rows.fixed)

    def _count_in(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Counts the rows of these columns."""
        self._term_count += int(columns["term_count"].sum())
        self._pending += int(columns["pending"].sum())
        self._expires = self._expires or bool((columns["expires_at"] != NEVER).any())
        self._is_dated = self._is_dated or is_any_dated(columns)
        self._has_chunks = self._has_chunks or not has_memories_alone(columns["kind"])

    def _publish(self, facts: ScopeFacts) -> IndexSnapshot:
        if self._committed_counts() != (facts.memory_count, facts.term_count):
            raise IndexFailed("the index and the scope's counters disagree")
        self.facts = facts
        live_count = self._columns.count - self._deleted_rows
        if self._spooled:
            facts = replace(facts, memory_count=live_count, term_count=self._term_count)
        return IndexSnapshot(
            agent_id=self._agent_id,
            model_id=self._model_id,
            facts=facts,
            live=self._live[: self._columns.count],
            live_count=live_count,
            pending_count=self._pending,
            expires=self._expires,
            is_dated=self._is_dated,
            has_chunks=self._has_chunks,
            arrays=self._columns.arrays,
            payload=self._columns.payload,
            dense=self._dense,
            terms=self._terms,
            labels=self._labels,
            sessions=self._sessions,
            encoded_rows=self._encoded,
            prepared_rows=self._prepared,
            spooled=self._spooled,
        )

    def _committed_counts(self) -> tuple[int, int]:
        """How many live rows are not spooled, and their terms."""
        count, terms = self._columns.count - self._deleted_rows, self._term_count
        if self._spooled:
            spooled = sorted(self._spooled)
            count -= len(spooled)
            terms -= int(self._columns.arrays["term_count"][spooled].sum(dtype=np.int64))
        return count, terms


def _concatenate(
    parts: Sequence[tuple[NDArray[Any], NDArray[np.int64]]],
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The values of all pages, and the row number of each."""
    values = np.concatenate([values for values, _ in parts])
    lengths = np.concatenate([lengths for _, lengths in parts])
    return values, np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
