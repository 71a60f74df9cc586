"""Fields of plain data, read one by one; what breaks a limit is noted with its place, so that all of it can be told at once."""

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from camillo_server.domain.errors import FieldViolation

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
Member = TypeVar("Member", bound=enum.Enum)


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
