"""Ends of links and entities, as they are written short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from camillo.v1.link_pb2 import Entity, EntityType, LinkEnd, LinkType, NewLink
from camillo.v1.memory_pb2 import Source
from camillo_client.convert import to_enum
from camillo_client.named_arguments import names_arguments

LinkTypeName: TypeAlias = Literal["about", "derived_from", "contradicts", "follows"]
EntityTypeName: TypeAlias = Literal["name", "email", "path", "ticket", "identifier"]
# `event:ID`, `decision:ID`, `document:ID`, `memory:ID` or an ID alone for a memory, and `/key` for a slot.
EndLike: TypeAlias = str | LinkEnd
# From what, what the link says, to what.
LinkLike: TypeAlias = tuple[EndLike, LinkTypeName | LinkType, EndLike] | NewLink
# A name, or `TYPE:NAME`.
EntityLike: TypeAlias = str | Entity


class OlderUnread(UserWarning):
    """Entities were counted in the newest rows of a scope, which has older ones. `warnings.filterwarnings` decides what
    happens."""

    def __init__(self) -> None:
        super().__init__("entities were counted in the newest 5,000 memories and chunks; older ones were not read")


_SOURCES = {
    name.removeprefix("SOURCE_").lower(): number
    for name, number in Source.items()
    if name in ("SOURCE_MEMORY", "SOURCE_EVENT", "SOURCE_DOCUMENT", "SOURCE_DECISION")
}


@names_arguments
def link_end(end: EndLike) -> LinkEnd:
    """The end that is written short. Raises ValueError for a word before the colon that names nothing to link."""
    if isinstance(end, LinkEnd):
        return end
    if end.startswith("/"):
        return LinkEnd(source=Source.SOURCE_SLOT, id=end)
    word, colon, id_ = end.rpartition(":")
    if colon and word not in _SOURCES:
        raise ValueError(f"{word}: must be one of {', '.join(_SOURCES)}; a slot is its key alone")
    return LinkEnd(source=to_enum(Source, _SOURCES[word or "memory"]), id=id_)


def short_end(end: LinkEnd) -> str:
    """The end as `link_end` reads it."""
    if end.source == Source.SOURCE_SLOT:
        return end.id
    return f"{Source.Name(end.source).removeprefix('SOURCE_').lower()}:{end.id}"


@names_arguments
def new_link(link: LinkLike) -> NewLink:
    """A link to state. Raises ValueError."""
    if isinstance(link, NewLink):
        return link
    from_end, type_, to_end = link
    message = NewLink(type=to_enum(LinkType, type_), to=link_end(to_end))
    # Python keeps the name for itself.
    getattr(message, "from").CopyFrom(link_end(from_end))
    return message


def new_links(links: Iterable[LinkLike]) -> list[NewLink]:
    return [new_link(link) for link in links]


@names_arguments
def entity(type_: EntityTypeName | EntityType, name: str) -> Entity:
    return Entity(type=to_enum(EntityType, type_), name=name)


@names_arguments
def to_entity(name: EntityLike) -> Entity:
    """The entity that is written short: a name, unless another type stands before a colon."""
    if isinstance(name, Entity):
        return name
    word, colon, rest = name.partition(":")
    is_typed = bool(colon) and word in get_args(EntityTypeName)
    return Entity(type=to_enum(EntityType, word if is_typed else "name"), name=rest if is_typed else name)


@names_arguments
def to_entities(names: Iterable[EntityLike], name: str) -> list[Entity]:
    """The entities that are written short. Raises TypeError for a single text."""
    if isinstance(names, str | Entity):
        raise TypeError(f"{name} takes a list of names, not a single one")
    return [to_entity(each) for each in names]


def short_entity(entity: Entity) -> str:
    """The entity as `to_entity` reads it."""
    if entity.type == EntityType.ENTITY_TYPE_NAME:
        return entity.name
    return f"{EntityType.Name(entity.type).removeprefix('ENTITY_TYPE_').lower()}:{entity.name}"
