"""WatchMemories: follows the changes of a scope from a position on."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.paging import WatchPosition
from camillo_server.kernel.scope import Scope
from camillo_server.memories.store.reader import MemoryChange, MemoryReader
from camillo_server.storage.change_notifier import ChangeNotifier

PAGE = 200
# Followers are woken by notifications; this bounds the delay where one is lost.
MAX_WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """A change, or with None a checkpoint: everything up to the position has been sent."""

    position: WatchPosition
    change: MemoryChange | None


class WatchMemories:
    """Follows a scope from a position on."""

    def __init__(self, reader: MemoryReader, notifier: ChangeNotifier, clock: Clock) -> None:
        self._reader = reader
        self._notifier = notifier
        self._clock = clock

    async def __call__(self, scope: Scope, start: WatchPosition) -> AsyncIterator[WatchEvent]:
        """Without end. A checkpoint whenever everything has been sent, and again when the revision moved on."""
        position = start
        checkpoint = -1
        # A watcher that begins with nothing need not hear of what was gone before.
        silent_until = None if start == WatchPosition(0) else 0
        listener = self._notifier.listen(scope)
        try:
            while True:
                after = (position.revision, position.memory_id)
                page = await self._reader.changes(scope, after, PAGE, now=self._clock.now())
                silent_until = page.revision if silent_until is None else silent_until
                for change in page.changes:
                    position = WatchPosition(change.revision, change.memory_id)
                    if change.memory is not None or change.revision > silent_until:
                        yield WatchEvent(position, change)
                if len(page.changes) == PAGE:
                    continue
                # Every change of the revisions up to the one that was read has been sent.
                position = WatchPosition(max(page.revision, position.revision))
                if position.revision != checkpoint:
                    checkpoint = position.revision
                    yield WatchEvent(position, None)
                await listener.wait(MAX_WAIT_SECONDS)
        finally:
            listener.close()
