"""The report of an ingest, file by file: a table, or JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from camillo_cli.failures import one_line
from camillo_cli.format import counted
from camillo_cli.hooks.transcripts.entries import LeftOut
from camillo_cli.ingest.batches import Outcome
from camillo_cli.ingest.records import Broken, ParsedEvent, Part, ReadyEvent
from camillo_cli.output import note, print_json, say
from camillo_cli.tables import Column, show_items

if TYPE_CHECKING:
    from camillo_client import CamilloError

SHOWN_FAILURES = 10
KEPT_FAILURES = 1000
COUNTS = ("events", "memories", "chunks", "known", "failed")
FIELD = re.compile(r"^events\[\d+\]\.")


@dataclass(slots=True)
class FileReport:
    """Counts of what was recorded of one file, or of the text files of one folder."""

    file: str
    format: str = ""
    sessions: set[str] = field(default_factory=set)
    events: int = 0
    memories: int = 0
    chunks: int = 0
    # Events and memories that were recorded before.
    known: int = 0
    failed: int = 0
    without_time: int = 0
    unread_times: int = 0
    unread_time: str = ""
    failures: list[Broken] = field(default_factory=list)
    # Counts of parts that are nothing to record, by their kind.
    left_out: Counter[str] = field(default_factory=Counter)
    # Secrets that were taken out, by kind.
    redactions: Counter[str] = field(default_factory=Counter)

    def count(self, outcome: Outcome) -> None:
        """Adds a batch that was sent, or would be sent."""
        from camillo_client import CamilloError

        batch = outcome.batch
        if outcome.results is None:
            self.events += len(batch.events)
            self.sessions |= batch.sessions()
            return
        for event, location, result in zip(batch.events, batch.locations, outcome.results, strict=True):
            if isinstance(result, CamilloError):
                self.fail(Broken(location, _reason(result)))
                continue
            self.events += 1
            self.sessions.add(event.session_id)
            self.chunks += len(result.chunk_ids)
            self.redactions.update(redaction.kind for redaction in result.redactions)

    def count_times(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Passes parts on, and counts the events without a time that could be read, and what is left out."""
        for part in parts:
            if isinstance(part, LeftOut):
                self.left_out[part.what] += 1
            elif isinstance(part, ReadyEvent):
                self.without_time += not part.message.HasField("occurred_at")
            elif isinstance(part, ParsedEvent) and part.occurred_at is None:
                self.without_time += 1
                if part.unread_time:
                    self.unread_times += 1
                    self.unread_time = self.unread_time or part.unread_time
            yield part

    def fail(self, broken: Broken) -> None:
        """Adds a line, message or event that could not be recorded."""
        self.failed += 1
        if len(self.failures) < KEPT_FAILURES:
            self.failures.append(broken)

    def as_dict(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in (*COUNTS, "without_time", "unread_times")}
        return {
            "file": self.file,
            "format": self.format,
            "sessions": len(self.sessions),
            **counts,
            "left_out": dict(self.left_out),
        }


@dataclass(slots=True)
class Report:
    """Reports of all files."""

    is_dry: bool
    files: list[FileReport] = field(default_factory=list)
    # Files of a folder that hold no conversation, and why.
    passed_over: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def failed(self) -> int:
        return sum(file.failed for file in self.files)

    @property
    def events(self) -> int:
        return sum(file.events for file in self.files)

    def so_far(self) -> tuple[int, int]:
        """The events, and the sessions of each file, so far."""
        return self.events, sum(len(file.sessions) for file in self.files)

    def show(self, *, as_json: bool) -> None:
        """Prints it; what failed goes to standard error."""
        if as_json:
            print_json(self._as_dict())
        else:
            if self.files:
                show_items(self.files, COLUMNS)
            say(self._summary())
        for line in self._notes():
            note(one_line(line))

    def _notes(self) -> Iterator[str]:
        yield from (f"note: {line}" for line in self.notes)
        yield from (f"note: skipped {line}" for line in self.passed_over)
        for file in self.files:
            if file.unread_times:
                example = f"such as '{file.unread_time}'"
                yield f"note: {file.file}: {file.unread_times:,} times are in no known format, {example}"
        left_out = sum((file.left_out for file in self.files), Counter[str]())
        for what, count in sorted(left_out.items()):
            yield f"note: left out {count:,} {what}"
        if without := sum(file.without_time for file in self.files if file.events):
            yield f"note: {without:,} events have no time that could be read, and are recorded with the present time"
        redactions = sum((file.redactions for file in self.files), Counter[str]())
        for kind, count in sorted(redactions.items()):
            yield f"note: {count:,} x {kind} taken out before it was stored"
        for broken in self._failures()[:SHOWN_FAILURES]:
            yield f"not recorded: {broken.location}: {broken.reason}"
        if self.failed > SHOWN_FAILURES:
            yield f"... and {self.failed - SHOWN_FAILURES:,} more (--json names up to 1,000 a file)"

    def _as_dict(self) -> dict[str, Any]:
        return {
            "dry_run": self.is_dry,
            "files": [file.as_dict() for file in self.files],
            **self._sums(),
            "passed_over": self.passed_over,
            "failures": [asdict(each.location) | {"reason": each.reason} for each in self._failures()],
        }

    def _failures(self) -> list[Broken]:
        return [broken for file in self.files for broken in file.failures]

    def _sums(self) -> dict[str, int]:
        sessions = {session for file in self.files for session in file.sessions}
        sums = {name: sum(getattr(file, name) for file in self.files) for name in COUNTS}
        return {"sessions": len(sessions), **sums}

    def _summary(self) -> str:
        sums = self._sums()
        if sums["known"] and not sums["events"] and not sums["memories"]:
            return f"recorded nothing new: {sums['known']:,} were recorded before"
        parts = []
        if sums["events"] or not sums["memories"]:
            sessions = counted(sums["sessions"], "session", "sessions")
            parts.append(f"{counted(sums['events'], 'event', 'events')} in {sessions}")
        if sums["memories"]:
            parts.append(counted(sums["memories"]))
        known = f", {sums['known']:,} recorded before" if sums["known"] else ""
        return f"{'would record' if self.is_dry else 'recorded'} {' and '.join(parts)}{known}"


def _reason(error: CamilloError) -> str:
    """Why the server refused an event, without the index in a batch, which the user does not know."""
    if not error.field_violations:
        return error.message
    return "; ".join(f"{FIELD.sub('', each.field)}: {each.description}" for each in error.field_violations)


COLUMNS = (
    Column("format", lambda file: file.format, style="cyan"),
    Column("sessions", lambda file: f"{len(file.sessions):,}", right=True),
    Column("events", lambda file: f"{file.events:,}", right=True),
    Column("memories", lambda file: f"{file.memories:,}", right=True, optional=True),
    Column("chunks", lambda file: f"{file.chunks:,}", right=True, optional=True),
    Column("known", lambda file: f"{file.known:,}", right=True, optional=True),
    Column("failed", lambda file: f"{file.failed:,}", right=True),
    Column("file", lambda file: file.file),
)
