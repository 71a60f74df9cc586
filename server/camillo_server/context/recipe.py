"""Recipes: which sections a bundle has, where their items come from, and at what price. A recipe is data."""

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from camillo_server.kernel.errors import FieldViolation
from camillo_server.kernel.kinds import MemoryKind, Source
from camillo_server.search.scoring import ScoringProfile

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
Member = TypeVar("Member", bound=enum.Enum)


class SectionSource(enum.StrEnum):
    """Where the items of a section come from."""

    VIEW = "view"
    """Texts that the agent, or the tenant, is always shown."""
    TASKS = "tasks"
    DECISIONS = "decisions"
    """Those that answer the query best, then the latest; without a query the latest."""
    RECALL = "recall"
    """What answers the query best among `sources`."""
    RECENT_EVENTS = "recent_events"
    """The last events of the session."""
    RECENT_MEMORIES = "recent_memories"
    """The last memories that happened within `hours`."""
    PINNED = "pinned"
    """Memories that are pinned, or have the tag `pinned`."""
    HANDOFFS = "handoffs"
    GIVEN_TEXT = "given_text"
    """The text that the request brings: a system prompt."""
    GIVEN_TURNS = "given_turns"
    """The turns that the request brings."""
    RESERVE = "reserve"
    """Nothing: room that stays free."""


class Overflow(enum.StrEnum):
    """What happens to items that do not fit."""

    KEEP = "keep"
    """They are never cut: a budget that is too small for them is an error."""
    TRIM = "trim"
    """The first one that does not fit is cut, the others are left out."""
    DROP = "drop"
    """They are left out; a shorter one behind may still fit."""
    CONDENSE = "condense"
    """Turns beyond `whole` become one item of few words; then as `drop`, the oldest first."""


class Order(enum.StrEnum):
    """In which order a section shows its items."""

    BEST_FIRST = "best_first"
    OLDEST_FIRST = "oldest_first"
    NEWEST_FIRST = "newest_first"
    AS_FOUND = "as_found"


@dataclass(frozen=True, slots=True)
class SectionRecipe:
    """One section. `budget` is its share in tokens of the recipe's own total, and is scaled with it; `most` is what it may
    take at most, shares that others left over included, and is not scaled. The higher the `priority`, the earlier it is filled.

    `limits` are the numbers of items to try, one after the other, until they fit: (5, 3) is five, else the best three.
    `whole`: so many of the latest turns are never condensed. `hours`: how far back recent memories go.
    """

    name: str
    title: str
    source: SectionSource
    budget: int
    most: int
    priority: int
    order: Order = Order.AS_FOUND
    overflow: Overflow = Overflow.DROP
    is_stable: bool = False
    limits: Sequence[int] = (200,)
    view: str = ""
    sources: Sequence[Source] = (Source.MEMORY,)
    kinds: Sequence[MemoryKind] = ()
    tags: Sequence[str] = ()
    profile: ScoringProfile | None = None
    whole: int = 20
    hours: float = 24.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """Sections in the order in which the prompt shows them (stable ones before the others), and the total they share."""

    name: str
    description: str
    budget: int
    sections: Sequence[SectionRecipe]
    digest: str
    text: str
    is_built_in: bool


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one mapping, at a place such as `sections[2]`. Whatever is wrong gives the default and a violation."""

    values: Mapping[object, object]
    place: str
    violations: list[FieldViolation]

    @staticmethod
    def of(value: object, place: str, violations: list[FieldViolation]) -> "Fields":
        """Those of a value, which should be a mapping."""
        if not isinstance(value, dict):
            violations.append(FieldViolation(place or "recipe", "must be a mapping"))
            return Fields({}, place, violations)
        return Fields(value, place, violations)

    def broken(self, name: str, description: str) -> None:
        """Notes that this field breaks a limit."""
        path = f"{self.place}.{name}" if self.place and name else self.place or name
        self.violations.append(FieldViolation(path, description))

    def has(self, name: str) -> bool:
        """Whether it is stated."""
        return name in self.values

    def only(self, known: Sequence[str]) -> None:
        """Notes fields that are none of these."""
        for name in self.values:
            if name not in known:
                shown = str(name)[:40] if str(name).isprintable() else "key"
                self.broken(shown, f"is unknown; known are {', '.join(known)}")

    def text(self, name: str, *, most: int, default: str | None = None) -> str:
        """One line of 1 to `most` characters; without a default it has to be there."""
        if not self.has(name):
            if default is None:
                self.broken(name, "is missing")
            return default or ""
        value = self.values[name]
        if isinstance(value, str) and 1 <= len(value) <= most and not _CONTROL.search(value):
            return value
        self.broken(name, f"must be a line of 1 to {most} characters")
        return default or ""

    def name(self, name: str, pattern: re.Pattern[str], description: str) -> str:
        """A name of a given form, which has to be there."""
        value = self.values.get(name)
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        self.broken(name, description if self.has(name) else "is missing")
        return ""

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number; without a default it has to be there."""
        if not self.has(name):
            if default is None:
                self.broken(name, "is missing")
            return least if default is None else default
        value = self.values[name]
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.broken(name, f"must be a whole number from {least} to {most:,}")
        return least if default is None else default

    def number(self, name: str, least: float, most: float, default: float) -> float:
        """A number."""
        value = self.values.get(name, default)
        # Neither a number that is none nor an endless one lies between two others.
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and least <= value <= most
        ):
            return float(value)
        self.broken(name, f"must be a number from {least:g} to {most:g}")
        return default

    def flag(self, name: str, *, default: bool) -> bool:
        """True or false."""
        value = self.values.get(name, default)
        if isinstance(value, bool):
            return value
        self.broken(name, "must be true or false")
        return default

    def sequence(self, name: str, most: int) -> Sequence[object] | None:
        """A list of 1 to `most` entries; None where there is none."""
        if not self.has(name):
            return None
        value = self.values[name]
        if isinstance(value, list) and 1 <= len(value) <= most:
            return value
        self.broken(name, f"must be a list of 1 to {most} entries")
        return None

    def member(self, name: str, kinds: type[Member], default: Member | None = None) -> Member:
        """One of the names of an enumeration, in small letters."""
        members = {member.name.lower(): member for member in kinds}
        fallback = default or next(iter(kinds))
        if not self.has(name):
            if default is None:
                self.broken(name, "is missing")
            return fallback
        value = self.values[name]
        if isinstance(value, str) and value in members:
            return members[value]
        self.broken(name, f"must be one of {', '.join(members)}")
        return fallback

    def members(
        self, name: str, kinds: type[Member], default: Sequence[Member]
    ) -> Sequence[Member]:
        """Some of them, each once."""
        members = {member.name.lower(): member for member in kinds}
        values = self.sequence(name, len(members))
        if values is None:
            return default
        wrong = [i for i, value in enumerate(values) if value not in list(members)]
        for i in wrong:
            self.broken(f"{name}[{i}]", f"must be one of {', '.join(members)}")
        return tuple(dict.fromkeys(members[str(v)] for v in values if v in list(members)))
