"""GetEvent: one event by its id."""

from collections.abc import Sequence

from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.errors import NotFound
from camillo_server.domain.events.event import Event, EventId
from camillo_server.domain.events.loading import may_load_event
from camillo_server.domain.events.ports import EventReader
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.scope import Scope


class GetEvent:
    """Reads an event that the channel may load, and the ids of its chunks."""

    def __init__(self, reader: EventReader, policy: ChannelPolicy) -> None:
        self._reader = reader
        self._policy = policy

    async def __call__(
        self, scope: Scope, event_id: EventId, channel: Channel
    ) -> tuple[Event, Sequence[MemoryId]]:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        found = await self._reader.get(scope, event_id)
        if found is None or not may_load_event(self._policy, channel, found[0]):
            raise NotFound("event", event_id)
        return found
