"""WatchEvents: the events of a scope as they are recorded, and those that are forgotten."""

from collections.abc import AsyncIterator
from dataclasses import replace

from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.events.event import EventFilter
from camillo_server.domain.events.loading import narrowed
from camillo_server.domain.events.ports import EventChangePage, EventCursor, EventReader
from camillo_server.domain.scope import Scope
from camillo_server.domain.watch_memories import LONGEST_WAIT_SECONDS, ChangeBell

PAGE = 200
# Behind every event of a revision.
LAST_PLACE = 2**31 - 1
BEGINNING = EventCursor(0, LAST_PLACE)


class WatchEvents:
    """Follows a scope from a place on."""

    def __init__(self, reader: EventReader, bell: ChangeBell, policy: ChannelPolicy) -> None:
        self._reader = reader
        self._bell = bell
        self._policy = policy

    async def __call__(
        self, scope: Scope, wanted: EventFilter, channel: Channel, after: EventCursor | None
    ) -> AsyncIterator[EventChangePage]:
        """Without end: pages of changes, and one without any, a checkpoint, whenever everything up to its revision has
        been sent and the revision moved on. None begins with the first event there is."""
        position, checkpoint = after or BEGINNING, -1
        wanted = narrowed(self._policy, wanted, channel)
        # Who begins with nothing need not hear of what was gone before.
        silent_until = None if after is None else 0
        listening = self._bell.listen(scope)
        try:
            while True:
                page = await self._reader.changes(scope, wanted, position, PAGE)
                silent_until = page.revision if silent_until is None else silent_until
                told = _told(page, silent_until)
                if told.changes:
                    yield told
                if page.changes:
                    # A page may be short because of its bytes: only an empty one tells that there is no more.
                    position = EventCursor(page.changes[-1].revision, page.changes[-1].place)
                    continue
                position = EventCursor(max(page.revision, position.revision), LAST_PLACE)
                if position.revision != checkpoint:
                    checkpoint = position.revision
                    yield EventChangePage((), checkpoint)
                await listening.wait(LONGEST_WAIT_SECONDS)
        finally:
            listening.close()


def _told(page: EventChangePage, silent_until: int) -> EventChangePage:
    """The page without what was forgotten up to a revision."""
    told = [
        change
        for change in page.changes
        if change.recorded is not None or change.revision > silent_until
    ]
    return replace(page, changes=told)
