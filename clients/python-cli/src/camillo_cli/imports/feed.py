"""Inputs of an import: lines of an export, records of other tools, text files."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from uuid import uuid5

from camillo_cli.arguments import (
    bad_line,
    cannot_read,
    encoding,
    numbered_lines,
    read_json_line,
)
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.imports.records import (
    Mapped,
    is_json,
    json_records,
    shaped,
    table_records,
)
from camillo_cli.imports.sync import ImportedBefore
from camillo_cli.output import (
    note,
)
from camillo_cli.text_files import (
    MAX_FILE_BYTES,
    NAMESPACE,
    NOT_UTF8,
    TEXT,
    find_sources,
    is_binary,
    source_of,
    text_memories,
)

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory

JSONL = frozenset({".jsonl", ".ndjson"})
TABLES = frozenset({".csv", ".tsv"})
_AS_DOCUMENT = "publish it with camillo docs publish"
NO_MEMORIES = {
    **dict.fromkeys((".html", ".htm", ".pdf", ".docx"), _AS_DOCUMENT),
    **dict.fromkeys((".xml", ".yaml", ".yml", ".toml", ".svg", ".ini"), "it is data of another form"),
    ".traj": "record it with camillo ingest",
}
SNIFFED_BYTES = 64 * 1024
SHOWN_BAD_LINES = 100
# A memory with a vector of 4,096 numbers and full metadata takes about 150 kB.
MAX_LINE_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class Feed:
    """Memories to be imported, each with its bytes of the input; notes are of files and lines that were skipped."""

    memories: Iterator[tuple[Memory, int]]
    total_bytes: int | None
    notes: list[str]
    # Finds what an earlier import has stored of these text files.
    before: ImportedBefore | None = None
    # Whether each memory names its agent.
    by_agent: bool = False
    # Files that could not be read this time.
    unread: list[str] = field(default_factory=list)


def open_feed(
    source: str,
    suffixes: frozenset[str] = TEXT,
    *,
    skip_bad: bool = False,
    how: Mapped = Mapped(),  # noqa: B008 (frozen)
    tells_others: bool = False,
) -> Feed:
    """The memories of a file, a folder or standard input. Raises CliError, also for JSON lines with a bad line unless
    such lines are to be skipped, and for a file in no known form."""
    path = Path(source).expanduser()
    if source != "-" and path.is_file() and (feed := _record_feed(path, how)):
        return feed
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
    files = find_sources(path, suffixes, notes=notes, counts_others=tells_others)
    if not files:
        raise CliError(f"there are no text files in {source}", ExitCode.USAGE)
    is_named = files[0].is_named
    kind = "source" if is_named else "root"
    before = ImportedBefore(kind, source_of(files[0])[kind])
    feed = Feed(iter(()), sum(file.size_bytes for file in files), notes, before)
    if how.agent_from:
        # Every agent would have to be searched for what is gone.
        feed.before, feed.by_agent = None, True
    feed.memories = text_memories(files, notes, feed.unread, how.agent_from)
    return feed


def _record_feed(path: Path, how: Mapped) -> Feed | None:
    """The records of a file in a form of another tool; None for text, and for JSON lines of `export`, which are read as
    a stream.

    Raises CliError for a file that is neither.
    """
    try:
        with path.open("rb") as file:
            head = file.read(SNIFFED_BYTES)
    except OSError as error:
        raise cannot_read(path, error) from error
    if is_binary(head):
        raise CliError(f"{path} is no text: {_AS_DOCUMENT}", ExitCode.USAGE)
    suffix = path.suffix.lower()
    if suffix in NO_MEMORIES:
        raise CliError(f"{path} holds no memories: {NO_MEMORIES[suffix]}", ExitCode.USAGE)
    is_table, is_data = suffix in TABLES, suffix == ".json"
    begin = head.decode(encoding(head), errors="ignore").lstrip()
    if not (is_table or is_data) and begin[:1] not in ("{", "["):
        return None
    if suffix in JSONL and not how.is_given and not how.agent_from and _is_export(begin):
        return None
    if path.stat().st_size > MAX_FILE_BYTES:
        raise CliError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MiB: split it", ExitCode.USAGE)
    content = path.read_bytes()
    try:
        text = content.decode(encoding(content))
    except UnicodeDecodeError:
        raise CliError(f"{path}: {NOT_UTF8}", ExitCode.USAGE) from None
    if is_data and not is_json(text):
        raise CliError(f"{path} is not JSON", ExitCode.USAGE)
    if not is_table and not is_json(text):
        # Prose that begins with a bracket.
        return None
    records = [*(table_records if is_table else json_records)(text, path.name, how)]
    for memory, agent in records:
        memory.agent_id = agent
    share = len(content) // max(1, len(records))
    memories = iter([(memory, share) for memory, _ in records])
    notes = [] if records else [f"{path} holds no memories"]
    return Feed(memories, len(content), notes, by_agent=any(agent for _, agent in records))


def _is_export(begin: str) -> bool:
    """Whether its first line is a memory as `export` writes it."""
    try:
        fields = json.loads(begin.partition("\n")[0])
    except (ValueError, RecursionError):
        # A line that is longer than what was read, or one that the stream is going to name as bad.
        return '"type"' not in begin[:200]
    return isinstance(fields, dict) and "content" in fields and "role" not in fields


def rereadable(lines: BinaryIO) -> BinaryIO:
    """Returns a file with the same bytes that can be read again: copies what is piped in."""
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


def read_memories(lines: BinaryIO, on_bad: Callable[[CliError], None] | None = None) -> Iterator[tuple[Memory, int]]:
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
    fields = read_json_line(line, number, memory, "memory", shaped)
    if not memory.memory_id:
        # The same line imported again is the same memory.
        memory.memory_id = str(uuid5(NAMESPACE, json.dumps(fields, sort_keys=True)))
    return memory
