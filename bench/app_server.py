"""The real server for benchmarks: embedded Postgres that syncs every commit, authentication, and the echo method.

Prints one line of JSON when it serves: its port, and how to reach its Postgres. The secret of its root key comes
in the environment, so that a benchmark can use a data directory again. With `--database-url` it is another server on
the database of one that runs already; with `--workers` as well, so many processes on one port, without the echo.
`--against` starts other versions by this name and these flags: they have to stay.
"""

import argparse
import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path

import psycopg
from camillo_server.assembly.app import App
from camillo_server.assembly.processes.interpreter import favour_the_event_loop, spare_what_was_loaded
from camillo_server.assembly.processes.one_process import Serving, serve_process
from camillo_server.assembly.processes.workers import Workers
from camillo_server.doors.identity.key_cache import digest
from camillo_server.kernel.clock import Clock, SystemClock
from camillo_server.kernel.scope import Role
from camillo_server.settings.settings import Settings, load_settings
from camillo_server.storage.embedded.account import DATABASE, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.migrate import migrate
from camillo_server.telemetry.tracing import start_telemetry

from bench.measure.echo_server import add_echo, until_told_to_stop

SECRET_VARIABLE = "CAMILLO_BENCH_SECRET"  # noqa: S105
TENANT = "bench"
# Maintenance by the hour would be measured with whatever is: so on a day in four years. Several servers have ports that
# follow each other: none opens the one behind its own for HTTP, unless that is asked for.
UNDISTURBED = {"lifecycle.cron": "0 0 29 2 *", "server.http_port": 0}
# As root does it by the AdminService; here before there is a server to ask.
ADD_TENANT = """
insert into camillo.tenants (tenant_id, display_name, created_at) values (%(tenant_id)s, 'Benchmark', now())
on conflict do nothing
"""
ADD_KEY = """
insert into camillo.api_keys (tenant_id, key_id, secret_digest, role, description, created_at)
values (%(tenant_id)s, 'bench', %(secret_digest)s, %(role)s, 'benchmark', now())
on conflict do nothing
"""
# The benchmark chose its key before there was a database that could sign one.
ACCEPT_KEY = "update camillo.database_identity set has_unsigned_keys = true"


def _settings() -> tuple[Settings, bool]:
    """The settings, and whether worker processes are asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--embedding", default="random")
    parser.add_argument("--dimensions", type=int)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--database-url")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--set", action="append", default=[], metavar="SETTING=VALUE")
    given = parser.parse_args()
    overrides = {
        **UNDISTURBED,
        "data_dir": str(given.data_dir),
        "server.port": given.port,
        "memory.embedding_model": given.embedding,
        "memory.embedding_dimensions": given.dimensions,
        "memory.model_dir": str(given.model) if given.model else None,
        "database.url": given.database_url,
        "server.workers": given.workers,
        **dict(assignment.split("=", 1) for assignment in given.set),
    }
    return load_settings(None, {}, overrides), bool(given.workers)


async def _serve(settings: Settings, urls: Mapping[str, str], clock: Clock) -> None:
    favour_the_event_loop()
    telemetry = start_telemetry(settings.telemetry)
    app = App(settings, urls["server_url"], telemetry, clock=clock, more_services=(add_echo,))
    try:
        ready = {"port": await app.start(), **urls}
        spare_what_was_loaded()
        print(json.dumps(ready), flush=True)
        await until_told_to_stop()
    finally:
        await app.stop()
        telemetry.stop()


def ensure_key(superuser_url: str, secret: str) -> None:
    """A root key for the benchmark's tenant; nothing happens where it is there already."""
    with psycopg.connect(superuser_url, autocommit=True) as superuser:
        superuser.execute(ACCEPT_KEY)
        superuser.execute(ADD_TENANT, {"tenant_id": TENANT})
        superuser.execute(
            ADD_KEY,
            {"tenant_id": TENANT, "secret_digest": digest(secret), "role": int(Role.ROOT)},
        )


def _serve_with_workers(settings: Settings, url: str) -> None:
    """Serves as `camillo serve --workers N` does."""

    def announce(serving: Serving) -> None:
        print(json.dumps({"port": serving.port}), flush=True)

    if settings.server.workers > 1:
        Workers(settings, url).run(announce)
    else:
        asyncio.run(serve_process(settings, url, announce))


def main(clock: Clock | None = None) -> None:
    """Serves by this clock, else by the machine's."""
    clock = clock or SystemClock()
    settings, has_workers = _settings()
    if settings.database.url is not None:
        url = settings.database.url.get_secret_value()
        if has_workers:
            _serve_with_workers(settings, url)
        else:
            asyncio.run(_serve(settings, {"server_url": url}, clock))
        return
    with EmbeddedPostgres(settings.data_dir, durable=True) as postgres:
        migrate(postgres.owner_url, SERVER)
        superuser_url = postgres.url(SUPERUSER, DATABASE)
        ensure_key(superuser_url, os.environ[SECRET_VARIABLE])
        urls = {"server_url": postgres.server_url, "superuser_url": superuser_url}
        asyncio.run(_serve(settings, urls, clock))


if __name__ == "__main__":
    main()
