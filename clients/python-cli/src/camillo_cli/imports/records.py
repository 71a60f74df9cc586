"""Records of other tools as memories: exports of mem0, graphs of MCP's server-memory, tables, lists of objects."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from camillo_cli.arguments import bad_line
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.text_files import NAMESPACE

if TYPE_CHECKING:
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
_CONVERSATION = frozenset({"role", "messages", "mapping", "chat_messages", "payload", "parts"})
_PLACE = re.compile(r"\{([^{}]+)\}")
MAX_COLUMNS = 200


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


def json_records(text: str, name: str, how: Mapped) -> Iterator[tuple[Memory, str]]:
    """Memories of a JSON file in a known form, each with its agent, if the options name one. Raises CliError for any
    other form."""
    values = _values(text, name)
    if _is_graph(values):
        records: Iterable[Record] = _graph_records(values)
    else:
        records = _objects(values, name, how)
    for number, record in enumerate(records, 1):
        yield _memory(record, how, f"{name}: record {number}")


def table_records(text: str, name: str, how: Mapped) -> Iterator[tuple[Memory, str]]:
    """Memories of a table with a line of names, separated by commas, semicolons or tabs. Raises CliError."""
    rows = csv.DictReader(io.StringIO(text), delimiter=_delimiter(text))
    try:
        names = [each for each in rows.fieldnames or () if each]
        if not 0 < len(names) <= MAX_COLUMNS or not _names_content(names, how):
            shown = ", ".join(names[:20]) or "none"
            raise CliError(
                f"{name}: no column is the content (columns: {shown}): name one with --map COLUMN=content,"
                ' or give --template "{name} likes {thing}"',
                ExitCode.USAGE,
            )
        for row in rows:
            record = {key: value for key, value in row.items() if key and value}
            if record:
                yield _memory(record, how, f"{name}: line {rows.line_num}")
    except csv.Error as error:
        raise CliError(f"{name}: is no table: {error}", ExitCode.USAGE) from None


def shaped(record: Record) -> dict[str, Any]:
    """The fields of an exported memory, with kinds and sensitivities in the words of the command line, too: `fact`.
    Raises ValueError."""
    return {
        name: _enum(name, value) if name in _ENUMS and isinstance(value, str) else value
        for name, value in record.items()
    }


def is_json(text: str) -> bool:
    """Whether a text is one value of JSON, or has one in its first line."""
    first = text.lstrip().partition("\n")[0]
    for part in (first, text):
        try:
            json.loads(part)
        except (ValueError, RecursionError):
            continue
        return True
    return False


def _values(text: str, name: str) -> list[Any]:
    """One value, or one for each line."""
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        pass
    values = list[Any]()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise CliError(f"{name}: {bad_line(number, 'is not JSON')}", ExitCode.USAGE) from error
    return values


def _objects(values: Sequence[Any], name: str, how: Mapped) -> Sequence[Record]:
    """The records: a list, the lines, or what an export holds them in. Raises CliError."""
    [value, *more] = values or [None]
    if not more:
        for key in ("results", "memories", "items", "data"):
            if isinstance(value, dict) and isinstance(value.get(key), list):
                value = value[key]
                break
        values = value if isinstance(value, list) else [value]
    for record in values:
        if not isinstance(record, dict):
            raise CliError(f"{name}: holds no memories in a known form", ExitCode.USAGE)
        if not _names_content(record, how):
            raise _unknown(record, name)
        if "role" in record and not how.is_given:
            raise _unknown(record, name)
    return values


def _unknown(record: Record, name: str) -> CliError:
    if _CONVERSATION & record.keys() or {"type", "message"} <= record.keys():
        return CliError(f"{name}: is a conversation: record it with camillo ingest {name}", ExitCode.USAGE)
    keys = ", ".join(map(str, [*record][:10]))
    return CliError(
        f"{name}: holds no memories in a known form (names: {keys}): exports of camillo, mem0 and server-memory are "
        f"known; "
        "for others name what is the content with --map NAME=content or --template",
        ExitCode.USAGE,
    )


def _names_content(names: Iterable[str], how: Mapped) -> bool:
    return bool(how.template) or any(_field(name, how) == "content" for name in names)


def _field(name: str, how: Mapped) -> str:
    """The field of a memory that a column is; empty for one that becomes metadata."""
    if name in how.columns:
        return how.columns[name]
    found = FIELDS.get(name.strip().lower(), "")
    # A column that is named takes the place of one that is only called so.
    return "" if found in how.columns.values() else found


def _memory(record: Record, how: Mapped, where: str) -> tuple[Memory, str]:
    """Raises CliError."""
    from google.protobuf.json_format import ParseDict, ParseError

    from camillo.v1.memory_pb2 import Memory

    fields = dict[str, Any]()
    others = dict[str, Any]()
    for name, value in record.items():
        known = _field(name, how)
        if value is None or value == "":
            continue
        if known == "metadata" and isinstance(value, dict):
            others.update(value)
        elif known and known not in fields:
            fields[known] = _value(known, value, others)
        else:
            others[name] = value
    if how.template:
        fields["content"] = _filled(how.template, record, where)
    agent = str(fields.pop("agent", "") or "")
    if how.agent_from:
        agent = str(record.get(how.agent_from) or "")
        if not agent:
            raise CliError(f"{where}: has no {how.agent_from!r} to name an agent", ExitCode.USAGE)
    fields["metadata"] = {str(name)[:128]: _flat(value) for name, value in others.items()}
    fields = {name: value for name, value in fields.items() if value is not None}
    fields.setdefault("memory_id", str(uuid5(NAMESPACE, json.dumps(fields, sort_keys=True))))
    memory = Memory()
    try:
        ParseDict(shaped(fields), memory)
    except (ParseError, AttributeError, TypeError, ValueError) as error:
        reason = one_line(str(error))[:200]
        raise CliError(f"{where}: is not a memory ({reason})", ExitCode.USAGE) from error
    return memory, agent


def _value(known: str, value: Any, others: dict[str, Any]) -> Any:
    """A value in the form of its field."""
    match known:
        case "tags":
            listed = re.split(r"[,;]", value) if isinstance(value, str) else value
            listed = listed if isinstance(listed, list) else [listed]
            return [str(each).strip() for each in listed if str(each).strip()]
        case "importance" if isinstance(value, str):
            return _number(value)
        case "memory_id":
            try:
                return str(UUID(str(value)))
            except ValueError:
                # An id of another form is kept, where filters find it.
                others["id"] = value
                return None
        case "occurred_at" | "expires_at":
            return _time(str(value))
        case "content" | "session_id" | "agent":
            return str(value)
    return value


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _time(text: str) -> str:
    """Adds a time zone, as protobuf requires; a day becomes its beginning."""
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(text.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat()
    except ValueError:
        return text


def _filled(template: str, record: Record, where: str) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in record:
            raise CliError(f"{where}: --template names {name!r}, which is not there", ExitCode.USAGE)
        return str(record[name])

    return _PLACE.sub(value, template)


def _flat(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else json.dumps(value)


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


def _is_graph(values: Sequence[Any]) -> bool:
    """A knowledge graph of server-memory: lines of entities and relations, or one object with both."""
    first = values[0] if values else None
    if not isinstance(first, dict):
        return False
    return first.get("type") in ("entity", "relation") or isinstance(first.get("entities"), list)


def _graph_records(values: Sequence[Any]) -> Iterator[Record]:
    """A memory for each observation, which names its entity, and for each relation."""
    items = list[Any](values)
    if isinstance(items[0].get("entities"), list):
        items = [
            *({"type": "entity", **each} for each in items[0]["entities"]),
            *({"type": "relation", **each} for each in items[0].get("relations") or ()),
        ]
    for item in items:
        if not isinstance(item, dict):
            continue
        if item.get("type") == "relation":
            words = (item.get("from"), item.get("relationType"), item.get("to"))
            text = " ".join(str(each).replace("_", " ") for each in words if each)
            yield {"content": text, "tags": _names(item.get("from"), item.get("to"))}
            continue
        name, kind = str(item.get("name", "")), str(item.get("entityType", ""))
        observations = item.get("observations") or [f"is known ({kind})" if kind else "is known"]
        for each in observations:
            yield {"content": f"{name}: {each}", "tags": _names(name), "entity_type": kind}


def _names(*names: Any) -> list[str]:
    return [" ".join(str(each).split())[:128] for each in names if each]
