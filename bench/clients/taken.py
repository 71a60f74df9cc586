"""What the contenders of one of the Python programs have done."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.measure.timing import taking_turns


@dataclass(slots=True)
class Taken:
    """How long each call took, and how many hits there were in all."""

    ns: list[int] = field(default_factory=list)
    hits: int = 0

    def add(self, nanoseconds: int, hits: int) -> None:
        self.ns.append(nanoseconds)
        self.hits += hits


def turns(blocks: int) -> Iterator[str]:
    """Whose block is next: there and back, so that what disturbs the machine disturbs both."""
    return taking_turns(("bare", "facade"), blocks)


def answer(number: Any, taken: dict[str, Taken]) -> str:
    """The line that answers an order."""
    return json.dumps({"id": number, "ok": {name: asdict(each) for name, each in taken.items()}})
