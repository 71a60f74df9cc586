"""What was measured of both versions, and the ratios of one to the other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from bench.against.versions import HERE, THERE, Pair
from bench.measure.repeats import Repeats
from bench.measure.timing import (
    Call,
    Figure,
    calls_per_second,
    latencies_ms,
    percentile,
    taking_turns,
)

WARM_UP_CALLS = 200

# By version, then by name: the same names in both.
CallsOfBoth = Mapping[str, Mapping[str, Call]]
CallersOfBoth = Mapping[str, Mapping[str, Sequence[Call]]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rounds of each figure, by version: round N of one belongs to round N of the other."""

    rounds: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def add(self, name: str, version: str, value: float) -> None:
        self.rounds.setdefault(name, {HERE: [], THERE: []})[version].append(value)

    def ratio(self, name: str) -> Figure:
        """Here over there, round by round."""
        return self.figure(name, HERE).over(self.figure(name, THERE))

    def figure(self, name: str, version: str) -> Figure:
        return Figure(tuple(self.rounds[name][version]))

    def as_json(self) -> dict[str, dict[str, float]]:
        """Medians of both versions and of the ratios."""
        return {
            name: {
                HERE: round(self.figure(name, HERE).median, 4),
                THERE: round(self.figure(name, THERE).median, 4),
                "ratio": round(self.ratio(name).median, 4),
            }
            for name in self.rounds
        }

    def tell(self, other: str, *, as_json: bool) -> None:
        """A row for each figure; then, where wanted, all of them in a line of JSON."""
        table = Table(title=f"This version against {other}", title_justify="left")
        for heading in ("what", HERE, THERE, "ratio", "least to most", "rounds"):
            table.add_column(heading, justify="left" if heading == "what" else "right")
        for name in self.rounds:
            ratio = self.ratio(name)
            table.add_row(
                name,
                f"{self.figure(name, HERE).median:,.3f}",
                f"{self.figure(name, THERE).median:,.3f}",
                f"{ratio.median:.3f}",
                f"{ratio.least:.2f} to {ratio.most:.2f}",
                str(len(ratio.rounds)),
            )
        Console(width=110).print(table)
        if as_json:
            print(json.dumps(self.as_json()), flush=True)


async def compare_latencies(comparison: Comparison, calls: CallsOfBoth, repeats: Repeats) -> None:
    """The median of every round of one caller; versions take turns call by call of the list, and back."""
    turns = [(version, name) for name in calls[HERE] for version in (HERE, THERE)]
    for version, name in turns:
        await latencies_ms(calls[version][name], min(WARM_UP_CALLS, repeats.calls_a_round))
    for version, name in taking_turns(turns, repeats.rounds):
        taken = await latencies_ms(calls[version][name], repeats.calls_a_round)
        comparison.add(f"{name}_p50_ms", version, percentile(taken, 50))


async def compare_rates(
    comparison: Comparison, pair: Pair, callers: CallersOfBoth, repeats: Repeats
) -> None:
    """Calls a second of many callers at once, and what each call took of a core of the server, without its Postgres."""
    turns = [(version, name) for name in callers[HERE] for version in (HERE, THERE)]
    for version, name in turns:
        await calls_per_second(callers[version][name], repeats.rate_seconds / 3)
    for version, name in taking_turns(turns, repeats.rate_rounds):
        process = pair[version].process
        before = process.cpu_seconds()
        rate = await calls_per_second(callers[version][name], repeats.rate_seconds)
        core_ms = (process.cpu_seconds() - before) / (rate * repeats.rate_seconds) * 1000
        comparison.add(f"{name}_qps_{repeats.callers}", version, rate)
        comparison.add(f"{name}_server_core_ms", version, core_ms)
