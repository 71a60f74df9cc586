"""Use cases of links: stated, taken away, and what is one step away from something."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from camillo_server.features.links.entities import entities_of_rows, names_for
from camillo_server.features.links.entity_names import EntityFinder, EntityNames
from camillo_server.features.links.link import (
    NOUNS,
    Link,
    LinkEnd,
    Related,
    RelatedPage,
    RelatedQuery,
    StatedLink,
    origin_of,
)
from camillo_server.features.links.store import LinkReader, LinkStore, StoredLink
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Principal, Scope
from camillo_server.kernel.writes import Freshness, RequestKey
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.entities import Entity
from camillo_server.lib.text.index_terms import written_terms
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import read_fresh

# An entity that more rows of a scope mention says little about how two of them are related.
MAX_ROWS_OF_ENTITY = 48
# Rows read for a page of what mentions an entity: a row may have the terms of its name, and not the name.
MENTIONS_AT_ONCE = 256
MAX_READS = 4


class Links:
    """Links of a scope, and with the documents of its tenant. Every method raises StorageUnavailable."""

    def __init__(self, store: LinkStore, database: Database, keyring: Keyring, clock: Clock) -> None:
        self._store = store
        self._database = database
        self._keyring = keyring
        self._clock = clock

    async def add(
        self,
        scope: Scope,
        links: Sequence[StatedLink],
        caller: Principal,
        request: RequestKey | None,
    ) -> tuple[Sequence[Link], int]:
        """The links, in the order given, and the revision that holds them. Raises RefNotFound, QuotaExceeded,
        RequestIdReused."""
        now, granted = self._clock.now(), caller.document_categories
        written = await self._store.add(scope, links, caller.credential, request, now=now, granted=granted)
        added = [
            Link(stated, facts.created_at, facts.credential)
            for stated, facts in zip(links, written.record.facts, strict=True)
        ]
        return added, written.revision

    async def remove(self, scope: Scope, links: Sequence[StatedLink], request: RequestKey | None) -> tuple[int, int]:
        """How many were there, and the revision without them. Raises RequestIdReused."""
        written = await self._store.remove(scope, links, request, now=self._clock.now())
        return written.record.removed, written.revision

    async def related(self, scope: Scope, query: RelatedQuery, offset: int, size: int) -> RelatedPage:
        """Items related to an item: those with links first, then those that share entities, the rarest entity first.
        Raises NotFound for an item that is not there, or that the filter hides; RevisionBehind, KeyMissing,
        BytesLost."""
        now = self._clock.now()

        async def work(session: Session) -> tuple[RelatedPage, int]:
            reader = LinkReader(session, scope, query.filter, now, self._keyring)
            page = await _related(reader, query, offset, size)
            return page, page.revision

        page, _ = await read_fresh(self._database, scope, query.freshness, work)
        return page

    async def mentioning(
        self,
        scope: Scope,
        entity: Entity,
        filter_: MemoryFilter,
        freshness: Freshness,
        after: PageCursor | None,
        size: int,
    ) -> tuple["MentionPage", int]:
        """The items that mention an entity, newest first, and the revision read at. Raises RevisionBehind."""
        now = self._clock.now()

        async def work(session: Session) -> tuple[MentionPage, int]:
            reader = LinkReader(session, scope, filter_, now, self._keyring)
            revision, names = await names_for(reader)
            return await _mentioning(reader, names.names(entity), names, after, size), revision

        return await read_fresh(self._database, scope, freshness, work)


@dataclass(frozen=True, slots=True)
class MentionPage:
    """Rows that mention an entity, and where the next page begins."""

    related: Sequence[Related]
    next_cursor: PageCursor | None


async def _related(reader: LinkReader, query: RelatedQuery, offset: int, size: int) -> RelatedPage:
    revision, names = await names_for(reader)
    item_id = await reader.id_of(query.item)
    if item_id is None:
        raise NotFound(NOUNS[query.item.source], query.item.id)
    source = query.item.source
    own = (await reader.rows_of([(source, item_id)])).get(item_id)
    if own is None and await reader.is_searched(source, item_id):
        # A hidden item is reported like one that does not exist.
        raise NotFound(NOUNS[query.item.source], query.item.id)
    entities = await entities_of_rows(EntityFinder(names), [own] if own else [])
    found = await _linked(reader, query, item_id)
    if own is not None and not query.types:
        known = {item_id, *(origin_of(each.row)[1] for each in found)}
        found += await _sharing(reader, entities[0], names, known)
    page = found[offset : offset + size]
    next_offset = offset + size if len(found) > offset + size else None
    mentioned = entities[0] if entities and not offset else ()
    return RelatedPage(page, mentioned, next_offset, revision)


async def _linked(reader: LinkReader, query: RelatedQuery, item_id: UUID) -> list[Related]:
    """The items at the other ends of the item's links, in either direction."""
    links = await reader.links_of(item_id, query.types)
    rows = await reader.rows_of((link.source, link.other_id) for link in links)
    shown = [link for link in links if link.other_id in rows]
    ends = await reader.named([(link.source, link.other_id) for link in shown])
    return [
        Related(end, rows[link.other_id], _link_between(link, query.item, end))
        for link, end in zip(shown, ends, strict=True)
    ]


def _link_between(link: StoredLink, item: LinkEnd, other: LinkEnd) -> Link:
    ends = (item, other) if link.leads_away else (other, item)
    return Link(StatedLink(link.type, *ends), link.created_at, link.credential)


async def _sharing(
    reader: LinkReader, entities: Sequence[Entity], names: EntityNames, known: set[UUID]
) -> list[Related]:
    """Items that mention any of these entities, those with the rarest entity first; without the items in `known`."""
    terms = [(entity, _terms(names.names(entity))) for entity in entities]
    searched = [(entity, each) for entity, each in terms if each]
    if not searched:
        return []
    found = await reader.holding([each for _, each in searched], None, MAX_ROWS_OF_ENTITY + 1)
    rows = {row.memory_id: row for each in found for row in each}
    finder = EntityFinder(names, entities)
    mentioned = dict(zip(rows, await entities_of_rows(finder, rows.values()), strict=True))
    shared: dict[UUID, list[Entity]] = {}
    counts: dict[UUID, int] = {}
    first_rows: dict[UUID, Row] = {}
    for (entity, _), held in zip(searched, found, strict=True):
        mentioning = [row for row in held if entity in mentioned[row.memory_id]]
        if len(mentioning) > MAX_ROWS_OF_ENTITY:
            continue
        for row in mentioning:
            origin = origin_of(row)[1]
            if origin not in known and entity not in shared.setdefault(origin, []):
                shared[origin].append(entity)
                counts[origin] = min(counts.get(origin, len(mentioning)), len(mentioning))
                first_rows.setdefault(origin, row)
    # Newest first among those whose rarest entity is as rare.
    order = sorted(first_rows, key=lambda each: (first_rows[each].occurred_at, each), reverse=True)
    order.sort(key=lambda each: (counts[each], -len(shared[each])))
    ends = await reader.ends_of([first_rows[each] for each in order])
    return [Related(end, first_rows[each], shared=shared[each]) for each, end in zip(order, ends, strict=True)]


async def _mentioning(
    reader: LinkReader, all_names: Sequence[Entity], names: EntityNames, after: PageCursor | None, size: int
) -> MentionPage:
    """A page of what mentions the entity with all of these names, its own first."""
    entity, terms = all_names[0], _terms(all_names)
    finder = EntityFinder(names, [entity])
    found: list[Row] = []
    for _ in range(MAX_READS if terms else 0):
        (rows,) = await reader.holding([terms], after, MENTIONS_AT_ONCE)
        for row, mentioned in zip(rows, await entities_of_rows(finder, rows), strict=True):
            after = PageCursor(row.occurred_at, row.memory_id)
            if entity in mentioned:
                found.append(row)
            if len(found) == size:
                return await _mention_page(reader, entity, found, after)
        if len(rows) < MENTIONS_AT_ONCE:
            return await _mention_page(reader, entity, found, None)
    return await _mention_page(reader, entity, found, after if terms else None)


async def _mention_page(
    reader: LinkReader, entity: Entity, rows: Sequence[Row], after: PageCursor | None
) -> MentionPage:
    ends = await reader.ends_of(rows)
    related = [Related(end, row, shared=(entity,)) for end, row in zip(ends, rows, strict=True)]
    return MentionPage(related, after)


def _terms(names: Sequence[Entity]) -> list[list[str]]:
    """For each of these names its index terms, which every text has that mentions it; without names that have none."""
    terms = (list(dict.fromkeys(written_terms(each.name))) for each in names)
    return [each for each in terms if each]
