"""Adapters beside what their frameworks bring along: `python -m bench.adapters --json` (see bench/README.md)."""

import json
import os
import subprocess

import psycopg

from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import ROOT, Embedding, app_server, temporary_directory
from bench.measure.timing import Figure, Figures
from clients.adapters.environments import environments, prepare

WORKS = {"put": 1, "search": 5, "checkpoint_put": 1, "checkpoint_get": 1}
OTHERS = ("get", "search_person", "search_filter", "checkpoint_writes")
ADAPTERS = Benchmark(
    "adapters",
    __doc__,
    keys=tuple(f"{name}_over_postgres" for name in (*WORKS, *OTHERS)),
    goals=tuple(
        Goal(f"LangGraph, {name} of 16 callers, Camillo / Postgres", f"{name}_over_postgres", least=least, unit="x")
        for name, least in WORKS.items()
    ),
)
PEER = "langgraph_peer"
ENVIRONMENT = "python-langgraph-newest"


def measure(items: int, rounds: int, seconds: float) -> Figures:
    """Calls a second of both, and their ratios; the peer has a database in the same Postgres."""
    (environment,) = [each for each in environments(ROOT / "clients") if each.name == ENVIRONMENT]
    prepare(environment)
    with temporary_directory() as directory, app_server(Embedding("lexical"), directory / "data") as app:
        url = app.url("superuser")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"create database {PEER}")
        # The name of the database is behind the host, or the first parameter.
        peer = psycopg.conninfo.make_conninfo(url, dbname=PEER)
        say("langgraph")
        done = subprocess.run(
            [
                str(environment.python),
                str(ROOT / "bench" / "adapters" / "langgraph_race.py"),
                str(items),
                str(rounds),
                str(seconds),
            ],
            env={
                **os.environ,
                "CAMILLO_ADDRESS": f"127.0.0.1:{app.port}",
                "CAMILLO_KEY": app.secret,
                "POSTGRES_URL": peer,
            },
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found = json.loads(done.stdout.splitlines()[-1])
    figures = {name: Figure(tuple(values)) for name, values in found.items()}
    for name in (*WORKS, *OTHERS):
        figures[f"{name}_over_postgres"] = figures[f"camillo_{name}_qps"].over(figures[f"postgres_{name}_qps"])
    return figures


def main() -> None:
    given = parse(ADAPTERS.parser())
    ADAPTERS.finish(given, measure(1_000, 1, 0.5) if given.quick else measure(10_000, 3, 2))


if __name__ == "__main__":
    main()
