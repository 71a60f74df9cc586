"""Reads of events."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from camillo_server.crypto.keyring import Keyring
from camillo_server.events.content_texts import stated_texts
from camillo_server.events.event import (
    Event,
    EventChange,
    EventChangePage,
    EventFilter,
    EventId,
    EventPage,
    contents_cost,
)
from camillo_server.events.store.rows import COLUMN_COUNT, EventRows, filter_parameters
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import UNBOUNDED, fits_loop, off_loop
from camillo_server.kernel.paging import EventCursor
from camillo_server.kernel.scope import Scope
from camillo_server.storage.blocklist import (
    FINGERPRINT_MICROSECONDS,
    ValueFingerprints,
    blocked_fingerprints,
    fingerprint_texts,
)
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/events")
# As JSON, in which a byte of text may become six. Who shows less sees by itself that there is more.
PAGE_BYTES = 20 * 1024 * 1024
BEFORE_ALL = EventCursor(-1, -1)
BEHIND_ALL = EventCursor(2**63 - 1, 2**31 - 1)
NO_FILTER = EventFilter()
# Each by an index of its own.
SOURCES: Mapping[str, LiteralString] = {
    "all": "events e",
    "session": "(select * from events s where s.session_id = %(session_id)s) e",
    "ref": (
        "event_refs n join events e on e.tenant_id = n.tenant_id and e.agent_id = n.agent_id"
        " and e.revision = n.revision and e.place = n.place and n.ref = %(ref)s"
    ),
}


def _page_statement(source: str, *, newest_first: bool) -> LiteralString:
    order: LiteralString = "desc" if newest_first else "asc"
    behind: LiteralString = "<" if newest_first else ">"
    text = SQL["page"].replace("{source}", SOURCES[source])
    return text.replace("{order}", order).replace("{behind}", behind)


PAGES = {
    (source, newest_first): _page_statement(source, newest_first=newest_first)
    for source in SOURCES
    for newest_first in (False, True)
}


class EventReader:
    """Reads events of one scope. Every method raises StorageUnavailable, KeyMissing for what is encrypted with a key that
    the server lacks, and BytesLost for what is encrypted and damaged."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._rows = EventRows(keyring)

    async def get(self, scope: Scope, event_id: EventId) -> tuple[Event, Sequence[MemoryId]] | None:
        """The event and its chunks, in order."""
        parameters = {**scope_parameters(scope), "event_id": str(event_id)}

        async def work(session: Session) -> tuple[Any, ...] | None:
            return await session.row(SQL["get"], parameters)

        row = await self._database.read(scope.tenant_id, work)
        if row is None:
            return None
        (event,) = await self._rows.events(scope, [row])
        return event, [MemoryId(chunk_id) for chunk_id in row[COLUMN_COUNT]]

    async def page(
        self,
        scope: Scope,
        wanted: EventFilter,
        after: EventCursor | None,
        size: int,
        *,
        newest_first: bool,
    ) -> EventPage:
        """At most `size` events that follow `after`, in the order of recording or against it."""
        source = "session" if wanted.session_id else "ref" if wanted.ref else "all"
        statement = PAGES[source, newest_first]
        behind = after or (BEHIND_ALL if newest_first else BEFORE_ALL)
        revision, rows = await self._found(scope, statement, _asked(wanted, behind, size))
        events = await self._rows.events(scope, rows)
        return EventPage(events, revision, is_cut=bool(rows) and len(rows) < _found_before(rows))

    async def changes(
        self, scope: Scope, wanted: EventFilter, after: EventCursor, size: int
    ) -> EventChangePage:
        """Changes that follow `after`; of forgotten events whatever the filter says."""
        statement = SQL["changes"]
        revision, rows = await self._found(scope, statement, _asked(wanted, after, size))
        recorded = iter(await self._rows.events(scope, [row for row in rows if not _is_gone(row)]))
        changes = [
            EventChange(row[2], row[3], None, EventId(row[0]))
            if _is_gone(row)
            else EventChange(row[2], row[3], next(recorded))
            for row in rows
        ]
        if rows and len(rows) < _found_before(rows):
            revision = changes[-1].revision
        elif len(rows) == size:
            # There may be more of the last revision.
            revision = changes[-1].revision - 1
        return EventChangePage(changes, revision)

    async def every(self, scope: Scope, batch: int) -> AsyncIterator[Sequence[Event]]:
        """All events of the scope in the order of recording, in batches."""
        after = BEFORE_ALL
        while True:
            page = await self.page(scope, NO_FILTER, after, batch, newest_first=False)
            if page.events:
                yield page.events
                after = EventCursor(page.events[-1].revision, page.events[-1].place)
            if len(page.events) < batch and not page.is_cut:
                return

    async def _found(
        self, scope: Scope, statement: LiteralString, asked: Mapping[str, Any]
    ) -> tuple[int, list[tuple[Any, ...]]]:
        """The scope's revision, and rows without it."""
        parameters = {**scope_parameters(scope), **asked}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(statement, parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return rows[0][0], [row[1:] for row in rows if row[1] is not None]


def _asked(wanted: EventFilter, after: EventCursor, size: int) -> dict[str, Any]:
    return {
        **filter_parameters(wanted),
        "after_revision": after.revision,
        "after_place": after.place,
        "size": size,
        "bytes": PAGE_BYTES,
    }


def _found_before(rows: Sequence[Sequence[Any]]) -> int:
    """How many rows there were before the bytes of the page were looked at."""
    found: int = rows[0][COLUMN_COUNT]
    return found


def _is_gone(row: Sequence[Any]) -> bool:
    """A tombstone's row: it has a place and an id, and no kind."""
    return row[8] is None


@dataclass(frozen=True, slots=True)
class EventTexts:
    """Events that are to be stored in a scope."""

    scope: Scope
    events: Sequence[Event]

    def marks_at_once(self) -> list[bytes] | None:
        """The marks of all texts; None where there is too much to read."""
        cost = contents_cost((event.content for event in self.events), FINGERPRINT_MICROSECONDS)
        return _marks_of(self._marked()) if fits_loop(cost) else None

    async def marks(self) -> list[bytes]:
        """The same, however much there is."""
        return await off_loop(UNBOUNDED, lambda: _marks_of(self._marked()))

    async def rejected(self, database: Database) -> Mapping[int, str]:
        """The places of the events that state what may not be stated, each with the first field that does."""
        of_each = await off_loop(UNBOUNDED, self._marked)
        blocked = await database.read(
            self.scope.tenant_id,
            lambda session: blocked_fingerprints(session, self.scope, _marks_of(of_each)),
        )
        fields = ((place, each.fields_with(blocked)) for place, each in enumerate(of_each))
        return {place: found[0] for place, found in fields if found}

    def _marked(self) -> list[ValueFingerprints]:
        return [fingerprint_texts(self.scope, stated_texts(event.content)) for event in self.events]


def _marks_of(of_each: Sequence[ValueFingerprints]) -> list[bytes]:
    return list({mark for each in of_each for mark in each.all()})
