"""import, export: memories as JSON lines, and the text files of a folder as memories."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, BinaryIO
from uuid import UUID, uuid5

from typer import Argument, Option

from camillo_server.cli.arguments import (
    bad_line,
    cannot_read,
    encoding,
    numbered_lines,
    read_json_line,
)
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.format import counted
from camillo_server.cli.memories import FilterOptions
from camillo_server.cli.options import OnConflict, literal
from camillo_server.cli.output import (
    message_json,
    note,
    open_output,
    print_result,
    print_value,
    progress_bar,
)
from camillo_server.text.passages import markdown_passages, plain_passages

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
    from camillo_client import Camillo

NAMESPACE = UUID("6ad3a3e4-0f0b-5d0e-9d1c-ca3111000001")
MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
TEXT = MARKDOWN | {".txt", ".rst", ".adoc", ".org"}
SKIPPED_FOLDERS = frozenset(
    {"node_modules", "build", "dist", "venv", "env", "__pycache__", "site-packages", "target"}
)
MAX_TAG_LENGTH = 128
INSPECTED_BYTES = 8192
MAX_FILE_BYTES = 64 * 1024 * 1024
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
        text = f"exported {counted(count)} to {target}"
        print_value({"exported": count}, text, as_json=client.as_json)


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
        try:
            return Feed(read_memories(path.open("rb")), path.stat().st_size, [])
        except OSError as error:
            raise cannot_read(path, error) from error
    files = find_sources(path, suffixes)
    if not files:
        raise CliError(f"there are no text files in {source}", ExitCode.USAGE)
    notes: list[str] = []
    return Feed(_file_memories(files, notes), sum(file.size_bytes for file in files), notes)


def run_import(
    camillo: Camillo,
    feed: Feed,
    on_conflict: OnConflict = OnConflict.SKIP,
    title: str = "import",
) -> ImportMemoriesResponse:
    """Stores the memories of a feed, and draws a progress bar. Raises CliError, CamilloError."""
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse

    read_bytes = 0

    def read() -> Iterator[Memory]:
        nonlocal read_bytes
        for memory, size in feed.memories:
            read_bytes += size
            yield memory

    with progress_bar(title, feed.total_bytes) as report:
        memories = read()
        first = next(memories, None)
        if first is None:
            return ImportMemoriesResponse()
        return camillo.import_memories(
            chain([first], memories),
            on_conflict=literal(on_conflict),
            on_progress=lambda count: report(read_bytes, count),
        )


def memory_line(memory: Memory) -> str:
    """A memory as a line of JSON, with its line end."""
    return message_json(memory) + "\n"


def read_memories(lines: BinaryIO) -> Iterator[tuple[Memory, int]]:
    """Each memory of JSON lines, with the length of its line in bytes. Raises CliError with the number of the line."""
    for number, line in numbered_lines(lines, MAX_LINE_BYTES):
        if line is None:
            raise bad_line(number, "is too long for a memory")
        yield _parse_memory(line, number), len(line)


def _parse_memory(line: bytes, number: int) -> Memory:
    from camillo.v1.memory_pb2 import Memory

    memory = Memory()
    fields = read_json_line(line, number, memory, "memory")
    if not memory.memory_id:
        # The same line imported again is the same memory.
        memory.memory_id = str(uuid5(NAMESPACE, json.dumps(fields, sort_keys=True)))
    return memory


@dataclass(frozen=True, slots=True)
class IngestFile:
    """A file to be read, and the path that its memories and events carry; one found in a folder is not named."""

    path: Path
    name: str
    size_bytes: int
    is_named: bool = False

    @property
    def session_name(self) -> str:
        """The session of messages that name none: the name of the file, with its folder if it is only a number."""
        name = str(PurePath(self.name).with_suffix(""))
        if name.isdecimal() and (folder := self.path.absolute().parent.name):
            return f"{folder}/{name}"
        return name


def find_sources(
    path: Path, suffixes: frozenset[str] = TEXT, max_bytes: int = MAX_FILE_BYTES
) -> list[IngestFile]:
    """The text files in a folder, in order of their paths; a file that is named itself may have any suffix.

    Leaves out hidden files, folders of dependencies and builds, symbolic links to folders and files that are too
    large. Raises CliError.
    """
    if path.is_dir():
        return list(_walk(path, suffixes, max_bytes))
    try:
        size = path.stat().st_size
    except OSError as error:
        raise cannot_read(path, error) from error
    if size > max_bytes:
        raise CliError(f"{path} is larger than {max_bytes >> 20} MiB: split it", ExitCode.USAGE)
    return [IngestFile(path, path.name, size, is_named=True)]


def _walk(root: Path, suffixes: frozenset[str], max_bytes: int) -> Iterator[IngestFile]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not _is_skipped(name))
        for name in sorted(files):
            path = Path(folder, name)
            if name.startswith(".") or path.suffix.lower() not in suffixes or not path.is_file():
                continue
            size = path.stat().st_size
            if 0 < size <= max_bytes:
                yield IngestFile(path, path.relative_to(root).as_posix(), size)


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder in SKIPPED_FOLDERS or folder.endswith(".egg-info")


def _file_memories(files: list[IngestFile], notes: list[str]) -> Iterator[tuple[Memory, int]]:
    for file in files:
        count = 0
        try:
            for memory in memories_of(file):
                # The file's length is counted once, with its first memory.
                yield memory, 0 if count else file.size_bytes
                count += 1
        except OSError as error:
            notes.append(f"cannot read {file.path}: {error.strerror}")
        else:
            if not count:
                notes.append(f"skipped {file.path}: it contains no text")


def memories_of(file: IngestFile) -> Iterator[Memory]:
    """The memories of one file; none if it is binary. Raises OSError."""
    content = file.path.read_bytes()
    if not is_binary(content):
        modified = datetime.fromtimestamp(file.path.stat().st_mtime, UTC)
        yield from file_memories(file.name, decoded(content), modified)


def file_memories(name: str, text: str, occurred_at: datetime) -> Iterator[Memory]:
    """The memories of a text, without repeats. Their ids follow from the path and the passage, so that a second import
    of the same file stores nothing twice."""
    from camillo.v1.memory_pb2 import Memory
    from camillo_client.convert import to_struct, to_timestamp

    is_markdown = PurePath(name).suffix.lower() in MARKDOWN
    seen = set()
    for passage in markdown_passages(text) if is_markdown else plain_passages(text):
        memory_id = str(uuid5(NAMESPACE, f"{name}\n{passage.text}"))
        if memory_id in seen:
            continue
        seen.add(memory_id)
        metadata = {"path": name, "heading": passage.heading}
        yield Memory(
            memory_id=memory_id,
            content=passage.text,
            tags=[file_tag(name)],
            occurred_at=to_timestamp(occurred_at),
            metadata=to_struct({key: value for key, value in metadata.items() if value}),
        )


def is_binary(content: bytes) -> bool:
    """Whether it is not text: it has a NUL near its beginning, and no byte order mark of UTF-16."""
    return encoding(content) != "utf-16" and b"\0" in content[:INSPECTED_BYTES]


def decoded(content: bytes) -> str:
    """The text of a file; bytes that are no text become replacement characters."""
    text = content.decode(encoding(content), errors="replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def file_tag(name: str) -> str:
    """`file:` and the path; of a path too long for a tag, its end."""
    room = MAX_TAG_LENGTH - len("file:")
    return "file:" + (name if len(name) <= room else "…" + name[-(room - 1) :])
