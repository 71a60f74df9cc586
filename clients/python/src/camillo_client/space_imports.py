"""The records of a file of a space as they are stored elsewhere: which are there already, and what they refer to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.event_pb2 import Event, NewEvent
from camillo.v1.slot_pb2 import NewSlot, Slot
from camillo.v1.task_pb2 import Task
from camillo_client.space_files import SpaceHeader
from camillo_client.space_records import beginning, id_of

MAX_FAILURES = 100
# An event of a megabyte has fewer.
MAX_CHUNKS = 4_096


class SpaceFailure(NamedTuple):
    """A record that was not stored: its line in the file, and why."""

    line: int
    reason: str


@dataclass(slots=True)
class ImportedSpace:
    """Outcome of an import: records by store that were written, or with a dry run would be, that were there already,
    and that were refused, of which up to 100 are named. `merged` memories say exactly what another one says.
    `dropped_refs` named something that is not in the file."""

    header: SpaceHeader
    written: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    failures: list[SpaceFailure] = field(default_factory=list)
    merged: int = 0
    dropped_refs: int = 0

    def fail(self, store: str, line: int, reason: str) -> None:
        self.failed[store] += 1
        if len(self.failures) < MAX_FAILURES:
            self.failures.append(SpaceFailure(line, reason))


class Ids:
    """Ids of the file, and those that their records have where they are imported."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        # Ids of the file by what their chunks have in common with them.
        self._origins: dict[str, list[str]] = defaultdict(list)

    def __setitem__(self, old: str, new: str) -> None:
        if old not in self._ids:
            self._origins[beginning(old)].append(old)
        self._ids[old] = new

    def get(self, ref: str) -> str | None:
        """The id of a record, or of one of its chunks; None if it is of another record."""
        if ref in self._ids:
            return self._ids[ref]
        for origin in self._origins.get(beginning(ref), ()):
            if (place := _place_of_chunk(origin, ref)) is not None:
                return _chunk_id(UUID(self._ids[origin]), place)
        return None

    def resolved(self, refs: Iterable[str]) -> list[str]:
        """The ids of those that are known, without repeats."""
        return [*dict.fromkeys(new for ref in refs if (new := self.get(ref)) is not None)]


class Known:
    """Records that are where a space is imported, each of which answers for one record of the file."""

    def __init__(self) -> None:
        self._ids: dict[Hashable, list[str]] = defaultdict(list)

    def add(self, message: Any) -> None:
        self._ids[_mark(message)].append(id_of(message))

    def take(self, message: Any) -> str | None:
        """The id of the record that is the same, once; None if there is none."""
        there = self._ids.get(_mark(message))
        return there.pop(0) if there else None


def moved_refs(refs: Any, ids: Ids, drop: Callable[[int], None] | None = None) -> None:
    """Has refs name the records as they are now; those that are in no file stay, or are dropped and counted."""
    moved = [(ids.get(ref) if drop else ids.get(ref) or ref) for ref in refs]
    kept = [*dict.fromkeys(ref for ref in moved if ref)]
    if drop:
        drop(sum(ref is None for ref in moved))
    del refs[:]
    refs.extend(kept)


def moved_event(event: Event, ids: Ids, drop: Callable[[int], None]) -> NewEvent:
    """An event to be recorded again. A step of a workflow names the artifact with all of its output among its refs."""
    stated = NewEvent()
    stated.CopyFrom(event.stated)
    content = stated.WhichOneof("content")
    if content == "workflow_step":
        if stated.workflow_step.artifact_id:
            stated.refs.append(stated.workflow_step.artifact_id)
        stated.workflow_step.ClearField("artifact_id")
        stated.workflow_step.ClearField("truncated")
    elif content == "tool_result" and stated.tool_result.artifact_id:
        artifact_id = ids.get(stated.tool_result.artifact_id)
        stated.tool_result.artifact_id = artifact_id or ""
        if artifact_id is None:
            stated.tool_result.ClearField("truncated")
            drop(1)
    moved_refs(stated.refs, ids, drop)
    return stated


def moved_slot(slot: Slot) -> NewSlot:
    """A version to be written again."""
    new = NewSlot(key=slot.key, json_content=slot.json_content, sensitivity=slot.sensitivity, unindexed=slot.unindexed)
    new.source.CopyFrom(slot.source)
    new.occurred_at.CopyFrom(slot.occurred_at)
    return new


def _mark(message: Any) -> Hashable:
    """Whatever tells a record from others. Its refs are left out: they are not the same elsewhere."""
    match message:
        case Artifact():
            return "artifact", message.sha256, message.name, message.tool
        case Slot():
            at = message.occurred_at.ToMicroseconds()
            return "slot", message.key, at, sha256(message.json_content.encode()).digest()
        case Task():
            stated = message.stated
            return "task", stated.title, stated.goal, stated.plan_step, stated.session_id
    copied = type(message.stated)()
    copied.CopyFrom(message.stated)
    copied.ClearField("refs")
    if isinstance(copied, NewEvent):
        for name in ("tool_result", "workflow_step"):
            if copied.HasField(name):
                getattr(copied, name).ClearField("artifact_id")
                getattr(copied, name).ClearField("truncated")
    return sha256(copied.SerializeToString(deterministic=True)).digest()


def _place_of_chunk(origin: str, ref: str) -> int | None:
    try:
        origin_id = UUID(origin)
    except ValueError:
        return None
    return next((place for place in range(MAX_CHUNKS) if _chunk_id(origin_id, place) == ref), None)


def _chunk_id(origin: UUID, place: int) -> str:
    """As the server makes them: a UUID of version 8, of the first half of the origin's and a digest."""
    high = origin.int >> 64 & ~(0xF << 12) | 0x8 << 12
    low = int.from_bytes(sha256(origin.bytes + place.to_bytes(4, "big")).digest()[:8], "big")
    return str(UUID(int=high << 64 | 0b10 << 62 | low & (2**62 - 1)))
