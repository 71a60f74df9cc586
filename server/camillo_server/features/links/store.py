"""Links in Postgres, and the rows that are at their ends or mention an entity."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_formats.slot_keys import key_of, path_of
from psycopg import errors as pg

from camillo_server.features.links.entity_names import EntityNames
from camillo_server.features.links.entity_store import read_names
from camillo_server.features.links.link import (
    MAX_LINKS_OF_END,
    AddedLinks,
    LinkEnd,
    LinkFacts,
    LinkType,
    RemovedLinks,
    StatedLink,
    origin_of,
)
from camillo_server.kernel.errors import QuotaExceeded, RefNotFound
from camillo_server.kernel.ids import AFTER_ALL, PageCursor
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.rows import ColumnValues, RowReader, filter_parameters
from camillo_server.storage.database import Session
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import tsquery_texts
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/links/links")
# The maximum number of ids of ends that an entry of the audit trail lists, beside the number of links.
_MAX_AUDITED = 20
# The terms of each name of an entity.
Alternatives = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link of an end as it is stored: whether it leads away from that, and what is at its other end."""

    type: LinkType
    leads_away: bool
    created_at: datetime
    credential: str
    source: Source
    other_id: UUID


class LinkStore:
    """Links of one scope. Every write is one transaction that advances the scope's revision by one; a repeated request
    writes nothing and gets the first record. Every method raises StorageUnavailable; writes raise RequestIdReused."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes

    async def add(
        self,
        scope: Scope,
        links: Sequence[StatedLink],
        credential: str,
        request: RequestKey | None,
        *,
        now: datetime,
        granted: frozenset[str] | None = None,
    ) -> Written[AddedLinks]:
        """`granted`: the categories of documents that the caller may link, None for all. Raises RefNotFound for an end
        that is not there, QuotaExceeded for one with too many links."""
        key: dict[str, Any] = {**scope_parameters(scope), "now": now, "credential": credential}
        key["granted"] = _array(granted)

        async def change(session: Session, revision: int) -> AddedLinks:
            columns = await _columns(session, key, links)
            for link, from_id, to_id in zip(links, columns["from_ids"], columns["to_ids"], strict=True):
                if from_id is None or to_id is None:
                    raise RefNotFound((link.to_end if from_id else link.from_end).id)
            (added,) = await session.only_row(SQL["insert"], {**key, **columns})
            if added:
                ends = list({*columns["from_ids"], *columns["to_ids"]})
                (fullest,) = await session.only_row(SQL["fullest"], {**key, "ends": ends})
                if fullest > MAX_LINKS_OF_END:
                    raise QuotaExceeded("links_of_end", MAX_LINKS_OF_END)
                await session.execute(SQL["touch"], {**key, "revision": revision})
            rows = await session.rows(SQL["facts"], {**key, **columns})
            return AddedLinks(tuple(LinkFacts(*row) for row in rows))

        # Not as one that only added rows: what is in memory has to hear of the links.
        async def write() -> Written[AddedLinks]:
            return await self._writes.write(scope, request, AddedLinks, change, now, ids=_audited(links))

        try:
            return await write()
        except pg.ForeignKeyViolation:
            # A document was deleted between looking for it and linking it: it is not found any more.
            return await write()

    async def remove(
        self,
        scope: Scope,
        links: Sequence[StatedLink],
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[RemovedLinks]:
        """Passes over what is not there."""
        key = {**scope_parameters(scope), "now": now, "granted": None}

        async def change(session: Session, revision: int) -> RemovedLinks:
            columns = await _columns(session, key, links)
            (removed,) = await session.only_row(SQL["remove"], {**key, **columns})
            if removed:
                await session.execute(SQL["touch"], {**key, "revision": revision})
            return RemovedLinks(removed)

        return await self._writes.write(scope, request, RemovedLinks, change, now, ids=_audited(links))


@dataclass(frozen=True, slots=True)
class LinkReader:
    """Reads of one scope in one session, and of the tenant's documents that its links lead to."""

    session: Session
    scope: Scope
    filter: MemoryFilter
    now: datetime
    keyring: Keyring

    @property
    def _parameters(self) -> dict[str, Any]:
        return {
            **scope_parameters(self.scope),
            **filter_parameters(self.filter),
            "now": self.now,
        }

    def _home_of(self, source: Source) -> "LinkReader":
        """Reads the scope in which rows of this source are: documents are in the tenant's shared one."""
        if source is not Source.DOCUMENT:
            return self
        return replace(self, scope=shared_scope(self.scope))

    async def state(self) -> tuple[int, bool]:
        """The revision of the scope, and whether it has merged names."""
        revision, has_names = await self.session.only_row(SQL["state"], scope_parameters(self.scope))
        return revision, has_names

    async def names(self) -> EntityNames:
        """The merged names of the scope."""
        return await read_names(self.session, self.scope, self.keyring)

    async def newest(self, size: int) -> list[Row]:
        """The newest rows of the scope, whatever they mention."""
        rows = await self.session.rows(SQL["newest_rows"], {**self._parameters, "size": size})
        return await RowReader(self.scope, self.keyring).memories(rows)

    async def id_of(self, end: LinkEnd) -> UUID | None:
        """None for an end that is not there."""
        granted = {"granted": _array(self.filter.granted_categories)}
        (found,) = await _ids(self.session, {**self._parameters, **granted}, [end])
        return found

    async def is_searched(self, source: Source, end_id: UUID) -> bool:
        """Whether there is any row of it, which may not pass the filter."""
        scope = self._home_of(source).scope
        key = {**scope_parameters(scope), "id": end_id, "ref": str(end_id)}
        (exists,) = await self.session.only_row(SQL["has_rows"], key)
        return bool(exists)

    async def links_of(self, end_id: UUID, types: Sequence[LinkType]) -> list[StoredLink]:
        """The newest first."""
        key = {**scope_parameters(self.scope), "id": end_id, "types": list(map(int, types)) or None}
        rows = await self.session.records(SQL["links_of"], key)
        return [
            StoredLink(
                LinkType(row.type),
                row.leads_away,
                row.created_at,
                row.credential,
                Source(row.source),
                row.other_id,
            )
            for row in rows
        ]

    async def rows_of(self, ends: Iterable[tuple[Source, UUID]]) -> dict[UUID, Row]:
        """The row of each end that has one which passes."""
        documents, others = set[UUID](), set[UUID]()
        for source, end_id in ends:
            (documents if source is Source.DOCUMENT else others).add(end_id)
        rows = await self._rows_here(list(others))
        if documents:
            rows |= await self._home_of(Source.DOCUMENT)._rows_here(list(documents))
        return rows

    async def _rows_here(self, ends: Sequence[UUID]) -> dict[UUID, Row]:
        parameters = {**self._parameters, "ids": list(ends), "refs": [str(each) for each in ends]}
        rows = await self.session.rows(SQL["rows_of"], parameters)
        return {ends[ordinal - 1]: memory for ordinal, memory in await self._numbered(rows)}

    async def holding(self, wanted: Sequence[Alternatives], after: PageCursor | None, size: int) -> list[list[Row]]:
        """For each of these the newest rows that hold all terms of one of its alternatives, at most `size` behind
        `after`."""
        cursor = after or AFTER_ALL
        queries = [" | ".join(f"({self._query(each)})" for each in alternatives) for alternatives in wanted]
        parameters = {
            **self._parameters,
            "queries": queries,
            "size": size,
            "after_at": cursor.at,
            "after_id": cursor.row_id,
        }
        rows = await self.session.rows(SQL["holding_terms"], parameters)
        found: list[list[Row]] = [[] for _ in wanted]
        for ordinal, memory in await self._numbered(rows):
            found[ordinal - 1].append(memory)
        return found

    def _query(self, terms: Sequence[str]) -> str:
        return " & ".join(tsquery_texts(self.scope, terms))

    async def ends_of(self, rows: Sequence[Row]) -> list[LinkEnd]:
        """The item that each row belongs to."""
        return await self.named([origin_of(row) for row in rows])

    async def named(self, origins: Sequence[tuple[Source, UUID]]) -> list[LinkEnd]:
        """The ends as callers name them."""
        slots = [each for source, each in origins if source is Source.SLOT]
        paths: Mapping[UUID, str] = {}
        if slots:
            key = {**scope_parameters(self.scope), "ids": slots}
            paths = dict(await self.session.rows(SQL["slot_paths"], key))
        return [LinkEnd(source, key_of(paths[each]) if each in paths else str(each)) for source, each in origins]

    async def _numbered(self, rows: Sequence[ColumnValues]) -> list[tuple[int, Row]]:
        reader = RowReader(self.scope, self.keyring)
        memories = await reader.memories([columns for _, *columns in rows])
        return [(ordinal, memory) for (ordinal, *_), memory in zip(rows, memories, strict=True)]


async def _columns(session: Session, key: dict[str, Any], links: Sequence[StatedLink]) -> dict[str, Any]:
    """The columns of links; an end that is not there has no id."""
    ends = [end for link in links for end in (link.from_end, link.to_end)]
    ids = await _ids(session, key, ends)
    return {
        "types": [int(link.type) for link in links],
        "from_sources": [int(link.from_end.source) for link in links],
        "to_sources": [int(link.to_end.source) for link in links],
        "from_ids": ids[::2],
        "to_ids": ids[1::2],
    }


async def _ids(session: Session, key: dict[str, Any], ends: Sequence[LinkEnd]) -> list[UUID | None]:
    parameters = {
        **key,
        "sources": [int(end.source) for end in ends],
        "ids": [None if end.source is Source.SLOT else UUID(end.id) for end in ends],
        "paths": [path_of(end.id) if end.source is Source.SLOT else None for end in ends],
    }
    return [found for (found,) in await session.rows(SQL["resolve"], parameters)]


def _array(categories: frozenset[str] | None) -> list[str] | None:
    return None if categories is None else sorted(categories)


def _audited(links: Sequence[StatedLink]) -> dict[str, Any]:
    """The ids that an entry of the audit trail names: the key of a slot is a text."""
    ends = (end for link in links for end in (link.from_end, link.to_end))
    ids = list(dict.fromkeys(end.id for end in ends if end.source is not Source.SLOT))
    return {"link_count": len(links), "end_ids": ids[:_MAX_AUDITED]}
