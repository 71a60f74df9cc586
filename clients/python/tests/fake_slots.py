"""Slots in memory: every version by its key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator

import grpc
from clients.python.tests.fake_service import Context, Desk, FakeMemories, abort, redactions_of, status

from camillo.v1 import slot_service_pb2 as pb
from camillo.v1.slot_pb2 import ProvenanceKind, Slot, SlotChange, SlotSource
from camillo.v1.slot_service_pb2_grpc import SlotServiceServicer


class FakeSlots(SlotServiceServicer):
    """Slots by key; versions and the provenance of the web are checked."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories
        self.versions: dict[str, list[Slot]] = defaultdict(list)
        # Exports that are to break off behind a message.
        self.breaks = 0

    async def _check_version(self, request: pb.SetMemoryRequest | pb.RestoreSlotRequest, context: Context) -> None:
        now = len(self.versions[request.key])
        if request.HasField("if_version") and request.if_version != now:
            versions = {"expected_version": str(request.if_version), "actual_version": str(now)}
            conflict = status(grpc.StatusCode.ABORTED, "VERSION_CONFLICT", metadata=versions)
            await abort(context, conflict)

    async def _found(self, key: str, version: int, context: Context) -> Slot:
        versions = self.versions[key]
        if not 0 < version <= len(versions) or not versions[version - 1].valid:
            missing = status(grpc.StatusCode.NOT_FOUND, "SLOT_NOT_FOUND", metadata={"name": key})
            await abort(context, missing)
        return versions[version - 1]

    def _write(self, agent_id: str, key: str, content: str, source: SlotSource) -> Slot:
        slot = Slot(
            slot_id=f"slot-{key}",
            agent_id=agent_id,
            key=key,
            version=len(self.versions[key]) + 1,
            valid=content != "null",
            json_content=content,
            source=source,
        )
        self.versions[key].append(slot)
        return slot

    async def SetMemory(self, request: pb.SetMemoryRequest, context: Context) -> pb.SetMemoryResponse:
        await self.desk.enter("SetMemory", request, context)
        await self._check_version(request, context)
        stated = request.source.provenance
        if stated.kind == ProvenanceKind.PROVENANCE_KIND_WEB and not stated.HasField("locator"):
            missing = {"missing": "locator"}
            await abort(context, status(grpc.StatusCode.FAILED_PRECONDITION, "PROVENANCE_REQUIRED", metadata=missing))
        slot = self._write(request.agent_id, request.key, request.json_content, request.source)
        if self.memories.is_away:
            slot.version = 0
        return pb.SetMemoryResponse(
            slot=slot, redactions=redactions_of(request.json_content), **self.memories.write(request.agent_id)
        )

    async def BatchSetMemory(self, request: pb.BatchSetMemoryRequest, context: Context) -> pb.BatchSetMemoryResponse:
        await self.desk.enter("BatchSetMemory", request, context)
        results = [
            pb.BatchSetMemoryResult(
                slot=self._write(request.agent_id, new.key, new.json_content, new.source),
                redactions=redactions_of(new.json_content),
            )
            for new in request.slots
        ]
        self.memories.counters[request.agent_id] += len(results)
        return pb.BatchSetMemoryResponse(results=results, revision=self.memories.revision(request.agent_id))

    async def RestoreSlot(self, request: pb.RestoreSlotRequest, context: Context) -> pb.RestoreSlotResponse:
        await self.desk.enter("RestoreSlot", request, context)
        await self._check_version(request, context)
        old = await self._found(request.key, request.version, context)
        slot = self._write(request.agent_id, request.key, old.json_content, old.source)
        self.memories.counters[request.agent_id] += 1
        return pb.RestoreSlotResponse(slot=slot, revision=self.memories.revision(request.agent_id))

    async def GetSlot(self, request: pb.GetSlotRequest, context: Context) -> pb.GetSlotResponse:
        await self.desk.enter("GetSlot", request, context)
        newest = len(self.versions[request.key])
        return pb.GetSlotResponse(slot=await self._found(request.key, newest, context))

    async def ListSlots(self, request: pb.ListSlotsRequest, context: Context) -> pb.ListSlotsResponse:
        await self.desk.enter("ListSlots", request, context)
        found = [
            pb.SlotEntry(key=key, slot=versions[-1])
            for key, versions in sorted(self.versions.items())
            if key.startswith(request.prefix) and versions and versions[-1].valid
        ]
        start, end, token = _page(request, len(found))
        return pb.ListSlotsResponse(entries=found[start:end], next_page_token=token)

    async def ListSlotHistory(self, request: pb.ListSlotHistoryRequest, context: Context) -> pb.ListSlotHistoryResponse:
        await self.desk.enter("ListSlotHistory", request, context)
        versions = self.versions[request.key][::-1]
        start, end, token = _page(request, len(versions))
        return pb.ListSlotHistoryResponse(versions=versions[start:end], next_page_token=token)

    async def WatchSlots(self, request: pb.WatchSlotsRequest, context: Context) -> AsyncIterator[pb.WatchSlotsResponse]:
        await self.desk.enter("WatchSlots", request, context)
        written = [slot for versions in self.versions.values() for slot in versions]
        for place, slot in list(enumerate(written, 1))[int(request.resume_token or 0) :]:
            yield pb.WatchSlotsResponse(change=SlotChange(resume_token=str(place), written=slot))

    async def ExportSlots(
        self, request: pb.ExportSlotsRequest, context: Context
    ) -> AsyncIterator[pb.ExportSlotsResponse]:
        await self.desk.enter("ExportSlots", request, context)
        messages = [each[-1:] if request.newest_only else each for each in self.versions.values()]
        for place, sent in list(enumerate(messages, 1))[int(request.page_token or 0) :]:
            yield pb.ExportSlotsResponse(versions=sent, next_page_token=str(place))
            if self.breaks:
                self.breaks -= 1
                await abort(context, status(grpc.StatusCode.UNAVAILABLE))


def _page(request: pb.ListSlotsRequest | pb.ListSlotHistoryRequest, count: int) -> tuple[int, int, str]:
    start = int(request.page_token or 0)
    end = start + (request.page_size or 50)
    return start, end, str(end) if end < count else ""
