"""Grounds that were read before: what is still true is not asked for again, and with Postgres away they are all there is."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from camillo_server.context.ports import Ground, GroundWanted
from camillo_server.context.store.records import GroundRead, PostgresGroundReader
from camillo_server.decisions.decision import DecisionDraft
from camillo_server.events.event import EventContent, TextContent, ToolResultContent
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.revision import Freshness, FullyConsistent, least_revision
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.storage.lexemes import scope_prefix
from camillo_server.tasks.task import TaskDraft

PART_BYTES = 2_000
# A JSON value is not measured again and again.
JSON_BYTES = 16_000


def rough_bytes(ground: Ground) -> int:
    """Within a factor of four, but for texts of few large characters."""
    return sum(PART_BYTES + length for length in _lengths(ground))


def _lengths(ground: Ground) -> Iterator[int]:
    yield 0
    yield from (len(view.text) for view in ground.views)
    yield from (_task_length(task.stated) for task in ground.tasks)
    yield from (_decision_length(decision.stated) for decision in ground.decisions)
    yield from (2 * len(handoff.text) for handoff in ground.handoffs)
    yield from (_event_length(event.content) for event in ground.recent_events)
    yield from (len(memory.content) for memory in (*ground.recent_memories, *ground.pinned))


def _task_length(task: TaskDraft) -> int:
    texts = (task.title, task.details, task.goal, task.plan_step, *task.constraints)
    return sum(map(len, texts))


def _decision_length(decision: DecisionDraft) -> int:
    said = (decision.rationale, decision.constraints, decision.alternatives, decision.consequences)
    return len(decision.decision) + sum(len(text) for texts in said for text in texts)


def _event_length(content: EventContent) -> int:
    match content:
        case TextContent(text):
            return len(text)
        case ToolResultContent():
            return len(content.excerpt_text)
        case _:
            return JSON_BYTES


MOST_HELD = 512
MOST_BYTES = 64 * 1024 * 1024
MAX_COMMITS = 10_000
# Nothing held is trusted for longer: what is recent moves with the time, and a notification may have been lost.
LONGEST_TRUST_SECONDS = 5.0
Key = tuple[Scope, GroundWanted]


@dataclass(slots=True)
class Held:
    """What was read as of `now` of scopes of these names, when that was by the loop's clock, and whether nothing was
    notified of them since."""

    read: GroundRead
    names: frozenset[str]
    now: datetime
    read_at: float
    nbytes: int
    is_quiet: bool


@dataclass(slots=True, eq=False)
class Reading:
    """A read under way, of scopes of these names, and whether nothing was notified of them meanwhile."""

    names: frozenset[str]
    is_quiet: bool = True
    is_dropped: bool = False


class HeldGround:
    """`GroundReader` over another. Belongs to one event loop, and subscribes to the change notifier."""

    def __init__(
        self, reader: PostgresGroundReader, revision_of: Callable[[Scope], int | None]
    ) -> None:
        """`revision_of` tells how far the index in memory of a scope has come; None where there is none."""
        self._reader = reader
        self._revision_of = revision_of
        self._held: OrderedDict[Key, Held] = OrderedDict()
        self._nbytes = 0
        self._committed: dict[Scope, int] = {}
        self._readings: set[Reading] = set()

    async def ground(
        self, scope: Scope, wanted: GroundWanted, freshness: Freshness, *, now: datetime
    ) -> Ground:
        """Raises StorageUnavailable only where nothing is held that is as fresh as demanded."""
        key = (scope, wanted)
        held = self._held.get(key)
        if held is not None and self._is_true(scope, held, freshness, now):
            self._held.move_to_end(key)
            return unexpired(held.read.ground, now)
        try:
            return await self._read(key, freshness, now)
        except StorageUnavailable:
            held = self._held.get(key)
            # Nobody can tell whether it is everything that was committed.
            if held is None or isinstance(freshness, FullyConsistent):
                raise
            if held.read.ground.revision < least_revision(freshness):
                raise
            return replace(unexpired(held.read.ground, now), is_held=True)

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[Any]) -> bool:
        """From now on nothing older than this revision is shown."""
        if len(self._committed) >= MAX_COMMITS:
            self._committed.clear()
            self.on_change(None)
        self._committed[scope] = max(revision, self._committed.get(scope, 0))
        return True

    def on_change(self, name: str | None) -> None:
        """What was read of these scopes, or is being read, has to be read again."""
        hearing: tuple[Held | Reading, ...] = (*self._held.values(), *self._readings)
        for heard in hearing:
            if name is None or name in heard.names:
                heard.is_quiet = False

    def on_removal(self, name: str | None) -> None:
        """Drops what was read of these scopes: it is not shown again, not even while Postgres is away."""
        for key, held in list(self._held.items()):
            if name is None or name in held.names:
                self._nbytes -= self._held.pop(key).nbytes
        for reading in self._readings:
            reading.is_dropped |= name is None or name in reading.names

    def _is_true(self, scope: Scope, held: Held, freshness: Freshness, now: datetime) -> bool:
        """Whether Postgres would say the same."""
        ground = held.read.ground
        if isinstance(freshness, FullyConsistent) or ground.revision < least_revision(freshness):
            return False
        # An index may hear of the same ring a little later.
        if not held.is_quiet:
            return False
        # What is recent moves with the time, and what had expired is not held. Neither is read again for a moment.
        passed = (now - held.now).total_seconds()
        if not 0 <= passed <= LONGEST_TRUST_SECONDS:
            return False
        read = {scope: ground.revision, shared_scope(scope): held.read.shared_revision}
        return all(self._is_at(each, revision, held) for each, revision in read.items())

    def _is_at(self, scope: Scope, revision: int, held: Held) -> bool:
        """A scope that is not in memory has no index that knows its revision: the notifier tells of its changes."""
        known = self._revision_of(scope)
        if known is None:
            waited = asyncio.get_running_loop().time() - held.read_at
            is_same = waited <= LONGEST_TRUST_SECONDS
        else:
            is_same = known == revision
        return is_same and revision >= self._committed.get(scope, 0)

    async def _read(self, key: Key, freshness: Freshness, now: datetime) -> Ground:
        scope, wanted = key
        began = asyncio.get_running_loop().time()
        with self._listening(scope) as reading:
            read = await self._reader.read(scope, wanted, freshness, now=now)
        # What was taken back meanwhile may stand in it.
        if not reading.is_dropped:
            nbytes = rough_bytes(read.ground)
            self._hold(key, Held(read, reading.names, now, began, nbytes, reading.is_quiet))
        return read.ground

    @contextmanager
    def _listening(self, scope: Scope) -> Iterator[Reading]:
        reading = Reading(_names(scope))
        self._readings.add(reading)
        try:
            yield reading
        finally:
            self._readings.discard(reading)

    def _hold(self, key: Key, held: Held) -> None:
        before = self._held.pop(key, None)
        self._nbytes += held.nbytes - (before.nbytes if before else 0)
        self._held[key] = held
        while len(self._held) > MOST_HELD or self._nbytes > MOST_BYTES:
            _, oldest = self._held.popitem(last=False)
            self._nbytes -= oldest.nbytes


def unexpired(ground: Ground, now: datetime) -> Ground:
    """Without what has expired by now."""

    def is_left(expires_at: datetime | None) -> bool:
        return expires_at is None or expires_at > now

    return replace(
        ground,
        handoffs=[each for each in ground.handoffs if is_left(each.expires_at)],
        recent_memories=[each for each in ground.recent_memories if is_left(each.expires_at)],
        pinned=[each for each in ground.pinned if is_left(each.expires_at)],
    )


def _names(scope: Scope) -> frozenset[str]:
    return frozenset((scope_prefix(scope), scope_prefix(shared_scope(scope))))
