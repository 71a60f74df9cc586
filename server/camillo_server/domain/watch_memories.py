"""WatchMemories: the changes of a scope in the order of their revisions."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.ports import Change, MemoryReader
from camillo_server.domain.scope import Scope

PAGE = 200
# Followers are woken by notifications; this bounds the delay where one is lost.
LONGEST_WAIT_SECONDS = 5.0


class ChangeBell(Protocol):
    """Rings when a scope may have changed; may ring for nothing, may miss."""

    def listen(self, scope: Scope) -> "Listening": ...


class Listening(Protocol):
    """One watcher's ear on one scope: a ring between two waits ends the next wait at once."""

    async def wait(self, timeout_seconds: float) -> None:
        """Returns when the scope may have changed, or after the time."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class WatchPosition:
    """Everything up to this revision has been seen; with a memory id, up to that one within the revision."""

    revision: int
    memory_id: MemoryId | None = None


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """A change, or with None a checkpoint: everything up to the position has been sent."""

    position: WatchPosition
    change: Change | None


class WatchMemories:
    """Follows a scope from a position on."""

    def __init__(self, reader: MemoryReader, bell: ChangeBell, clock: Clock) -> None:
        self._reader = reader
        self._bell = bell
        self._clock = clock

    async def __call__(self, scope: Scope, start: WatchPosition) -> AsyncIterator[WatchEvent]:
        """Without end. A checkpoint whenever everything has been sent, and again when the revision moved on."""
        position = start
        checkpoint = -1
        # Who begins with nothing need not hear of what was gone before.
        silent_until = None if start == WatchPosition(0) else 0
        listening = self._bell.listen(scope)
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
                await listening.wait(LONGEST_WAIT_SECONDS)
        finally:
            listening.close()
