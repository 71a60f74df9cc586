"""serve, worker, migrate, keys bootstrap, artifact adopt-store: commands that use the settings and the database of a
server themselves."""

from __future__ import annotations

import fcntl
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote, urlencode

import typer
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.options import AsJson, panel
from camillo_cli.output import note, print_value
from typer import Option

from camillo_server.assembly.processes.interpreter import end_with_parent

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    from camillo_server.assembly.processes.serve import DatabaseUrls, Ready
    from camillo_server.assembly.processes.work import Working
    from camillo_server.settings.settings import Settings

# Read by client commands; not settings of a server.
CLIENT_VARIABLES = frozenset({"CAMILLO_AGENT", "CAMILLO_ADDRESS", "CAMILLO_KEY", "CAMILLO_MCP_PROFILE"})
EndsWithParent = Annotated[bool, Option("--ends-with-parent", hidden=True)]
EndsWhenIdle = Annotated[bool, Option("--ends-when-idle", hidden=True)]
ClockFromInput = Annotated[bool, Option("--clock-from-input", hidden=True)]
# How long a server that a program has started for itself and others waits for the next one.
IDLE_EXIT_SECONDS = 600.0
option = panel("Server")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The settings that are often given as options; each other one has an environment variable and a key in the
    file."""

    config: Annotated[Path | None, option("YAML file with settings. Also CAMILLO_CONFIG.")] = None
    data_dir: Annotated[Path | None, option("Directory for all data. Also CAMILLO_DATA_DIR.")] = None
    database_url: Annotated[
        str | None,
        option(
            "Your own Postgres. Default: an embedded one. Also CAMILLO_DATABASE_URL.",
            metavar="URL",
        ),
    ] = None
    host: Annotated[str | None, option("Address to listen on. [default: 127.0.0.1]")] = None
    port: Annotated[int | None, option("Port to listen on; 0: any free port. [default: 7070]")] = None
    http_port: Annotated[
        int | None,
        option("Port for HTTP and MCP; 0: none. [default: the one behind --port]"),
    ] = None
    workers: Annotated[int | None, option("Number of processes that share the port. [default: 1]")] = None
    model_dir: Annotated[Path | None, option("Directory of a local ONNX model.", exists=True, file_okay=False)] = None
    embedding_model: Annotated[str | None, option("auto, onnx, lexical, random or litellm. [default: auto]")] = None

    def overrides(self) -> dict[str, object]:
        """The settings by their paths; None where an option is not given."""
        return {
            "data_dir": self.data_dir and str(self.data_dir),
            "database.url": self.database_url,
            "server.host": self.host,
            "server.port": self.port,
            "server.http_port": self.http_port,
            "server.workers": self.workers,
            "memory.model_dir": self.model_dir and str(self.model_dir),
            "memory.embedding_model": self.embedding_model,
        }

    def settings(self) -> Settings:
        """The settings from all sources. Raises CliError."""
        return load(self.config, os.environ, self.overrides())

    def arguments(self) -> list[str]:
        """The options as arguments of a command line."""
        values = ((name, value) for name, value in asdict(self).items() if value is not None)
        return [f"--{name.replace('_', '-')}={value}" for name, value in values]


def load(config: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]) -> Settings:
    """Settings from all sources. Raises CliError with every problem in one line."""
    from camillo_server.settings.settings import SettingsError, load_settings

    servers = {name: value for name, value in environ.items() if name not in CLIENT_VARIABLES}
    try:
        return load_settings(config, servers, overrides)
    except SettingsError as error:
        raise CliError(one_line("; ".join(error.problems)), ExitCode.USAGE) from error


def serve(
    options: ServerOptions,
    as_json: AsJson = False,
    ends_with_parent: EndsWithParent = False,
    ends_when_idle: EndsWhenIdle = False,
    clock_from_input: ClockFromInput = False,
) -> None:
    """Start a server, and serve until interrupted. With --json it prints one line once it is ready.

    Example: camillo serve --port 7070 --data-dir ./data
    """

    def run(settings: Settings) -> int:
        from camillo_server.assembly.processes.serve import serve as serve_calls

        if ends_when_idle:
            settings = _ending_when_idle(settings)
        clock = None
        if clock_from_input:
            from camillo_server.assembly.processes.input_clock import InputClock

            clock = InputClock()

        def tell(server: Ready) -> None:
            _print_ready(server, _server_lines(server), as_json)
            if clock is not None:
                clock.follow()

        return serve_calls(settings, tell, clock)

    _run_process(options, run, ends_with_parent=ends_with_parent)


def _ending_when_idle(settings: Settings) -> Settings:
    """The settings of a server that a program starts for all programs of its user. Raises CliError."""
    if settings.database.url is not None:
        raise CliError(
            "database.url is set, and a local server has a database of its own: start a server with 'camillo serve', "
            "and connect to that",
            ExitCode.USAGE,
        )
    if settings.server.idle_exit_seconds is not None:
        return settings
    # One process: only that knows of all calls.
    server = settings.server.model_copy(update={"idle_exit_seconds": IDLE_EXIT_SECONDS, "workers": 1})
    return settings.model_copy(update={"server": server})


def _server_lines(server: Ready) -> list[str]:
    """The address, the database and the embedding model of a server that is ready."""
    workers = "" if server.workers == 1 else f" with {server.workers} workers"
    return [
        f"Camillo serves at {server.address}{workers} (Ctrl-C ends it)",
        *([f"  HTTP       {server.url}", f"  MCP        {server.url}/mcp"] if server.url else []),
        f"  database   {server.database}",
        f"  embedding  {server.model_id} ({server.embedder})",
    ]


def worker(
    options: ServerOptions,
    as_json: AsJson = False,
    ends_with_parent: EndsWithParent = False,
) -> None:
    """Run background jobs until interrupted, without answering calls.

    Servers run jobs as well, unless their setting jobs.enabled is false.
    Any number of workers can run, on any machine, with the settings of the servers.
    With an embedded database, a worker connects to that of the running server.

    Example: camillo worker --database-url postgresql://server@db/camillo

    Example: camillo worker --data-dir ./data
    """

    def run(settings: Settings) -> int:
        from camillo_server.assembly.processes.work import work

        return work(
            settings,
            lambda working: _print_ready(working, _worker_lines(working), as_json),
            _running_embedded(settings),
        )

    _run_process(options, run, ends_with_parent=ends_with_parent)


def _run_process(options: ServerOptions, run: Callable[[Settings], int], *, ends_with_parent: bool) -> None:
    """Runs a process to its end, and exits with its code. Raises CliError where it cannot start."""
    if ends_with_parent:
        end_with_parent()
    settings = options.settings()

    from camillo_server.assembly.processes.serve import StartError

    try:
        code = run(settings)
    except StartError as error:
        raise CliError(one_line(str(error))) from error
    raise typer.Exit(code)


def migrate(options: ServerOptions, as_json: AsJson = False) -> None:
    """Migrate the database to the schema of this version. A server does so when it starts, unless that is turned off.

    Example: camillo migrate --database-url postgresql://owner@db/camillo
    """
    settings = options.settings()

    from camillo_server.assembly.processes.serve import open_database
    from camillo_server.storage.migrate import migrate as run

    with operator_errors(), open_database(settings) as urls:
        version = run(urls.owner_url, urls.granted_role)
    migrated = {"schema_version": version, "database": urls.shown}
    print_value(migrated, f"the database {urls.shown} has schema {version}", as_json=as_json)


def bootstrap_key(options: ServerOptions, as_json: AsJson = False) -> None:
    """Create a root key directly in your own Postgres, and print it; it is shown only once.

    Example: camillo keys bootstrap --database-url postgresql://server@db/camillo
    """
    settings = options.settings()

    import asyncio

    from camillo_server.assembly.processes.root_key import store_root_key
    from camillo_server.assembly.processes.serve import open_database, prepare

    with operator_errors(), open_database(settings) as urls:
        prepare(settings, urls)
        secret = asyncio.run(store_root_key(urls.server_url))
    print_value({"secret": secret}, secret, as_json=as_json)
    if not as_json:
        note("a root key: keep it now, its secret is not stored")


def adopt_store(options: ServerOptions, as_json: AsJson = False) -> None:
    """Make this database the owner of the store of artifacts, as after a restore or a move. No other server may use it.

    The first collection afterwards deletes no bytes that the database does not know; it logs how many there are.

    Example: camillo artifact adopt-store --database-url postgresql://server@db/camillo
    """
    settings = options.settings()

    import asyncio

    from camillo_server.assembly.processes.serve import open_database, prepare
    from camillo_server.storage.parts.owned_store import adopt_store as adopt

    url = settings.artifacts.store_url
    if url is None:
        raise CliError("artifacts.store_url is not set: the bytes are in Postgres", ExitCode.USAGE)
    with operator_errors(), open_database(settings) as urls:
        prepare(settings, urls)
        asyncio.run(adopt(settings, urls.server_url))
    print_value({"store_url": url}, f"{url} belongs to {urls.shown}", as_json=as_json)


@contextmanager
def operator_errors(*more: type[Exception]) -> Iterator[None]:
    """Raises CliError for errors that an operator can fix: of settings, of Postgres, and those given."""
    import psycopg

    from camillo_server.assembly.processes.serve import MENDABLE

    fixable: tuple[type[Exception], ...] = (*MENDABLE, *more, psycopg.Error)
    try:
        yield
    except fixable as error:
        raise CliError(one_line(str(error))) from error


def _print_ready(values: Any, lines: list[str], as_json: bool) -> None:
    """Prints for people at a terminal; otherwise logs, in a form that is read like the rest of the log."""
    if not as_json and not sys.stdout.isatty():
        logger.info("ready", extra=asdict(values))
        return
    print_value(asdict(values), "\n".join(lines), as_json=as_json)
    # The parent process may wait for it.
    sys.stdout.flush()


def _worker_lines(working: Working) -> list[str]:
    """The database and the embedding models of a worker that is ready."""
    lines = [
        "Camillo works on background jobs (Ctrl-C ends it)",
        f"  database   {working.database}",
        f"  embedding  {working.model_id} ({working.embedder})",
    ]
    if working.next_model_id:
        lines.append(f"  next       {working.next_model_id}")
    return lines


def _running_embedded(settings: Settings) -> str | None:
    """The URL of the embedded database that another process runs; None where none runs.

    Raises CliError while it is being started or stopped.
    """
    directory = settings.data_dir
    if settings.database.url is not None or not (holder := lock_holder(directory)):
        return None
    if url := running_embedded_url(directory):
        return url
    raise CliError(
        f"the embedded database in {directory} is being started or stopped by {holder}: try again in a moment"
    )


@contextmanager
def database_urls(settings: Settings, *, prepared: bool = False) -> Iterator[DatabaseUrls]:
    """The configured database, or the embedded one, which a server may run already. One that no server runs is migrated
    first if it is to be `prepared`."""
    from camillo_server.assembly.processes.serve import DatabaseUrls, open_database, prepare
    from camillo_server.storage.embedded.account import OWNER, SERVER

    if settings.database.url is None:
        owner, server = (running_embedded_url(settings.data_dir, role) for role in (OWNER, SERVER))
        if owner and server:
            yield DatabaseUrls(owner, server, SERVER, "embedded")
            return
    with open_database(settings) as urls:
        if prepared:
            prepare(settings, urls)
        yield urls


def running_embedded_url(directory: Path, role: str | None = None) -> str | None:
    """The URL of the embedded Postgres that a process runs in a data directory, for `role` or the role that serves.

    None if none runs.
    """
    from camillo_server.storage.embedded.account import DATABASE, SERVER
    from camillo_server.storage.embedded.directory import PORT

    # The pid file of a Postgres that was killed stays behind; the lock does not.
    if not lock_holder(directory):
        return None
    try:
        lines = (directory / "postgres" / "postmaster.pid").read_text().splitlines()
    except OSError:
        return None
    # Its fifth line is the directory of the socket.
    if len(lines) < 5 or not lines[4].strip():
        return None
    query = urlencode({"host": lines[4].strip(), "port": PORT}, quote_via=quote)
    return f"postgresql://{role or SERVER}@/{DATABASE}?{query}"


def lock_holder(directory: Path) -> str:
    """The process that uses the data directory; empty if none does."""
    try:
        with (directory / "lock").open("rb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                pid = lock.read(32).decode(errors="replace").strip()
                return f"process {pid}" if pid.isdigit() else "another process"
    except OSError:
        # Never used, or not readable: then starting a server says more.
        pass
    return ""
