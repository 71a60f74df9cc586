"""Two versions, a server of each, what was measured of both, and the ratios of one to the other."""

import subprocess
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from rich.console import Console
from rich.table import Table

from bench.measure.client import Client, connected
from bench.measure.command import print_json
from bench.measure.servers import (
    NO_SETTINGS,
    ROOT,
    AppServer,
    Embedding,
    app_server,
    temporary_directory,
)
from bench.measure.timing import (
    Call,
    Figure,
    Figures,
    Repeats,
    calls_per_second,
    latencies_ms,
    measure_rate,
    percentile,
    taking_turns,
)

HERE, THERE = "here", "there"
ENTRY = Path("bench") / "app_server.py"

Trees = Mapping[str, Path]
Pair = Mapping[str, AppServer]


@contextmanager
def trees_with(other: str) -> Iterator[Trees]:
    """This checkout and the other: a directory, or a commit of this repository, which is unpacked for as long as it
    takes. Raises ValueError where it is neither."""
    if (Path(other) / ENTRY).is_file():
        yield {HERE: ROOT, THERE: Path(other).resolve()}
        return
    with temporary_directory() as directory:
        # Unlike a worktree, an archive leaves nothing in the repository when the benchmark is killed.
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", other], capture_output=True)
        if archive.returncode:
            raise ValueError(f"{other!r} is neither a checkout with {ENTRY} nor a commit")
        subprocess.run(["tar", "-x", "-C", str(directory)], input=archive.stdout, check=True)
        yield {HERE: ROOT, THERE: directory}


@contextmanager
def both_servers(trees: Trees, embedding: Embedding, settings: Mapping[str, object] = NO_SETTINGS) -> Iterator[Pair]:
    """A server of each version, each with a database of its own."""
    with ExitStack() as stack:
        directory = stack.enter_context(temporary_directory())
        yield {
            version: stack.enter_context(app_server(embedding, directory / version, settings=settings, tree=tree))
            for version, tree in trees.items()
        }


def vacuum(pair: Pair) -> None:
    """Gives both databases the statistics that one in use has."""
    for app in pair.values():
        with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
            superuser.execute("vacuum analyze")


async def clients_of(pair: Pair, stack: AsyncExitStack) -> dict[str, Client]:
    """A connection to each, open as long as the stack is."""
    return {version: await stack.enter_async_context(connected(app.port, app.secret)) for version, app in pair.items()}


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

    def figures(self, version: str) -> Figures:
        """The figures of one version alone."""
        return {name: self.figure(name, version) for name in self.rounds}

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

    def table(self, other: str) -> Table:
        """A row for each figure."""
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
        return table


def print_comparison(given: Namespace, compare: Callable[[Trees], Comparison]) -> None:
    """Compares with the other version that `--against` names, and prints the result; its tree exists only meanwhile."""
    with trees_with(given.against) as trees:
        comparison = compare(trees)
    Console(width=110).print(comparison.table(given.against))
    if given.json:
        print_json(comparison.as_json())


async def compare_latencies(comparison: Comparison, calls: CallsOfBoth, repeats: Repeats) -> None:
    """The median of every round of one caller; the versions take turns in each round."""
    for name in calls[HERE]:
        both = {version: calls[version][name] for version in (HERE, THERE)}
        for call in both.values():
            await latencies_ms(call, min(WARM_UP_CALLS, repeats.calls_a_round))
        for version in taking_turns([HERE, THERE], repeats.rounds):
            taken = await latencies_ms(both[version], repeats.calls_a_round)
            comparison.add(f"{name}_p50_ms", version, percentile(taken, 50))


async def compare_rates(comparison: Comparison, pair: Pair, callers: CallersOfBoth, repeats: Repeats) -> None:
    """Calls a second of many callers at once, and what each call took of a core of the server, without its Postgres."""
    for name in callers[HERE]:
        for version in (HERE, THERE):
            await calls_per_second(callers[version][name], repeats.rate_seconds / 3)
        for version in taking_turns([HERE, THERE], repeats.rate_rounds):
            cpu_seconds = pair[version].process.cpu_seconds
            rate = await measure_rate(callers[version][name], repeats.rate_seconds, cpu_seconds)
            comparison.add(f"{name}_qps_{repeats.callers}", version, rate.per_second)
            comparison.add(f"{name}_server_core_ms", version, rate.server_ms)
