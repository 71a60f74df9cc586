"""Links: what two things of a scope, or one of them and a document of the tenant, have to do with each other, and what
a list of related things is asked for."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.kinds import Source, source_of
from camillo_server.kernel.writes import Freshness, replay_record
from camillo_server.lib.text.entities import Entity
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter

MAX_LINKS_OF_END = 256
# Sources that a link may lead to; and those whose rows may mention an entity.
LINKED_SOURCES = (Source.MEMORY, Source.EVENT, Source.DOCUMENT, Source.SLOT, Source.DECISION)
READ_SOURCES = (*LINKED_SOURCES, Source.WORKFLOW_STEP)
NOUNS = {source: source.name.lower() for source in LINKED_SOURCES}


class LinkType(enum.IntEnum):
    """How the two ends of a link are related. The numbers are those of the contract."""

    ABOUT = 1
    DERIVED_FROM = 2
    CONTRADICTS = 3
    FOLLOWS = 4


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a link, by the id that callers use: a UUID in its usual form, or the normalized key of a slot."""

    source: Source
    id: str


@dataclass(frozen=True, slots=True)
class StatedLink:
    """A link as a caller states it; both ends differ."""

    type: LinkType
    from_end: LinkEnd
    to_end: LinkEnd


@dataclass(frozen=True, slots=True)
class Link:
    """A stored link."""

    stated: StatedLink
    created_at: datetime
    credential: str


@replay_record
@dataclass(frozen=True, slots=True)
class LinkFacts:
    """Facts about a link that the store adds to what its caller stated."""

    created_at: datetime
    credential: str


@replay_record
@dataclass(frozen=True, slots=True)
class AddedLinks:
    """The record of added links, in the order in which they were stated."""

    facts: tuple[LinkFacts, ...]


@replay_record
@dataclass(frozen=True, slots=True)
class RemovedLinks:
    """The record of removed links: how many were there."""

    removed: int


@dataclass(frozen=True, slots=True)
class RelatedQuery:
    """A query for items that are related to an item: by links of these types; or, without types, by any link and by
    entities that both mention. Only rows that pass the filter are returned."""

    item: LinkEnd
    types: Sequence[LinkType]
    filter: MemoryFilter
    freshness: Freshness


@dataclass(frozen=True, slots=True)
class Related:
    """An item that is related to another: by the link that leads there, or by the entities that both mention."""

    end: LinkEnd
    row: Row
    link: Link | None = None
    shared: Sequence[Entity] = ()


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """A page, what the item itself mentions, the offset of the next page (None: the last), and the revision read at."""

    related: Sequence[Related]
    entities: Sequence[Entity]
    next_offset: int | None
    revision: int


def origin_of(row: Row) -> tuple[Source, UUID]:
    """The item that a row belongs to: the memory itself, or the item that it is a chunk of."""
    source = source_of(row.kind)
    if source is Source.MEMORY:
        return source, row.memory_id
    # A step of a workflow is an event, too.
    origin = Source.EVENT if source is Source.WORKFLOW_STEP else source
    return origin, UUID(row.source_refs[0])
