"""The race: every contender filled with the same memories, then asked and written to in turns."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from bench.measure.command import say
from bench.measure.servers import (
    VECTORS_GIVEN,
    AppServer,
    app_server,
    replica,
    temporary_directory,
)
from bench.measure.timing import Figure, percentile, taking_turns
from bench.peers.contenders import CONTENDERS
from bench.peers.material import Material
from bench.peers.processes import Field, open_field
from bench.peers.store import HITS, Circumstances

Rounds = dict[str, dict[str, list[float]]]


@dataclass(frozen=True, slots=True)
class Length:
    """A full run; `quick()` is one that only shows that everything works."""

    memories: int = 10_000
    queries: int = 400
    checked_queries: int = 200
    rounds: int = 5
    warm_up_seconds: float = 1.0
    one_caller_seconds: float = 1.0
    bundle_seconds: float = 1.0
    callers: int = 16
    callers_seconds: float = 2.0
    puts_a_round: int = 40
    # Processes of Camillo's server on one port; 0: it is one, as `camillo serve` has it.
    workers: int = 0
    # Client processes of each contender, among which its callers are divided.
    processes: int = 1
    # Asked right after filling, before Postgres has statistics: the plans are others then.
    is_fresh: bool = False

    @classmethod
    def quick(cls) -> "Length":
        return cls(
            memories=1_000,
            queries=64,
            checked_queries=32,
            rounds=1,
            warm_up_seconds=0.2,
            one_caller_seconds=0.3,
            bundle_seconds=0.3,
            callers_seconds=0.3,
            puts_a_round=5,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Figures by key, why some contenders have none, and what was installed."""

    figures: dict[str, Figure]
    unavailable: dict[str, str]
    versions: dict[str, str]


def run(length: Length, names: Sequence[str]) -> Outcome:
    """Everything in one run, on one Postgres, each contender in a process of its own."""
    material = Material.generate(length.memories, length.queries, more=length.rounds * length.puts_a_round)
    with ExitStack() as stack:
        directory = stack.enter_context(temporary_directory())
        app = stack.enter_context(app_server(VECTORS_GIVEN, directory / "server"))
        asked = app
        if length.workers:
            asked = stack.enter_context(replica(app, VECTORS_GIVEN, directory / "workers", workers=length.workers))
        material.save(directory / "material")
        given = {name: _circumstances(name, app, asked.port, directory) for name in names}
        urls = _create_databases(app, names)
        say("opening")
        with open_field(given, length.processes) as field:
            say("filling")
            field.ask_all_at_once(do="fill")
            if not length.is_fresh:
                _settle(urls)
            return _measured(length, material, field)


def _measured(length: Length, material: Material, field: Field) -> Outcome:
    rounds: Rounds = defaultdict(lambda: defaultdict(list))
    say("searching")
    _check(length, material, field, rounds)
    _search(length, field, rounds)
    # After all searching: what is put changes what is found.
    say("putting")
    _put(length, field, rounds)
    figures = {f"{name}_{key}": Figure(tuple(values)) for name in field.names for key, values in rounds[name].items()}
    return Outcome(figures, field.unavailable, field.versions)


def _check(length: Length, material: Material, field: Field, rounds: Rounds) -> None:
    """How many of the exactly nearest each finds, so that a quick wrong answer is noticed."""
    for name in field.names:
        if answer := field.ask(name, do="search", count=length.checked_queries):
            rounds[name]["recall"].append(material.recall(answer["found"], HITS))
        field.ask_callers(name, length.callers, length.warm_up_seconds)


def _search(length: Length, field: Field, rounds: Rounds) -> None:
    for name in taking_turns(field.names, length.rounds):
        if alone := field.ask(name, do="one_caller", seconds=length.one_caller_seconds):
            taken = alone["latencies_ms"]
            _keep(rounds[name], "p50_ms", "p95_ms", taken)
            rounds[name]["qps_1"].append(1000 * len(taken) / sum(taken))
        if together := field.ask_callers(name, length.callers, length.callers_seconds):
            rounds[name]["qps_16"].append(sum(each["qps"] for each in together))
            latencies = [taken for each in together for taken in each["latencies_ms"]]
            _keep(rounds[name], "p50_16_ms", "p95_16_ms", latencies)
        if bundles := field.ask(name, do="bundle", seconds=length.bundle_seconds):
            _keep(rounds[name], "bundle_p50_ms", "bundle_p95_ms", bundles["latencies_ms"])


def _put(length: Length, field: Field, rounds: Rounds) -> None:
    for name in taking_turns(field.names, length.rounds):
        if answer := field.ask(name, do="put", count=length.puts_a_round):
            _keep(rounds[name], "put_p50_ms", "put_p95_ms", answer["latencies_ms"])


def _keep(of_contender: dict[str, list[float]], p50: str, p95: str, latencies: Sequence[float]) -> None:
    of_contender[p50].append(percentile(latencies, 50))
    of_contender[p95].append(percentile(latencies, 95))


def _circumstances(name: str, app: AppServer, port: int, directory: Path) -> Circumstances:
    return Circumstances(
        material=str(directory / "material"),
        directory=str(directory / name),
        postgres_url=_database_url(app, name),
        port=port,
        secret=app.secret,
    )


def _create_databases(app: AppServer, names: Sequence[str]) -> list[str]:
    """One for each contender that needs one, in the server's Postgres; the URLs of these and of the server's own."""
    needed = [name for name in names if CONTENDERS[name].needs_database]
    with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
        for name in needed:
            superuser.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    return [app.url("superuser"), *(_database_url(app, name) for name in needed)]


def _database_url(app: AppServer, name: str) -> str:
    """URL for the superuser: peers create the extension themselves."""
    return urlsplit(app.url("superuser"))._replace(path=f"/{name}").geturl()


def _settle(urls: Sequence[str]) -> None:
    """Does, for all alike, the work that autovacuum would do a minute after a fill."""
    for url in urls:
        with psycopg.connect(url, autocommit=True) as superuser:
            superuser.execute("vacuum analyze")
