# Generated from _async/slots.py by tools/generate_sync.py: do not edit.
"""Slots: JSON under keys, of which the last write is in force."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, Unpack

from grpc import Channel

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.slot_pb2 import NewSlot, Slot, SlotChange
from camillo.v1.slot_service_pb2 import (
    BatchSetMemoryRequest,
    ExportSlotsRequest,
    GetSlotRequest,
    ListSlotHistoryRequest,
    ListSlotsRequest,
    RestoreSlotRequest,
    SetMemoryRequest,
    SlotEntry,
    WatchSlotsRequest,
)
from camillo.v1.slot_service_pb2_grpc import SlotServiceStub
from camillo_client._sync.caller import Caller, new_request_id
from camillo_client._sync.calls import Calls
from camillo_client._sync.resumed_streams import Patience, resumed_export, resumed_watch
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import SensitivityLevel, to_enum, to_timestamp
from camillo_client.errors import CamilloError
from camillo_client.named_arguments import checks_arguments
from camillo_client.packing import packs
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions
from camillo_client.slot_fields import (
    JsonContent,
    SlotConditions,
    SourceLike,
    slot_conditions,
    to_json,
    to_source,
)
from camillo_client.streams import check_start
from camillo_client.written import WrittenSlot

# Most slots in one BatchSetMemory.
MAX_BATCH = 100
# The same bound as for our other batches; the bytes of a longer call would be held twice.
MAX_BATCH_BYTES = 3 * 1024 * 1024

if TYPE_CHECKING:
    from camillo_client._sync.mirror import Mirror


class Slots(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. `channel` is the channel
    in which the answer will be shown; `shared` reads the scope that all agents of the tenant share. Failed calls raise
    CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._slots = SlotServiceStub(channel)

    def set_memory(
        self,
        key: str,
        content: JsonContent,
        source: SourceLike,
        *,
        sensitivity: SensitivityLevel | Sensitivity | None = None,
        if_version: int | None = None,
        occurred_at: datetime | None = None,
        unindexed: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> WrittenSlot:
        """Writes content under a key: a string is JSON text, kept byte for byte; None is a tombstone.

        `source` says in words where it comes from, or is a `provenance(...)`, without which content from outside is
        refused: ProvenanceRequired. VersionConflict if the slot is no longer at `if_version`; 0 is a key without one.
        `occurred_at`: when it was first written, if that was elsewhere. An `unindexed` version is in no
        search and no digest. `durability` of the answer says where the version is; its number is 0 while it is
        spooled."""
        request = SetMemoryRequest(
            agent_id=self._agent(agent_id),
            key=key,
            json_content=to_json(content),
            source=to_source(source),
            sensitivity=None if sensitivity is None else to_enum(Sensitivity, sensitivity),
            if_version=if_version,
            occurred_at=None if occurred_at is None else to_timestamp(occurred_at, "occurred_at"),
            unindexed=unindexed,
        )
        answer = self._write(self._slots.SetMemory, request, request_id, timeout)
        warn_of(answer.redactions)
        return WrittenSlot(answer.slot, answer)

    def set_many(
        self,
        slots: Iterable[NewSlot],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> list[Slot]:
        """Writes slots in the order given, and returns their versions; make them with `new_slot`.

        Sent in batches of up to 100 while slots are taken from the iterable; each batch is written as a whole or not at
        all, and has the timeout for itself. If one fails, its error is raised and the batches before it stay written;
        repeated with the same slots and the `request_id` of that error, the call writes the rest and returns
        everything."""
        first_id = request_id or new_request_id()
        written: list[Slot] = []
        try:
            for number, pack in enumerate(packs(slots, MAX_BATCH, MAX_BATCH_BYTES)):
                request = BatchSetMemoryRequest(
                    agent_id=self._agent(agent_id),
                    request_id=f"{first_id}.{number}" if number else first_id,
                    slots=pack,
                )
                answer = self._write(self._slots.BatchSetMemory, request, request_id, timeout)
                warn_of([each for result in answer.results for each in result.redactions])
                written += [result.slot for result in answer.results]
        except CamilloError as error:
            error.request_id = first_id
            raise
        return written

    def get(
        self,
        key: str,
        *,
        channel: ChannelLike | None = None,
        shared: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Slot:
        """The newest version of a slot; SlotNotFound if it has no content."""
        request = GetSlotRequest(agent_id=self._agent(agent_id), key=key, channel=to_channel(channel), shared=shared)
        return (self._calls.unary(self._slots.GetSlot, request, timeout)).slot

    def restore(
        self,
        key: str,
        version: int,
        *,
        if_version: int | None = None,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Slot:
        """Writes the content of an earlier version again, as the newest one; `if_version` is as in `set_memory`."""
        request = RestoreSlotRequest(
            agent_id=self._agent(agent_id),
            key=key,
            version=version,
            if_version=if_version,
            channel=to_channel(channel),
        )
        return (self._write(self._slots.RestoreSlot, request, request_id, timeout)).slot

    def history(
        self,
        key: str,
        *,
        channel: ChannelLike | None = None,
        shared: bool = False,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Slot]:
        """Every version of a slot, the newest first, tombstones among them; the timeout applies to each page."""
        request = ListSlotHistoryRequest(
            agent_id=self._agent(agent_id),
            key=key,
            channel=to_channel(channel),
            shared=shared,
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._slots.ListSlotHistory, page, timeout), request)
        for page in pages:
            for version in page.versions:
                yield version

    def list(
        self,
        prefix: str = "",
        *,
        channel: ChannelLike | None = None,
        shared: bool = False,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
        **conditions: Unpack[SlotConditions],
    ) -> Generator[SlotEntry]:
        """Slots below a prefix that pass all conditions, in the order of keys; with `one_level` a directory has an
        entry of its own. The timeout applies to each page."""
        request = ListSlotsRequest(
            agent_id=self._agent(agent_id),
            prefix=prefix,
            channel=to_channel(channel),
            shared=shared,
            page_size=page_size,
            **slot_conditions(**conditions),
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._slots.ListSlots, page, timeout), request)
        for page in pages:
            for entry in page.entries:
                yield entry

    def export(
        self,
        prefix: str = "",
        *,
        newest_only: bool = False,
        channel: ChannelLike | None = None,
        shared: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Slot]:
        """Every version of the slots below a prefix in the order in which they were written, tombstones among them;
        with `newest_only` the newest of each that has content, in the order of keys.

        After a break the export continues where it ended, for as long as each connection brings something. The timeout
        applies to each connection; there is none unless given."""
        request = ExportSlotsRequest(
            agent_id=self._agent(agent_id),
            prefix=prefix,
            newest_only=newest_only,
            channel=to_channel(channel),
            shared=shared,
        )
        stream = resumed_export(self._calls, self._slots.ExportSlots, request, timeout)
        with closing(stream) as parts:
            for part in parts:
                for version in part.versions:
                    yield version

    def watch(
        self,
        prefix: str = "",
        *,
        resume_token: str = "",
        after_revision: Revision | None = None,
        from_beginning: bool = False,
        triggers_after: datetime | None = None,
        channel: ChannelLike | None = None,
        shared: bool = False,
        max_reconnects: int = 10,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[SlotChange]:
        """Every version of the slots below a prefix as it is written, and which slots were forgotten, with checkpoints
        among them, without end. Exactly one of `resume_token`, `after_revision` and `from_beginning` says where the
        watch begins, else ValueError. With `triggers_after`, slots whose `trigger_at` is after that moment are told,
        too, as it comes.

        When the server goes away, the watch resumes after the last change that it returned; it gives up after
        `max_reconnects` attempts in a row that brought no change. The timeout applies to each connection.
        """
        check_start(resume_token, after_revision, from_beginning)
        request = WatchSlotsRequest(
            agent_id=self._agent(agent_id),
            resume_token=resume_token or None,
            after_revision=after_revision,
            from_beginning=from_beginning or None,
            prefix=prefix,
            channel=to_channel(channel),
            shared=shared,
        )
        if triggers_after is not None:
            request.triggers_after.CopyFrom(to_timestamp(triggers_after, "triggers_after"))
        return self._followed(request, Patience(max_reconnects, timeout))

    def _followed(self, request: WatchSlotsRequest, patience: Patience) -> Generator[SlotChange]:
        stream = resumed_watch(self._calls, self._slots.WatchSlots, request, patience)
        with closing(stream) as answers:
            for answer in answers:
                yield answer.change

    @checks_arguments
    def mirror(
        self,
        directory: str | os.PathLike[str],
        *,
        prefix: str = "",
        shared: bool = False,
        flush: bool = False,
        rotated_lines: int = 0,
        agent_id: str | None = None,
    ) -> Mirror:
        """A directory that keeps the slots below a prefix as files, opened and repaired; close it, or use it in a
        `with`.

        `flush` waits for the disk, which survives a power cut. `rotated_lines`: a log of so many lines goes to
        `archive/`, and `state.jsonl` has the newest versions then; 0: one log keeps every version. POSIX systems only.
        MirrorError where another process has the directory, or it is of another agent or prefix; OSError."""
        # Programs without a mirror start faster, and on systems that have no locks of this kind.
        from camillo_client._sync.mirror import Mirror
        from camillo_client.mirror.directory import MirrorDirectory
        from camillo_client.mirror.position import Subject

        subject = Subject(self._agent(agent_id), prefix, shared)
        opened = MirrorDirectory(directory, subject, flush=flush, rotated_lines=rotated_lines)
        return Mirror(self, opened, subject, self._calls.pause)
