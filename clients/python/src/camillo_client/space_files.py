"""Files with all of a space: JSON lines between a header and a digest, in the order in which records were stored."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from tempfile import TemporaryFile
from typing import Any, BinaryIO, NamedTuple, Protocol

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.json_format import ParseError as BadFields
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from camillo.v1.artifact_pb2 import Artifact
from camillo_client.call_metadata import SHARED
from camillo_client.space_records import PARTS, RECORDS, beginning, id_of, refs_of

FORMAT = "camillo-space"
VERSION = 1
# A megabyte of JSON of which every character is escaped, and its fields.
MAX_LINE_BYTES = 16 * 1024 * 1024
PART_BYTES = 256 * 1024
# Nothing lists them for a whole space, so they are not even counted.
NOT_COUNTED = ("links", "audit trail")


# In JSON, and in JSON in JSON, it is spelled the same.
MEMORY_REF = re.compile(rb"(\[MemoryRef: )([A-Za-z0-9_-]{1,64})")


class ArtifactIds(Protocol):
    """The ids of artifacts by those that they have in a file."""

    def get(self, ref: str, /) -> str | None: ...


class BadSpaceFile(ValueError):
    """A file that is not one of a space, or is not whole."""


@dataclass(frozen=True, slots=True)
class SpaceHeader:
    """Contents of a file: `counts` are records by store, memories and slots with every version of them; `left_out`
    are rows of the space that the file does not hold; `not_counted` are stores of which it holds nothing."""

    space: str
    exported_at: datetime
    counts: Mapping[str, int]
    left_out: Mapping[str, int]
    not_counted: Sequence[str] = NOT_COUNTED


class SpaceRecord(NamedTuple):
    """A line of a file; `data` are the bytes of an artifact's part."""

    number: int
    store: str
    message: Any
    data: bytes = b""


@dataclass(slots=True)
class _Entry:
    """A record of a draft: its place among those of its store, its id, the ids that it names, and where its lines
    lie."""

    place: tuple[int, int, int]
    record_id: str
    refs: tuple[str, ...]
    lines: list[tuple[int, int]]


class SpaceDraft:
    """Collects records of a space in a temporary file, which is gone when it is closed."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115
        self._entries: dict[str, list[_Entry]] = {store: [] for store in RECORDS}
        self._lines = 0

    @property
    def counts(self) -> dict[str, int]:
        return {store: len(entries) for store, entries in self._entries.items()}

    def add(self, store: str, at: Timestamp, message: Message, order: int = 0) -> None:
        """Adds a record; those of one moment are in the given order, then in that of the calls."""
        fields = MessageToDict(message, preserving_proto_field_name=True)
        entries = self._entries[store]
        place = (at.ToMicroseconds(), order, len(entries))
        line = _line({"store": store, "record": fields})
        named = [*refs_of(message), *(ref.decode() for _, ref in MEMORY_REF.findall(line))]
        refs = tuple(beginning(ref) for ref in named if ref)
        entries.append(_Entry(place, id_of(message), refs, [self._write(line)]))

    def add_part(self, data: bytes) -> None:
        """Bytes of the artifact that was added last."""
        line = _line({"store": PARTS, "record": {"data": b64encode(data).decode()}})
        self._entries["artifacts"][-1].lines.append(self._write(line))

    def take_back(self, store: str) -> None:
        """Leaves out the record that was added last."""
        self._lines -= len(self._entries[store].pop().lines)

    def close(self) -> None:
        self._file.close()

    def lines(self, space: str, exported_at: datetime, left_out: Mapping[str, int]) -> Iterator[bytes]:
        """The file, line by line."""
        digest = sha256()
        header = {
            "format": FORMAT,
            "version": VERSION,
            "space": space,
            "exported_at": exported_at.astimezone(UTC).isoformat(),
            "counts": self.counts,
            "left_out": dict(sorted(left_out.items())),
            "not_counted": list(NOT_COUNTED),
        }
        digest.update(first := _line(header))
        yield first
        for entry in self._ordered():
            for offset, length in entry.lines:
                self._file.seek(offset)
                digest.update(line := self._file.read(length))
                yield line
        yield _line({"lines": self._lines + 1, "sha256": digest.hexdigest()})

    def _ordered(self) -> Iterator[_Entry]:
        """Each store in its order; among the stores by time, but for what a record names: that comes first. It may have
        been imported later than the record was, as its time says."""
        queues = {store: deque(sorted(entries, key=_place)) for store, entries in self._entries.items()}
        stores = {beginning(entry.record_id): store for store, entries in self._entries.items() for entry in entries}
        unwritten: dict[str, set[str]] = defaultdict(set)
        for entries in self._entries.values():
            for entry in entries:
                unwritten[beginning(entry.record_id)].add(entry.record_id)
        # Stores whose first record waits for one of the next store; a circle is not waited for.
        waiting: list[str] = []
        while left := [store for store, queue in queues.items() if queue]:
            waiting = waiting or [min(left, key=lambda store: _place(queues[store][0]))]
            entry = queues[waiting[-1]][0]
            needed = (stores[ref] for ref in entry.refs if unwritten.get(ref))
            store = next((each for each in needed if each not in waiting and queues[each]), None)
            if store is not None:
                waiting.append(store)
                continue
            yield queues[waiting.pop()].popleft()
            unwritten[beginning(entry.record_id)].discard(entry.record_id)

    def _write(self, line: bytes) -> tuple[int, int]:
        offset = self._file.tell()
        self._file.write(line)
        self._lines += 1
        return offset, len(line)


def _place(entry: _Entry) -> tuple[int, int, int]:
    return entry.place


class SpaceFile:
    """A file of a space, read to its end before anything is made of it. Raises BadSpaceFile."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._start = file.tell()
        self.digest, self._count = self._sealed()
        self.header = header_of(next(self._raw_lines(), b""))
        check = _Check(self.header)
        for record in self._records(bytes):
            check.add(record)
        check.end()

    def records(self, artifact_ids: ArtifactIds) -> Iterator[SpaceRecord]:
        """The records in their order. Memory refs in their texts name the artifacts by these ids."""

        def moved(ref: re.Match[bytes]) -> bytes:
            artifact_id = artifact_ids.get(ref[2].decode())
            return ref[0] if artifact_id is None else ref[1] + artifact_id.encode()

        return self._records(lambda line: MEMORY_REF.sub(moved, line))

    def _sealed(self) -> tuple[str, int]:
        """The digest of all lines but the last, and the number of lines."""
        digest, last, count = sha256(), b"", 0
        for line in self._raw_lines():
            digest.update(last)
            last, count = line, count + 1
        if _object(last, "the last line") != {"lines": count - 1, "sha256": digest.hexdigest()}:
            raise BadSpaceFile("is cut or was changed: its last line does not fit the lines before it")
        return digest.hexdigest(), count

    def _records(self, moved: Callable[[bytes], bytes]) -> Iterator[SpaceRecord]:
        for number, line in enumerate(self._raw_lines(), 1):
            if 1 < number < self._count:
                yield _record(moved(line), number, self.header.space)

    def _raw_lines(self) -> Iterator[bytes]:
        self._file.seek(self._start)
        while line := self._file.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                raise BadSpaceFile(f"has a line of more than {MAX_LINE_BYTES:,} bytes")
            place = self._file.tell()
            yield line
            self._file.seek(place)


@dataclass(slots=True)
class _Check:
    """Whether the records are those that the header counts, and the parts those of their artifacts."""

    header: SpaceHeader
    counts: Counter[str] = field(default_factory=Counter)
    artifact: Artifact | None = None
    size: int = 0
    digest: Any = None

    def add(self, record: SpaceRecord) -> None:
        if record.store == PARTS:
            if self.artifact is None:
                raise BadSpaceFile(f"line {record.number}: is a part of no artifact")
            self.size += len(record.data)
            self.digest.update(record.data)
            return
        self._end_artifact()
        self.counts[record.store] += 1
        if record.store == "artifacts":
            self.artifact, self.size, self.digest = record.message, 0, sha256()

    def end(self) -> None:
        self._end_artifact()
        if self.counts != Counter(self.header.counts):
            raise BadSpaceFile("does not hold as many records as its first line says")

    def _end_artifact(self) -> None:
        if self.artifact is not None and (
            self.size != self.artifact.size_bytes or self.digest.digest() != self.artifact.sha256
        ):
            raise BadSpaceFile(f"holds other bytes than those of its artifact {self.artifact.artifact_id[:128]!r}")
        self.artifact = None


def _line(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys="record" in value, separators=(",", ":"))
    return text.encode() + b"\n"


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not line.endswith(b"\n"):
        raise BadSpaceFile(f"{where} is no whole JSON object")
    return value


def header_of(line: bytes) -> SpaceHeader:
    """The first line of a file. Raises BadSpaceFile."""
    value = _object(line, "the first line")
    if value.get("format") != FORMAT:
        raise BadSpaceFile("is no file of a space: camillo spaces export writes them")
    if value.get("version") != VERSION:
        raise BadSpaceFile("is of another version of the format: import it with a newer camillo")
    space, not_counted = value.get("space"), value.get("not_counted")
    counts, left_out = _counts(value, "counts"), _counts(value, "left_out")
    if not (isinstance(space, str) and space):
        raise BadSpaceFile("the first line must have space, a path")
    if not (isinstance(not_counted, list) and all(isinstance(each, str) for each in not_counted)):
        raise BadSpaceFile("the first line must have not_counted, a list of stores")
    if unknown := counts.keys() - RECORDS.keys():
        raise BadSpaceFile(f"the first line counts an unknown store {min(unknown)[:64]!r}")
    try:
        exported_at = datetime.fromisoformat(value["exported_at"])
    except (KeyError, TypeError, ValueError):
        raise BadSpaceFile("the first line must have exported_at, a time") from None
    return SpaceHeader(space, exported_at, counts, left_out, not_counted)


def _counts(header: Mapping[str, Any], name: str) -> Mapping[str, int]:
    counts = header.get(name)
    if not isinstance(counts, dict) or not all(type(each) is int and each >= 0 for each in counts.values()):
        raise BadSpaceFile(f"the first line must have {name}, numbers by store")
    return counts


def _record(line: bytes, number: int, space: str) -> SpaceRecord:
    value = _object(line, f"line {number}")
    store, fields = value.get("store"), value.get("record")
    if not isinstance(fields, dict) or value.keys() != {"store", "record"}:
        raise BadSpaceFile(f"line {number}: must have store and record")
    if store == PARTS:
        return SpaceRecord(number, PARTS, None, _bytes(fields, number))
    if not isinstance(store, str) or store not in RECORDS:
        raise BadSpaceFile(f"line {number}: is of an unknown store {str(store)[:64]!r}")
    message: Any = RECORDS[store]()
    try:
        ParseDict(fields, message)
    except (BadFields, AttributeError, TypeError, ValueError, RecursionError):
        raise BadSpaceFile(f"line {number}: is no record of {store}") from None
    if message.agent_id != ("" if space == SHARED else space):
        raise BadSpaceFile(f"line {number}: is of another space than {space[:128]!r}")
    return SpaceRecord(number, store, message)


def _bytes(fields: Mapping[str, Any], number: int) -> bytes:
    try:
        return b64decode(fields["data"], validate=True)
    except (KeyError, TypeError, ValueError):
        raise BadSpaceFile(f"line {number}: is no part of an artifact") from None
