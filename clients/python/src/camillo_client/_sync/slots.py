# Generated from _async/slots.py by tools/generate_sync.py: do not edit.
"""Slots: JSON under keys, of which the last write is in force."""

from __future__ import annotations

from collections.abc import Generator
from typing import Unpack

from grpc import Channel

from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.slot_pb2 import Slot
from camillo.v1.slot_service_pb2 import (
    GetSlotRequest,
    ListSlotHistoryRequest,
    ListSlotsRequest,
    RestoreSlotRequest,
    SetMemoryRequest,
    SlotEntry,
)
from camillo.v1.slot_service_pb2_grpc import SlotServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import SensitivityLevel, to_enum
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


class Slots(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. `channel` is the channel
    in which the answer will be shown; `shared` reads the scope that all agents of the tenant share. Failed calls raise
    CamilloError."""

    def __init__(
        self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str
    ) -> None:
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
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Slot:
        """Writes content under a key: a string is JSON text, kept byte for byte; None is a tombstone.

        `source` says in words where it comes from, or is a `provenance(...)`, without which content from outside is
        refused: ProvenanceRequired. VersionConflict if the slot is no longer at `if_version`; 0 is a key without one.
        """
        request = SetMemoryRequest(
            agent_id=self._agent(agent_id),
            key=key,
            json_content=to_json(content),
            source=to_source(source),
            sensitivity=None if sensitivity is None else to_enum(Sensitivity, sensitivity),
            if_version=if_version,
        )
        answer = self._write(self._slots.SetMemory, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.slot

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
        request = GetSlotRequest(
            agent_id=self._agent(agent_id), key=key, channel=to_channel(channel), shared=shared
        )
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
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._slots.ListSlotHistory, page, timeout), request
        )
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
        """What stands below a prefix and passes all conditions, in the order of keys; with `one_level` a directory has
        an entry of its own. The timeout applies to each page."""
        request = ListSlotsRequest(
            agent_id=self._agent(agent_id),
            prefix=prefix,
            channel=to_channel(channel),
            shared=shared,
            page_size=page_size,
            **slot_conditions(**conditions),
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._slots.ListSlots, page, timeout), request
        )
        for page in pages:
            for entry in page.entries:
                yield entry
