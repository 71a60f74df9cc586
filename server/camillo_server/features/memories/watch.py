"""Watches of memories: the changes of one space, or of several, without end."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from dataclasses import replace as replace_fields

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import WatchPosition
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.rows.store.reader import MemoryChange, MemoryReader
from camillo_server.storage.change_notifier import MAX_WAIT_SECONDS, ChangeNotifier, ScopeListener

CHANGES_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """A change of a scope, or with None a checkpoint: everything of the scope up to the position has been sent."""

    scope: Scope
    position: WatchPosition
    change: MemoryChange | None


class WatchedScope:
    """The changes of one scope behind a position, a page at a time."""

    def __init__(
        self, reader: MemoryReader, listener: ScopeListener, clock: Clock, scope: Scope, start: WatchPosition
    ) -> None:
        self.listener = listener
        # Whether more changes than the last page had are there.
        self.is_behind = True
        self._reader = reader
        self._clock = clock
        self._scope = scope
        self._position = start
        self._checkpoint = -1
        # A watcher that begins with nothing need not hear of what was gone before.
        self._silent_until = None if start == WatchPosition(0) else 0

    async def page(self, *, shows_restricted: bool) -> list[WatchEvent]:
        """The next changes; behind the last one, a checkpoint if the revision moved on."""
        self.listener.take()
        after, now = (self._position.revision, self._position.memory_id), self._clock.now()
        page = await self._reader.changes(self._scope, after, CHANGES_AT_ONCE, now=now)
        self.listener.require_history()
        if self._silent_until is None:
            self._silent_until = page.revision
        events: list[WatchEvent] = []
        for change in page.changes:
            self._position = WatchPosition(change.revision, change.memory_id)
            memory = change.memory
            if memory is not None and memory.sensitivity is Sensitivity.RESTRICTED and not shows_restricted:
                memory = None
            if memory is not None or change.revision > self._silent_until:
                events.append(WatchEvent(self._scope, self._position, replace_fields(change, memory=memory)))
        self.is_behind = len(page.changes) == CHANGES_AT_ONCE
        if self.is_behind:
            return events
        # Every change of the revisions up to the one that was read has been sent.
        self._position = WatchPosition(max(page.revision, self._position.revision))
        if self._position.revision != self._checkpoint:
            self._checkpoint = self._position.revision
            events.append(WatchEvent(self._scope, self._position, None))
        return events


async def watch(
    reader: MemoryReader, notifier: ChangeNotifier, clock: Clock, own: Scope, starts: Mapping[Scope, WatchPosition]
) -> AsyncGenerator[WatchEvent]:
    """The changes of these scopes; those of one with many take turns with those of the others."""
    changed = asyncio.Event()
    watched = {
        scope: WatchedScope(reader, notifier.listen(scope, changed), clock, scope, start)
        for scope, start in starts.items()
    }
    try:
        due = watched
        while True:
            for scope, each in due.items():
                for event in await each.page(shows_restricted=scope == own):
                    yield event
            due = {scope: each for scope, each in watched.items() if each.is_behind}
            if due:
                continue
            is_changed = await next(iter(watched.values())).listener.wait(MAX_WAIT_SECONDS)
            due = {scope: each for scope, each in watched.items() if each.listener.take() or not is_changed}
    finally:
        for each in watched.values():
            each.listener.close()
