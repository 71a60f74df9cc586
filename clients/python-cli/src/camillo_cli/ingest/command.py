"""ingest: records chat logs as events and text files as memories, file after file."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

from typer import Argument, Option

from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.imports.command import run_import
from camillo_cli.imports.feed import open_feed
from camillo_cli.ingest.batches import MessageBatch, Outcome, batches, send_all
from camillo_cli.ingest.documents import LINE_FORMATS, TRANSCRIPTS, Format
from camillo_cli.ingest.known_events import KnownEvents
from camillo_cli.ingest.reading import MAX_SESSION_LENGTH, Origin, read_conversations
from camillo_cli.ingest.records import Broken, Location, UnreadableConversation
from camillo_cli.ingest.report import FileReport, Report
from camillo_cli.ingest.transcripts import (
    Transcript,
    TranscriptImport,
    as_utf8,
    transcript_parts,
)
from camillo_cli.output import note, progress_bar
from camillo_cli.text_files import TEXT, IngestFile, file_tag, find_sources

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import Event, NewEvent
    from camillo_client import Camillo

# Suffixes of the only files in a folder that are inspected for conversations.
CONVERSATIONS = frozenset({".json", ".jsonl", ".ndjson", ".traj"})
# JSON lines are read one by one, and their file may have any size.
ANY_SIZE = 1 << 62
NO_CONVERSATION = "holds no conversation in a known format (name it with --format)"


def ingest(
    client: ClientOptions,
    paths: Annotated[
        list[Path],
        Argument(
            help="Chat logs, sessions of coding agents, exports of ChatGPT and claude.ai, trajectories, text files, "
            "or folders of these."
        ),
    ],
    form: Annotated[
        Format | None,
        Option("--format", help="Format of the files. Default: recognized from the content of each."),
    ] = None,
    session: Annotated[
        str,
        Option(help="One session for all files. Default: from the content, else the name of the file."),
    ] = "",
    dry_run: Annotated[
        bool,
        Option("--dry-run", help="Show what would be recorded, and record nothing; needs no server."),
    ] = False,
) -> None:
    """Record chat logs and agent trajectories as events, and text files as memories, as 'import' does.

    Run again, it records only what is new: after an interruption, after a line was mended, or when a file has grown.
    Example: camillo ingest runs/ --dry-run
    """
    if len(session) > MAX_SESSION_LENGTH:
        raise CliError(f"--session must have at most {MAX_SESSION_LENGTH} characters", ExitCode.USAGE)
    from camillo_client import CamilloError

    report = Report(is_dry=dry_run)
    inputs = find_inputs((path.expanduser() for path in paths), report.notes, all_conversations=form is not None)
    with nullcontext() if dry_run else connected(client) as camillo:
        try:
            Ingest(camillo, form, session, report).run(inputs)
        except CamilloError:
            if report.events:
                note(
                    f"note: {report.events:,} events are recorded; "
                    "run the same command again to continue; it records none of them twice"
                )
            raise
    report.show(as_json=client.as_json)
    if report.failed:
        raise CliError(f"{report.failed:,} not recorded")


@dataclass(frozen=True, slots=True)
class Documents:
    """A text file, or a folder with text files, in the form that `import` takes."""

    path: str


Input = IngestFile | Documents


def find_inputs(paths: Iterable[Path], notes: list[str], *, all_conversations: bool) -> list[Input]:
    """The inputs at the paths, in the order given; `all_conversations` takes files of any suffix as conversations.

    Notes name the links that were not followed. Raises CliError.
    """
    found: list[Input] = []
    for path in paths:
        if path.is_dir():
            inside: list[Input] = [*find_sources(path, CONVERSATIONS, ANY_SIZE, notes)]
            if not all_conversations and find_sources(path):
                inside.append(Documents(str(path)))
            if not inside:
                raise CliError(f"there is nothing to ingest in {path}", ExitCode.USAGE)
            found += inside
        elif path.suffix.lower() in TEXT and not all_conversations:
            found.append(Documents(str(path)))
        else:
            found += find_sources(path, max_bytes=ANY_SIZE)
    return list(dict.fromkeys(found))


@dataclass(slots=True)
class Ingest:
    """One run of the command; without a client it only counts."""

    camillo: Camillo | None
    form: Format | None
    session: str
    report: Report
    _known: KnownEvents = field(init=False)
    # By the number of the file among those given.
    _reports: dict[int, FileReport] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._known = KnownEvents(self._recorded)

    def run(self, inputs: list[Input]) -> None:
        """Ingests everything, conversations first, in the order given. Raises CliError, CamilloError."""
        files = [each for each in inputs if isinstance(each, IngestFile)]
        total = sum(file.size_bytes for file in files)
        with progress_bar("ingest", total, "events") as progress, _without_warnings():
            waiting = self._batches(files)
            outcomes = send_all(waiting, self._send) if self.camillo else map(self._send, waiting)
            for outcome in outcomes:
                self._reports[outcome.batch.file_number].count(outcome)
                progress(outcome.batch.read_bytes, *self.report.so_far())
        for each in inputs:
            if isinstance(each, Documents):
                self._documents(each)

    def _send(self, batch: MessageBatch) -> Outcome:
        if self.camillo is None:
            return Outcome(batch, None)
        return Outcome(batch, self.camillo.events.record_many(batch.events))

    def _recorded(self, session: str, tag: str) -> Iterable[Event]:
        if self.camillo is None:
            return ()
        return self.camillo.events.list(session_id=session, tags_any=[tag], page_size=1000)

    def _batches(self, files: Iterable[IngestFile]) -> Iterator[MessageBatch]:
        """The events of all files; a file is opened when those before it have been read."""
        before = 0
        for number, file in enumerate(files):
            report = self._reports[number] = FileReport(file.name)
            try:
                with file.path.open("rb") as opened:
                    for batch in self._file_batches(number, file, opened):
                        # A document has been read to its end before its first event.
                        lines_read = opened.tell() if report.format in LINE_FORMATS else 0
                        batch.read_bytes = before + lines_read
                        yield batch
            except UnreadableConversation as error:
                self._not_read(file, report, str(error))
            except OSError as error:
                self._not_read(file, report, f"cannot be read: {error.strerror}")
            before += file.size_bytes

    def _file_batches(self, number: int, file: IngestFile, opened: BinaryIO) -> Iterator[MessageBatch]:
        report = self._reports[number]
        tag = file_tag(file.name)
        opened = as_utf8(opened)
        transcript = Transcript(opened, self.form) if self.form in (None, *TRANSCRIPTS) else None
        if transcript is not None and transcript.form is not None:
            yield from self._transcript_batches(number, file, transcript, tag)
            return
        origin = Origin(file.name, file.session_name, self.session, (tag,))
        reading = read_conversations(opened, origin, self.form)
        if reading is None:
            raise UnreadableConversation(NO_CONVERSATION)
        report.format = reading.format.value
        self.report.files.append(report)

        def is_known(event: NewEvent) -> bool:
            known = self._known.take(event, tag)
            report.known += known
            return known

        yield from batches(report.count_times(reading.parts), report.fail, number, is_known)

    def _transcript_batches(
        self, number: int, file: IngestFile, transcript: Transcript, tag: str
    ) -> Iterator[MessageBatch]:
        report = self._reports[number]
        form = transcript.form or Format.CLAUDE_CODE
        report.format = form.value
        self.report.files.append(report)
        session = self.session or transcript.session_id or file.path.stem
        events = TranscriptImport(self.camillo, form, session)
        parts = transcript_parts(transcript, events, file.name, tag)
        yield from batches(report.count_times(parts), report.fail, number)
        report.known += events.recorded.taken

    def _not_read(self, file: IngestFile, report: FileReport, reason: str) -> None:
        """Reports a failure; a note only for a file of a folder, which may be something else."""
        if not (file.is_named or self.form or report.format):
            self.report.passed_over.append(f"{file.name}: {reason}")
            return
        if not report.format:
            self.report.files.append(report)
        report.fail(Broken(Location(file.name, "the file"), reason))

    def _documents(self, documents: Documents) -> None:
        report = FileReport(documents.path, "documents")
        self.report.files.append(report)
        feed = open_feed(documents.path)
        if self.camillo is None:
            report.memories = sum(1 for _ in feed.memories)
        else:
            answer = run_import(self.camillo, feed, title="ingest")
            report.memories, report.known = answer.imported, answer.merged + answer.skipped
            report.redactions.update(answer.redactions)
            report.failed = answer.failed
            for failure in answer.failures:
                location = Location(documents.path, f"passage {failure.index + 1}")
                report.failures.append(Broken(location, failure.error.message))
        self.report.notes += feed.notes


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silences the client's warnings of each secret: the report has their counts by kind."""
    from camillo_client import SecretRedacted

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecretRedacted)
        yield
