"""A drill: what is done to servers that work, and what has to hold all the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

# What must be 0 in every drill.
Count = Literal["lost", "doubled", "stale", "hung", "internal", "violations"]


@dataclass(slots=True)
class DrillReport:
    """What a drill has seen: counts of what must not be, figures of the rest, and in words what went wrong."""

    name: str
    counts: dict[Count, int] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    # Such as a memory that grew; a drill with a problem has failed, whatever its counts.
    problems: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not any(self.counts.values()) and not self.problems


@dataclass(frozen=True, slots=True)
class Drill:
    """`run` takes whether it is to be short, so that all drills together take 3 minutes instead of 30."""

    name: str
    what: str
    run: Callable[[bool], DrillReport]


Drills = Mapping[str, Drill]
