"""A small memory service in memory: records what it is asked, fails as it is told."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped, unused-ignore]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped, unused-ignore]
from grpc.aio import ServicerContext

from camillo.v1 import memory_service_pb2 as pb
from camillo.v1.consistency_pb2 import Durability, Freshness, Revision
from camillo.v1.memory_pb2 import (
    Checkpoint,
    ForgetReceipt,
    Memory,
    MemoryChange,
    MemoryRevision,
    NewMemory,
    RecallHit,
    Redaction,
)
from camillo.v1.memory_service_pb2_grpc import MemoryServiceServicer

Context = ServicerContext[Any, Any]


def status(
    code: grpc.StatusCode,
    reason: str = "",
    *,
    message: str = "",
    metadata: dict[str, str] | None = None,
    fields: dict[str, str] | None = None,
    retry_after_seconds: float | None = None,
    domain: str = "camillo.v1",
) -> Status:
    """A status as the server makes it."""
    details: list[Message] = []
    if reason:
        details.append(ErrorInfo(reason=reason, domain=domain, metadata=metadata or {}))
    if fields:
        violations = [{"field": name, "description": text} for name, text in fields.items()]
        details.append(BadRequest(field_violations=violations))
    if retry_after_seconds is not None:
        retry = RetryInfo()
        retry.retry_delay.FromMilliseconds(round(retry_after_seconds * 1000))
        details.append(retry)
    packed = [AnyMessage() for _ in details]
    for target, detail in zip(packed, details, strict=True):
        target.Pack(detail)
    return Status(code=code.value[0], message=message, details=packed)


UNAVAILABLE = status(grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")


@dataclass
class Call:
    """One call that arrived."""

    method: str
    request: Any
    metadata: dict[str, str | bytes]
    seconds_left: float | None


@dataclass
class Desk:
    """Where calls arrive: recorded, and refused as often as a test has asked for."""

    calls: list[Call] = field(default_factory=list)
    refusals: dict[str, list[Status]] = field(default_factory=lambda: defaultdict(list))
    # Methods that never answer.
    stalled: set[str] = field(default_factory=set)
    # How long the next calls wait before they are dealt with, whatever they are.
    delays: list[float] = field(default_factory=list)

    def refuse(self, method: str, *statuses: Status) -> None:
        """The next calls of the method fail, one with each status."""
        self.refusals[method] += statuses

    def of(self, method: str) -> list[Any]:
        """The requests of a method, in the order they arrived."""
        return [call.request for call in self.calls if call.method == method]

    async def enter(self, method: str, request: Message, context: Context) -> None:
        metadata = dict(context.invocation_metadata() or ())
        _name_agent(request, metadata.get("camillo-default-agent", ""))
        self.calls.append(Call(method, request, metadata, context.time_remaining()))
        if self.delays:
            await asyncio.sleep(self.delays.pop(0))
        if self.refusals[method]:
            await abort(context, self.refusals[method].pop(0))
        if method in self.stalled:
            await asyncio.Event().wait()


def _name_agent(request: Any, default_agent: Any) -> None:
    """Makes a request without an agent one for the default agent, as the server does for keys of any agent."""
    fields = request.DESCRIPTOR.fields_by_name
    if "agent_id" not in fields or "tenant_id" in fields or getattr(request, "all_scopes", False):
        return
    # Only the first message of a stream names one.
    if "on_conflict" in fields and not request.on_conflict:
        return
    request.agent_id = request.agent_id or default_agent


async def abort(context: Context, failure: Status) -> None:
    code = next(code for code in grpc.StatusCode if code.value[0] == failure.code)
    details = (("grpc-status-details-bin", failure.SerializeToString()),)
    await context.abort(code, failure.message, trailing_metadata=details)


def redactions_of(content: str) -> list[Redaction]:
    """Takes every number sign for a secret."""
    places = (place for place, character in enumerate(content) if character == "#")
    return [Redaction(field="content", kind="number-sign", offset=place) for place in places]


class FakeMemories(MemoryServiceServicer):
    """Memories by agent; a revision is the database, the agent and a counter."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.database = "db1"
        self.counters: dict[str, int] = defaultdict(int)
        self.memories: dict[str, dict[str, Memory]] = defaultdict(dict)
        self.changes: list[MemoryChange] = []
        # After how many changes each connection of a watch breaks; the one after the last stays open.
        self.breaks: list[int] = []
        self.ends_watches = False
        # Postgres is away: what is written is spooled.
        self.is_away = False
        self.spooled: list[str] = []
        self.watch_closed = asyncio.Event()

    def revision(self, agent_id: str) -> Revision:
        return Revision(token=f"{self.database}/{agent_id}/{self.counters[agent_id]}")

    def write(self, agent_id: str) -> dict[str, Any]:
        """The fields of an answer to a write made now: where it is, and the revision that it has there."""
        if self.is_away:
            self.spooled.append(f"spooled-{len(self.spooled)}")
            return {"durability": Durability.DURABILITY_SPOOLED, "spool_id": self.spooled[-1]}
        self.counters[agent_id] += 1
        committed = Durability.DURABILITY_COMMITTED
        return {"durability": committed, "revision": self.revision(agent_id)}

    def change(self, number: int) -> None:
        """Adds a change for watches to send."""
        token = f"t{number}"
        self.changes.append(
            MemoryChange(resume_token=token, forgotten_memory_id=f"m{number}")
            if number
            else MemoryChange(resume_token=token, checkpoint=Checkpoint())
        )

    def _store(self, agent_id: str, new: NewMemory) -> Memory:
        memory_id = new.memory_id or f"m{len(self.memories[agent_id])}"
        memory = Memory(memory_id=memory_id, agent_id=agent_id, content=new.content, version=1)
        self.memories[agent_id][memory_id] = memory
        return memory

    async def _check(self, agent_id: str, freshness: Freshness, context: Context) -> None:
        token = freshness.at_least_as_fresh.token
        if token and not token.startswith(f"{self.database}/{agent_id}/"):
            await abort(context, status(grpc.StatusCode.OUT_OF_RANGE, "REVISION_UNKNOWN"))

    async def Remember(self, request: pb.RememberRequest, context: Context) -> pb.RememberResponse:
        await self.desk.enter("Remember", request, context)
        memory = self._store(request.agent_id, request.memory)
        return pb.RememberResponse(
            memory=memory, redactions=redactions_of(request.memory.content), **self.write(request.agent_id)
        )

    async def BatchRemember(self, request: pb.BatchRememberRequest, context: Context) -> pb.BatchRememberResponse:
        await self.desk.enter("BatchRemember", request, context)
        self.counters[request.agent_id] += 1
        too_long = status(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", fields={"content": "empty"})
        results = [
            pb.BatchRememberResult(memory=self._store(request.agent_id, new), redactions=redactions_of(new.content))
            if new.content
            else pb.BatchRememberResult(error=too_long)
            for new in request.memories
        ]
        return pb.BatchRememberResponse(results=results, revision=self.revision(request.agent_id))

    async def ImportMemories(
        self, request_iterator: AsyncIterator[pb.ImportMemoriesRequest], context: Context
    ) -> pb.ImportMemoriesResponse:
        agent_id, imported = "", 0
        async for request in request_iterator:
            await self.desk.enter("ImportMemories", request, context)
            agent_id = agent_id or request.agent_id
            imported += len(request.memories)
        self.counters[agent_id] += 1
        return pb.ImportMemoriesResponse(imported=imported, revision=self.revision(agent_id))

    async def Recall(self, request: pb.RecallRequest, context: Context) -> pb.RecallResponse:
        await self.desk.enter("Recall", request, context)
        await self._check(request.agent_id, request.freshness, context)
        return self._answer(request)

    def _answer(self, request: pb.RecallRequest) -> pb.RecallResponse:
        memories = self.memories[request.agent_id].values()
        hits = [
            RecallHit(memory=memory, is_spooled=self.is_away) for memory in memories if request.text in memory.content
        ]
        return pb.RecallResponse(hits=hits, revision=self.revision(request.agent_id))

    async def BatchRecall(self, request: pb.BatchRecallRequest, context: Context) -> pb.BatchRecallResponse:
        await self.desk.enter("BatchRecall", request, context)
        unknown = status(grpc.StatusCode.OUT_OF_RANGE, "REVISION_UNKNOWN")
        return pb.BatchRecallResponse(
            results=[
                pb.BatchRecallResult(error=unknown)
                if not (item.freshness.at_least_as_fresh.token or self.database).startswith(self.database)
                else pb.BatchRecallResult(response=self._answer(item))
                for item in request.requests
            ]
        )

    async def GetMemory(self, request: pb.GetMemoryRequest, context: Context) -> pb.GetMemoryResponse:
        await self.desk.enter("GetMemory", request, context)
        await self._check(request.agent_id, request.freshness, context)
        memory = self.memories[request.agent_id].get(request.memory_id)
        if memory is None:
            reason = status(grpc.StatusCode.NOT_FOUND, "MEMORY_NOT_FOUND", metadata={"memory_id": request.memory_id})
            await abort(context, reason)
        return pb.GetMemoryResponse(memory=memory, revision=self.revision(request.agent_id))

    async def ListMemories(self, request: pb.ListMemoriesRequest, context: Context) -> pb.ListMemoriesResponse:
        await self.desk.enter("ListMemories", request, context)
        await self._check(request.agent_id, request.freshness, context)
        memories = list(self.memories[request.agent_id].values())
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        return pb.ListMemoriesResponse(
            memories=memories[start:end],
            next_page_token=str(end) if end < len(memories) else "",
            revision=self.revision(request.agent_id),
        )

    async def UpdateMemory(self, request: pb.UpdateMemoryRequest, context: Context) -> pb.UpdateMemoryResponse:
        await self.desk.enter("UpdateMemory", request, context)
        self.counters[request.agent_id] += 1
        memory = self.memories[request.agent_id][request.memory_id]
        request.update_mask.MergeMessage(request.memory, memory, True, True)
        memory.version += 1
        return pb.UpdateMemoryResponse(memory=memory, revision=self.revision(request.agent_id))

    async def ForgetMemories(self, request: pb.ForgetMemoriesRequest, context: Context) -> pb.ForgetMemoriesResponse:
        await self.desk.enter("ForgetMemories", request, context)
        self.counters[request.agent_id] += not request.dry_run
        receipt = ForgetReceipt(memory_ids=request.memory_ids.ids)
        count = len(request.memory_ids.ids)
        revision = self.revision(request.agent_id)
        return pb.ForgetMemoriesResponse(forgotten=count, receipt=receipt, revision=revision)

    async def RestoreMemories(self, request: pb.RestoreMemoriesRequest, context: Context) -> pb.RestoreMemoriesResponse:
        await self.desk.enter("RestoreMemories", request, context)
        self.counters[request.agent_id] += 1
        count, revision = len(request.memory_ids.ids), self.revision(request.agent_id)
        return pb.RestoreMemoriesResponse(restored=count, revision=revision)

    async def ListMemoryRevisions(
        self, request: pb.ListMemoryRevisionsRequest, context: Context
    ) -> pb.ListMemoryRevisionsResponse:
        await self.desk.enter("ListMemoryRevisions", request, context)
        version = int(request.page_token or 3)
        memory = Memory(memory_id=request.memory_id, version=version)
        return pb.ListMemoryRevisionsResponse(
            revisions=[MemoryRevision(memory=memory)], next_page_token=str(version - 1) if version > 1 else ""
        )

    async def WatchMemories(
        self, request: pb.WatchMemoriesRequest, context: Context
    ) -> AsyncIterator[pb.WatchMemoriesResponse]:
        await self.desk.enter("WatchMemories", request, context)
        tokens = [change.resume_token for change in self.changes]
        start = tokens.index(request.resume_token) + 1 if request.resume_token else 0
        is_broken = bool(self.breaks)
        count = self.breaks.pop(0) if self.breaks else len(self.changes)
        for change in self.changes[start : start + count]:
            yield pb.WatchMemoriesResponse(change=change)
        if is_broken and not self.ends_watches:
            await abort(context, UNAVAILABLE)
        if not self.ends_watches:
            await self._until_cancelled()

    async def _until_cancelled(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.watch_closed.set()

    async def ExportMemories(
        self, request: pb.ExportMemoriesRequest, context: Context
    ) -> AsyncIterator[pb.ExportMemoriesResponse]:
        await self.desk.enter("ExportMemories", request, context)
        for memory in self.memories[request.agent_id].values():
            yield pb.ExportMemoriesResponse(memories=[memory])
