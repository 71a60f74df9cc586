"""Names that mean one entity, as somebody merged and split them; and how texts mention these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain
from uuid import UUID

from camillo_server.kernel.kinds import Source
from camillo_server.kernel.off_loop import UNBOUNDED
from camillo_server.kernel.writes import Freshness, replay_record
from camillo_server.lib.text.entities import ENTITIES_COST, Entity, EntityType, entities_of, normal_entity
from camillo_server.lib.text.value_spans import ManySpans
from camillo_server.rows.row_filter import MemoryFilter

# Names of changes that a scope keeps: all of them are read to tell what a name means.
MAX_STATED_NAMES = 4_000
# Rows that are read for a list of entities: the rules take a fifth of a millisecond for one.
MAX_ROWS_READ = 5_000


@dataclass(frozen=True, slots=True)
class NameStatement:
    """One name of a change: merged into an entity; or, without `into`, split off."""

    alias: Entity
    into: Entity | None


@dataclass(frozen=True, slots=True)
class EntityChange:
    """Names that were merged into an entity, or split off: without `into`."""

    change_id: UUID
    into: Entity | None
    names: Sequence[Entity]
    changed_at: datetime
    credential: str
    reverted_at: datetime | None = None


@replay_record
@dataclass(frozen=True, slots=True)
class ChangedNames:
    """The record of a change, None where there was nothing to change: the positions of the stated names that it
    changed. It holds no name."""

    change_id: UUID | None
    changed: tuple[int, ...]
    changed_at: datetime
    credential: str


@replay_record
@dataclass(frozen=True, slots=True)
class RevertedNames:
    """The record of a reverted change: how many names it has."""

    reverted: int


@dataclass(frozen=True, slots=True)
class EntityQuery:
    """A query for entities with a name that begins with the prefix, and with one of the type, None for any; only rows
    that pass the filter count."""

    prefix: str
    type: EntityType | None
    filter: MemoryFilter
    freshness: Freshness


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity with its aliases, the number of records that mention it, by source, and when the latest of them
    happened."""

    entity: Entity
    aliases: Sequence[Entity]
    mentions: Mapping[Source, int]
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class EntityPage:
    """A page, the offset of the next one (None: the last), whether the scope has rows that were not read, and the
    revision read at."""

    entities: Sequence[KnownEntity]
    next_offset: int | None
    older_unread: bool
    revision: int


class EntityNames:
    """The entities that have several names, as statements made them, in their order."""

    def __init__(self, statements: Iterable[NameStatement] = ()) -> None:
        # All names of an entity by its name, which is the first of them; and the name of the entity by each of these.
        self.of: dict[Entity, tuple[Entity, ...]] = {}
        self._entity: dict[Entity, Entity] = {}
        for each in statements:
            self.apply(each)

    def entity(self, name: Entity) -> Entity:
        """The entity that a name means."""
        return self._entity.get(name, name)

    def names(self, name: Entity) -> tuple[Entity, ...]:
        """All names of the entity that a name means, its own first."""
        entity = self.entity(name)
        return self.of.get(entity, (entity,))

    def beside(self, texts: Sequence[str]) -> Sequence[str]:
        """The names that mean the same as one of these texts, without these."""
        given = [normal_entity(type_, text) for text in texts for type_ in EntityType]
        names = {name.name: None for each in given if each in self._entity for name in self.names(each)}
        return [name for name in names if name not in {each.name for each in given}]

    def apply(self, statement: NameStatement) -> bool:
        """Whether the statement changed anything."""
        if statement.into is None:
            return self._split(statement.alias)
        return self._merge(statement.alias, statement.into)

    def _merge(self, alias: Entity, into: Entity) -> bool:
        own, other = self.entity(into), self.entity(alias)
        if own == other == into:
            return False
        names = self.of.pop(own, (own,))
        added = self.of.pop(other, (other,)) if other != own else ()
        # Others of an entity keep their name: an entity may have thousands.
        renamed = (into,) if own == into else names
        if own != into:
            names = (into, *(each for each in names if each != into))
        self.of[into] = names + added
        self._entity |= dict.fromkeys((*renamed, *added), into)
        return True

    def _split(self, alias: Entity) -> bool:
        entity = self._entity.pop(alias, None)
        if entity is None:
            return False
        rest = tuple(each for each in self.of.pop(entity) if each != alias)
        if len(rest) == 1:
            del self._entity[rest[0]]
            return True
        self.of[rest[0]] = rest
        if entity == alias:
            self._entity |= dict.fromkeys(rest, rest[0])
        return True


NO_NAMES = EntityNames()


class EntityFinder:
    """Finds the entities that texts mention: by the rules, and those with merged names also where no rule sees a name,
    as in Arabic or at the beginning of a sentence. A word in small letters mentions nobody."""

    def __init__(self, names: EntityNames, entities: Iterable[Entity] | None = None) -> None:
        """Looks for the merged names of these entities alone; without any, for all."""
        self._names = names
        self._entities = names.of if entities is None else [each for each in entities if each in names.of]

    def cost(self, texts: Sequence[str]) -> float:
        """The cost of looking through these texts: without merged names that of the rules."""
        return UNBOUNDED if self._entities else ENTITIES_COST * sum(map(len, texts))

    @cached_property
    def _merged(self) -> ManySpans:
        all_names = chain.from_iterable(self._names.of[each] for each in self._entities)
        return ManySpans(each.name for each in all_names if each.type is EntityType.NAME)

    def entities_in(self, text: str) -> tuple[Entity, ...]:
        """Each once, those that the rules find first."""
        found = dict.fromkeys(map(self._names.entity, entities_of(text)))
        for name, places in self._merged.found_in(text):
            if not all(text[start:end].islower() for start, end in places):
                found[self._names.entity(Entity(EntityType.NAME, name))] = None
        return tuple(found)
