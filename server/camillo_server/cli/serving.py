"""serve, migrate and keys bootstrap: what works on the database itself, without a running server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from camillo_server.cli.failures import CliError, one_line
from camillo_server.cli.output import note, print_json, say
from camillo_server.cli.server_options import ServerOptions
from camillo_server.processes.interpreter import end_with_parent

if TYPE_CHECKING:
    from camillo_server.processes.serve import Ready

AsJson = Annotated[bool, Option("--json", help="JSON on standard output and nothing else.")]


def serve(
    options: ServerOptions,
    as_json: AsJson = False,
    ends_with_parent: Annotated[bool, Option("--ends-with-parent", hidden=True)] = False,
) -> None:
    """Serve until interrupted. With --json one line on standard output tells when and where.

    Example: camillo serve --port 7070 --data-dir ./data
    """
    if ends_with_parent:
        end_with_parent()
    settings = options.settings()

    from camillo_server.processes.serve import ServeError
    from camillo_server.processes.serve import serve as run

    def ready(server: Ready) -> None:
        if as_json:
            print_json(asdict(server))
        else:
            for line in ready_lines(server):
                say(line)
        sys.stdout.flush()

    try:
        code = run(settings, ready)
    except ServeError as error:
        raise CliError(one_line(str(error))) from error
    raise typer.Exit(code)


def ready_lines(server: Ready) -> list[str]:
    """What an operator wants to know of a server that has started."""
    workers = "" if server.workers == 1 else f" with {server.workers} workers"
    return [
        f"Camillo serves at {server.address}{workers} (Ctrl-C ends it)",
        f"  database   {server.database}",
        f"  embedding  {server.model_id} ({server.embedder})",
    ]


def migrate(options: ServerOptions, as_json: AsJson = False) -> None:
    """Bring the database to this version's schema. Serving does so by itself unless it is told not to.

    Example: camillo migrate --database-url postgresql://owner@db/camillo
    """
    settings = options.settings()

    from camillo_server.processes.serve import open_database
    from camillo_server.storage.migrate import migrate as run

    with _mendable(), open_database(settings) as urls:
        version = run(urls.owner_url, urls.granted_role)
    if as_json:
        print_json({"schema_version": version, "database": urls.shown})
    else:
        say(f"the database {urls.shown} has schema {version}")


def bootstrap_key(options: ServerOptions, as_json: AsJson = False) -> None:
    """Create a root key directly in the database, for a Postgres of your own; shown this one time.

    Example: camillo keys bootstrap --database-url postgresql://server@db/camillo
    """
    settings = options.settings()

    import asyncio

    from camillo_server.identity.api_keys import new_secret
    from camillo_server.processes.root_key import store_root_key
    from camillo_server.processes.serve import open_database, prepare

    secret = new_secret()
    with _mendable(), open_database(settings) as urls:
        prepare(settings, urls)
        asyncio.run(store_root_key(urls.server_url, secret))
    if as_json:
        print_json({"secret": secret})
    else:
        say(secret)
        note("a root key: keep it now, it is not stored")


@contextmanager
def _mendable() -> Iterator[None]:
    """What an operator can mend leaves as CliError."""
    import psycopg

    from camillo_server.processes.serve import MENDABLE

    try:
        yield
    except (*MENDABLE, psycopg.Error) as error:
        raise CliError(one_line(str(error))) from error
