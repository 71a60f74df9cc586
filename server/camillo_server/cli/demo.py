"""demo: a server that remembers a folder of text, answers questions about it, and keeps running."""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_server.cli.child_server import ChildServer
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.demo_report import MAX_TOKENS, SESSION, DemoReport
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.ingest.inputs import MARKDOWN, TEXT
from camillo_server.cli.options import AsJson
from camillo_server.cli.output import progress_bar, spinner
from camillo_server.cli.server import ServerOptions
from camillo_server.cli.transfer import open_feed, run_import

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import NewEvent
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import RecallResponse
    from camillo_client import Camillo

    from camillo_server.settings import Settings

MAX_VECTOR_WAIT_SECONDS = 30.0
POLL_SECONDS = 0.25
# Memories without a vector are counted among so many of the newest.
MAX_COUNTED = 5_000
HITS = 3
# Questions are made from the beginnings of the first memories.
OPENINGS = 2_000
OPENING_LENGTH = 400
QUESTIONS = 5
ABOUT_CAMILLO = (
    "How do I start the server?",
    "What happens when the embedding provider fails?",
    "How does a client read its own writes?",
    "Who may see another tenant's memories?",
    "Where does the root key come from?",
)
MAX_WORDS = 14
MIN_LETTERS = 12
# With a smaller share it is code or a table, not language.
MIN_SHARE_OF_LETTERS = 0.75
SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*|\n")
INSTRUCTION = "Remember: answer in one sentence, and say where you have it from."


def demo(
    options: ServerOptions,
    source: Annotated[
        str | None,
        Argument(
            metavar="[INPUT]",
            help="A folder, a text file or JSON lines. Default: the Markdown files below this folder.",
        ),
    ] = None,
    once: Annotated[bool, Option("--once", help="End the server after the answers.")] = False,
    as_json: AsJson = False,
) -> None:
    """Start a server, import a folder of text, ask five questions about it, and keep serving until Ctrl-C.

    It also builds the context for the next call of a model. A second run has the memories of the first one. Example: camillo demo docs/
    """
    settings = options.settings()
    suffixes = MARKDOWN if source is None else TEXT
    # Before the server is started, so that a wrong input is reported at once.
    feed = open_feed(source or ".", suffixes)
    report = DemoReport(as_json, options)
    with ExitStack() as stack:
        try:
            server = _server(stack, options, settings, report)
            client = _client_options(settings, report.address)
            with connected(client) as camillo:
                openings: list[str] = []
                feed.memories = _collect_openings(feed.memories, openings)
                report.imported(source, run_import(camillo, feed, title="remember"))
                _wait_for_vectors(camillo, report)
                asked = _questions(source, openings)
                for question in asked:
                    answer = camillo.recall(question, limit=HITS, explain=True)
                    report.answered(question, answer)
                if asked:
                    _show_context(camillo, report, asked[-1], answer)
            if server is None:
                report.next_steps(asked[-1:], serves=False)
            elif not once:
                report.next_steps(asked[-1:], serves=True)
                raise CliError(f"the server ended by itself (exit code {server.wait()})")
        except KeyboardInterrupt:
            report.ended()


def _show_context(
    camillo: Camillo, report: DemoReport, question: str, answer: RecallResponse
) -> None:
    recorded = _record_conversation(camillo, question, answer)
    bundle = camillo.context.bundle(question, session_id=SESSION, max_tokens=MAX_TOKENS)
    report.bundled(question, recorded, bundle)


def _server(
    stack: ExitStack, options: ServerOptions, settings: Settings, report: DemoReport
) -> ChildServer | None:
    """Starts a server; None if one runs already at the address, which is then used and not ended."""
    address = f"{settings.server.host}:{settings.server.port}"
    if settings.server.port and _listens(settings):
        report.found_server(address)
        return None
    with spinner("starting the server"):
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
    """The environment for a server whose log shares the terminal with tables: warnings only, as text."""
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
    """Waits until imported memories, which are embedded in the background, can be found by meaning, but not for long."""
    total = waiting = _without_vector(camillo)
    if not waiting:
        return
    deadline = time.monotonic() + MAX_VECTOR_WAIT_SECONDS
    with progress_bar("embed", total) as show:
        while waiting and time.monotonic() < deadline:
            show(total - waiting, total - waiting)
            time.sleep(POLL_SECONDS)
            waiting = _without_vector(camillo)
    if waiting:
        report.vectors_pending(waiting)


def _without_vector(camillo: Camillo) -> int:
    newest = islice(camillo.list_memories(page_size=1000), MAX_COUNTED)
    return sum(not memory.vector_model_id for memory in newest)


def _collect_openings(
    memories: Iterator[tuple[Memory, int]], openings: list[str]
) -> Iterator[tuple[Memory, int]]:
    """Passes memories on, and collects how the first of them begin, for questions."""
    for memory, size in memories:
        if len(openings) < OPENINGS:
            openings.append(memory.content[:OPENING_LENGTH])
        yield memory, size


def _questions(source: str | None, openings: Sequence[str]) -> Sequence[str]:
    if source is None and _is_camillo(Path.cwd()):
        return ABOUT_CAMILLO
    return suggested_questions(openings)


def _record_conversation(camillo: Camillo, question: str, answer: RecallResponse) -> int:
    """Records an instruction, the question and the memory that was found for it, unless an earlier run did.

    Returns the number of new events.
    """
    if any(True for _ in islice(camillo.events.list(session_id=SESSION, page_size=1), 1)):
        return 0
    events = _conversation(question, answer)
    camillo.events.record_many(events)
    return len(events)


def _conversation(question: str, answer: RecallResponse) -> list[NewEvent]:
    from camillo_client import new_event, tool_call, tool_result

    events = [
        new_event(INSTRUCTION, session_id=SESSION, actor="human:visitor"),
        new_event(question, session_id=SESSION, actor="human:visitor"),
        new_event(
            session_id=SESSION,
            actor="agent:demo",
            tool_call=tool_call("recall", {"query": question}, call_id="1"),
        ),
    ]
    found = answer.hits[0].memory if answer.hits else None
    if found is not None:
        result = new_event(
            session_id=SESSION,
            actor="tool:recall",
            tool_result=tool_result("recall", found.content, call_id="1"),
            refs=[found.memory_id],
        )
        events.append(result)
    return events


def _is_camillo(directory: Path) -> bool:
    """Whether the directory is a checkout of this project."""
    return (directory / "proto" / "camillo" / "v1").is_dir()


def suggested_questions(texts: Sequence[str]) -> list[str]:
    """Up to five questions from texts spread evenly: the heading or the first sentence of each."""
    found: dict[str, None] = {}
    for text in _spread(texts):
        if question := _opening(text):
            found.setdefault(question)
        if len(found) == QUESTIONS:
            break
    return list(found)


def _spread(texts: Sequence[str]) -> Iterable[str]:
    """Five texts at even distances, then the others, in case no question can be made of some."""
    step = max(1, len(texts) // QUESTIONS)
    chosen = range(step // 2, len(texts), step)
    yield from (texts[index] for index in chosen)
    yield from (texts[index] for index in range(len(texts)) if index not in chosen)


def _opening(text: str) -> str:
    for sentence in SENTENCE_END.split(text):
        words = sentence.rpartition(" > ")[2].strip(" #*>-`|").split()
        opening = " ".join(words[:MAX_WORDS])[:120]
        letters = sum(map(str.isalpha, opening))
        if letters >= MIN_LETTERS and letters >= MIN_SHARE_OF_LETTERS * len(opening):
            return opening
    return ""
