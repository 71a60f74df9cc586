"""Reads of events, and of what they and other records cite."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, LiteralString

from camillo_server.features.events.event import (
    Event,
    EventChange,
    EventChangePage,
    EventFilter,
    EventId,
    EventPage,
)
from camillo_server.features.events.store.rows import EventRows, filter_parameters
from camillo_server.kernel.ids import EventCursor, MemoryId, PageCursor
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/events/store/events")
# Bytes of JSON, in which a byte of text may become six.
PAGE_BYTES = 20 * 1024 * 1024
BEFORE_ALL = EventCursor(-1, -1)
AFTER_ALL = EventCursor(2**63 - 1, 2**31 - 1)
NO_FILTER = EventFilter()
# Each is read by an index of its own.
SOURCES: Mapping[str, LiteralString] = {
    "all": "events e",
    "session": "(select * from events s where s.session_id = %(session_id)s) e",
    "ref": (
        "event_refs n join events e on e.tenant_id = n.tenant_id and e.agent_id = n.agent_id"
        " and e.revision = n.revision and e.place = n.place and n.ref = %(ref)s"
    ),
    "workflow": (
        "workflow_steps n join events e on e.tenant_id = n.tenant_id and e.agent_id = n.agent_id"
        " and e.revision = n.revision and e.place = n.place and n.workflow = %(workflow)s"
    ),
}


def _page_statement(source: str, *, newest_first: bool) -> LiteralString:
    order: LiteralString = "desc" if newest_first else "asc"
    comparison: LiteralString = "<" if newest_first else ">"
    text = SQL["page"].replace("{source}", SOURCES[source])
    return text.replace("{order}", order).replace("{comparison}", comparison)


PAGES = {
    (source, newest_first): _page_statement(source, newest_first=newest_first)
    for source in SOURCES
    for newest_first in (False, True)
}


class EventReader:
    """Reads events of one scope. Every method raises StorageUnavailable, KeyMissing for what is encrypted with a key
    that the server lacks, and BytesLost for what is encrypted and damaged."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._rows = EventRows(keyring)

    async def get(self, scope: Scope, event_id: EventId) -> tuple[Event, Sequence[MemoryId]] | None:
        """The event and its chunks, in order."""
        parameters = {**scope_parameters(scope), "event_id": str(event_id)}
        row = await self._database.record(scope, SQL["get"], parameters)
        if row is None:
            return None
        (event,) = await self._rows.events(scope, [row])
        return event, [MemoryId(chunk_id) for chunk_id in row.chunk_ids]

    async def page(
        self,
        scope: Scope,
        filter: EventFilter,
        after: EventCursor | None,
        size: int,
        *,
        newest_first: bool,
    ) -> EventPage:
        """At most `size` events that follow `after`, in the order of recording or against it."""
        source = _source(filter)
        start = after or (AFTER_ALL if newest_first else BEFORE_ALL)
        statement = PAGES[source, newest_first]
        revision, rows = await self._read(scope, statement, filter, start, size + 1)
        return EventPage(await self._rows.events(scope, rows[:size]), _has_more(rows, size), revision)

    async def workflow(self, scope: Scope, filter: EventFilter, after: PageCursor, size: int) -> EventPage:
        """At most `size` steps of the filter's workflow that follow `after`, of the scope and of the tenant's shared
        one, by the time when they happened and by id; its run, its statuses and its sensitivities count, too."""
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(filter),
            "agent_ids": list({scope.agent_id, shared_scope(scope).agent_id}),
            "after_time": after.at,
            "after_id": after.row_id,
            # One more than requested shows whether there is a next page.
            "size": size + 1,
            "bytes": PAGE_BYTES,
        }
        rows = await self._database.records(scope, SQL["workflow"], parameters)
        return EventPage(await self._rows.events(scope, rows[:size]), _has_more(rows, size))

    async def changes(self, scope: Scope, filter: EventFilter, after: EventCursor, size: int) -> EventChangePage:
        """Changes that follow `after`; of forgotten events whatever the filter says, and of redacted ones that do not
        pass it as if these were forgotten."""
        revision, rows = await self._read(scope, SQL["changes"], filter, after, size)
        recorded = iter(await self._rows.events(scope, [row for row in rows if not _is_tombstone(row)]))
        changes = [
            EventChange(row.changed_revision, row.changed_place, None, EventId(row.event_id))
            if _is_tombstone(row)
            else EventChange(row.changed_revision, row.changed_place, next(recorded))
            for row in rows
        ]
        if _has_more(rows, size):
            revision = changes[-1].revision
        elif len(rows) == size:
            # There may be more of the last revision.
            revision = changes[-1].revision - 1
        return EventChangePage(changes, revision)

    async def every(self, scope: Scope, batch: int) -> AsyncGenerator[Sequence[Event]]:
        """All events of the scope in the order of recording, in batches."""
        after = BEFORE_ALL
        while True:
            page = await self.page(scope, NO_FILTER, after, batch, newest_first=False)
            if page.events:
                yield page.events
                after = EventCursor(page.events[-1].revision, page.events[-1].index)
            if not page.has_more:
                return

    async def _read(
        self,
        scope: Scope,
        statement: LiteralString,
        filter: EventFilter,
        after: EventCursor,
        size: int,
    ) -> tuple[int, list[Any]]:
        """The scope's revision, and rows without it."""
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(filter),
            "after_revision": after.revision,
            "after_place": after.index,
            "size": size,
            "bytes": PAGE_BYTES,
        }
        rows = await self._database.records(scope, statement, parameters)
        return rows[0].scope_revision, [row for row in rows if row.event_id is not None]


def _source(filter: EventFilter) -> str:
    if filter.session_id:
        return "session"
    if filter.ref:
        return "ref"
    return "workflow" if filter.workflow else "all"


def _has_more(rows: Sequence[Any], size: int) -> bool:
    """Whether there were more rows before their bytes were counted, or are more than requested."""
    return bool(rows) and min(len(rows), size) < rows[0].found


def _is_tombstone(row: Any) -> bool:
    return row.kind is None
