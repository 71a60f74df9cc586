"""Cache of context records: current entries save a read, and older ones answer while Postgres is away."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any

from camillo_server.across.context.records import ContextRecords, RecordsQuery
from camillo_server.across.context.store.records import RecordReader
from camillo_server.features.decisions.decision import DecisionDraft
from camillo_server.features.events.event import (
    EventContent,
    TextContent,
    ToolResultContent,
    WorkflowStepContent,
)
from camillo_server.features.knowledge.skill import OF_EVERY_TENANT
from camillo_server.features.tasks.task import TaskDraft
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import Freshness, FullyConsistent, min_revision
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.storage.scopes import scope_prefix

PART_BYTES = 3_000
# A text, and the forms of it that packing keeps (across/context/prepared_texts.py).
FORMS = 5
# A JSON value is not measured again and again.
JSON_BYTES = 4_000
MAX_ENTRIES = 512
MAX_BYTES = 64 * 1024 * 1024
MAX_COMMITS = 10_000
# No entry is used for longer: which memories are recent depends on the time, and a notification may have been lost.
MAX_AGE_SECONDS = 5.0
Key = tuple[Scope, RecordsQuery]


def rough_bytes(records: ContextRecords) -> int:
    """The bytes of the records within a factor of four, except for texts of few large characters."""
    return sum(PART_BYTES + FORMS * length for length in _lengths(records))


def _lengths(records: ContextRecords) -> Iterator[int]:
    yield 0
    yield from (len(view.text) for view in records.views)
    yield from (_draft_length(task.stated) for task in records.tasks)
    yield from (_draft_length(each.stated) for each in records.decisions)
    yield from (2 * len(handoff.text) for handoff in records.handoffs)
    events = (*records.recent_events, *records.earlier_events)
    yield from (_event_length(event.content) for event in events)
    yield from (len(slot.key) + len(slot.summary) for slot in records.slots)
    yield from (len(skill.text) + len(skill.description) for skill in records.skills)
    yield from (len(memory.content) for memory in (*records.recent_memories, *records.pinned))


def _draft_length(draft: TaskDraft | DecisionDraft) -> int:
    return sum(map(len, texts_of(draft).values()))


def _event_length(content: EventContent) -> int:
    match content:
        case TextContent(text):
            return len(text)
        case ToolResultContent(excerpt_text=text) | WorkflowStepContent(output=text):
            return len(text)
        case _:
            return JSON_BYTES


@dataclass(slots=True)
class CachedRecords:
    """Records read as of `now`, at `read_at` by the loop's clock. `is_quiet`: no change of the scopes of these names
    was notified since."""

    records: ContextRecords
    names: frozenset[str]
    now: datetime
    read_at: float
    nbytes: int
    is_quiet: bool


@dataclass(slots=True, eq=False)
class PendingRead:
    """A read under way, as of `now`. `is_quiet`: no change of the scopes of these names was notified meanwhile;
    `is_dropped`: rows of them were removed. `ended` is set at its end, `has_failed` where it raised."""

    names: frozenset[str]
    now: datetime
    is_quiet: bool = True
    is_dropped: bool = False
    has_failed: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class RecordCache:
    """Caches what `RecordReader` reads. Belongs to one event loop, and subscribes to the change notifier."""

    def __init__(
        self,
        reader: RecordReader,
        revision_of: Callable[[Scope], int | None],
        is_cut_off: Callable[[], bool] = lambda: False,
    ) -> None:
        """`revision_of` returns the revision of the scope's index in memory, or None where there is no index.
        `is_cut_off`: Postgres has been away for so long that entries may be too old."""
        self._reader = reader
        self._is_cut_off = is_cut_off
        self._revision_of = revision_of
        self._entries: OrderedDict[Key, CachedRecords] = OrderedDict()
        self._nbytes = 0
        self._committed: dict[Scope, int] = {}
        self._readings: set[PendingRead] = set()
        # The latest read under way of each key: who needs the same meanwhile waits for it.
        self._latest: dict[Key, PendingRead] = {}

    async def read(self, scope: Scope, query: RecordsQuery, freshness: Freshness, *, now: datetime) -> ContextRecords:
        """Raises RevisionBehind, KeyMissing, and StorageUnavailable only where no entry is as fresh as requested."""
        key = (scope, query)
        entry = await self._current(key, freshness, now)
        if entry is not None:
            self._entries.move_to_end(key)
            return entry.records.unexpired(now)
        try:
            return await self._load(key, freshness, now)
        except StorageUnavailable:
            entry = self._entries.get(key)
            # Without Postgres, nobody knows whether an entry holds everything that was committed.
            if entry is None or isinstance(freshness, FullyConsistent) or self._is_cut_off():
                raise
            if entry.records.revision < min_revision(freshness):
                raise
            return replace(entry.records.unexpired(now), is_stale=True)

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[Any] | None) -> bool:
        """Stops entries older than this revision from being used."""
        if len(self._committed) >= MAX_COMMITS:
            self._committed.clear()
            self.on_change(None)
        self._committed[scope] = max(revision, self._committed.get(scope, 0))
        return True

    def on_change(self, name: str | None) -> None:
        """Marks entries and pending reads of a scope as changed; of every scope for None."""
        for each in chain[CachedRecords | PendingRead](self._entries.values(), self._readings):
            if name is None or name in each.names:
                each.is_quiet = False

    def on_removal(self, name: str | None) -> None:
        """Drops the entries of a scope: removed rows are not shown again, not even while Postgres is away."""
        for key, entry in list(self._entries.items()):
            if name is None or name in entry.names:
                self._nbytes -= self._entries.pop(key).nbytes
        for reading in self._readings:
            reading.is_dropped |= name is None or name in reading.names

    def on_spooled(self, scope: Scope, rows: Sequence[Any]) -> None:
        """Nothing: records are those of Postgres."""

    def on_drained(self, scope: Scope) -> None:
        """Nothing, as for what is spooled."""

    def on_new_history(self) -> None:
        """Drops everything: revisions count anew."""
        self.on_removal(None)
        self._committed.clear()

    async def _current(self, key: Key, freshness: Freshness, now: datetime) -> CachedRecords | None:
        """The entry, if a read would return the same; of callers at once, one reads and the others wait for that."""
        scope, _ = key
        while True:
            entry = self._entries.get(key)
            if entry is not None and self._is_current(scope, entry, freshness, now):
                return entry
            reading = self._latest.get(key)
            if reading is None or not _may_answer(reading, freshness, now):
                return None
            await reading.ended.wait()
            # Each caller reads by itself: in turn, all would wait for Postgres as often as there are callers.
            if reading.has_failed:
                return None

    def _is_current(self, scope: Scope, entry: CachedRecords, freshness: Freshness, now: datetime) -> bool:
        """Whether a read from Postgres would return the same."""
        records = entry.records
        if isinstance(freshness, FullyConsistent) or records.revision < min_revision(freshness):
            return False
        # The index may be notified of the same change a little later.
        if not entry.is_quiet:
            return False
        # Which memories are recent depends on the time; for a few seconds the difference does not matter.
        if not _is_about(now, entry.now):
            return False
        revisions = {scope: records.revision, shared_scope(scope): records.shared_revision}
        return all(self._is_at(each, revision, entry) for each, revision in revisions.items())

    def _is_at(self, scope: Scope, revision: int, entry: CachedRecords) -> bool:
        """Whether the scope is still at this revision; without an index, the notifier reports its changes."""
        known = self._revision_of(scope)
        if known is None:
            waited = asyncio.get_running_loop().time() - entry.read_at
            is_same = waited <= MAX_AGE_SECONDS
        else:
            is_same = known == revision
        return is_same and revision >= self._committed.get(scope, 0)

    async def _load(self, key: Key, freshness: Freshness, now: datetime) -> ContextRecords:
        scope, query = key
        began = asyncio.get_running_loop().time()
        with self._listening(key, now) as reading:
            records = await self._reader.read(scope, query, freshness, now=now)
            # The read may hold rows that were removed while it ran.
            if not reading.is_dropped:
                nbytes = rough_bytes(records)
                self._keep(key, CachedRecords(records, reading.names, now, began, nbytes, reading.is_quiet))
        return records

    @contextmanager
    def _listening(self, key: Key, now: datetime) -> Iterator[PendingRead]:
        reading = self._latest[key] = PendingRead(_names(key), now)
        self._readings.add(reading)
        try:
            yield reading
        except BaseException:
            reading.has_failed = True
            raise
        finally:
            self._readings.discard(reading)
            if self._latest.get(key) is reading:
                del self._latest[key]
            reading.ended.set()

    def _keep(self, key: Key, entry: CachedRecords) -> None:
        before = self._entries.pop(key, None)
        self._nbytes += entry.nbytes - (before.nbytes if before else 0)
        self._entries[key] = entry
        while len(self._entries) > MAX_ENTRIES or self._nbytes > MAX_BYTES:
            _, oldest = self._entries.popitem(last=False)
            self._nbytes -= oldest.nbytes


def _may_answer(reading: PendingRead, freshness: Freshness, now: datetime) -> bool:
    """Whether this read may be fresh enough: it began before the call."""
    is_usable = reading.is_quiet and not reading.is_dropped and _is_about(now, reading.now)
    return is_usable and not isinstance(freshness, FullyConsistent)


def _is_about(now: datetime, read: datetime) -> bool:
    return 0 <= (now - read).total_seconds() <= MAX_AGE_SECONDS


def _names(key: Key) -> frozenset[str]:
    scope, query = key
    scopes = [scope, shared_scope(scope)]
    if query.skills is not None:
        scopes.append(OF_EVERY_TENANT)
    return frozenset(map(scope_prefix, scopes))
