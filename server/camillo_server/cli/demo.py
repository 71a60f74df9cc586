"""demo: a server that remembers a folder of text, answers questions about it, and keeps running."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Self

from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.imports.command import USAGE_SECONDS, run_import
from camillo_cli.imports.feed import open_feed
from camillo_cli.options import AsJson
from camillo_cli.output import note, progress_bar, spinner
from camillo_cli.text_files import MARKDOWN, TEXT
from camillo_cli.unreachable import listener_at
from typer import Argument, Option

from camillo_server.cli.demo_report import MAX_TOKENS, SESSION, DemoReport, agent
from camillo_server.cli.models import offer_model
from camillo_server.cli.server import ServerOptions

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import RecallResponse
    from camillo_client import Camillo

    from camillo_server.settings.settings import Settings

START_SECONDS = 120.0
# Beyond the time in which the server stops by itself.
KILL_GRACE_SECONDS = 20.0
SIGNAL_SECONDS = 0.5
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MAX_VECTOR_WAIT_SECONDS = 30.0
VECTOR_POLL_SECONDS = 0.25
HITS = 3
# Questions are made from the beginnings of the first memories.
OPENINGS = 2_000
OPENING_LENGTH = 400
QUESTIONS = 5
ABOUT_CAMILLO = (
    "How do I create an API key?",
    "What happens when the embedding provider fails?",
    "How does a client read its own writes?",
    "What happens when Postgres is unavailable?",
    "When does a server migrate the database?",
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

    It also builds the context for the next call of a model. A second run has the memories of the first one.
    At a terminal, the first run offers to download a sentence model.

    Example: camillo demo docs/
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
                _wait_for_vectors(camillo)
                questions = _questions(source, openings)
                for question in questions:
                    answer = camillo.recall(question, limit=HITS).message
                    report.answered(question, answer)
                if questions:
                    recorded = _record_conversation(camillo, question, answer)
                    bundle = camillo.context.bundle(question, session_id=SESSION, max_tokens=MAX_TOKENS)
                    report.bundled(question, recorded, bundle)
            if server is None:
                report.next_steps(questions[-1:], serves=False)
            elif not once:
                report.next_steps(questions[-1:], serves=True)
                raise CliError(f"the server ended by itself (exit code {server.wait()})")
        except KeyboardInterrupt:
            report.ended()


class ChildServer:
    """`camillo serve` as a child process. Leaving the block shuts it down gracefully."""

    def __init__(self, arguments: Sequence[str], environ: Mapping[str, str], stop_seconds: float) -> None:
        self._stop_seconds = stop_seconds + KILL_GRACE_SECONDS
        self._interrupted = False
        serve = (sys.executable, "-m", "camillo_server", "serve", "--json", "--ends-with-parent")
        # In a process group of its own: Ctrl-C reaches only this process, which then signals the child once.
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            [*serve, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=dict(environ),
            process_group=0,
        )

        assert self._process.stdout is not None  # noqa: S101 (a pipe was asked for)
        self._output = self._process.stdout

    def __enter__(self) -> Self:
        for name in SIGNALS:
            signal.signal(name, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        # A second Ctrl-C must not leave the child behind.
        for name in SIGNALS:
            signal.signal(name, signal.SIG_IGN)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(self._stop_seconds)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def wait_until_ready(self) -> dict[str, Any]:
        """The line that the server prints once it serves. Raises CliError; the server has then printed the reason
        itself."""
        deadline = time.monotonic() + START_SECONDS
        line = b""
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._output], [], [], left)[0]:
                raise CliError(f"the server was not ready after {START_SECONDS:g} s")
            part = os.read(self._output.fileno(), 4096)
            if not part:
                raise CliError("the server did not start: its reason is above")
            line += part
        ready: dict[str, Any] = json.loads(line)
        return ready

    def wait(self) -> int:
        """Waits until the server ends by itself, and returns its exit code. Raises KeyboardInterrupt after a signal."""
        while (exit_code := self._process.poll()) is None:
            # Its output ends with it. Not in one endless system call: a signal that comes just before it would never be
            # handled.
            select.select([self._output], [], [], SIGNAL_SECONDS)
        if self._interrupted:
            raise KeyboardInterrupt
        return exit_code

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        # If the signal arrives in a callback of a library, the exception is lost: then the wait ends with the server.
        self._interrupted = True
        self._process.terminate()
        raise KeyboardInterrupt


def _server(stack: ExitStack, options: ServerOptions, settings: Settings, report: DemoReport) -> ChildServer | None:
    """Starts a server; None if one runs already at the address, which is then used and not ended."""
    address = f"{settings.server.host}:{settings.server.port}"
    if settings.server.port and _serves(settings):
        report.found_server(address)
        return None
    if not report.as_json:
        offer_model(settings)
    with spinner("starting the server"):
        server = stack.enter_context(ChildServer(options.arguments(), _quiet(settings), settings.server.stop_seconds))
        ready = server.wait_until_ready()
    report.started_server(ready)
    return server


def _serves(settings: Settings) -> bool:
    """Whether a server listens already. Raises CliError for a listener that is none."""
    host, port = settings.server.host, settings.server.port
    local = {"0.0.0.0": "127.0.0.1", "[::]": "::1", "::": "::1"}.get(host, host)  # noqa: S104
    address = f"{local}:{port}"
    listener = listener_at(address)
    if listener == "other":
        raise CliError(f"what listens at {address} is not a Camillo server: choose another --port")
    return listener is not None


def _quiet(settings: Settings) -> dict[str, str]:
    """The environment for a server whose log shares the terminal with tables: warnings only, as text."""
    environ = dict(os.environ)
    configured = settings.telemetry.model_fields_set
    for name, value in (("log_level", "warning"), ("log_format", "text")):
        if name not in configured:
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
        agent=agent(),
        data_dir=settings.data_dir,
        ca=settings.tls.certificate_path,
    )


def _wait_for_vectors(camillo: Camillo) -> None:
    """Waits until imported memories, which are embedded in the background, can be found by meaning, but not for
    long."""
    rows, vectors = _count_vectors(camillo)
    deadline = time.monotonic() + MAX_VECTOR_WAIT_SECONDS
    with progress_bar("embed", rows, "vectors") as show:
        while vectors < rows and (started := time.monotonic()) < deadline:
            show(vectors, vectors)
            rows, vectors = _count_vectors(camillo)
            # Counting reads every row: on a large scope it is done less often, so that it takes little from recalls.
            time.sleep(max(VECTOR_POLL_SECONDS, 10 * (time.monotonic() - started)))
    if vectors < rows:
        note(f"note: {rows - vectors:,} memories have no vector yet: until then, keywords alone find them")


def _count_vectors(camillo: Camillo) -> tuple[int, int]:
    """How many memories and chunks of events the scope has, and how many vectors of these."""
    stores = {store.store: store.rows for store in camillo.lifecycle.usage(timeout=USAGE_SECONDS).stores}
    rows = stores.get("memories", 0) + stores.get("chunks", 0)
    return rows, min(stores.get("memory_vectors", 0), rows)


def _collect_openings(memories: Iterator[tuple[Memory, int]], openings: list[str]) -> Iterator[tuple[Memory, int]]:
    """Passes memories on, and collects how the first of them begin, for questions."""
    for memory, size in memories:
        if len(openings) < OPENINGS:
            openings.append(memory.content[:OPENING_LENGTH])
        yield memory, size


def _questions(source: str | None, openings: Sequence[str]) -> Sequence[str]:
    is_camillo = (Path.cwd() / "proto" / "camillo" / "v1").is_dir()
    return ABOUT_CAMILLO if source is None and is_camillo else suggested_questions(openings)


def _record_conversation(camillo: Camillo, question: str, answer: RecallResponse) -> int:
    """Records an instruction, the question and the memory that was found for it, unless an earlier run did.

    Returns the number of new events.
    """
    from camillo_client import new_event, tool_call, tool_result

    if any(True for _ in islice(camillo.events.list(session_id=SESSION, page_size=1), 1)):
        return 0
    events = [
        new_event(INSTRUCTION, session_id=SESSION, actor="human:visitor"),
        new_event(question, session_id=SESSION, actor="human:visitor"),
        new_event(
            session_id=SESSION,
            actor="agent:demo",
            tool_call=tool_call("recall", {"query": question}, call_id="1"),
        ),
    ]
    for hit in answer.hits[:1]:
        result = new_event(
            session_id=SESSION,
            actor="tool:recall",
            tool_result=tool_result("recall", hit.memory.content, call_id="1"),
            refs=[hit.memory.memory_id],
        )
        events.append(result)
    camillo.events.record_many(events)
    return len(events)


def suggested_questions(texts: Sequence[str]) -> list[str]:
    """Suggests up to five questions from texts spread evenly: the heading or the first sentence of each."""
    step = max(1, len(texts) // QUESTIONS)
    # Texts at even distances, then the others, in case no question can be made of some.
    spread = sorted(range(len(texts)), key=lambda index: index % step != step // 2)
    openings = dict.fromkeys(_opening(texts[index]) for index in spread)
    return [opening for opening in openings if opening][:QUESTIONS]


def _opening(text: str) -> str:
    for sentence in SENTENCE_END.split(text):
        words = sentence.rpartition(" > ")[2].strip(" #*>-`|").split()
        opening = " ".join(words[:MAX_WORDS])[:120]
        letters = sum(map(str.isalpha, opening))
        if letters >= MIN_LETTERS and letters >= MIN_SHARE_OF_LETTERS * len(opening):
            return opening
    return ""
