"""import, export: memories as JSON lines, and the text files of a folder as memories."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO
from uuid import uuid5

from typer import Argument, Option

from camillo_server.cli.arguments import bad_line, cannot_read, read_json_line
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.format import counted
from camillo_server.cli.ingest.inputs import (
    NAMESPACE,
    TEXT,
    FileMemory,
    IngestSource,
    find_sources,
    memories_of,
)
from camillo_server.cli.memories import FilterOptions
from camillo_server.cli.options import OnConflict, literal
from camillo_server.cli.output import (
    message_json,
    note,
    open_output,
    print_json,
    print_result,
    progress_bar,
    say,
)

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
    from camillo_client import Camillo

JSONL = frozenset({".jsonl", ".ndjson"})
SHOWN_FAILURES = 10
# A memory with a vector of 4,096 numbers and full metadata takes about 150 kB.
MAX_LINE_BYTES = 4 * 1024 * 1024


def import_memories(
    client: ClientOptions,
    source: Annotated[
        str,
        Argument(help="JSON lines of 'export' ('-': standard input), a text file, or a folder."),
    ],
    on_conflict: Annotated[
        OnConflict, Option(help="What to do if a memory with the same id exists.")
    ] = OnConflict.SKIP,
) -> None:
    """Store exported memories, or the text files of a folder, split into memories.

    The same import, run again, stores nothing twice. Example: camillo import docs/
    """
    feed = open_feed(source)
    with connected(client) as camillo:
        answer = run_import(camillo, feed, on_conflict)
    for message in feed.notes:
        note(f"note: {message}")
    merged = f", merged {answer.merged:,}" if answer.merged else ""
    counts = f"{merged}, skipped {answer.skipped:,}, failed {answer.failed:,}"
    print_result(client, answer, f"imported {answer.imported:,}{counts}")
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
        str, Argument(metavar="[FILE]", help="Write to it; '-': standard output.")
    ] = "-",
    vectors: Annotated[bool, Option("--vectors", help="Include their vectors.")] = False,
) -> None:
    """Write memories as JSON lines, oldest first, all as of the same revision.

    Example: camillo export backup.jsonl --archived include
    """
    count = 0
    with (
        connected(client) as camillo,
        open_output(target) as file,
        progress_bar("export", None) as report,
    ):
        for memory in camillo.export(filters.message(), include_vectors=vectors):
            file.write(memory_line(memory).encode())
            count += 1
            if count % 500 == 0:
                report(count, count)
    if target != "-":
        if client.as_json:
            print_json({"exported": count})
        else:
            say(f"exported {counted(count)} to {target}")


@dataclass(slots=True)
class Feed:
    """Memories to be imported, each with its bytes of the input; notes are of files that were skipped."""

    memories: Iterator[tuple[Memory, int]]
    total_bytes: int | None
    notes: list[str]


def open_feed(source: str, suffixes: frozenset[str] = TEXT) -> Feed:
    """The memories of a file, a folder or standard input. Raises CliError."""
    if source == "-":
        return Feed(read_memories(sys.stdin.buffer), None, [])
    path = Path(source).expanduser()
    if path.suffix.lower() in JSONL and not path.is_dir():
        return _jsonl_feed(path)
    found = find_sources(path, suffixes)
    notes: list[str] = []
    if not found:
        raise CliError(f"there are no text files in {source}", ExitCode.USAGE)
    return Feed(_file_memories(found, notes), sum(file.size_bytes for file in found), notes)


def run_import(
    camillo: Camillo,
    feed: Feed,
    on_conflict: OnConflict = OnConflict.SKIP,
    title: str = "import",
) -> ImportMemoriesResponse:
    """Stores the memories of a feed, and draws a progress bar. Raises CliError, CamilloError."""
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse

    with progress_bar(title, feed.total_bytes) as report:
        memories = _CountedBytes(feed.memories, report)
        first = next(memories, None)
        if first is None:
            return ImportMemoriesResponse()
        return camillo.import_memories(
            chain([first], memories),
            on_conflict=literal(on_conflict),
            on_progress=memories.sent,
        )


class _CountedBytes:
    """Passes memories on, and counts the bytes of the input that they were read from."""

    def __init__(
        self, memories: Iterator[tuple[Memory, int]], report: Callable[[float, int], None]
    ) -> None:
        self._memories = memories
        self._report = report
        self._bytes = 0

    def __iter__(self) -> _CountedBytes:
        return self

    def __next__(self) -> Memory:
        memory, size = next(self._memories)
        self._bytes += size
        return memory

    def sent(self, count: int) -> None:
        self._report(self._bytes, count)


def _jsonl_feed(path: Path) -> Feed:
    try:
        file = path.open("rb")
        size = path.stat().st_size
    except OSError as error:
        raise cannot_read(path, error) from error
    return Feed(read_memories(file), size, [])


def _file_memories(sources: list[IngestSource], notes: list[str]) -> Iterator[tuple[Memory, int]]:
    for source in sources:
        found = 0
        try:
            for memory in memories_of(source):
                # The file's length is counted once, with its first memory.
                yield _message(memory), 0 if found else source.size_bytes
                found += 1
        except OSError as error:
            notes.append(f"cannot read {source.path}: {error.strerror}")
        else:
            if not found:
                notes.append(f"skipped {source.path}: it contains no text")


def _message(memory: FileMemory) -> Memory:
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


def memory_line(memory: Memory) -> str:
    """A memory as a line of JSON, with its line end."""
    return message_json(memory) + "\n"


def read_memories(lines: BinaryIO) -> Iterator[tuple[Memory, int]]:
    """Each memory of JSON lines, with the length of its line in bytes. Raises CliError with the number of the line."""
    number = 0
    while line := lines.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise bad_line(number, "is too long for a memory")
        if line.strip():
            yield _parse_memory(line, number), len(line)


def _parse_memory(line: bytes, number: int) -> Memory:
    from camillo.v1.memory_pb2 import Memory

    memory = Memory()
    fields = read_json_line(line, number, memory, "memory")
    if not memory.memory_id:
        # The same line imported again is the same memory.
        memory.memory_id = str(uuid5(NAMESPACE, json.dumps(fields, sort_keys=True)))
    return memory
