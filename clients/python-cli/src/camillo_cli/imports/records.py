"""Records as memories: rows of tables, objects, and what forms of other tools read from theirs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from camillo_cli.arguments import EXACT_WHOLE
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.ingest.batches import sendable
from camillo_cli.ingest.times import parse_time
from camillo_cli.text_files import NAMESPACE
from camillo_formats.rendering import one_line

if TYPE_CHECKING:
    from google.protobuf.timestamp_pb2 import Timestamp

    from camillo.v1.memory_pb2 import Memory

Record = Mapping[str, Any]
# Names of fields that a column may be mapped to, and what other tools call them.
FIELDS = {
    "content": "content",
    "text": "content",
    "memory": "content",
    "fact": "content",
    "kind": "kind",
    "tags": "tags",
    "categories": "tags",
    "session": "session_id",
    "session_id": "session_id",
    "run_id": "session_id",
    "importance": "importance",
    "sensitivity": "sensitivity",
    "occurred_at": "occurred_at",
    "created_at": "occurred_at",
    "expires_at": "expires_at",
    "id": "memory_id",
    "memory_id": "memory_id",
    "metadata": "metadata",
    "agent": "agent",
}
_ENUMS = ("kind", "sensitivity")
_PLACE = re.compile(r"\{([^{}]+)\}")
TIMES = frozenset({"occurred_at", "expires_at", "created_at", "updated_at", "valid_from", "valid_until"})
EPOCH, SECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(seconds=1)
_TEXTS = frozenset({"content", "memory_id", "session_id"})
MAX_COLUMNS = 200
MAX_TAGS, MAX_TAG = 64, 128


@dataclass(frozen=True, slots=True)
class Mapped:
    """Options of an import about columns: which is which field, what the text is made of, whose memory each is."""

    columns: Mapping[str, str] = field(default_factory=dict)
    template: str = ""
    agent_from: str = ""

    @property
    def is_given(self) -> bool:
        return bool(self.columns or self.template)


def mapped(columns: Sequence[str], template: str, agent_from: str) -> Mapped:
    """Parses texts of the form `COLUMN=FIELD`. Raises CliError."""
    found = dict[str, str]()
    for each in columns:
        column, separator, name = each.rpartition("=")
        if not (separator and column and name in FIELDS):
            known = ", ".join(sorted(set(FIELDS.values())))
            raise CliError(f"--map takes COLUMN=FIELD with a field of {known}: not {each!r}", ExitCode.USAGE)
        found[column] = FIELDS[name]
    return Mapped(found, template, agent_from)


def table_records(text: str, name: str, how: Mapped) -> Iterator[tuple[Memory, str]]:
    """Memories of a table with a line of names, separated by commas, semicolons or tabs. Raises CliError."""
    rows = csv.DictReader(io.StringIO(text), delimiter=_delimiter(text))
    try:
        names = [each for each in rows.fieldnames or () if each]
        if not 0 < len(names) <= MAX_COLUMNS or not names_content(names, how):
            shown = ", ".join(names[:20]) or "none"
            raise CliError(
                f"{name}: no column is the content (columns: {shown}): name one with --map COLUMN=content,"
                ' or give --template "{name} likes {thing}"',
                ExitCode.USAGE,
            )
        for row in rows:
            record = {key: value for key, value in row.items() if key and value}
            if record:
                try:
                    yield memory_of(object_fields(record, how))
                except ValueError as error:
                    raise CliError(f"{name}: line {rows.line_num}: {error}", ExitCode.USAGE) from error
    except csv.Error as error:
        raise CliError(f"{name}: is no table: {error}", ExitCode.USAGE) from None


def shaped(record: Record) -> dict[str, Any]:
    """The fields of an exported memory, with kinds and sensitivities in the words of the command line, too: `fact`.
    Raises ValueError."""
    return {
        name: _enum(name, value) if name in _ENUMS and isinstance(value, str) else value
        for name, value in record.items()
    }


def names_content(names: Iterable[str], how: Mapped) -> bool:
    """Whether one of the names is the content, or a template makes it."""
    return bool(how.template) or any(_field(name, how) == "content" for name in names)


def _field(name: str, how: Mapped) -> str:
    """The field of a memory that a column is; empty for one that becomes metadata."""
    if name in how.columns:
        return how.columns[name]
    found = FIELDS.get(name.strip().lower(), "")
    # A column that is named takes the place of one that is only called so.
    return "" if found in how.columns.values() else found


def object_fields(record: Record, how: Mapped) -> Record:
    """The fields of a memory of an object or a row by the names of its columns; the others are metadata. Raises
    ValueError."""
    fields = dict[str, Any]()
    others = dict[str, Any]()
    for name, value in record.items():
        known = _field(name, how)
        if value is None or value == "":
            continue
        if known == "metadata" and isinstance(value, dict):
            others.update(value)
        elif known and known not in fields:
            fields[known] = value
        else:
            others[name] = value
    if how.template:
        fields["content"] = _filled(how.template, record)
    if how.agent_from:
        fields["agent"] = str(record.get(how.agent_from) or "")
        if not fields["agent"]:
            raise ValueError(f"has no {how.agent_from!r} to name an agent")
    return {**fields, "metadata": others}


def memory_of(record: Record) -> tuple[Memory, str]:
    """The memory of its fields, and the agent or space that they name; without an id it has one that follows from what
    it says. Raises ValueError."""
    from google.protobuf.json_format import ParseDict, ParseError

    from camillo.v1.memory_pb2 import Memory

    others = {sendable(str(name))[:128]: _flat(value) for name, value in _others(record) if value is not None}
    found = {
        name: _value(name, value, others)
        for name, value in record.items()
        if name != "metadata" and value is not None and value != ""
    }
    agent = str(found.pop("agent", "") or "")
    fields = {name: value for name, value in found.items() if value is not None}
    memory = Memory()
    try:
        if "memory_id" not in fields:
            said = json.dumps({**fields, "metadata": others}, sort_keys=True, default=datetime.isoformat)
            fields["memory_id"] = str(uuid5(NAMESPACE, said))
        rest = {name: value for name, value in fields.items() if not _set(memory, name, value)}
        if rest:
            ParseDict(shaped(rest), memory)
        memory.metadata.update(others)
    except (ParseError, AttributeError, TypeError, RecursionError) as error:
        raise ValueError(f"is not a memory ({one_line(str(error))[:200]})") from error
    return memory, agent


def _others(record: Record) -> Iterable[tuple[Any, Any]]:
    return [(name, value) for name, value in record.get("metadata", {}).items() if name]


def _set(memory: Memory, name: str, value: Any) -> bool:
    """Sets a field that most records have, which protobuf's own reader of JSON would take ten times as long for;
    whether it is one."""
    if name in _TEXTS and isinstance(value, str):
        setattr(memory, name, value)
    elif name in TIMES and isinstance(value, datetime):
        moment: Timestamp = getattr(memory, name)
        moment.seconds, moment.nanos = int((value - EPOCH) // SECOND), value.microsecond * 1000
    elif name == "tags":
        memory.tags.extend(value)
    else:
        return False
    return True


def _value(known: str, value: Any, others: dict[str, Any]) -> Any:
    """A value in the form of its field."""
    if isinstance(value, str):
        value = sendable(value)
    match known:
        case "tags":
            listed = re.split(r"[,;]", value) if isinstance(value, str) else value
            listed = listed if isinstance(listed, list) else [listed]
            # Control characters and marks of direction, which no tag has, are left out.
            stated = [one_line(sendable(str(each))) for each in listed if str(each).strip()]
            tags = [each[:MAX_TAG] for each in stated if each][:MAX_TAGS]
            if len(tags) < len(stated) or any(len(each) > MAX_TAG for each in stated):
                # Tags that are cut are kept whole beside them.
                others.setdefault("tags", ", ".join(stated))
            return tags
        case "importance" if isinstance(value, str):
            return _number(value)
        case "memory_id":
            try:
                return str(UUID(str(value)))
            except ValueError:
                # An id of another form is kept, where filters find it.
                others["id"] = value
                return None
        case _ if known in TIMES:
            return _time(value)
        case "content" | "session_id" | "agent":
            return str(value)
    return value


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _time(value: Any) -> datetime:
    """A time; a day is its beginning. Raises ValueError."""
    found = parse_time(value)
    if found is None:
        raise ValueError(f"has no time that could be read: {one_line(str(value))[:60]!r}")
    return found


def _filled(template: str, record: Record) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in record:
            raise ValueError(f"--template names {name!r}, which is not there")
        return str(record[name])

    return _PLACE.sub(value, template)


def _flat(value: Any) -> Any:
    """A value as metadata holds it; what is no text, number or truth is JSON."""
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < EXACT_WHOLE):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return str(value) if isinstance(value, int | float) else sendable(json.dumps(value, ensure_ascii=False))


def _enum(name: str, value: str) -> int:
    from camillo.v1.memory_pb2 import MemoryKind, Sensitivity
    from camillo_formats.enum_names import number_of, one_of

    enum = (MemoryKind if name == "kind" else Sensitivity).DESCRIPTOR
    number = number_of(enum, value)
    if number is None:
        raise ValueError(f"{name}: {one_of(enum)}")
    return number


def _delimiter(text: str) -> str:
    head = text.partition("\n")[0]
    return max((",", ";", "\t"), key=head.count)
