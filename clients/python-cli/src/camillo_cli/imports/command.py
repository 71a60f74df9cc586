"""import: memories from files and folders, each part of them in a call."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.connection import ClientOptions, acting_space, connected
from camillo_cli.failures import CliError, ExitCode, from_server
from camillo_cli.format import RAISE_QUOTA, SHARED, counted, over_quota
from camillo_cli.imports.feed import Feed, form_of, open_feed
from camillo_cli.imports.forms import CONVERSATIONS, TRANSCRIPTS, ImportFrom
from camillo_cli.imports.parts import Part, add, parts_of, sent
from camillo_cli.imports.reading import Reading
from camillo_cli.imports.records import Mapped, mapped
from camillo_cli.imports.sync import SHOWN, note_plan, remove, require_consent
from camillo_cli.options import DryRun, OnConflict, Yes, literal
from camillo_cli.output import (
    note,
    print_result,
    print_value,
    progress_bar,
)
from camillo_cli.text_files import MARKDOWN, find_sources

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
    from camillo_client import Camillo, CamilloError

SHOWN_FAILURES = 10
# A transcript is read line by line.
ANY_SIZE = 1 << 62
# Usage is counted row by row.
USAGE_SECONDS = 60.0


def import_memories(
    client: ClientOptions,
    source: Annotated[
        str,
        Argument(
            help="A file ('-': standard input) or a folder: JSON lines of 'export', text, Markdown notes, a table "
            "(CSV), exports of other memories and of chats."
        ),
    ],
    form: Annotated[
        ImportFrom,
        Option("--from", help="Whose export it is. Default: recognized by what is in the file."),
    ] = ImportFrom.AUTO,
    on_conflict: Annotated[
        OnConflict, Option(help="What to do if a memory with the same id exists.")
    ] = OnConflict.SKIP,
    skip_bad: Annotated[
        bool,
        Option("--skip-bad", help="Leave out lines that are no memory, instead of storing nothing."),
    ] = False,
    columns: Annotated[
        list[str] | None,
        Option(
            "--map",
            metavar="COLUMN=FIELD",
            help="Which column or name is which field: text=content, user=agent; may be repeated.",
        ),
    ] = None,
    template: Annotated[str, Option(help='What the content is made of: "{name} likes {thing}".')] = "",
    agent_from: Annotated[
        str,
        Option(
            metavar="COLUMN|file|folder",
            help="Whose memory each is: by a column, by the name of its file, or of the folder that it lies in.",
        ),
    ] = "",
    keep: Annotated[bool, Option("--keep", help="Keep memories that are gone from the source since.")] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Store exported memories, or the text files of a folder, split into memories.

    The same import, run again, stores nothing twice. Text files are kept in step: what was edited since the last import
    takes the place of what it was, and what was deleted goes. If a line of JSON is no memory, nothing is stored, unless
    --skip-bad is given. Users that an export names have their memories in users/ID, unless --user, --space or --agent
    take all. Conversations of ChatGPT and claude.ai are recorded as events.

    Example: camillo import docs/
    """
    how = mapped(columns or (), template, agent_from)
    if _record_conversations(client, source, form, how, dry_run=dry_run):
        return
    is_one_space = bool(acting_space(client))
    feed = open_feed(source, skip_bad=skip_bad, how=how, tells_others=True, form=form, is_one_space=is_one_space)
    with connected(client) as camillo:
        if dry_run:
            _show_plan(client, camillo, feed, keep=keep)
            return
        answer, removed = _import(camillo, feed, on_conflict, keep=keep, yes=yes)
    _tell(feed)
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


def _record_conversations(client: ClientOptions, source: str, form: ImportFrom, how: Mapped, *, dry_run: bool) -> bool:
    """Records an export of chats and the transcripts of a coding agent as events; whether there is nothing else in it.
    Raises CliError, CamilloError."""
    path = Path(source).expanduser()
    if form in TRANSCRIPTS and source != "-":
        return _record_transcripts(client, path, form, dry_run=dry_run)
    if form is ImportFrom.AUTO and source != "-" and path.is_file():
        form = form_of(path, how) or form
    if form not in CONVERSATIONS:
        return False
    if source == "-" or how != Mapped():
        raise CliError(f"an export of {form} is a file or a folder, and has no columns", ExitCode.USAGE)
    # It imports this module.
    from camillo_cli.ingest.command import ingest

    note(f"note: recorded as events, as camillo ingest does: {form} has conversations")
    ingest(client, [path], CONVERSATIONS[form][1], dry_run=dry_run)
    return True


def _record_transcripts(client: ClientOptions, path: Path, form: ImportFrom, *, dry_run: bool) -> bool:
    from camillo_cli.ingest.command import CONVERSATIONS as ENDINGS
    from camillo_cli.ingest.command import ingest

    is_folder = path.is_dir()
    if is_folder:
        transcripts = [each.path for each in find_sources(path, ENDINGS, ANY_SIZE)]
    else:
        transcripts = [path] if path.suffix.lower() in ENDINGS else []
    if transcripts:
        note(f"note: transcripts are recorded as events, as camillo ingest does: {counted(len(transcripts), 'file')}")
        ingest(client, transcripts, None if is_folder else TRANSCRIPTS[form], dry_run=dry_run)
    return bool(transcripts) and not (is_folder and find_sources(path, MARKDOWN))


def _tell(feed: Feed) -> None:
    """Notes of a feed: what was left out of it, and why."""
    for message in feed.notes:
        note(f"note: {message}")
    reading = feed.reading
    if reading is None:
        return
    if reading.form in [*ImportFrom]:
        note(f"note: read as an export of {reading.form}")
    if reading.split:
        note(f"note: {counted(reading.split, 'text was', 'texts were')} too long for one memory, and became several")
    for what, count in sorted(reading.lost.items()):
        note(f"note: left out {count:,} {what}")


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
    removed = remove(camillo, stale)
    if removed and answer.merged:
        # A text that moved to another file was one with what it was there, which is gone.
        feed.memories = iter(memories)
        again = run_import(camillo, feed, OnConflict.SKIP)
        answer.imported += again.imported
        answer.merged -= again.imported
    return answer, removed


def _show_reading(client: ClientOptions, reading: Reading, feed: Feed) -> None:
    """Shows how much an export would store, by kind and space, and how much of it has no place here."""
    for memory, _ in islice(reading.memories(), SHOWN):
        note(f"would store {memory.memory_id}: {' '.join(memory.content.split())[:80]}")
    _tell(feed)
    spaces = {space or "own": count for space, count in reading.spaces.most_common()}
    values = {
        "import": reading.count,
        "form": reading.form,
        "kinds": dict(reading.kinds),
        "spaces": spaces,
        "left_out": dict(reading.lost),
        "split": reading.split,
        "bad": reading.bad_count,
        "bad_records": reading.bad,
    }
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in reading.kinds.most_common())
    shown = ", ".join(f"{space} {count:,}" for space, count in [*spaces.items()][:SHOWN])
    more = f" and {len(spaces) - SHOWN:,} more spaces" if len(spaces) > SHOWN else ""
    text = f"would import {reading.count:,} (what is there already is skipped): {kinds or 'none'}"
    print_value(values, f"{text}; spaces: {shown or 'none'}{more}", as_json=client.as_json)


def _show_plan(client: ClientOptions, camillo: Camillo, feed: Feed, *, keep: bool) -> None:
    if feed.reading is not None:
        _show_reading(client, feed.reading, feed)
        return
    memories = [memory for memory, _ in feed.memories]
    stale: list[Memory] = []
    if feed.before is not None and not keep and not feed.unread:
        stale, _ = feed.before.stale(camillo, (each.memory_id for each in memories))
    known = {each.memory_id for each in _existing(camillo, feed)}
    empty = [each for each in memories if not each.content.strip()]
    new = [each for each in memories if each.content.strip() and each.memory_id not in known]
    note_plan(new, stale)
    _tell(feed)
    counts = {
        "import": len(new),
        "remove": len(stale),
        "unchanged": len(memories) - len(new) - len(empty),
    }
    text = f"would import {len(new):,}, remove {len(stale):,}; {counts['unchanged']:,} unchanged"
    print_value(counts, text, as_json=client.as_json)
    if empty:
        raise CliError(f"{len(empty):,} have no content and would not be stored")


def _existing(camillo: Camillo, feed: Feed) -> list[Memory]:
    """Memories that came from the same source before."""
    return [] if feed.before is None else feed.before.stale(camillo, ())[0]


def _failure_lines(answer: ImportMemoriesResponse) -> list[str]:
    """Equal failures in one line, with the first numbers."""
    numbers: dict[str, list[int]] = {}
    for failure in answer.failures:
        numbers.setdefault(failure.error.message, []).append(failure.index + 1)
    lines = []
    for message, failed in [*numbers.items()][:SHOWN_FAILURES]:
        shown = ", ".join(f"{each:,}" for each in sorted(failed)[:SHOWN_FAILURES])
        more = ", ..." if len(failed) > SHOWN_FAILURES else ""
        count = f"{len(failed):,} x, " if len(failed) > 1 else ""
        lines.append(f"not stored: {count}number {shown}{more}: {message}")
    return lines


def run_import(
    camillo: Camillo,
    feed: Feed,
    on_conflict: OnConflict = OnConflict.SKIP,
    title: str = "import",
) -> ImportMemoriesResponse:
    """Stores the memories of a feed, with a bar that counts what is stored, and warns of a space above its quota.

    Raises CliError, CamilloError.
    """
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
    from camillo_client import CamilloError

    def send(part: Part) -> ImportMemoriesResponse:
        try:
            return camillo.import_memories(part.memories, on_conflict=literal(on_conflict), agent_id=part.space or None)
        except CamilloError as error:
            raise _not_allowed(error, part.space) from error

    answer = ImportMemoriesResponse()
    stored, stored_bytes, there = 0, 0, 0
    with progress_bar(title, feed.total_bytes) as report:
        try:
            for part, done in sent(parts_of(feed.memories, by_agent=feed.by_agent), send):
                count = len(part.memories)
                if stored == there and done.skipped + done.merged == count:
                    there += count
                add(answer, done, part.numbers)
                stored, stored_bytes = stored + count, stored_bytes + part.byte_count
                report(stored_bytes, stored)
        except (CamilloError, CliError, KeyboardInterrupt):
            if stored:
                note(f"note: {stored:,} are stored; run the same command again to go on behind them")
            raise
    if there and answer.imported:
        note(f"note: the first {there:,} were there already: went on behind them")
    if answer.imported:
        _warn_over_quota(camillo)
    return answer


def _not_allowed(error: CamilloError, space: str) -> CamilloError | CliError:
    """The error of a part; where the key has no right in a space that the export names, it says what to do."""
    if not space or error.code.name != "PERMISSION_DENIED":
        return error
    failure = from_server(error, "")
    return CliError(f"{space}: {failure} (--user, --space or --agent store all in one space)", failure.code)


def _warn_over_quota(camillo: Camillo) -> None:
    """Says how much of the scope maintenance is going to archive."""
    from camillo_client import CamilloError

    try:
        usage = camillo.lifecycle.usage(timeout=USAGE_SECONDS)
    except CamilloError:
        # The memories are stored all the same.
        return
    if warning := over_quota(usage.active_memories, usage.memory_quota):
        note(f"note: the space {usage.agent_id or SHARED} {warning}: {RAISE_QUOTA}")
