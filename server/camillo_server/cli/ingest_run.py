"""One run of `camillo ingest`: file after file is read, sent and counted."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from camillo_server.cli.ingest_batches import Batch, Outcome, batches, sent
from camillo_server.cli.ingest_inputs import ConversationFile, Documents, Input
from camillo_server.cli.ingest_progress import event_progress
from camillo_server.cli.ingest_report import FileReport, Report
from camillo_server.cli.transfer import open_feed, run_import
from camillo_server.conversations.conversation import Format
from camillo_server.conversations.event import (
    Broken,
    ParsedEvent,
    Part,
    Place,
    UnreadableConversation,
)
from camillo_server.conversations.reading import Origin, read_conversations

if TYPE_CHECKING:
    from camillo_client import Camillo

NO_CONVERSATION = "holds no conversation that is recognized (--format says what it is)"


@dataclass(slots=True)
class Ingest:
    """What is wanted, and what has come of it so far. Without a client it only counts."""

    camillo: Camillo | None
    form: Format | None
    session: str
    report: Report
    _read_bytes: int = 0
    # By the number of the file among those given.
    _told: dict[int, FileReport] = field(default_factory=dict)

    def run(self, inputs: list[Input]) -> None:
        """Ingests everything, conversations first, in the order given. Raises CliError, CamilloError."""
        files = [each for each in inputs if isinstance(each, ConversationFile)]
        total = sum(file.size_bytes for file in files)
        with event_progress("ingest", total) as progress, _without_warnings():
            waiting = self._batches(files)
            for outcome in sent(waiting, self._send) if self.camillo else map(self._send, waiting):
                self._told[outcome.batch.file_number].count(outcome)
                progress(self._read_bytes, *self.report.so_far())
        for each in inputs:
            if isinstance(each, Documents):
                self._documents(each)

    def _send(self, batch: Batch) -> Outcome:
        if self.camillo is None:
            return Outcome(batch, None)
        results = self.camillo.events.record_many(batch.events, request_id=batch.request_id())
        return Outcome(batch, results)

    def _batches(self, files: Iterable[ConversationFile]) -> Iterator[Batch]:
        """The events of all files; a file is opened when those before have been read."""
        before = 0
        for number, file in enumerate(files):
            told = self._told[number] = FileReport(file.name)
            try:
                with file.path.open("rb") as opened:
                    for batch in self._file_batches(number, file, opened):
                        # A document has been read to its end before its first event.
                        self._read_bytes = before + (opened.tell() if told.is_lined else 0)
                        yield batch
            except UnreadableConversation as error:
                self._not_read(file, told, str(error))
            except OSError as error:
                self._not_read(file, told, f"cannot be read: {error.strerror}")
            before += file.size_bytes

    def _file_batches(
        self, number: int, file: ConversationFile, opened: BinaryIO
    ) -> Iterator[Batch]:
        told = self._told[number]
        origin = Origin(file.name, file.session_name, self.session, (file.tag,))
        reading = read_conversations(opened, origin, self.form)
        if reading is None:
            raise UnreadableConversation(NO_CONVERSATION)
        told.format = reading.format.value
        self.report.files.append(told)
        yield from batches(_counted(reading.parts, told), told.fail, number)

    def _not_read(self, file: ConversationFile, told: FileReport, reason: str) -> None:
        """A failure, but where the file only lay in a folder and may be something else."""
        if not (file.is_named or self.form or told.format):
            self.report.passed_over.append(f"{file.name}: {reason}")
            return
        if not told.format:
            self.report.files.append(told)
        told.fail(Broken(Place(file.name, "the file"), reason))

    def _documents(self, documents: Documents) -> None:
        told = FileReport(documents.path, "documents")
        self.report.files.append(told)
        feed = open_feed(documents.path)
        if self.camillo is None:
            told.memories = sum(1 for _ in feed.memories)
        else:
            answer = run_import(self.camillo, feed, title="ingest")
            told.memories = answer.imported + answer.merged + answer.skipped
            told.redactions.update(answer.redactions)
            told.failed = answer.failed
            for failure in answer.failures:
                place = Place(documents.path, f"passage {failure.index + 1}")
                told.failures.append(Broken(place, failure.error.message))
        self.report.notes += feed.notes


def _counted(parts: Iterator[Part], told: FileReport) -> Iterator[Part]:
    """Notes the times that are missing."""
    for part in parts:
        if isinstance(part, ParsedEvent) and part.occurred_at is None:
            told.without_time += 1
            if part.unread_time:
                told.unread_times += 1
                told.unread_time = told.unread_time or part.unread_time
        yield part


@contextmanager
def _without_warnings() -> Iterator[None]:
    """The client warns of each secret that was not stored; the report tells how many there were of which kind."""
    from camillo_client import SecretRedacted

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecretRedacted)
        yield
