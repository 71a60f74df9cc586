"""import, export: memories as JSON lines, and the text files of a folder as memories."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO
from uuid import uuid5

from typer import Argument, Option

from camillo_server.cli.arguments import (
    bad_line,
    cannot_read,
    numbered_lines,
    read_json_line,
)
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.format import RAISE_QUOTA, SHARED, counted, over_quota
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
from camillo_server.cli.text_files import NAMESPACE, TEXT, find_sources, text_memories

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
    from camillo_client import Camillo

JSONL = frozenset({".jsonl", ".ndjson"})
SHOWN_FAILURES = 10
SHOWN_BAD_LINES = 100
# As many as one call names.
MAX_NAMED_FAILURES = 100
MAX_PART_MEMORIES = 2_000
MAX_PART_BYTES = 8 * 1024 * 1024
# Usage is counted row by row.
USAGE_SECONDS = 60.0
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
    skip_bad: Annotated[
        bool,
        Option(
            "--skip-bad", help="Leave out lines that are no memory, instead of storing nothing."
        ),
    ] = False,
) -> None:
    """Store exported memories, or the text files of a folder, split into memories.

    The same import, run again, stores nothing twice. If a line of JSON is no memory, nothing is stored, unless
    --skip-bad is given. Example: camillo import docs/
    """
    feed = open_feed(source, skip_bad=skip_bad)
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
    """Write the memories of one agent as JSON lines, oldest first: those that are there when it begins, as they are when each is read.

    It is no backup: events, artifacts, decisions, tasks, slots, runs, views, handoffs and earlier versions of memories are left
    out, and so are archived memories unless --archived says otherwise. docs/postgres.md, "Backups", says how to back up
    all of it. Example: camillo export ada.jsonl --agent ada --archived include
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
    note(f"note: {_left_out(filters)}")


def _left_out(filters: FilterOptions) -> str:
    """What of an agent is not in an export."""
    archived = "" if filters.archived in ("include", "only") else "archived memories, "
    return (
        f"left out: {archived}earlier versions, events, artifacts, decisions, tasks, slots, skills, "
        "runs, views, handoffs and the documents of the tenant (camillo docs export); "
        "to back up all of it, use pg_dump or copy the data directory (docs/postgres.md, 'Backups')"
    )


@dataclass(slots=True)
class Feed:
    """Memories to be imported, each with its bytes of the input; notes are of files and lines that were skipped."""

    memories: Iterator[tuple[Memory, int]]
    total_bytes: int | None
    notes: list[str]


def open_feed(source: str, suffixes: frozenset[str] = TEXT, *, skip_bad: bool = False) -> Feed:
    """The memories of a file, a folder or standard input. Raises CliError, also for JSON lines with a bad line unless
    such lines are to be skipped."""
    path = Path(source).expanduser()
    if source == "-" or (path.suffix.lower() in JSONL and not path.is_dir()):
        try:
            lines = rereadable(sys.stdin.buffer) if source == "-" else path.open("rb")
        except OSError as error:
            raise cannot_read(path, error) from error
        try:
            return _checked_lines(lines, skip_bad=skip_bad)
        except BaseException:
            lines.close()
            raise
    notes: list[str] = []
    files = find_sources(path, suffixes, notes=notes)
    if not files:
        raise CliError(f"there are no text files in {source}", ExitCode.USAGE)
    return Feed(text_memories(files, notes), sum(file.size_bytes for file in files), notes)


def rereadable(lines: BinaryIO) -> BinaryIO:
    """The same bytes as a file that can be read again: what is piped in is copied."""
    if lines.seekable():
        return lines
    copy = tempfile.TemporaryFile()  # noqa: SIM115 (read until the process ends)
    shutil.copyfileobj(lines, copy)
    copy.seek(0)
    return copy


def _checked_lines(lines: BinaryIO, *, skip_bad: bool) -> Feed:
    """JSON lines that were all read before the first is sent: batches are stored while later ones are still read.

    Raises CliError where some are bad and not to be skipped.
    """
    bad: list[str] = []
    start = lines.tell()
    good = sum(1 for _ in read_memories(lines, lambda error: bad.append(str(error))))
    total_bytes = lines.tell() - start
    lines.seek(start)
    shown = [*bad[:SHOWN_BAD_LINES]]
    if len(bad) > SHOWN_BAD_LINES:
        shown.append(f"... and {len(bad) - SHOWN_BAD_LINES:,} more")
    if bad and not skip_bad:
        raise _bad_lines(shown, len(bad), good)
    skipped = [f"skipped {line}" for line in shown]
    return Feed(_good_memories(lines), total_bytes, skipped)


def _good_memories(lines: BinaryIO) -> Iterator[tuple[Memory, int]]:
    with lines:
        yield from read_memories(lines, lambda _: None)


def _bad_lines(shown: list[str], count: int, good: int) -> CliError:
    """Lists them, where there are several; the error says what became of the others."""
    what = shown[0]
    if count > 1:
        for line in shown:
            note(line)
        what = f"{count:,} lines are bad"
    return CliError(
        f"{what}: nothing was stored (correct this, or store the other {counted(good)} with --skip-bad)",
        ExitCode.USAGE,
    )


def run_import(
    camillo: Camillo,
    feed: Feed,
    on_conflict: OnConflict = OnConflict.SKIP,
    title: str = "import",
) -> ImportMemoriesResponse:
    """Stores the memories of a feed, with a bar that counts what is stored, and warns of a scope above its quota.

    Raises CliError, CamilloError.
    """
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse

    answer = ImportMemoriesResponse()
    with progress_bar(title, feed.total_bytes) as report:
        stored, stored_bytes = 0, 0
        for part, part_bytes in _parts(feed.memories):
            done = camillo.import_memories(part, on_conflict=literal(on_conflict))
            _add(answer, done, stored)
            stored, stored_bytes = stored + len(part), stored_bytes + part_bytes
            report(stored_bytes, stored)
    if answer.imported:
        _warn_over_quota(camillo)
    return answer


def _parts(memories: Iterator[tuple[Memory, int]]) -> Iterator[tuple[list[Memory], int]]:
    """The memories in parts of a call each, with their bytes: what a call has stored is known when it returns, while
    what was sent may wait in buffers for long."""
    part: list[Memory] = []
    part_bytes = 0
    for memory, size_bytes in memories:
        part.append(memory)
        part_bytes += size_bytes
        if len(part) == MAX_PART_MEMORIES or part_bytes >= MAX_PART_BYTES:
            yield part, part_bytes
            part, part_bytes = [], 0
    if part:
        yield part, part_bytes


def _add(answer: ImportMemoriesResponse, done: ImportMemoriesResponse, before: int) -> None:
    """Adds the answer for a part, before which so many memories were sent."""
    for name in ("imported", "skipped", "failed", "merged"):
        setattr(answer, name, getattr(answer, name) + getattr(done, name))
    for failure in done.failures[: MAX_NAMED_FAILURES - len(answer.failures)]:
        answer.failures.add(index=before + failure.index, error=failure.error)
    for kind, count in done.redactions.items():
        answer.redactions[kind] += count
    answer.revision.CopyFrom(done.revision)


def _warn_over_quota(camillo: Camillo) -> None:
    """Says how much of the scope maintenance is going to archive."""
    from camillo_client import CamilloError

    try:
        usage = camillo.lifecycle.usage(timeout=USAGE_SECONDS)
    except CamilloError:
        # The memories are stored all the same.
        return
    if warning := over_quota(usage.active_memories, usage.memory_quota):
        note(f"note: the scope {usage.agent_id or SHARED} {warning}: {RAISE_QUOTA}")


def memory_line(memory: Memory) -> str:
    """A memory as a line of JSON, with its line end."""
    return message_json(memory) + "\n"


def read_memories(
    lines: BinaryIO, on_bad: Callable[[CliError], None] | None = None
) -> Iterator[tuple[Memory, int]]:
    """Each memory of JSON lines, with the length of its line in bytes; `on_bad` is called for a line that is none.

    Without it, raises CliError with the number of the line.
    """
    for number, line in numbered_lines(lines, MAX_LINE_BYTES):
        try:
            if line is None:
                raise bad_line(number, "is too long for a memory")
            yield _parse_memory(line, number), len(line)
        except CliError as error:
            if on_bad is None:
                raise
            on_bad(error)


def _parse_memory(line: bytes, number: int) -> Memory:
    from camillo.v1.memory_pb2 import Memory

    memory = Memory()
    fields = read_json_line(line, number, memory, "memory")
    if not memory.memory_id:
        # The same line imported again is the same memory.
        memory.memory_id = str(uuid5(NAMESPACE, json.dumps(fields, sort_keys=True)))
    return memory
