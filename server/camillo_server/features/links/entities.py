"""Use cases of entities: listed with what is known of them, their names merged, split, and as they were before."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

from camillo_server.features.links.entity_names import (
    MAX_ROWS_READ,
    NO_NAMES,
    ChangedNames,
    EntityChange,
    EntityFinder,
    EntityNames,
    EntityPage,
    EntityQuery,
    KnownEntity,
    NameStatement,
)
from camillo_server.features.links.entity_store import EntityStore
from camillo_server.features.links.link import origin_of
from camillo_server.features.links.store import LinkReader
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.kinds import Sensitivity, Source
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Principal, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.entities import Entity, normal_entity
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import read_fresh

ROWS_AT_ONCE = 1_000


class Entities:
    """Entities of a scope. Every method raises StorageUnavailable; reads of names raise KeyMissing and BytesLost."""

    def __init__(self, store: EntityStore, database: Database, keyring: Keyring, clock: Clock) -> None:
        self._store = store
        self._database = database
        self._keyring = keyring
        self._clock = clock

    async def list(self, scope: Scope, query: EntityQuery, offset: int, size: int) -> EntityPage:
        """The entities that the newest rows mention, or that have merged names; the most mentioned first. Raises
        RevisionBehind."""
        now = self._clock.now()

        async def work(session: Session) -> tuple[_NewestRows, int]:
            reader = LinkReader(session, scope, query.filter, now, self._keyring)
            revision, names = await names_for(reader)
            return _NewestRows(await reader.newest(MAX_ROWS_READ + 1), names), revision

        # The rules take a second for all rows: not while a connection is held.
        read, revision = await read_fresh(self._database, scope, query.freshness, work)
        return await _page(read, revision, query, offset, size)

    async def merge(
        self, scope: Scope, into: Entity, names: Sequence[Entity], caller: Principal, request: RequestKey | None
    ) -> tuple[EntityChange | None, int]:
        """The change, None where nothing changed, and the revision that holds it. Raises QuotaExceeded, ValueRejected,
        RequestIdReused."""
        return await self._change(scope, [NameStatement(each, into) for each in names], caller, request)

    async def split(
        self, scope: Scope, names: Sequence[Entity], caller: Principal, request: RequestKey | None
    ) -> tuple[EntityChange | None, int]:
        """Returns and raises what `merge` does."""
        return await self._change(scope, [NameStatement(each, None) for each in names], caller, request)

    async def _change(
        self, scope: Scope, stated: Sequence[NameStatement], caller: Principal, request: RequestKey | None
    ) -> tuple[EntityChange | None, int]:
        now = self._clock.now()
        written = await self._store.change(scope, stated, caller.credential, request, now=now)
        return _changed(stated, written.record), written.revision

    async def revert(self, scope: Scope, change_id: UUID, request: RequestKey | None) -> tuple[int, int]:
        """How many names the change has, 0 if there is none or it was reverted before; and the revision without it.
        Raises RequestIdReused."""
        written = await self._store.revert(scope, change_id, request, now=self._clock.now())
        return written.record.reverted, written.revision

    async def changes(
        self, scope: Scope, filter_: MemoryFilter, before: int, size: int
    ) -> tuple[Sequence[EntityChange], int | None]:
        """The changes before a revision, newest first, and the revision before which the next page begins; nothing for
        whom the filter hides names."""
        return await self._store.changes(scope, before, size) if shows_names(filter_) else ((), None)


def shows_names(filter_: MemoryFilter) -> bool:
    """Whether the filter lets through merged names, which are internal."""
    levels = filter_.sensitivities or tuple(Sensitivity)
    return bool(filter_.sources) and Sensitivity.INTERNAL in levels


async def names_for(reader: LinkReader) -> tuple[int, EntityNames]:
    """The revision of the reader's scope, and its merged names, none where the filter hides them."""
    revision, has_names = await reader.state()
    return revision, await reader.names() if has_names and shows_names(reader.filter) else NO_NAMES


def _changed(stated: Sequence[NameStatement], record: ChangedNames) -> EntityChange | None:
    if record.change_id is None:
        return None
    names = [stated[position].alias for position in record.changed]
    return EntityChange(record.change_id, stated[0].into, names, record.changed_at, record.credential)


@dataclass(frozen=True, slots=True)
class _NewestRows:
    """The newest rows of a scope, with one more than count if there are older ones, and its merged names."""

    rows: Sequence[Row]
    names: EntityNames


@dataclass(slots=True)
class _Mentions:
    """The records that mention one entity."""

    by_source: dict[Source, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    last_seen_at: datetime | None = None

    def add(self, row: Row) -> None:
        """Rows come newest first."""
        source, record_id = origin_of(row)
        self.by_source[source].add(record_id)
        self.last_seen_at = self.last_seen_at or row.occurred_at

    def __len__(self) -> int:
        return sum(map(len, self.by_source.values()))


async def _page(read: _NewestRows, revision: int, query: EntityQuery, offset: int, size: int) -> EntityPage:
    names = read.names
    mentions = {entity: _Mentions() for entity in names.of}
    finder = EntityFinder(names)
    for begin in range(0, MAX_ROWS_READ, ROWS_AT_ONCE):
        rows = read.rows[begin : min(begin + ROWS_AT_ONCE, MAX_ROWS_READ)]
        cost = len(rows) * ROW + finder.cost([row.content for row in rows])
        await off_loop(cost, partial(_add_mentions, mentions, finder, rows))
    found = await off_loop(len(mentions) * ROW, lambda: _wanted(mentions, names, query))
    next_offset = offset + size if len(found) > offset + size else None
    older_unread = len(read.rows) > MAX_ROWS_READ
    return EntityPage(found[offset : offset + size], next_offset, older_unread, revision)


async def entities_of_rows(finder: EntityFinder, rows: Iterable[Row]) -> list[tuple[Entity, ...]]:
    """The entities that each row mentions."""
    texts = [row.content for row in rows]
    return await off_loop(finder.cost(texts), lambda: [*map(finder.entities_in, texts)])


def _add_mentions(mentions: dict[Entity, _Mentions], finder: EntityFinder, rows: Sequence[Row]) -> None:
    for row in rows:
        for entity in finder.entities_in(row.content):
            mentions.setdefault(entity, _Mentions()).add(row)


def _wanted(mentions: dict[Entity, _Mentions], names: EntityNames, query: EntityQuery) -> list[KnownEntity]:
    return [_known(entity, each, names) for entity, each in _in_order(mentions) if _is_wanted(entity, names, query)]


def _in_order(mentions: dict[Entity, _Mentions]) -> list[tuple[Entity, _Mentions]]:
    """The most mentioned first; of equals, the latest seen first."""
    by_name = sorted(mentions.items(), key=lambda each: each[0].name)
    by_time = sorted(by_name, key=lambda each: -(seen.timestamp() if (seen := each[1].last_seen_at) else 0))
    return sorted(by_time, key=lambda each: -len(each[1]))


def _is_wanted(entity: Entity, names: EntityNames, query: EntityQuery) -> bool:
    of_type = [each for each in names.names(entity) if query.type in (None, each.type)]
    if not query.prefix:
        return bool(of_type)
    # As each type of name is written: some are kept in capitals.
    return any(each.name.startswith(normal_entity(each.type, query.prefix).name) for each in of_type)


def _known(entity: Entity, mentions: _Mentions, names: EntityNames) -> KnownEntity:
    counts = {source: len(ids) for source, ids in sorted(mentions.by_source.items())}
    return KnownEntity(entity, names.names(entity)[1:], counts, mentions.last_seen_at)
