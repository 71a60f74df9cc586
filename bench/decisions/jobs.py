"""Measures what the job queue costs a server that has no jobs: `python -m bench.decisions.jobs` (docs/adr/0016).

Starts and stops with and without work on jobs take turns; then one server of each kind stands idle.
"""

import asyncio
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from camillo_server.app import App
from camillo_server.settings import Settings
from camillo_server.storage.embedded.roles import DATABASE, SERVER, SUPERUSER
from camillo_server.telemetry.startup import start_telemetry

from bench.decisions.scratch import scratch_postgres

ROUNDS = 12
IDLE_SECONDS = 30.0
IMPORT = (
    "import time, psycopg_pool, camillo_server.app; t = time.perf_counter(); import procrastinate;"
    "print(time.perf_counter() - t)"
)
CONNECTIONS = "select count(*) from pg_stat_activity where usename = 'camillo_server'"
COMMITS = "select xact_commit from pg_stat_database where datname = 'camillo'"


@dataclass(frozen=True, slots=True)
class Site:
    """Where servers are started."""

    server_url: str
    superuser_url: str
    data_dir: Path

    def figure(self, query: str) -> int:
        """The figure that Postgres gives, read on a connection of its own."""
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            row = connection.execute(query.encode()).fetchone()
        assert row is not None
        return int(row[0])


def main() -> None:
    """Prints the figures of the page."""
    with scratch_postgres() as postgres, TemporaryDirectory() as data_dir:
        url, superuser_url = (postgres.url(role, DATABASE) for role in (SERVER, SUPERUSER))
        asyncio.run(_measure(Site(url, superuser_url, Path(data_dir))))


async def _measure(site: Site) -> None:
    seconds = statistics.median(_import_seconds() for _ in range(5))
    print(f"import procrastinate, beside the server: {1000 * seconds:.0f} ms")
    await _start_and_stop(site, works=True)
    rounds = [await _round(site, first=bool(number % 2)) for number in range(ROUNDS)]
    for name, index in (("start", 0), ("stop", 1)):
        ratio = statistics.median(on[index] / off[index] for on, off in rounds)
        least = min(on[index] for on, _ in rounds)
        print(f"{name} with jobs over without: {ratio:.2f} x (least with: {1000 * least:.0f} ms)")
    for works in (True, False):
        connections, commits = await _idle(site, works)
        kind = "with jobs" if works else "without"
        print(f"idle, {kind}: {connections} connections, {commits:.1f} commits/s")


def _import_seconds() -> float:
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, check=True)
    return float(done.stdout)


async def _round(site: Site, first: bool) -> tuple[tuple[float, float], tuple[float, float]]:
    """Start and stop with jobs, and without; whichever is first."""
    figures = {works: await _start_and_stop(site, works) for works in (first, not first)}
    return figures[True], figures[False]


async def _start_and_stop(site: Site, works: bool) -> tuple[float, float]:
    """Seconds until the server answers, and until it has ended."""
    began = time.perf_counter()
    app = _app(site, works)
    await app.start()
    started = time.perf_counter() - began
    await asyncio.sleep(1.0)
    began = time.perf_counter()
    await app.stop()
    return started, time.perf_counter() - began


async def _idle(site: Site, works: bool) -> tuple[int, float]:
    """Connections, and commits in a second; those that ask for them are among them."""
    app = _app(site, works)
    await app.start()
    await asyncio.sleep(5.0)
    before = site.figure(COMMITS)
    await asyncio.sleep(IDLE_SECONDS)
    found = site.figure(CONNECTIONS), (site.figure(COMMITS) - before) / IDLE_SECONDS
    await app.stop()
    return found


def _app(site: Site, works: bool) -> App:
    settings = Settings.model_validate(
        {
            "data_dir": site.data_dir,
            "server": {"port": 0},
            "memory": {"embedding_model": "random"},
            "jobs": {"enabled": works},
        }
    )
    return App(settings, site.server_url, start_telemetry(settings.telemetry))


if __name__ == "__main__":
    main()
