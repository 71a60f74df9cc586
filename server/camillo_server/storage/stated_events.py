"""What events state, read only where something may not be stated: their texts may be long."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from camillo_server.domain.events.content_size import contents_cost
from camillo_server.domain.events.event import Event
from camillo_server.domain.events.stated_texts import stated_texts
from camillo_server.domain.off_loop import UNBOUNDED, fits_loop, off_loop
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Database
from camillo_server.storage.value_blocks import (
    MARK_MICROSECONDS,
    Marked,
    blocked_marks,
    marked,
)


@dataclass(frozen=True, slots=True)
class StatedEvents:
    """Events that are to be stored in a scope."""

    scope: Scope
    events: Sequence[Event]

    def marks_at_once(self) -> list[bytes] | None:
        """The marks of all texts; None where there is too much to read."""
        cost = contents_cost((event.content for event in self.events), MARK_MICROSECONDS)
        return _marks_of(self._marked()) if fits_loop(cost) else None

    async def marks(self) -> list[bytes]:
        """The same, however much there is."""
        return await off_loop(UNBOUNDED, lambda: _marks_of(self._marked()))

    async def rejected(self, database: Database) -> Mapping[int, str]:
        """The places of the events that state what may not be stated, each with the first field that does."""
        of_each = await off_loop(UNBOUNDED, self._marked)
        blocked = await database.read(
            self.scope.tenant_id,
            lambda session: blocked_marks(session, self.scope, _marks_of(of_each)),
        )
        fields = ((place, each.fields_with(blocked)) for place, each in enumerate(of_each))
        return {place: found[0] for place, found in fields if found}

    def _marked(self) -> list[Marked]:
        return [marked(self.scope, stated_texts(event.content)) for event in self.events]


def _marks_of(of_each: Sequence[Marked]) -> list[bytes]:
    return list({mark for each in of_each for mark in each.marks()})
