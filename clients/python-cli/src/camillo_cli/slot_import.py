"""slots import: a log of slots, written again line by line."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple
from uuid import uuid5

from typer import Argument, Option

from camillo_cli.arguments import cannot_read, numbered_lines
from camillo_cli.connection import ClientOptions, connected, space_option
from camillo_cli.failures import CliError, ExitCode, from_server
from camillo_cli.imports.feed import rereadable
from camillo_cli.output import note, print_value, progress_bar
from camillo_cli.text_files import NAMESPACE

if TYPE_CHECKING:
    from camillo.v1.slot_pb2 import Slot, SlotProvenance
    from camillo_client import Camillo

# The longest content and source, and a key of which every character is escaped.
MAX_LINE_BYTES = 128 * 1024
MAX_SHOWN = 100
KINDS = ("user", "agent", "tool", "file", "web", "system")
KNOWN = frozenset({"key", "ts", "version", "slot_id", "valid", "unindexed", "source", "content"})
# A secret was taken out of what is stored, and the line still has it.
PLACEHOLDER = re.compile(r"\[redacted(?:: [^\]]*)?\]|\*{4,}")
BLANK = re.compile(r"[ \t\r\n]*")
# Numbers are not looked at: none is too long.
_decode = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode


class LogLine(NamedTuple):
    """One write of a log; `content` as it is spelled there."""

    number: int
    key: str
    ts: datetime
    source: str | SlotProvenance
    content: str
    unindexed: bool
    request_id: str
    read_bytes: int


def import_log(
    client: ClientOptions,
    source: Annotated[
        str,
        Argument(
            metavar="FILE",
            help="JSON lines of 'mirror' or of the same form; '-': from standard input.",
        ),
    ],
    shared: Annotated[bool, Option("--shared", help="Write them where all agents of the tenant read them.")] = False,
    skip_bad: Annotated[bool, Option("--skip-bad", help="Leave out lines that are refused, and go on.")] = False,
) -> None:
    """Write every line of a log of slots, in their order, with their times as when they were first written.

    Run again, it writes only what is not there yet: after an interruption, or when the log has grown. If a line is not
    of a log, nothing is written, unless --skip-bad is given.

    Example: camillo slots import memory/log.jsonl --agent ada
    """
    from camillo_client import SHARED, CamilloError

    if shared and space_option(client):
        raise CliError("give either --shared or a space, such as --agent", ExitCode.USAGE)
    with _opened(source) as file:
        bad = list[str]()
        start = file.tell()
        good = sum(1 for _ in read_log(file, bad))
        total_bytes = file.tell() - start
        if bad and not skip_bad:
            raise _refused(bad, good)
        file.seek(start)
        with connected(client) as camillo:
            run = LogImport(camillo, SHARED if shared else None, skip_bad=skip_bad, bad=bad)
            try:
                run.write(read_log(file, []), total_bytes)
            except (CamilloError, CliError):
                note(f"note: {run.written:,} lines are written; run the same command again to go on")
                raise
    for line in bad[:MAX_SHOWN]:
        note(f"skipped {line}")
    counts = {"written": run.written, "known": run.known, "bad": len(bad)}
    text = f"written {run.written:,}, already there {run.known:,}, left out {len(bad):,}"
    print_value(counts, text, as_json=client.as_json)


@dataclass(slots=True)
class LogImport:
    """One run of the command."""

    camillo: Camillo
    agent_id: str | None
    skip_bad: bool
    bad: list[str]
    written: int = 0
    known: int = 0
    _there: KnownVersions = field(init=False)

    def __post_init__(self) -> None:
        self._there = KnownVersions(self._versions())

    def write(self, lines: Iterable[LogLine], total_bytes: int) -> None:
        """One after the other: the order of the log is that of the history. Raises CliError, CamilloError."""
        from camillo_client import CamilloError

        with progress_bar("import", total_bytes, "lines") as report:
            for line in lines:
                if self._there.take(line):
                    self.known += 1
                else:
                    try:
                        self._set(line)
                        self.written += 1
                    except CamilloError as error:
                        self._fail(line, error)
                report(line.read_bytes, self.written + self.known)

    def _set(self, line: LogLine) -> None:
        self.camillo.slots.set_memory(
            line.key,
            line.content,
            line.source,
            occurred_at=line.ts,
            unindexed=line.unindexed,
            agent_id=self.agent_id,
            request_id=line.request_id,
        )

    def _fail(self, line: LogLine, error: Any) -> None:
        """A line that is refused for what it says fails alone where such lines are skipped."""
        if error.code.name not in ("INVALID_ARGUMENT", "FAILED_PRECONDITION"):
            raise error
        problem = f"line {line.number}: {from_server(error, '')}"
        if not self.skip_bad:
            raise CliError(problem, ExitCode.USAGE) from error
        self.bad.append(problem)

    def _versions(self) -> Iterator[Slot]:
        """Every version that is there."""
        is_shared = self.agent_id is not None
        for change in self.camillo.slots.watch(from_beginning=True, shared=is_shared):
            if change.HasField("checkpoint"):
                return
            if change.HasField("written"):
                yield change.written


class KnownVersions:
    """Versions that are there already, each of which answers for one line: of the same key, moment and content."""

    def __init__(self, versions: Iterable[Slot]) -> None:
        # None for a content out of which a secret was taken: it answers for any.
        self._contents: dict[tuple[str, datetime], list[bytes | None]] = defaultdict(list)
        for slot in versions:
            is_changed = PLACEHOLDER.search(slot.json_content) is not None
            content = None if is_changed else _digest(slot.json_content)
            moment = slot.occurred_at.ToDatetime(UTC)
            self._contents[slot.key, moment].append(content)

    def take(self, line: LogLine) -> bool:
        """Whether the line is there, once."""
        there = self._contents.get((line.key, line.ts), [])
        for content in (_digest(line.content), None):
            if content in there:
                there.remove(content)
                return True
        return False


def read_log(file: BinaryIO, bad: list[str]) -> Iterator[LogLine]:
    """The writes of a log; lines that are none are added to `bad`, with their numbers and the reasons."""
    seen: Counter[bytes] = Counter()
    read_bytes = 0
    for number, line in numbered_lines(file, MAX_LINE_BYTES):
        read_bytes += len(line or b"")
        try:
            if line is None:
                raise ValueError("is too long for a slot")
            text = line.strip()
            digest = sha256(text).digest()
            # The same line again is another write: between them another one may have stood.
            request_id = str(uuid5(NAMESPACE, f"{digest.hex()}/{seen[digest]}"))
            yield _line(text, number, request_id, read_bytes)
            seen[digest] += 1
        except (ValueError, RecursionError) as error:
            bad.append(f"line {number}: {_reason(error)}")


def _line(data: bytes, number: int, request_id: str, read_bytes: int) -> LogLine:
    """Raises ValueError with the reason."""
    from camillo_formats.slot_content import BadContent, parsed
    from camillo_formats.slot_keys import BadKey, normalized_key

    fields = _fields(data.decode("utf-8-sig" if number == 1 else "utf-8"))
    for name in ("key", "ts", "valid", "source", "content"):
        if name not in fields:
            raise ValueError(f"has no {name}")
    if unknown := fields.keys() - KNOWN:
        raise ValueError(f"has an unknown field {min(unknown)[:100]!r}")
    content = fields["content"].spelled
    try:
        key = normalized_key(_text(fields, "key"))
        is_null = parsed(content) is None
    except BadKey as error:
        raise ValueError(f"key {error}") from None
    except BadContent as error:
        raise ValueError(f"content {error}") from None
    valid = fields["valid"].value
    if not isinstance(valid, bool) or valid is is_null:
        raise ValueError("valid must be false where content is null, else true")
    unindexed = fields["unindexed"].value if "unindexed" in fields else False
    if not isinstance(unindexed, bool):
        raise ValueError("unindexed must be true or false")
    return LogLine(
        number=number,
        key=key,
        ts=_moment(_text(fields, "ts"), "ts"),
        source=_source(json.loads(fields["source"].spelled)),
        content=content,
        unindexed=unindexed,
        request_id=request_id,
        read_bytes=read_bytes,
    )


class _Field(NamedTuple):
    value: Any
    spelled: str


def _fields(text: str) -> dict[str, _Field]:
    """The members of a JSON object, with their texts. Raises ValueError."""
    fields: dict[str, _Field] = {}
    at = _behind(text, 0, "{")
    while not text.startswith("}", at):
        if fields:
            at = _behind(text, at, ",")
        name, end = _decode(text, at)
        if not isinstance(name, str) or name in fields:
            raise ValueError("is not a JSON object, or has a field twice")
        begin = _behind(text, _blank(text, end), ":")
        value, end = _decode(text, begin)
        fields[name] = _Field(value, text[begin:end])
        at = _blank(text, end)
    if _blank(text, at + 1) != len(text):
        raise ValueError("has something behind its JSON object")
    return fields


def _behind(text: str, at: int, sign: str) -> int:
    if not text.startswith(sign, at):
        raise ValueError("is not a JSON object")
    return _blank(text, at + 1)


def _blank(text: str, at: int) -> int:
    found = BLANK.match(text, at)
    return found.end() if found else at


def _text(fields: dict[str, _Field], name: str) -> str:
    value = fields[name].value
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text")
    return value


def _moment(text: str, name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{name} must be a time such as 2026-02-22T10:00:00Z") from None


def _source(value: Any) -> str | SlotProvenance:
    from camillo_client import provenance

    json.dumps(value, ensure_ascii=False).encode()
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        raise ValueError("source must be a text or an object")
    if unknown := value.keys() - {"kind", "name", "retrieved_at", "locator"}:
        raise ValueError(f"source has an unknown field {min(unknown)[:100]!r}")
    kind, name, retrieved_at = value.get("kind"), value.get("name", ""), value.get("retrieved_at")
    if kind not in KINDS:
        raise ValueError(f"source.kind must be one of {', '.join(KINDS)}")
    if not isinstance(name, str) or not isinstance(retrieved_at, str | None):
        raise ValueError("source.name and source.retrieved_at must be texts")
    locator = value.get("locator")
    if isinstance(locator, str):
        # The design leaves its form open.
        locator = {"text": locator}
    if not isinstance(locator, dict | None):
        raise ValueError("source.locator must be an object or a text")
    at = None if retrieved_at is None else _moment(retrieved_at, "source.retrieved_at")
    return provenance(kind, name, retrieved_at=at, locator=locator)


def _digest(content: str) -> bytes:
    """Digest of content as a log spells it, in one line."""
    return sha256(content.strip().translate({10: " ", 13: " "}).encode()).digest()


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeError):
        return "is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON ({error.msg})"
    return "is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _opened(source: str) -> BinaryIO:
    try:
        return rereadable(sys.stdin.buffer) if source == "-" else Path(source).expanduser().open("rb")
    except OSError as error:
        raise cannot_read(source, error) from error


def _refused(bad: list[str], good: int) -> CliError:
    if len(bad) > 1:
        for line in bad[:MAX_SHOWN]:
            note(line)
    what = bad[0] if len(bad) == 1 else f"{len(bad):,} lines are bad"
    return CliError(
        f"{what}: nothing was written (correct this, or write the other {good:,} with --skip-bad)",
        ExitCode.USAGE,
    )
