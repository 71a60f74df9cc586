"""import and export."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_server.cli import ingest
from camillo_server.cli.choices import OnConflict
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.filters import FilterOptions
from camillo_server.cli.jsonl import memory_line, read_memories
from camillo_server.cli.output import counted, note, print_message, say
from camillo_server.cli.progress import Progress, progress_bar

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
    from camillo_client import Camillo

JSONL = frozenset({".jsonl", ".ndjson"})
SHOWN_FAILURES = 10


def import_memories(
    client: ClientOptions,
    source: Annotated[
        str,
        Argument(
            help="JSON lines as 'export' writes them ('-': standard input), a text file, or a folder."
        ),
    ],
    on_conflict: Annotated[
        OnConflict, Option(help="What to do with a memory whose id is there already.")
    ] = OnConflict.SKIP,
) -> None:
    """Store what was exported, or the text files of a folder, cut into memories.

    Importing the same again stores nothing twice. Example: camillo import docs/
    """
    feed = open_feed(source)
    with connected(client) as camillo:
        answer = run_import(camillo, feed, on_conflict)
    for message in feed.notes:
        note(f"note: {message}")
    if client.as_json:
        print_message(answer)
    else:
        merged = f", merged {answer.merged:,}" if answer.merged else ""
        say(
            f"imported {answer.imported:,}{merged}, skipped {answer.skipped:,}, failed {answer.failed:,}"
        )
    for kind, count in sorted(answer.redactions.items()):
        note(f"note: {count:,} x {kind} taken out before it was stored")
    for failure in answer.failures[:SHOWN_FAILURES]:
        note(f"not stored: number {failure.index + 1}: {failure.error.message}")
    if answer.failed:
        raise CliError(f"{answer.failed:,} not stored")


def export(
    client: ClientOptions,
    filters: FilterOptions,
    target: Annotated[
        str, Argument(metavar="[FILE]", help="Where to; '-': standard output.")
    ] = "-",
    vectors: Annotated[bool, Option("--vectors", help="With their vectors.")] = False,
) -> None:
    """Write memories as JSON lines, oldest first, all as of one moment.

    Example: camillo export backup.jsonl --archived include
    """
    count = 0
    with (
        connected(client) as camillo,
        _written(target) as file,
        progress_bar("export", None) as report,
    ):
        for memory in camillo.export(filters.message(), include_vectors=vectors):
            file.write(memory_line(memory))
            count += 1
            if count % 500 == 0:
                report(count, count)
    if target != "-":
        if client.as_json:
            say(f'{{"exported": {count}}}')
        else:
            say(f"exported {counted(count)} to {target}")


@dataclass(slots=True)
class Feed:
    """Memories to be imported, how much there is of them, and what was passed over."""

    memories: Iterator[tuple[Memory, int]]
    total_bytes: int | None
    notes: list[str]


def open_feed(source: str, suffixes: frozenset[str] = ingest.TEXT) -> Feed:
    """What a file, a folder or standard input holds. Raises CliError."""
    if source == "-":
        return Feed(read_memories(sys.stdin.buffer), None, [])
    path = Path(source).expanduser()
    if path.suffix.lower() in JSONL and not path.is_dir():
        return _jsonl_feed(path)
    found = ingest.find_sources(path, suffixes)
    notes: list[str] = []
    if not found:
        raise CliError(f"there are no text files in {source}", ExitCode.USAGE)
    return Feed(_file_memories(found, notes), sum(file.size_bytes for file in found), notes)


def run_import(
    camillo: Camillo, feed: Feed, on_conflict: OnConflict = OnConflict.SKIP, title: str = "import"
) -> ImportMemoriesResponse:
    """Stores the memories of a feed, with a progress bar. Raises CliError, CamilloError."""
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse

    with progress_bar(title, feed.total_bytes) as report:
        memories = _Counted(feed.memories, report)
        first = next(memories, None)
        if first is None:
            return ImportMemoriesResponse()
        return camillo.import_memories(
            _chained(first, memories),
            on_conflict=on_conflict.value,
            on_progress=memories.sent,
        )


class _Counted:
    """Passes memories on and knows how many bytes of the input they stood for."""

    def __init__(self, memories: Iterator[tuple[Memory, int]], report: Progress) -> None:
        self._memories = memories
        self._report = report
        self._bytes = 0

    def __iter__(self) -> _Counted:
        return self

    def __next__(self) -> Memory:
        memory, size = next(self._memories)
        self._bytes += size
        return memory

    def sent(self, count: int) -> None:
        self._report(self._bytes, count)


def _chained(first: Memory, rest: Iterator[Memory]) -> Iterator[Memory]:
    yield first
    yield from rest


def _jsonl_feed(path: Path) -> Feed:
    try:
        file = path.open("rb")
        size = path.stat().st_size
    except OSError as error:
        raise CliError(f"cannot read {path}: {error.strerror}", ExitCode.USAGE) from error
    return Feed(read_memories(file), size, [])


def _file_memories(sources: list[ingest.Source], notes: list[str]) -> Iterator[tuple[Memory, int]]:
    for source in sources:
        found = 0
        try:
            for memory in ingest.memories_of(source):
                # The file's length is counted once, with its first memory.
                yield _message(memory), 0 if found else source.size_bytes
                found += 1
        except OSError as error:
            notes.append(f"cannot read {source.path}: {error.strerror}")
        else:
            if not found:
                notes.append(f"passed over {source.path}: no text in it")


def _message(memory: ingest.FileMemory) -> Memory:
    from camillo.v1.memory_pb2 import Memory
    from camillo_client.convert import to_struct, to_timestamp

    facts = {"path": memory.path, "heading": memory.heading}
    return Memory(
        memory_id=memory.memory_id,
        content=memory.content,
        tags=[memory.tag],
        occurred_at=to_timestamp(memory.occurred_at),
        metadata=to_struct({name: value for name, value in facts.items() if value}),
    )


@contextmanager
def _written(target: str) -> Iterator[IO[str]]:
    """The file to write to; one that is not finished leaves what was there before as it was."""
    if target == "-":
        yield sys.stdout
        return
    path = Path(target).expanduser()
    is_device = path.exists() and not path.is_file()
    unfinished = path if is_device else path.with_name(f"{path.name}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            yield file
        if not is_device:
            unfinished.replace(path)
    except OSError as error:
        raise CliError(f"cannot write {path}: {error.strerror}") from error
    finally:
        if not is_device:
            unfinished.unlink(missing_ok=True)
