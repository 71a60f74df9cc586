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
from camillo_cli.imports.forms import FORMS, ImportFrom, other_than, read_export, recognized, unknown
from camillo_cli.imports.json_stream import Part, read_parts
from camillo_cli.imports.note_forms import NOTE_FORMS, NoteForm
from camillo_cli.imports.reading import Reading
from camillo_cli.imports.records import Mapped, shaped, table_records
from camillo_cli.imports.sync import ImportedBefore
from camillo_cli.text_files import (
    MARKDOWN,
    MAX_FILE_BYTES,
    NAMESPACE,
    NOT_UTF8,
    TEXT,
    IngestFile,
    find_sources,
    is_binary,
    source_of,
    text_memories,
)

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory

JSONL = frozenset({".jsonl", ".ndjson"})
# Files with these endings are data, whatever is in them.
DATA = JSONL | {".json", ".af"}
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
    # Counts of an export of another tool.
    reading: Reading | None = None


def open_feed(
    source: str,
    suffixes: frozenset[str] = TEXT,
    *,
    skip_bad: bool = False,
    how: Mapped = Mapped(),  # noqa: B008 (frozen)
    tells_others: bool = False,
    form: ImportFrom = ImportFrom.AUTO,
    is_one_space: bool = True,
) -> Feed:
    """The memories of a file, a folder or standard input. With `is_one_space` users that an export names are no spaces.

    Raises CliError, also for JSON lines with a bad line unless such lines are to be skipped, and for a file in no known
    form."""
    path = Path(source).expanduser()
    is_notes = form in NOTE_FORMS
    if (source == "-" or (path.exists() and not path.is_dir())) and not is_notes:
        try:
            file = rereadable(sys.stdin.buffer) if source == "-" else path.open("rb")
        except OSError as error:
            raise cannot_read(path, error) from error
        try:
            feed = _record_feed(file, path, how, form, skip_bad=skip_bad, is_one_space=is_one_space)
            if feed is None and (source == "-" or path.suffix.lower() in JSONL):
                return _checked_lines(file, skip_bad=skip_bad)
        except BaseException:
            file.close()
            raise
        file.close()
        if feed is not None:
            return feed
    if form is not ImportFrom.AUTO and not is_notes:
        raise CliError(f"an export of {form} is a file, and {source} is a folder", ExitCode.USAGE)
    notes: list[str] = []
    files = find_sources(path, MARKDOWN if is_notes else suffixes, notes=notes, counts_others=tells_others)
    if not files:
        raise CliError(f"there are no text files in {source}", ExitCode.USAGE)
    note_form = NOTE_FORMS.get(form)
    if note_form is not None and not any(_fits(note_form, file) for file in files):
        raise other_than(source, form)
    is_named = files[0].is_named
    kind = "source" if is_named else "root"
    before = ImportedBefore(kind, source_of(files[0])[kind])
    feed = Feed(iter(()), sum(file.size_bytes for file in files), notes, before)
    if how.agent_from:
        # Every agent would have to be searched for what is gone.
        feed.before, feed.by_agent = None, True
    feed.memories = text_memories(files, notes, feed.unread, how.agent_from, note_form)
    return feed


def _fits(form: NoteForm, file: IngestFile) -> bool:
    try:
        with file.path.open("rb") as opened:
            head = opened.read(SNIFFED_BYTES)
    except OSError:
        # It is named when it is read.
        return False
    return form.fits(file.name, head.decode(encoding(head), errors="ignore"))


def form_of(path: Path, how: Mapped) -> ImportFrom | None:
    """The form that a file is recognized as, if it is that of an export of another tool; None for all else."""
    try:
        with path.open("rb") as file:
            if encoding(file.read(4)) and _begins_as_json(file):
                return recognized(file, how).form
    except (OSError, UnicodeDecodeError):
        # Whoever reads it says so.
        pass
    return None


def _begins_as_json(file: BinaryIO) -> bool:
    file.seek(0)
    head = file.read(SNIFFED_BYTES)
    return head.decode(encoding(head), errors="ignore").lstrip()[:1] in ("{", "[")


def _record_feed(
    file: BinaryIO, path: Path, how: Mapped, form: ImportFrom, *, skip_bad: bool, is_one_space: bool
) -> Feed | None:
    """The records of a file in a form of another tool; None for text, and for JSON lines of `export`, which are read as
    a stream.

    Raises CliError for a file that is neither.
    """
    name = "standard input" if str(path) == "-" else str(path)
    file.seek(0)
    head = file.read(SNIFFED_BYTES)
    if is_binary(head):
        raise CliError(f"{name} is no text: {_AS_DOCUMENT}", ExitCode.USAGE)
    suffix = path.suffix.lower()
    if suffix in NO_MEMORIES:
        raise CliError(f"{name} holds no memories: {NO_MEMORIES[suffix]}", ExitCode.USAGE)
    begin = head.decode(encoding(head), errors="ignore").lstrip()
    file.seek(0)
    try:
        if suffix in TABLES:
            return _table_feed(file, path, how)
        if begin[:1] not in ("{", "[") and suffix not in DATA - JSONL:
            if form is not ImportFrom.AUTO:
                raise other_than(name, form)
            return None
        is_lines = suffix in JSONL or str(path) == "-"
        is_plain = form is ImportFrom.AUTO and not how.is_given and not how.agent_from
        if is_lines and is_plain and _is_export(begin):
            file.seek(0)
            return None
        return _json_feed(file, path, name, how, form, skip_bad=skip_bad, is_one_space=is_one_space)
    except UnicodeDecodeError:
        raise CliError(f"{name}: {NOT_UTF8}", ExitCode.USAGE) from None


def _json_feed(
    file: BinaryIO, path: Path, name: str, how: Mapped, form: ImportFrom, *, skip_bad: bool, is_one_space: bool
) -> Feed | None:
    first = next(read_parts(file), None)
    is_data = path.suffix.lower() in DATA
    if first is None or first.problem or (not isinstance(first.value, dict | list) and not first.name):
        if not is_data and form is ImportFrom.AUTO:
            # Prose that begins with a bracket.
            return None
        if first is not None and first.problem:
            raise CliError(f"{name}: {first.where} {first.problem}", ExitCode.USAGE)
    found = recognized(file, how)
    if form is not ImportFrom.AUTO and found.form is not form:
        raise other_than(name, form)
    if found.is_conversation:
        raise CliError(f"{name}: is a conversation: record it with camillo ingest {name}", ExitCode.USAGE)
    if found.form is None and not found.is_objects:
        raise unknown(name, found)
    reading = read_export(file, found.form, how, is_one_space=is_one_space)
    if reading.bad and not skip_bad:
        raise _bad_lines(_shown(reading.bad, reading.bad_count), reading.bad_count, reading.count, "records")
    notes = [f"skipped {each}" for each in _shown(reading.bad, reading.bad_count)]
    if not reading.count:
        notes.append(f"{name} holds no memories")
    by_agent = reading.has_spaces
    return Feed(reading.memories(), reading.size_bytes, notes, by_agent=by_agent, reading=reading)


def _table_feed(file: BinaryIO, path: Path, how: Mapped) -> Feed:
    content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise CliError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MiB: split it", ExitCode.USAGE)
    records = [*table_records(content.decode(encoding(content)), path.name, how)]
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
    if not isinstance(fields, dict) or "content" not in fields or "role" in fields:
        return False
    return not any(form.fits(Part("line 1", fields)) for form in FORMS.values())


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
    shown = _shown(bad, len(bad))
    if bad and not skip_bad:
        raise _bad_lines(shown, len(bad), good)
    skipped = [f"skipped {line}" for line in shown]
    return Feed(_good_memories(lines), total_bytes, skipped)


def _shown(bad: list[str], count: int) -> list[str]:
    """The first bad lines, and how many more there are."""
    more = [f"... and {count - SHOWN_BAD_LINES:,} more"] if count > SHOWN_BAD_LINES else []
    return [*bad[:SHOWN_BAD_LINES], *more]


def _good_memories(lines: BinaryIO) -> Iterator[tuple[Memory, int]]:
    with lines:
        yield from read_memories(lines, lambda _: None)


def _bad_lines(shown: list[str], count: int, good: int, noun: str = "lines") -> CliError:
    """Lists them, where there are several; the error says what became of the others."""
    what, details = (f"{count:,} {noun} are bad", shown) if count > 1 else (shown[0], [])
    return CliError(
        f"{what}: nothing was stored (correct this, or store the other {counted(good)} with --skip-bad)",
        ExitCode.USAGE,
        details,
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
