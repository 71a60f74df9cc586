"""import, export: memories as JSON lines, and the text files of a folder as memories."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO
from uuid import uuid5

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
from camillo_server.cli.format import RAISE_QUOTA, SHARED, counted, over_quota
from camillo_server.cli.imports.records import (
    Mapped,
    is_json,
    json_records,
    mapped,
    shaped,
    table_records,
)
from camillo_server.cli.imports.sync import ImportedBefore, note_plan, remove, require_consent
from camillo_server.cli.memories import FilterOptions
from camillo_server.cli.options import DryRun, OnConflict, Yes, literal
from camillo_server.cli.output import (
    message_json,
    note,
    open_output,
    print_result,
    print_value,
    progress_bar,
)
from camillo_server.cli.text_files import (
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
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
    from camillo_client import Camillo

JSONL = frozenset({".jsonl", ".ndjson"})
TABLES = frozenset({".csv", ".tsv"})
_AS_DOCUMENT = "publish it with camillo docs put"
NO_MEMORIES = {
    **dict.fromkeys((".html", ".htm", ".pdf", ".docx"), _AS_DOCUMENT),
    **dict.fromkeys(
        (".xml", ".yaml", ".yml", ".toml", ".svg", ".ini"), "it is data of another form"
    ),
    ".traj": "record it with camillo ingest",
}
SNIFFED_BYTES = 64 * 1024
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
        Argument(
            help="A file ('-': standard input) or a folder: JSON lines of 'export', text, Markdown notes, a table (CSV), "
            "exports of mem0 and server-memory."
        ),
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
    columns: Annotated[
        list[str] | None,
        Option(
            "--map",
            metavar="COLUMN=FIELD",
            help="Which column or name is which field: text=content, user=agent; may be repeated.",
        ),
    ] = None,
    template: Annotated[
        str, Option(help='What the content is made of: "{name} likes {thing}".')
    ] = "",
    agent_from: Annotated[
        str,
        Option(
            metavar="COLUMN|file|folder",
            help="Whose memory each is: by a column, by the name of its file, or of the folder that it lies in.",
        ),
    ] = "",
    keep: Annotated[
        bool, Option("--keep", help="Keep what came from here before and is gone.")
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Store exported memories, or the text files of a folder, split into memories.

    The same import, run again, stores nothing twice. Text files are kept in step: what was edited since the last import takes the
    place of what it was, and what was deleted goes. If a line of JSON is no memory, nothing is stored, unless --skip-bad is given.
    Example: camillo import docs/
    """
    how = mapped(columns or (), template, agent_from)
    feed = open_feed(source, skip_bad=skip_bad, how=how, tells_others=True)
    with connected(client) as camillo:
        if dry_run:
            _show_plan(client, camillo, feed, keep=keep)
            return
        answer, removed = _import(camillo, feed, on_conflict, keep=keep, yes=yes)
    for message in feed.notes:
        note(f"note: {message}")
    merged = f", merged {answer.merged:,}" if answer.merged else ""
    gone = f", removed {removed:,}" if removed else ""
    counts = f"{merged}{gone}, skipped {answer.skipped:,}, failed {answer.failed:,}"
    print_result(client, answer, f"imported {answer.imported:,}{counts}")
    for kind, count in sorted(answer.redactions.items()):
        note(f"note: {count:,} x {kind} taken out before it was stored")
    for line in _failure_lines(answer):
        note(line)
    if answer.failed:
        raise CliError(f"{answer.failed:,} not stored")


def _import(
    camillo: Camillo, feed: Feed, on_conflict: OnConflict, *, keep: bool, yes: bool
) -> tuple[ImportMemoriesResponse, int]:
    """Stores what is there, then removes what came from there before and is gone. Raises CliError, CamilloError."""
    if feed.before is None or keep:
        return run_import(camillo, feed, on_conflict), 0
    memories = [*feed.memories]
    stale, stored = feed.before.stale(camillo, (memory.memory_id for memory, _ in memories))
    # A file that could not be read is not gone.
    if feed.unread:
        stale = []
    require_consent(stale, stored, yes=yes)
    feed.memories = iter(memories)
    answer = run_import(camillo, feed, on_conflict)
    return answer, remove(camillo, stale)


def _show_plan(client: ClientOptions, camillo: Camillo, feed: Feed, *, keep: bool) -> None:
    memories = [memory for memory, _ in feed.memories]
    stale: list[Memory] = []
    if feed.before is not None and not keep and not feed.unread:
        stale, _ = feed.before.stale(camillo, (each.memory_id for each in memories))
    known = {each.memory_id for each in _existing(camillo, feed)}
    new = [each for each in memories if each.memory_id not in known]
    note_plan(new, stale)
    for message in feed.notes:
        note(f"note: {message}")
    counts = {"import": len(new), "remove": len(stale), "unchanged": len(memories) - len(new)}
    text = f"would import {len(new):,}, remove {len(stale):,}; {counts['unchanged']:,} unchanged"
    print_value(counts, text, as_json=client.as_json)


def _existing(camillo: Camillo, feed: Feed) -> list[Memory]:
    """What came from the same source before."""
    return [] if feed.before is None else feed.before.stale(camillo, ())[0]


def _failure_lines(answer: ImportMemoriesResponse) -> list[str]:
    """Equal failures in one line, with the first numbers."""
    numbers: dict[str, list[int]] = {}
    for failure in answer.failures:
        numbers.setdefault(failure.error.message, []).append(failure.index + 1)
    lines = []
    for message, failed in [*numbers.items()][:SHOWN_FAILURES]:
        shown = ", ".join(f"{each:,}" for each in failed[:SHOWN_FAILURES])
        more = ", ..." if len(failed) > SHOWN_FAILURES else ""
        count = f"{len(failed):,} x, " if len(failed) > 1 else ""
        lines.append(f"not stored: {count}number {shown}{more}: {message}")
    return lines


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
    # Of text files: what an earlier import has stored of them.
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
        # What is gone would have to be looked for in every agent.
        feed.before, feed.by_agent = None, True
    feed.memories = text_memories(files, notes, feed.unread, how.agent_from)
    return feed


def _record_feed(path: Path, how: Mapped) -> Feed | None:
    """The records of a file in a form of another tool; None for text, and for JSON lines of `export`, which are read as a stream.

    Raises CliError for a file that is neither.
    """
    try:
        with path.open("rb") as file:
            head = file.read(SNIFFED_BYTES)
    except OSError as error:
        raise cannot_read(path, error) from error
    if is_binary(head):
        raise CliError(f"{path} is no text: camillo docs takes documents", ExitCode.USAGE)
    suffix = path.suffix.lower()
    if suffix in NO_MEMORIES:
        raise CliError(f"{path} holds no memories: {NO_MEMORIES[suffix]}", ExitCode.USAGE)
    is_table = suffix in TABLES
    begin = head.decode(encoding(head), errors="ignore").lstrip()
    if not is_table and begin[:1] not in ("{", "["):
        return None
    if suffix in JSONL and not how.is_given and not how.agent_from and _is_export(begin):
        return None
    if path.stat().st_size > MAX_FILE_BYTES:
        raise CliError(
            f"{path} is larger than {MAX_FILE_BYTES >> 20} MiB: split it", ExitCode.USAGE
        )
    content = path.read_bytes()
    try:
        text = content.decode(encoding(content))
    except UnicodeDecodeError:
        raise CliError(f"{path}: {NOT_UTF8}", ExitCode.USAGE) from None
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
        for part, part_bytes in _parts(feed.memories, by_agent=feed.by_agent):
            agent = (part[0].agent_id or None) if feed.by_agent else None
            done = camillo.import_memories(part, on_conflict=literal(on_conflict), agent_id=agent)
            _add(answer, done, stored)
            stored, stored_bytes = stored + len(part), stored_bytes + part_bytes
            report(stored_bytes, stored)
    if answer.imported:
        _warn_over_quota(camillo)
    return answer


def _parts(
    memories: Iterator[tuple[Memory, int]], *, by_agent: bool = False
) -> Iterator[tuple[list[Memory], int]]:
    """The memories in parts of a call each, with their bytes: what a call has stored is known when it returns, while
    what was sent may wait in buffers for long. With `by_agent` all of a part are of one agent."""
    parts: dict[str, tuple[list[Memory], int]] = {}
    for memory, size_bytes in memories:
        agent = memory.agent_id if by_agent else ""
        part, part_bytes = parts.pop(agent, ([], 0))
        part.append(memory)
        part_bytes += size_bytes
        if len(part) == MAX_PART_MEMORIES or part_bytes >= MAX_PART_BYTES:
            yield part, part_bytes
        else:
            parts[agent] = (part, part_bytes)
    yield from parts.values()


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
    fields = read_json_line(line, number, memory, "memory", shaped)
    if not memory.memory_id:
        # The same line imported again is the same memory.
        memory.memory_id = str(uuid5(NAMESPACE, json.dumps(fields, sort_keys=True)))
    return memory
