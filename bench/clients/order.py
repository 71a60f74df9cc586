"""The order that a program gets, and its answer: a line of JSON each."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.measure.timing import percentile, taking_turns

NANOSECONDS_A_MILLISECOND = 1_000_000


class NotComparable(Exception):
    """Both contenders did not do the same."""


@dataclass(frozen=True, slots=True)
class Order:
    """A block is each query once; a round is so many blocks of either contender, after some that do not count."""

    address: str
    key: str
    agent_id: str
    queries: Sequence[str]
    limit: int
    warm_up_blocks: int
    blocks: int

    @classmethod
    def parse(cls, line: str) -> tuple[Any, "Order"]:
        """The id and the order of a line in JSON."""
        command = json.loads(line)
        number = command.pop("id")
        return number, cls(**command)

    def command(self) -> dict[str, Any]:
        """The order as the programs read it."""
        return asdict(self)


@dataclass(slots=True)
class Taken:
    """How long each call of a contender took, and how many hits there were in all."""

    ns: list[int] = field(default_factory=list)
    hits: int = 0

    def add(self, nanoseconds: int, hits: int) -> None:
        self.ns.append(nanoseconds)
        self.hits += hits


@dataclass(frozen=True, slots=True)
class Round:
    """Medians of one start of one program."""

    bare_ms: float
    facade_ms: float

    @property
    def overhead(self) -> float:
        """How much longer the facade takes: 0.06 for 6 %."""
        return self.facade_ms / self.bare_ms - 1

    @property
    def added_ms(self) -> float:
        """The overhead without what it is of: how long the server takes."""
        return self.facade_ms - self.bare_ms


def turns(blocks: int) -> Iterator[str]:
    """Names the contender of each block, there and back, so that what disturbs the machine disturbs both."""
    return taking_turns(("bare", "facade"), blocks)


def answer(number: Any, taken: dict[str, Taken]) -> str:
    """The line that answers an order."""
    return json.dumps({"id": number, "ok": {name: asdict(each) for name, each in taken.items()}})


def round_of(answered: Mapping[str, Any], order: Order) -> Round:
    """A program's answer. Raises NotComparable where calls are missing, or where the answers had other hits."""
    bare, facade = answered["bare"], answered["facade"]
    calls = order.blocks * len(order.queries)
    if not len(bare["ns"]) == len(facade["ns"]) == calls:
        raise NotComparable(f"{len(bare['ns'])} and {len(facade['ns'])} calls in place of {calls}")
    if not 0 < bare["hits"] == facade["hits"]:
        raise NotComparable(f"{bare['hits']} hits by the stub, {facade['hits']} by the client")
    return Round(_median_ms(bare["ns"]), _median_ms(facade["ns"]))


def _median_ms(nanoseconds: Sequence[int]) -> float:
    return percentile(nanoseconds, 50) / NANOSECONDS_A_MILLISECOND
