"""Recipes out of plain data: read whole, or refused with every field that is wrong."""

import dataclasses
import enum
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TypeVar, cast

from camillo_server.across.context.recipe import (
    Order,
    Overflow,
    Recipe,
    SectionRecipe,
    SectionSource,
)
from camillo_server.features.knowledge.skill import MAX_LISTED, MAX_LOADED
from camillo_server.kernel.errors import FieldViolation, InvalidField
from camillo_server.kernel.kinds import MemoryKind, Scalar, Source
from camillo_server.kernel.scope import TrustLevel
from camillo_server.search.fusion import MIN_RELEVANCE
from camillo_server.search.scoring import PROFILES, ScoringProfile
from camillo_server.search.space_weights import SpaceWeights

MAX_TOKENS = 1_000_000
MAX_SECTIONS = 32
MAX_ITEMS = 200
MAX_TURNS = 2_000
MAX_SLOTS = 1_000
MAX_METADATA_KEYS = 8
MAX_CATEGORIES = 16
MAX_NUMBER = 1e15
MAX_HOURS = 24.0 * 366
PRIORITIES = (0, 100)

_NAME = re.compile("[a-z0-9_-]{1,64}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_RECIPE_FIELDS = ("name", "description", "budget", "sections")
_SECTION_FIELDS = ("name", "title", "source", "budget", "most", "priority", "order", "overflow")
_OTHER_FIELDS = (
    "stable",
    "limit",
    "limits",
    "view",
    "sources",
    "kinds",
    "tags",
    "metadata",
    "categories",
    "profile",
    "space_weights",
    "min_score",
    "min_trust",
)
_KNOWN = (*_SECTION_FIELDS, *_OTHER_FIELDS, "whole", "hours", "names", "listed", "otherwise")
T = TypeVar("T")
Member = TypeVar("Member", bound=enum.Enum)
_WEIGHTS = ("similarity", "recency", "importance", "source_priority")

# Fields that mean something for these sources alone.
_MEANT_FOR = {
    "view": (SectionSource.VIEW,),
    "min_trust": tuple(
        each
        for each in SectionSource
        if each
        not in (
            SectionSource.VIEW,
            SectionSource.SKILLS,
            SectionSource.GIVEN_TEXT,
            SectionSource.RESERVE,
        )
    ),
    "sources": (SectionSource.RECALL,),
    "kinds": (SectionSource.RECALL,),
    "tags": (SectionSource.RECALL,),
    "metadata": (SectionSource.RECALL,),
    "categories": (SectionSource.RECALL,),
    "profile": (SectionSource.RECALL,),
    "space_weights": (SectionSource.RECALL, SectionSource.DECISIONS),
    "min_score": (SectionSource.RECALL,),
    "hours": (SectionSource.RECENT_MEMORIES,),
    "limits": tuple(each for each in SectionSource if each is not SectionSource.SKILLS),
    "names": (SectionSource.SKILLS,),
    "listed": (SectionSource.SKILLS,),
    "whole": (SectionSource.GIVEN_TURNS, SectionSource.RECENT_EVENTS),
}
# Sources that change rarely.
_STABLE = (SectionSource.VIEW, SectionSource.SKILLS, SectionSource.GIVEN_TEXT)
_OF_TURNS = (SectionSource.GIVEN_TURNS, SectionSource.RECENT_EVENTS)
# Other sources have MAX_ITEMS.
_MAX_OF_SOURCES = {
    SectionSource.GIVEN_TURNS: MAX_TURNS,
    SectionSource.SLOTS: MAX_SLOTS,
    SectionSource.SKILLS: MAX_LISTED,
}
_ONCE = (SectionSource.GIVEN_TEXT, SectionSource.GIVEN_TURNS, SectionSource.RESERVE)


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one mapping, at a path such as `sections[2]`. One that is wrong gives its default and a
    violation."""

    values: Mapping[object, object]
    path: str
    violations: list[FieldViolation]

    @staticmethod
    def of(value: object, path: str, violations: list[FieldViolation]) -> "Fields":
        """The fields of a value, which should be a mapping."""
        if not isinstance(value, dict):
            violations.append(FieldViolation(path or "recipe", "must be a mapping"))
            return Fields({}, path, violations)
        return Fields(value, path, violations)

    def broken(self, name: str, description: str) -> None:
        """Notes that this field breaks a limit."""
        path = f"{self.path}.{name}" if self.path and name else self.path or name
        self.violations.append(FieldViolation(path, description))

    def has(self, name: str) -> bool:
        """Whether it is there."""
        return name in self.values

    def only(self, known: Sequence[str]) -> None:
        """Notes fields that are none of these."""
        for name in self.values:
            if name not in known:
                shown = str(name)[:40] if str(name).isprintable() else "key"
                self.broken(shown, f"is unknown; known are {', '.join(known)}")

    def text(self, name: str, maximum: int, default: str) -> str:
        """The field as one line of 1 to `maximum` characters."""
        value = self.values.get(name)
        is_line = isinstance(value, str) and 1 <= len(value) <= maximum and not _CONTROL.search(value)
        return self._valid(name, is_line, f"must be a line of 1 to {maximum} characters", default)

    def name(self, name: str) -> str:
        """A name, which has to be there."""
        value = self.values.get(name)
        is_name = isinstance(value, str) and _NAME.fullmatch(value) is not None
        limit = "must be 1 to 64 of a-z, 0-9, '_' and '-'"
        return self._valid(name, is_name, limit, "", is_required=True)

    def whole(self, name: str, minimum: int, maximum: int, default: int | None = None) -> int:
        """A whole number; without a default it has to be there."""
        is_whole = isinstance(self.values.get(name), int) and self._is_number(name, minimum, maximum)
        limit = f"must be a whole number from {minimum} to {maximum:,}"
        if default is None:
            return self._valid(name, is_whole, limit, minimum, is_required=True)
        return self._valid(name, is_whole, limit, default)

    def number(self, name: str, minimum: float, maximum: float, default: float) -> float:
        """A number."""
        limit = f"must be a number from {minimum:g} to {maximum:g}"
        return float(self._valid(name, self._is_number(name, minimum, maximum), limit, default))

    def flag(self, name: str, *, default: bool) -> bool:
        """The field as true or false."""
        is_flag = isinstance(self.values.get(name), bool)
        return self._valid(name, is_flag, "must be true or false", default)

    def sequence(self, name: str, maximum: int) -> Sequence[object]:
        """A list of 1 to `maximum` entries; an empty one where there is none."""
        value = self.values.get(name)
        is_sequence = isinstance(value, list) and 1 <= len(value) <= maximum
        return self._valid(name, is_sequence, f"must be a list of 1 to {maximum} entries", ())

    def member(self, name: str, kinds: type[Member], default: Member | None = None) -> Member:
        """The field as a member of an enumeration, named in small letters; required if there is no default."""
        members = _by_name(kinds)
        value = self.values.get(name)
        is_member = isinstance(value, str) and value in members
        limit = f"must be one of {', '.join(members)}"
        fallback = (default or next(iter(kinds))).name.lower()
        return members[self._valid(name, is_member, limit, fallback, is_required=default is None)]

    def members(self, name: str, kinds: type[Member], default: Sequence[Member]) -> Sequence[Member]:
        """The field as members of an enumeration, each once."""
        members = _by_name(kinds)
        values = self.sequence(name, len(members))
        for index, value in enumerate(values):
            if value not in list(members):
                self.broken(f"{name}[{index}]", f"must be one of {', '.join(members)}")
        found = dict.fromkeys(members[str(each)] for each in values if each in list(members))
        return tuple(found) or default

    def _is_number(self, name: str, minimum: float, maximum: float) -> bool:
        """Whether the field is a number between these two: neither a truth value nor NaN is."""
        value = self.values.get(name)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        return minimum <= value <= maximum

    def _valid(self, name: str, is_valid: bool, limit: str, default: T, *, is_required: bool = False) -> T:
        """The value of a field, or the default for one that is missing or not valid."""
        if is_valid:
            return cast(T, self.values[name])
        if self.has(name):
            self.broken(name, limit)
        elif is_required:
            self.broken(name, "is missing")
        return default


def _by_name(kinds: type[Member]) -> Mapping[str, Member]:
    return {member.name.lower(): member for member in kinds}


def parse_recipe(value: object, text: str, *, is_built_in: bool) -> Recipe:
    """The recipe of plain data, `text` being its YAML. Raises InvalidField with every field that is wrong."""
    violations: list[FieldViolation] = []
    fields = Fields.of(value, "", violations)
    fields.only(_RECIPE_FIELDS)
    name = fields.name("name")
    description = fields.text("description", 1_000, "")
    budget = fields.whole("budget", 1, MAX_TOKENS)
    listed = fields.sequence("sections", MAX_SECTIONS)
    if not fields.has("sections"):
        fields.broken("sections", "is missing")
    sections = [_section(Fields.of(each, f"sections[{index}]", violations)) for index, each in enumerate(listed)]
    _check_together(fields, sections, budget if fields.has("budget") else MAX_TOKENS)
    if violations:
        raise InvalidField(violations)
    return Recipe(
        name=name,
        description=description,
        budget=budget,
        # Sections that change rarely come first, for the sake of prompt caches.
        sections=tuple(sorted(sections, key=lambda section: not section.is_stable)),
        digest=_digest(value),
        text=text,
        is_built_in=is_built_in,
    )


def _section(fields: Fields) -> SectionRecipe:
    fields.only(_KNOWN)
    name = fields.name("name")
    source = fields.member("source", SectionSource)
    budget = fields.whole("budget", 0, MAX_TOKENS)
    is_view, is_skills = source is SectionSource.VIEW, source is SectionSource.SKILLS
    overflow = fields.member("overflow", Overflow, Overflow.KEEP if is_skills else Overflow.DROP)
    _check_meant(fields, source, overflow)
    limits = _limits(fields, _MAX_OF_SOURCES.get(source, MAX_ITEMS))
    return SectionRecipe(
        name=name,
        title=fields.text("title", 128, name.replace("_", " ").capitalize()),
        source=source,
        budget=budget,
        most=fields.whole("most", budget, MAX_TOKENS, MAX_TOKENS if is_skills else budget),
        priority=fields.whole("priority", *PRIORITIES, 0),
        order=fields.member("order", Order, Order.AS_FOUND),
        overflow=overflow,
        is_stable=fields.flag("stable", default=source in _STABLE),
        # The skills that are listed are bounded; the named ones are all shown.
        limits=(MAX_ITEMS + MAX_LISTED,) if is_skills else limits,
        view=fields.name("view") if is_view else "",
        sources=fields.members("sources", Source, (Source.MEMORY,)),
        kinds=fields.members("kinds", MemoryKind, ()),
        tags=_tags(fields),
        metadata=_metadata(fields),
        categories=_short_names(fields, "categories", MAX_CATEGORIES),
        profile=_profile(fields),
        space_weights=_space_weights(fields),
        min_score=fields.number("min_score", 0.0, 1.0, MIN_RELEVANCE),
        whole=fields.whole("whole", 1, MAX_TURNS, 20),
        hours=fields.number("hours", 0.01, MAX_HOURS, 24.0),
        min_trust=fields.member("min_trust", TrustLevel, TrustLevel.UNKNOWN),
        names=_short_names(fields, "names", MAX_LOADED),
        otherwise=fields.flag("otherwise", default=False),
        listed=limits[0] if fields.flag("listed", default=False) else 0,
    )


def _check_meant(fields: Fields, source: SectionSource, overflow: Overflow) -> None:
    for name, sources in _MEANT_FOR.items():
        if fields.has(name) and source not in sources:
            fields.broken(name, f"means nothing where the source is {source.value}")
    if overflow is Overflow.CONDENSE and source not in _OF_TURNS:
        turns = " or ".join(each.value for each in _OF_TURNS)
        fields.broken("overflow", f"condense needs turns: the source {turns}")
    may_drop = overflow is Overflow.DROP and not fields.has("names")
    if source is SectionSource.SKILLS and overflow is not Overflow.KEEP and not may_drop:
        fields.broken("overflow", "must be keep for skills with names, keep or drop for a list")
    if fields.has("limit") and fields.has("limits"):
        fields.broken("limit", "only one of limit and limits can be stated")


def _limits(fields: Fields, maximum: int) -> Sequence[int]:
    if not fields.has("limits"):
        return (fields.whole("limit", 1, maximum, maximum),)
    values = fields.sequence("limits", 8)
    numbers = tuple(v for v in values if isinstance(v, int) and not isinstance(v, bool))
    falling = all(before > after for before, after in pairwise((maximum + 1, *numbers, 0)))
    if values and (len(numbers) < len(values) or not falling):
        fields.broken("limits", f"must be whole numbers from {maximum:,} to 1, each less than before")
    return numbers or (maximum,)


def _short_names(fields: Fields, name: str, maximum: int) -> Sequence[str]:
    names = fields.sequence(name, maximum)
    for i, each in enumerate(names):
        if not isinstance(each, str) or not _NAME.fullmatch(each):
            fields.broken(f"{name}[{i}]", "must be 1 to 64 of a-z, 0-9, '_' and '-'")
    return tuple(dict.fromkeys(str(each) for each in names))


def _tags(fields: Fields) -> Sequence[str]:
    tags = fields.sequence("tags", 32)
    for i, tag in enumerate(tags):
        if not isinstance(tag, str) or not 1 <= len(tag) <= 128:
            fields.broken(f"tags[{i}]", "must be a text of 1 to 128 characters")
    return tuple(str(tag) for tag in tags)


def _metadata(fields: Fields) -> Mapping[str, Scalar]:
    """The metadata that hits of the section must have."""
    if not fields.has("metadata"):
        return {}
    given = fields.values["metadata"]
    if not isinstance(given, dict) or not 1 <= len(given) <= MAX_METADATA_KEYS:
        fields.broken("metadata", f"must be a mapping of 1 to {MAX_METADATA_KEYS} entries")
        return {}
    metadata: dict[str, Scalar] = {}
    for name, value in given.items():
        is_number = isinstance(value, int | float) and -MAX_NUMBER <= value <= MAX_NUMBER
        if not (_is_short(name) and (is_number or _is_short(value))):
            limit = "must have names and texts of 1 to 128 characters, truth values or numbers"
            fields.broken("metadata", limit)
            return {}
        # Numbers of the contract are all of one kind.
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        metadata[str(name)] = float(value) if is_whole else value
    return metadata


def _is_short(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 128 and not _CONTROL.search(value)


def _profile(fields: Fields) -> ScoringProfile | None:
    """The scoring profile, given by the name of a known one or as weights."""
    if not fields.has("profile"):
        return None
    value = fields.values["profile"]
    if isinstance(value, str):
        if value not in PROFILES:
            fields.broken("profile", f"must be one of {', '.join(PROFILES)}, or weights")
        return PROFILES.get(value)
    weights = Fields.of(value, f"{fields.path}.profile", fields.violations)
    weights.only((*_WEIGHTS, "half_life_hours"))
    shares = {name: weights.number(name, 0.0, 1.0, 0.0) for name in _WEIGHTS}
    half_life = weights.number("half_life_hours", 0.01, 100 * MAX_HOURS, 168.0)
    if not sum(shares.values()):
        weights.broken("", "needs a weight above 0")
    return ScoringProfile(
        similarity=shares["similarity"],
        recency=shares["recency"],
        importance=shares["importance"],
        source_priority=shares["source_priority"],
        half_life_hours=half_life if weights.has("half_life_hours") else None,
    )


def _space_weights(fields: Fields) -> SpaceWeights | None:
    """The weight of each kind of space, 1 for those that are not named."""
    if not fields.has("space_weights"):
        return None
    names = [field.name for field in dataclasses.fields(SpaceWeights)]
    weights = Fields.of(fields.values["space_weights"], f"{fields.path}.space_weights", fields.violations)
    weights.only(names)
    return SpaceWeights(**{name: weights.number(name, 0.0, 1.0, 1.0) for name in names})


def _check_together(fields: Fields, sections: Sequence[SectionRecipe], budget: int) -> None:
    counted = Counter(section.name for section in sections if section.name)
    sources = Counter(section.source for section in sections)
    for i, section in enumerate(sections):
        if counted[section.name] > 1:
            fields.broken(f"sections[{i}].name", "is the name of another section, too")
        if section.source in _ONCE and sources[section.source] > 1:
            fields.broken(f"sections[{i}].source", "may be that of one section only")
    total = sum(section.budget for section in sections)
    if total > budget:
        fields.broken("sections", f"have budgets of {total:,} tokens together, above {budget:,}")


def _digest(value: object) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the canonical JSON."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:16]
