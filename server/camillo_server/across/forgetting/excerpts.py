"""Excerpts of the records that a dry run of a forgetting finds: the places of the value, with the text around them."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from camillo_formats.characters import border_at_or_before

from camillo_server.kernel.ids import AgentId
from camillo_server.rows.forgettable import Repeat

# Characters on each side of a place, of an excerpt in all, and the places that are shown of a record.
AROUND, LONGEST, SHOWN_PLACES = 60, 400, 3
LEFT_OUT = "…"


@dataclass(frozen=True, slots=True)
class ExcerptQuery:
    """At most `per_store` records of each store, of these levels, and of none of the stores in `withheld`."""

    levels: Collection[int]
    per_store: int
    withheld: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The first places at which a record has the value, and how many there are."""

    record_id: str
    agent_id: AgentId
    texts: tuple[str, ...]
    places: int


@dataclass(frozen=True, slots=True)
class StoreExcerpts:
    """Excerpts of one store, those of the highest ids first; and how many other records have the value, and how many
    have it in a text that may not be shown."""

    store: str
    excerpts: tuple[Excerpt, ...]
    not_shown: int
    withheld: int

    def with_rest(self, other: "StoreExcerpts", per_store: int) -> "StoreExcerpts":
        """These, and those of another scope as far as there is room."""
        both = (*self.excerpts, *other.excerpts)
        beyond = len(both[per_store:])
        return StoreExcerpts(
            self.store,
            both[:per_store],
            self.not_shown + other.not_shown + beyond,
            self.withheld + other.withheld,
        )


@dataclass(slots=True)
class _RecordsOfStore:
    """The records of one store, by id."""

    shown: dict[str, Excerpt] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    withheld: set[str] = field(default_factory=set)


class Excerpts:
    """Collects the excerpts of one scope."""

    def __init__(self, query: ExcerptQuery, agent_id: AgentId) -> None:
        self._query = query
        self._agent_id = agent_id
        self._stores: dict[str, _RecordsOfStore] = defaultdict(_RecordsOfStore)

    def add(self, repeat: Repeat) -> None:
        """Adds a row of a record, which may have others."""
        found, record_id = self._stores[repeat.store], repeat.record_id
        if repeat.sensitivity not in self._query.levels or repeat.store in self._query.withheld:
            found.withheld.add(record_id)
            return
        found.ids.add(record_id)
        if record_id not in found.shown and len(found.shown) == self._query.per_store:
            lowest = min(found.shown)
            if record_id < lowest:
                return
            del found.shown[lowest]
        before = found.shown.get(record_id, Excerpt(record_id, self._agent_id, (), 0))
        found.shown[record_id] = _with_places(before, repeat)

    def without(self, store: str) -> Self:
        """These, without what was added of this store."""
        self._stores.pop(store, None)
        return self

    def by_store(self) -> Sequence[StoreExcerpts]:
        """The excerpts in the order of the stores' names."""
        return [
            StoreExcerpts(
                store,
                tuple(found.shown[each] for each in sorted(found.shown, reverse=True)),
                len(found.ids) - len(found.shown),
                len(found.withheld),
            )
            for store, found in sorted(self._stores.items())
        ]


def merged(of_scopes: Sequence[Sequence[StoreExcerpts]], per_store: int) -> Sequence[StoreExcerpts]:
    """The excerpts of several scopes, as many as those of one."""
    stores: dict[str, StoreExcerpts] = {}
    for each in (one for of_scope in of_scopes for one in of_scope):
        stores[each.store] = stores[each.store].with_rest(each, per_store) if each.store in stores else each
    return [stores[store] for store in sorted(stores)]


def _with_places(excerpt: Excerpt, repeat: Repeat) -> Excerpt:
    texts, places = list(excerpt.texts), excerpt.places
    for text in _distinct(repeat.texts):
        spans = list(repeat.spans.places_in(text)) if repeat.spans else []
        # A value that is found as a whole text, a line or sentences has no place inside.
        cuts = _cuts(text, spans) if spans else iter((_cut(text, 0, 0),))
        while len(texts) < SHOWN_PLACES and (cut := next(cuts, None)) is not None:
            texts += [cut] if cut not in texts else []
        places += len(spans) or 1
    return replace(excerpt, texts=tuple(texts), places=places)


def _distinct(texts: Sequence[str]) -> Iterator[str]:
    """The texts without those that are part of an earlier one, as values are of their JSON."""
    return (each for index, each in enumerate(texts) if not any(each in other for other in texts[:index]))


def _cuts(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The excerpts around places; of places near each other, one for all that it shows."""
    shown_to = 0
    for start, end in spans:
        if end > shown_to:
            shown_to = min(end, start + LONGEST) + AROUND
            yield _cut(text, start, end)


def _cut(text: str, start: int, end: int) -> str:
    """The text around a place, between characters as a reader sees them, with white space as single spaces."""
    first = border_at_or_before(text, max(start - AROUND, 0), 0)
    last = border_at_or_before(text, min(max(end, first) + AROUND, first + LONGEST), start)
    shown = " ".join(text[first:last].split())
    return f"{LEFT_OUT if first else ''}{shown}{LEFT_OUT if last < len(text) else ''}"
