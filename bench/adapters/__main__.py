"""Adapters beside what their frameworks bring along: `python -m bench.adapters --json` (see bench/README.md)."""

import json
import os
import subprocess
from collections.abc import Sequence

import psycopg

from bench.adapters.import_race import measure_import
from bench.adapters.local_start import local_starts
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import ROOT, AppServer, Embedding, app_server, temporary_directory
from bench.measure.timing import Figure, Figures
from clients.adapters.environments import environments

WORKS = {"put": 1, "search": 5, "checkpoint_put": 1, "checkpoint_get": 1}
PARTS = ("langgraph", "local", "import", "wrapped")
OTHERS = ("get", "search_person", "search_filter", "checkpoint_writes")
ADAPTERS = Benchmark(
    "adapters",
    __doc__,
    keys=(
        *(f"{name}_over_postgres" for name in (*WORKS, *OTHERS)),
        "local_new_ms",
        "local_cold_ms",
        "local_warm_ms",
        "mem0_import_per_s",
        "mem0_import_rss_growth_mb",
        "wrapped_extra_ms",
    ),
    goals=(
        *(
            Goal(f"LangGraph, {name} of 16 callers, Camillo / Postgres", f"{name}_over_postgres", least=least, unit="x")
            for name, least in WORKS.items()
        ),
        Goal("local() to the first recall, no server runs", "local_cold_ms", most=2_500, unit="ms"),
        Goal("the same, a server runs", "local_warm_ms", most=100, unit="ms"),
        Goal("records of mem0 imported a second", "mem0_import_per_s", least=5_000),
        Goal("memory of the import beyond that of a tenth", "mem0_import_rss_growth_mb", most=16, unit="MB"),
        Goal(
            "a call of OpenAI's client with memory around it, beyond one without", "wrapped_extra_ms", most=5, unit="ms"
        ),
    ),
    parts=PARTS,
)
PEER = "langgraph_peer"
ENVIRONMENT = "python-langgraph-newest"


def measure(parts: Sequence[str], *, is_quick: bool) -> Figures:
    """The figures of these parts."""
    figures: Figures = {}
    if "langgraph" in parts:
        figures |= measure_langgraph(1_000, 1, 0.5) if is_quick else measure_langgraph(10_000, 3, 2)
    if "local" in parts:
        say("local")
        figures |= local_starts(1 if is_quick else 5)
    if "import" in parts:
        say("import")
        figures |= measure_import(2_000 if is_quick else 100_000)
    if "wrapped" in parts:
        say("wrapped")
        with temporary_directory() as directory, app_server(Embedding("lexical"), directory / "data") as app:
            figures |= _in_environment(
                "python-remembering-newest", "wrapped_call.py", [1, 20] if is_quick else [5, 100], app
            )
    return figures


def measure_langgraph(items: int, rounds: int, seconds: float) -> Figures:
    """Calls a second of both, and their ratios; the peer has a database in the same Postgres."""
    with temporary_directory() as directory, app_server(Embedding("lexical"), directory / "data") as app:
        url = app.url("superuser")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"create database {PEER}")
        # The name of the database is behind the host, or the first parameter.
        peer = psycopg.conninfo.make_conninfo(url, dbname=PEER)
        say("langgraph")
        figures = _in_environment(ENVIRONMENT, "langgraph_race.py", [items, rounds, seconds], app, POSTGRES_URL=peer)
    for name in (*WORKS, *OTHERS):
        figures[f"{name}_over_postgres"] = figures[f"camillo_{name}_qps"].over(figures[f"postgres_{name}_qps"])
    return figures


def _in_environment(name: str, script: str, words: Sequence[float], app: AppServer, **environ: str) -> Figures:
    """The figures that a script prints in the environment of an adapter."""
    (environment,) = [each for each in environments(ROOT / "clients") if each.name == name]
    environment.prepare()
    command = [str(environment.python), str(ROOT / "bench" / "adapters" / script), *map(str, words)]
    known = {"CAMILLO_ADDRESS": f"127.0.0.1:{app.port}", "CAMILLO_KEY": app.secret, **environ}
    done = subprocess.run(command, env=os.environ | known, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return {name: Figure(tuple(values)) for name, values in found.items()}


def main() -> None:
    given = parse(ADAPTERS.parser())
    ADAPTERS.finish(given, measure(given.only or PARTS, is_quick=given.quick))


if __name__ == "__main__":
    main()
