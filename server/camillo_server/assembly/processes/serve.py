"""Serving: the database, the schema, the root key, then one process that answers or several that share a port.

The code that answers is imported late, while Postgres starts: that takes most of the time until the first answer.
"""

from __future__ import annotations

import asyncio
import getpass
import logging
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from camillo_server.assembly.processes.connections import APPLICATION, connections_needed, fit_pool
from camillo_server.assembly.processes.interpreter import ignore_stop_signals, loading_modules
from camillo_server.assembly.processes.local_server import Announcement
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.system import OperatorError
from camillo_server.settings.settings import Settings
from camillo_server.storage.embedded.account import SERVER
from camillo_server.storage.embedded.server import EmbeddedPostgres, supervision
from camillo_server.storage.migrate import migrate, require_current_schema, require_serving_role
from camillo_server.telemetry.logging import start_logging

if TYPE_CHECKING:
    from camillo_server.assembly.processes.one_process import Serving

logger = logging.getLogger(__name__)

MENDABLE = (OperatorError, DomainError)


class StartError(Exception):
    """A process cannot start, or go on: one line that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A server that answers."""

    address: str
    # The address at which it answers by HTTP; empty if it does not.
    url: str
    embedder: str
    model_id: str
    workers: int
    database: str


@dataclass(frozen=True, slots=True)
class DatabaseUrls:
    """The addresses of the database: for the role that migrates and for the one that serves."""

    owner_url: str
    server_url: str
    # The role that the owner grants rights to; None where one role does both.
    granted_role: str | None
    shown: str


@contextmanager
def open_database(settings: Settings, meanwhile: Callable[[], None] = lambda: None) -> Iterator[DatabaseUrls]:
    """The configured database, or the embedded one for as long as the block runs; `meanwhile` is called while that
    starts.

    Raises EmbeddedPostgresError.
    """
    configured = settings.database
    if configured.url is not None:
        given_url = configured.url.get_secret_value()
        owner_url = configured.owner_url.get_secret_value() if configured.owner_url else given_url
        server_url = _named(given_url)
        role = _role(server_url) if owner_url != given_url else None
        yield DatabaseUrls(owner_url, server_url, role, _shown(server_url))
        return
    connections = 20 + connections_needed(settings)
    postgres = EmbeddedPostgres(settings.data_dir, max_connections=connections)
    postgres.start(meanwhile)
    with postgres, supervision(postgres):
        yield DatabaseUrls(postgres.owner_url, _named(postgres.server_url), SERVER, "embedded")


def serve(settings: Settings, on_ready: Callable[[Ready], None], clock: Clock | None = None) -> int:
    """Serves until SIGINT or SIGTERM, then drains. Returns the exit code. `clock`: of a server in one process, in place
    of the machine's.

    Raises StartError for what the operator can mend.
    """
    with logged(settings), open_database(settings, _import_server) as urls:
        prepare(settings, urls)
        fitted = fit_pool(settings, urls.server_url)
        _warn_of_plain_text(fitted)
        announcement = Announcement(settings.data_dir)

        def tell(serving: Serving) -> None:
            ready = _ready(fitted, urls, serving)
            if settings.database.url is None:
                announcement.publish(ready.address, ready.url, has_tls=settings.tls.enabled)
            on_ready(ready)

        try:
            if fitted.server.workers > 1:
                from camillo_server.assembly.processes.workers import Workers

                return Workers(fitted, urls.server_url).run(tell)
            from camillo_server.assembly.processes.one_process import serve_process

            serving = serve_process(fitted, urls.server_url, tell, on_leaving=announcement.withdraw, clock=clock)
            return run_to_end(serving)
        finally:
            announcement.withdraw()


@contextmanager
def logged(settings: Settings) -> Iterator[None]:
    """Writes the log while the block runs. Raises StartError for what the operator can mend."""
    logs = start_logging(settings.telemetry.log_level, settings.telemetry.log_format)
    try:
        yield
    except MENDABLE as error:
        raise StartError(str(error)) from error
    finally:
        logs.stop()


def run_to_end(process: Coroutine[Any, Any, int]) -> int:
    """Runs the process, which ends at a signal to stop. Returns its exit code."""
    try:
        return asyncio.run(process)
    finally:
        # A second signal must not end this before its Postgres has stopped.
        ignore_stop_signals()


def prepare(settings: Settings, urls: DatabaseUrls) -> None:
    """Checks the role that serves, migrates, and makes the root key of an embedded database."""
    require_serving_role(urls.server_url, settings.database.single_role)
    if settings.database.migrate_at_start:
        migrate(urls.owner_url, urls.granted_role)
    else:
        require_current_schema(urls.server_url)
    if settings.database.url is None:
        from camillo_server.assembly.processes.root_key import ensure_root_key

        accepts_unsigned = settings.identity.unsigned_keys
        ensure_root_key(settings.data_dir, urls.server_url, accepts_unsigned=accepts_unsigned)


def _import_server() -> None:
    with loading_modules():
        import camillo_server.assembly.processes.one_process
        import camillo_server.assembly.processes.root_key  # noqa: F401


def _warn_of_plain_text(settings: Settings) -> None:
    if not settings.server.is_loopback and not settings.tls.enabled:
        logger.warning(
            "keys and texts cross the network unencrypted: server.host is %s and tls.certificate_path is not set",
            settings.server.host,
        )


def _ready(settings: Settings, urls: DatabaseUrls, serving: Serving) -> Ready:
    return Ready(
        address=f"{settings.server.host}:{serving.port}",
        url=_url(settings),
        embedder=serving.embedder,
        model_id=serving.model_id,
        workers=settings.server.workers,
        database=urls.shown,
    )


def _url(settings: Settings) -> str:
    port = settings.server.http_listens_on
    scheme = "https" if settings.tls.enabled else "http"
    return f"{scheme}://{settings.server.host}:{port}" if port else ""


def _named(url: str) -> str:
    """The URL with the name by which Postgres shows our connections, unless it has one."""
    return make_conninfo(url, fallback_application_name=APPLICATION)


def _role(url: str) -> str:
    """The role of a URL; where it names none, the one that libpq takes."""
    named = conninfo_to_dict(url).get("user") or os.environ.get("PGUSER")
    return str(named or getpass.getuser())


def _shown(url: str) -> str:
    parts = conninfo_to_dict(url)
    return f"{parts.get('host', 'localhost')}/{parts.get('dbname', '')}"
