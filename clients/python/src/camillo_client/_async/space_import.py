"""The records of a file of a space, written into another one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC
from functools import partial
from hashlib import sha256
from tempfile import TemporaryFile
from typing import Any

from grpc import StatusCode

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.decision_pb2 import Decision, DecisionStatus
from camillo.v1.event_pb2 import NewEvent
from camillo.v1.memory_pb2 import Memory
from camillo_client._async.space_export import ALL_DECISIONS, ALL_MEMORIES, ALL_TASKS, SpaceParts
from camillo_client.convert import to_dict
from camillo_client.errors import CamilloError, RefNotFound
from camillo_client.space_files import SpaceFile, SpaceRecord
from camillo_client.space_imports import (
    MAX_FAILURES,
    Ids,
    ImportedSpace,
    Known,
    SpaceFailure,
    moved_event,
    moved_refs,
    moved_slot,
)
from camillo_client.space_records import beginning, id_of, refs_of

MAX_WAITING = 500
# As many as one call writes.
MAX_SLOTS = 100
MAX_WAITING_BYTES = 4 * 1024 * 1024
# A record is refused for what it says; anything else ends the import.
REFUSALS = (StatusCode.INVALID_ARGUMENT, StatusCode.FAILED_PRECONDITION, StatusCode.OUT_OF_RANGE)


class SpaceImport:
    """Writes what is not there yet, in the order of the file. Records of a store wait for each other, to be written in
    one call, until a record names one of them."""

    def __init__(self, parts: SpaceParts, file: SpaceFile, *, dry_run: bool) -> None:
        self._parts = parts
        self._file = file
        self._dry_run = dry_run
        self._known = Known()
        # The versions in force, and the texts of views.
        self._versions: dict[str, int] = {}
        self._views: dict[str, str] = {}
        # Decisions in force, and their versions.
        self._in_force: dict[str, int] = {}
        self._ids = Ids()
        self._waiting: dict[str, list[tuple[SpaceRecord, Any]]] = {"events": [], "memories": [], "slots": []}
        self._waiting_bytes = 0
        self._awaited: set[str] = set()
        self._done = ImportedSpace(file.header)

    async def run(self) -> ImportedSpace:
        await self._look()
        records = self._file.records(self._ids)
        for record in records:
            if any(beginning(ref) in self._awaited for ref in refs_of(record.message)):
                await self._flush()
            match record.store:
                case "artifacts":
                    await self._put_artifact(record, records)
                case "events":
                    await self._take_event(record)
                case "memories":
                    await self._take_memory(record)
                case "slots":
                    await self._take_slot(record)
                case "decisions":
                    await self._take_decision(record)
                case "tasks":
                    if not self._is_known(record):
                        await self._alone(record, self._open_task)
                case _:
                    await self._take_view(record)
        await self._flush()
        return self._done

    async def _look(self) -> None:
        """Finds what is there."""
        parts = self._parts
        async for memory in parts.memories.export(ALL_MEMORIES):
            self._versions[memory.memory_id] = memory.version
        async for event in parts.events.list(page_size=1_000):
            self._known.add(event)
        async for artifact in parts.artifacts.list(page_size=200):
            self._known.add(artifact)
        async for slot in parts.slots.export():
            self._known.add(slot)
        async for decision in parts.decisions.list(statuses=ALL_DECISIONS, page_size=200):
            self._known.add(decision)
            if decision.status == DecisionStatus.DECISION_STATUS_ACTIVE:
                self._in_force[decision.decision_id] = decision.version
        async for task in parts.tasks.list(statuses=ALL_TASKS, page_size=200):
            self._known.add(task)
        for view in await parts.views.list():
            if view.agent_id == parts.agent_id:
                self._views[view.name] = view.text

    async def _put_artifact(self, record: SpaceRecord, records: Iterator[SpaceRecord]) -> None:
        """Takes its bytes out of the records behind it, and none more: what comes then may name the artifact."""
        artifact: Artifact = record.message
        with TemporaryFile() as file:
            while file.tell() < artifact.size_bytes:
                file.write(next(records).data)
            file.seek(0)
            if not self._is_known(record):
                await self._alone(record, partial(self._upload, file))

    async def _upload(self, file: Any, record: SpaceRecord) -> str:
        artifact: Artifact = record.message
        moved_refs(artifact.source_refs, self._ids)
        expires_at = artifact.expires_at.ToDatetime(UTC) if artifact.HasField("expires_at") else None
        stored = await self._parts.artifacts.put(
            file,
            name=artifact.name,
            description=artifact.description,
            media_type=artifact.media_type,
            tool=artifact.tool,
            command=artifact.command,
            exit_code=artifact.exit_code if artifact.HasField("exit_code") else None,
            session_id=artifact.session_id,
            tags=artifact.tags,
            sensitivity=artifact.sensitivity,
            metadata=to_dict(artifact.metadata),
            expires_at=expires_at,
            pinned=artifact.pinned,
            source_refs=artifact.source_refs,
            request_id=self._request_id([record]),
        )
        return stored.artifact_id

    async def _take_event(self, record: SpaceRecord) -> None:
        if not self._is_known(record):
            await self._wait(record, moved_event(record.message, self._ids, self._drop))

    async def _take_memory(self, record: SpaceRecord) -> None:
        memory: Memory = record.message
        if self._versions.get(memory.memory_id, 0) >= memory.version:
            self._done.known["memories"] += 1
            self._ids[memory.memory_id] = memory.memory_id
            return
        if beginning(memory.memory_id) in self._awaited:
            # One call stores one version of a memory.
            await self._flush()
        moved_refs(memory.source_refs, self._ids)
        await self._wait(record, memory)

    async def _take_slot(self, record: SpaceRecord) -> None:
        if not self._is_known(record):
            await self._wait(record, moved_slot(record.message))

    async def _take_decision(self, record: SpaceRecord) -> None:
        decision: Decision = record.message
        if not self._is_known(record):
            await self._alone(record, self._record_decision)
        for superseded_id in decision.supersedes:
            await self._supersede(record, superseded_id, decision.decision_id)
        await self._supersede(record, decision.decision_id, decision.superseded_by)

    async def _record_decision(self, record: SpaceRecord) -> str:
        moved_refs(record.message.stated.refs, self._ids, self._drop)
        stored = await self._parts.record_decision(record.message.stated, self._request_id([record]))
        self._in_force[stored.decision_id] = stored.version
        return stored.decision_id

    async def _supersede(self, record: SpaceRecord, old: str, successor: str) -> None:
        """Has one decision supersede another, once both are there and the old one is in force."""
        superseded_id, successor_id = self._ids.get(old), self._ids.get(successor)
        if superseded_id in self._in_force and successor_id is not None and not self._dry_run:
            version = self._in_force.pop(superseded_id)
            try:
                await self._parts.decisions.supersede(superseded_id, version, successor_id=successor_id)
            except CamilloError as error:
                self._refused(record, error)

    async def _open_task(self, record: SpaceRecord) -> str:
        moved_refs(record.message.stated.refs, self._ids, self._drop)
        return (await self._parts.open_task(record.message.stated, self._request_id([record]))).task_id

    async def _take_view(self, record: SpaceRecord) -> None:
        text = self._views.get(record.message.name)
        if text is None:
            await self._alone(record, self._put_view)
        elif text == record.message.text:
            self._done.known["views"] += 1
        else:
            self._done.fail("views", record.number, "a view of this name is there, with another text")

    async def _put_view(self, record: SpaceRecord) -> str:
        view, request_id = record.message, self._request_id([record])
        await self._parts.views.put(view.name, view.text, sensitivity=view.sensitivity, request_id=request_id)
        return ""

    def _is_known(self, record: SpaceRecord) -> bool:
        """Whether the record is there; then its id is, too."""
        known = self._known.take(record.message)
        if known is None:
            return False
        self._ids[id_of(record.message)] = known
        self._done.known[record.store] += 1
        return True

    async def _alone(self, record: SpaceRecord, write: Callable[[SpaceRecord], Awaitable[str]]) -> None:
        """Writes a record in a call of its own, which returns its id."""
        if self._dry_run:
            self._wrote(record, id_of(record.message))
            return
        try:
            self._wrote(record, await write(record))
        except CamilloError as error:
            self._refused(record, error)

    async def _wait(self, record: SpaceRecord, new: Any) -> None:
        """Has a record wait until enough of them, or one that names it, have come."""
        if self._dry_run:
            self._wrote(record, id_of(record.message))
            return
        self._waiting[record.store].append((record, new))
        self._awaited.add(beginning(id_of(record.message)))
        self._waiting_bytes += new.ByteSize()
        if len(self._waiting[record.store]) == MAX_WAITING or self._waiting_bytes > MAX_WAITING_BYTES:
            await self._flush()

    async def _flush(self) -> None:
        """Writes the records that wait."""
        events, memories, slots = self._waiting.values()
        if events:
            await self._record_events(events)
        if memories:
            await self._import_memories(memories)
        if slots:
            await self._set_slots(slots)
        for waiting in self._waiting.values():
            waiting.clear()
        self._awaited.clear()
        self._waiting_bytes = 0

    async def _record_events(self, waiting: list[tuple[SpaceRecord, NewEvent]]) -> None:
        request_id = self._request_id([record for record, _ in waiting])
        outcomes = await self._parts.events.record_many([new for _, new in waiting], request_id=request_id)
        for (record, new), outcome in zip(waiting, outcomes, strict=True):
            if isinstance(outcome, RefNotFound):
                # It names a memory that became one with another.
                self._drop(len(new.refs))
                new.ClearField("refs")
                again = f"{self._request_id([record])}.again"
                outcome = (await self._parts.events.record_many([new], request_id=again))[0]
            if isinstance(outcome, CamilloError):
                self._refused(record, outcome)
            else:
                self._wrote(record, outcome.event_id)

    async def _import_memories(self, waiting: list[tuple[SpaceRecord, Memory]]) -> None:
        answer = await self._parts.memories.import_([new for _, new in waiting], on_conflict="replace")
        self._done.written["memories"] += answer.imported
        self._done.known["memories"] += answer.skipped
        self._done.merged += answer.merged
        for _, memory in waiting:
            self._ids[memory.memory_id] = memory.memory_id
        named = [SpaceFailure(waiting[each.index][0].number, each.error.message) for each in answer.failures]
        self._done.failures += named[: MAX_FAILURES - len(self._done.failures)]
        self._done.failed["memories"] += answer.failed

    async def _set_slots(self, waiting: list[tuple[SpaceRecord, Any]]) -> None:
        try:
            await self._write_slots(waiting)
        except CamilloError as error:
            if len(waiting) == 1 or error.code not in REFUSALS:
                self._refused(waiting[0][0], error)
                return
            # They are written as a whole or not at all.
            for each in waiting:
                await self._set_slots([each])

    async def _write_slots(self, waiting: list[tuple[SpaceRecord, Any]]) -> None:
        for begin in range(0, len(waiting), MAX_SLOTS):
            part = waiting[begin : begin + MAX_SLOTS]
            request_id = self._request_id([record for record, _ in part])
            slots = await self._parts.slots.set_many([new for _, new in part], request_id=request_id)
            for (record, _), slot in zip(part, slots, strict=True):
                self._wrote(record, slot.slot_id)

    def _wrote(self, record: SpaceRecord, new_id: str) -> None:
        if new_id:
            self._ids[id_of(record.message)] = new_id
        self._done.written[record.store] += 1

    def _refused(self, record: SpaceRecord, error: CamilloError) -> None:
        """Raises the error unless it is about this record alone."""
        if error.code not in REFUSALS:
            raise error
        self._done.fail(record.store, record.number, error.message)

    def _drop(self, refs: int) -> None:
        self._done.dropped_refs += refs

    def _request_id(self, records: list[SpaceRecord]) -> str:
        """The same for the same records of the same file: what an interrupted call wrote is not written again."""
        lines = ",".join(str(record.number) for record in records)
        return sha256(f"{self._file.digest}:{lines}".encode()).hexdigest()
