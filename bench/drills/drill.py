"""A drill: what is done to servers that work, and what has to hold all the same."""

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

# Counts that must be 0 in every drill.
Count = Literal["lost", "doubled", "stale", "hung", "internal", "violations"]
COUNTS: tuple[Count, ...] = get_args(Count)
# So many of a kind are said; the others are only counted.
SAID = 20


@dataclass(slots=True)
class DrillReport:
    """Findings of a drill: counts of what must not be, figures of the rest, and in words what went wrong."""

    name: str
    counts: dict[Count, int] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    # Such as a memory that grew; a drill with a problem has failed, whatever its counts.
    problems: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not any(self.counts.values()) and not self.problems

    def found(self, count: Count, what: Collection[object]) -> None:
        """Counts what was looked for, 0 of it included, and says what it is on standard error."""
        self.counts[count] = self.counts.get(count, 0) + len(what)
        for each in [*what][:SAID]:
            print(f"{self.name}: {count}: {each}", file=sys.stderr, flush=True)

    def expect(self, holds: bool, problem: str) -> None:
        """A problem where something does not hold."""
        if not holds:
            self.problems.append(problem)

    def as_json(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "counts": self.counts,
            "figures": {name: round(value, 4) for name, value in self.figures.items()},
            "problems": self.problems,
        }


@dataclass(frozen=True, slots=True)
class Drill:
    """`run` takes whether it is to be short, so that all drills together take 3 minutes instead of 30."""

    name: str
    what: str
    run: Callable[[bool], DrillReport]


Drills = Mapping[str, Drill]
