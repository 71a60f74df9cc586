"""demo: remember real input, ask about it, show the context for the next turn, go on serving."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_server.cli import ingest, questions
from camillo_server.cli.child_server import ChildServer
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.demo_conversation import next_context, record_conversation
from camillo_server.cli.demo_report import DemoReport
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.progress import progress_bar, working
from camillo_server.cli.server_options import ServerOptions
from camillo_server.cli.transfer import open_feed, run_import

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import RecallResponse
    from camillo_client import Camillo

    from camillo_server.settings import Settings

VECTOR_PATIENCE_SECONDS = 30.0
POLL_SECONDS = 0.25
# To see how many wait for their vector, so many of the newest are looked at.
LOOKED_AT = 5_000
HITS = 3
OPENINGS = 2_000
OPENING_LENGTH = 400


def demo(
    options: ServerOptions,
    source: Annotated[
        str | None,
        Argument(
            metavar="[INPUT]",
            help="A folder, a text file or JSON lines. Default: the Markdown files from here on.",
        ),
    ] = None,
    once: Annotated[bool, Option("--once", help="End after the answers.")] = False,
    as_json: Annotated[
        bool, Option("--json", help="JSON on standard output and nothing else.")
    ] = False,
) -> None:
    """Start a server, remember a folder of text, ask five questions, show the context for the next turn, and go on
    serving until Ctrl-C.

    A second run knows what the first has remembered. Example: camillo demo docs/
    """
    settings = options.settings()
    suffixes = ingest.MARKDOWN if source is None else ingest.TEXT
    # Before anything is started: a wrong input is told at once.
    feed = open_feed(source or ".", suffixes)
    report = DemoReport(as_json, options)
    with ExitStack() as stack:
        try:
            server = _server(stack, options, settings, report)
            client = _client_options(settings, report.address)
            with connected(client) as camillo:
                openings: list[str] = []
                feed.memories = _noting_openings(feed.memories, openings)
                report.imported(source, run_import(camillo, feed, title="remember"))
                _wait_for_vectors(camillo, report)
                asked = _questions(source, openings)
                for question in asked:
                    answer = camillo.recall(question, limit=HITS, explain=True)
                    report.answered(question, answer)
                if asked:
                    _show_context(camillo, report, asked[-1], answer)
            if server is None:
                report.how_to_go_on(asked[-1:], serves=False)
            elif not once:
                report.how_to_go_on(asked[-1:], serves=True)
                raise CliError(f"the server ended by itself (exit code {server.wait()})")
        except KeyboardInterrupt:
            report.ended()


def _show_context(
    camillo: Camillo, report: DemoReport, question: str, answer: RecallResponse
) -> None:
    recorded = record_conversation(camillo, question, answer)
    report.bundled(question, recorded, next_context(camillo, question))


def _server(
    stack: ExitStack, options: ServerOptions, settings: Settings, report: DemoReport
) -> ChildServer | None:
    """The server that runs already, or a new one; None for one that is not ours to end."""
    address = f"{settings.server.host}:{settings.server.port}"
    if settings.server.port and _listens(settings):
        report.found_server(address)
        return None
    with working("starting the server"):
        server = stack.enter_context(
            ChildServer(options.arguments(), _quiet(settings), settings.server.stop_seconds)
        )
        ready = server.wait_until_ready()
    report.started_server(ready)
    return server


def _listens(settings: Settings) -> bool:
    host, port = settings.server.host, settings.server.port
    local = {"0.0.0.0": "127.0.0.1", "[::]": "::1", "::": "::1"}.get(host, host)  # noqa: S104
    try:
        socket.create_connection((local.strip("[]"), port), timeout=1.0).close()
    except OSError:
        return False
    return True


def _quiet(settings: Settings) -> dict[str, str]:
    """The environment for a server whose log shares the terminal with tables: warnings alone, to be read."""
    environ = dict(os.environ)
    given = settings.telemetry.model_fields_set
    for name, value in (("log_level", "warning"), ("log_format", "text")):
        if name not in given:
            environ[f"CAMILLO_TELEMETRY_{name.upper()}"] = value
    return environ


def _client_options(settings: Settings, address: str) -> ClientOptions:
    key = os.environ.get("CAMILLO_KEY")
    if settings.database.url is not None and not key:
        raise CliError(
            "with a database of your own, give a key in CAMILLO_KEY: 'camillo keys bootstrap' makes one",
            ExitCode.REFUSED,
        )
    return ClientOptions(
        address=address,
        key=key,
        agent=os.environ.get("CAMILLO_AGENT"),
        data_dir=settings.data_dir,
        ca=settings.tls.certificate_path,
    )


def _wait_for_vectors(camillo: Camillo, report: DemoReport) -> None:
    """Imported memories get their vectors in the background; waits a while, so that meaning can be shown."""
    total = waiting = _without_vector(camillo)
    if not waiting:
        return
    deadline = time.monotonic() + VECTOR_PATIENCE_SECONDS
    with progress_bar("embed", total) as show:
        while waiting and time.monotonic() < deadline:
            show(total - waiting, total - waiting)
            time.sleep(POLL_SECONDS)
            waiting = _without_vector(camillo)
    if waiting:
        report.vectors_pending(waiting)


def _without_vector(camillo: Camillo) -> int:
    newest = islice(camillo.list_memories(page_size=1000), LOOKED_AT)
    return sum(not memory.vector_model_id for memory in newest)


def _noting_openings(
    memories: Iterator[tuple[Memory, int]], openings: list[str]
) -> Iterator[tuple[Memory, int]]:
    """Passes memories on and keeps how the first of them begin, for questions to be made of."""
    for memory, size in memories:
        if len(openings) < OPENINGS:
            openings.append(memory.content[:OPENING_LENGTH])
        yield memory, size


def _questions(source: str | None, openings: Sequence[str]) -> Sequence[str]:
    if source is None and questions.is_camillo(Path.cwd()):
        return questions.ABOUT_CAMILLO
    return questions.suggested(openings)
