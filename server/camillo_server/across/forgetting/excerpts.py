"""Excerpts of the records that a dry run of a forgetting finds: the places of the values, with the text around them."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from camillo_formats.characters import border_at_or_before

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.value_fingerprints import is_common, value_fingerprint
from camillo_server.lib.text.value_spans import SoughtValues, ValueSpans
from camillo_server.rows.forgettable import Repeat

# Characters on each side of a place, of an excerpt in all, and the places that are shown of a record.
AROUND, LONGEST, SHOWN_PLACES = 60, 400, 3
LEFT_OUT = "…"


@dataclass(frozen=True, slots=True)
class ExcerptQuery:
    """Where these values stand: at most `per_store` records of each store, of these levels, and of none of the stores
    in `withheld`. `merged` are names that were merged with one of the values."""

    values: Sequence[str]
    levels: Collection[int]
    per_store: int
    withheld: Collection[str] = ()
    merged: Sequence[str] = ()


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


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """How many records have a value, how many of them write it in small letters alone though it is given with a
    capital, and whether it is too common to be looked for inside sentences; and the value, if nobody gave it but it was
    merged with one, and may be shown."""

    records: int
    in_small_letters: int
    too_common: bool
    merged_name: str = ""

    def with_rest(self, other: "ValueMatch") -> "ValueMatch":
        """The same value in this scope and another one."""
        small = self.in_small_letters + other.in_small_letters
        return ValueMatch(self.records + other.records, small, self.too_common, self.merged_name)


@dataclass(frozen=True, slots=True)
class FoundValues:
    """The excerpts by store, and the values in the order in which they were given."""

    stores: Sequence[StoreExcerpts]
    matches: Sequence[ValueMatch]


@dataclass(slots=True)
class _RecordsOfStore:
    """The records of one store, by id."""

    shown: dict[str, Excerpt] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    withheld: set[str] = field(default_factory=set)


class _RecordsOfValue:
    """The records that have one value, and those that write it with a capital."""

    def __init__(self, tenant_id: TenantId, value: str, merged_name: str = "") -> None:
        self._tenant_id = tenant_id
        self._merged_name = merged_name
        self._spans = ValueSpans(value)
        self._sought = SoughtValues(frozenset((value_fingerprint(tenant_id, value),)), self._spans)
        self._has_capital = value != value.lower()
        self._too_common = is_common(value)
        self._ids = set[tuple[str, str]]()
        self._with_capital = set[tuple[str, str]]()

    def add(self, repeat: Repeat) -> None:
        having = [each for each in repeat.texts if self._sought.are_in(self._tenant_id, each)]
        if having:
            self._ids.add((repeat.store, repeat.record_id))
        if self._has_capital and not all(map(self._is_small, having)):
            self._with_capital.add((repeat.store, repeat.record_id))

    def match(self) -> ValueMatch:
        small = len(self._ids - self._with_capital) if self._has_capital else 0
        return ValueMatch(len(self._ids), small, self._too_common, self._merged_name)

    def _is_small(self, text: str) -> bool:
        places = list(self._spans.spans_in(text))
        return bool(places) and all(text[start:end].islower() for start, end in places)


class Excerpts:
    """Collects the excerpts of one scope."""

    def __init__(self, query: ExcerptQuery, scope: Scope) -> None:
        self._query = query
        self._agent_id = scope.agent_id
        self._stores: dict[str, _RecordsOfStore] = defaultdict(_RecordsOfStore)
        self._values = [_RecordsOfValue(scope.tenant_id, each) for each in query.values]
        shows_names = Sensitivity.INTERNAL in query.levels
        self._values += [_RecordsOfValue(scope.tenant_id, each, each if shows_names else "") for each in query.merged]

    def add(self, repeat: Repeat) -> None:
        """Adds a row of a record, which may have others."""
        found, record_id = self._stores[repeat.store], repeat.record_id
        for value in self._values:
            value.add(repeat)
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

    def found(self) -> FoundValues:
        """The excerpts in the order of the stores' names."""
        return FoundValues(self._by_store(), [each.match() for each in self._values])

    def _by_store(self) -> Sequence[StoreExcerpts]:
        return [
            StoreExcerpts(
                store,
                tuple(found.shown[each] for each in sorted(found.shown, reverse=True)),
                len(found.ids) - len(found.shown),
                len(found.withheld),
            )
            for store, found in sorted(self._stores.items())
        ]


def merged(of_scopes: Sequence[FoundValues], per_store: int) -> FoundValues:
    """The excerpts of several scopes, as many as those of one."""
    stores: dict[str, StoreExcerpts] = {}
    for each in (one for of_scope in of_scopes for one in of_scope.stores):
        stores[each.store] = stores[each.store].with_rest(each, per_store) if each.store in stores else each
    matches = [reduce(ValueMatch.with_rest, each) for each in zip(*(one.matches for one in of_scopes), strict=True)]
    return FoundValues([stores[store] for store in sorted(stores)], matches)


def _with_places(excerpt: Excerpt, repeat: Repeat) -> Excerpt:
    texts, places = list(excerpt.texts), excerpt.places
    for text in _distinct(repeat.texts):
        spans = list(repeat.spans.spans_in(text)) if repeat.spans else []
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
