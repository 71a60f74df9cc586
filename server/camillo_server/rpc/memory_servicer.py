"""MemoryService: converts, calls the use case, converts back."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import memory_service_pb2_grpc as stubs

from camillo_server.domain.batch_remember import BatchRemember
from camillo_server.domain.errors import DomainError
from camillo_server.domain.export_memories import ExportMemories
from camillo_server.domain.forget_memories import ForgetMemories
from camillo_server.domain.get_memory import GetMemory
from camillo_server.domain.import_memories import ImportMemories
from camillo_server.domain.list_memories import ListMemories
from camillo_server.domain.list_memory_revisions import ListMemoryRevisions
from camillo_server.domain.recall import Recall
from camillo_server.domain.remember import Remember
from camillo_server.domain.restore_memories import RestoreMemories
from camillo_server.domain.update_memory import UpdateMemory
from camillo_server.domain.watch_memories import WatchEvent, WatchMemories, WatchPosition
from camillo_server.rpc import convert, tokens
from camillo_server.rpc.call import Call, CallReader
from camillo_server.rpc.caller import names
from camillo_server.rpc.context_reading import read_request
from camillo_server.rpc.errors import to_status
from camillo_server.rpc.field_limits import rule, stated_or_default
from camillo_server.rpc.memory_import import ImportStream
from camillo_server.rpc.memory_requests import (
    batch_result,
    drafts_of,
    forgetting_of,
    memory_ids_of,
    receipt_message,
)
from camillo_server.rpc.memory_update import memory_update
from camillo_server.rpc.recall_convert import demanded_freshness, recall_query, recall_response
from camillo_server.rpc.validate import Checks


@dataclass(frozen=True, slots=True)
class MemoryUseCases:
    """What MemoryService can do."""

    remember: Remember
    batch_remember: BatchRemember
    import_memories: ImportMemories
    recall: Recall
    get: GetMemory
    list: ListMemories
    update: UpdateMemory
    forget: ForgetMemories
    restore: RestoreMemories
    list_revisions: ListMemoryRevisions
    watch: WatchMemories
    export: ExportMemories


class MemoryServicer(stubs.MemoryServiceServicer):
    """The service of proto/camillo/v1/memory_service.proto."""

    def __init__(self, do: MemoryUseCases, calls: CallReader) -> None:
        self._do = do
        self._calls = calls

    async def Remember(
        self, request: service.RememberRequest, context: Any
    ) -> service.RememberResponse:
        call = await self._calls.read(request)
        draft = convert.memory_draft(request.memory)
        done = await self._do.remember(call.scope, draft, call.request_key)
        return service.RememberResponse(
            memory=convert.memory_message(done.memory),
            revision=call.revision(done.revision),
            redactions=convert.redaction_messages(done.redactions),
        )

    async def BatchRemember(
        self, request: service.BatchRememberRequest, context: Any
    ) -> service.BatchRememberResponse:
        call = await self._calls.read(request)
        own_model = self._calls.own_model
        drafts, refused = await read_request(request, partial(drafts_of, own_model=own_model))
        done = await self._do.batch_remember(call.scope, drafts, call.request_key)
        stored = iter(done.results)
        outcomes = [refused.get(i) or next(stored) for i in range(len(request.memories))]
        return service.BatchRememberResponse(
            results=[batch_result(outcome) for outcome in outcomes],
            revision=call.revision(done.revision),
        )

    async def ImportMemories(
        self, request_iterator: AsyncIterator[service.ImportMemoriesRequest], context: Any
    ) -> service.ImportMemoriesResponse:
        return await ImportStream(self._do.import_memories, self._calls).run(request_iterator)

    async def Recall(self, request: service.RecallRequest, context: Any) -> service.RecallResponse:
        call = await self._calls.read(request)
        answer = await self._do.recall(recall_query(request, call))
        return recall_response(answer, call)

    async def BatchRecall(
        self, request: service.BatchRecallRequest, context: Any
    ) -> service.BatchRecallResponse:
        await self._calls.read(request)
        # Together, so that their texts are embedded together.
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._recalled(one, context)) for one in request.requests]
        return service.BatchRecallResponse(results=[task.result() for task in tasks])

    async def GetMemory(
        self, request: service.GetMemoryRequest, context: Any
    ) -> service.GetMemoryResponse:
        call = await self._calls.read(request)
        memory_id = convert.memory_id(request.memory_id)
        freshness = demanded_freshness(request.freshness, call)
        memory, vector, revision = await self._do.get(
            call.scope, memory_id, freshness, with_vector=request.include_vector
        )
        return service.GetMemoryResponse(
            memory=convert.memory_message(memory, vector), revision=call.revision(revision)
        )

    async def ListMemories(
        self, request: service.ListMemoriesRequest, context: Any
    ) -> service.ListMemoriesResponse:
        call = await self._calls.read(request)
        filter_bytes = request.filter.SerializeToString(deterministic=True)
        binding = tokens.query_binding("ListMemories", *names(call.scope), filter_bytes)
        page = await self._do.list(
            call.scope,
            convert.memory_filter(request.filter),
            tokens.read_page_token(binding, request.page_token),
            stated_or_default(request, "page_size"),
            demanded_freshness(request.freshness, call),
        )
        return service.ListMemoriesResponse(
            memories=[convert.memory_message(memory) for memory in page.memories],
            next_page_token=tokens.page_token(binding, page.next_cursor)
            if page.next_cursor
            else "",
            revision=call.revision(page.revision),
        )

    async def UpdateMemory(
        self, request: service.UpdateMemoryRequest, context: Any
    ) -> service.UpdateMemoryResponse:
        call = await self._calls.read(request)
        done = await self._do.update(call.scope, memory_update(request), call.request_key)
        return service.UpdateMemoryResponse(
            memory=convert.memory_message(done.memory),
            revision=call.revision(done.revision),
            redactions=convert.redaction_messages(done.redactions),
        )

    async def ForgetMemories(
        self, request: service.ForgetMemoriesRequest, context: Any
    ) -> service.ForgetMemoriesResponse:
        call = await self._calls.read(request)
        what = forgetting_of(request)
        done = await self._do.forget(call.scope, what, call.request_key, dry_run=request.dry_run)
        return service.ForgetMemoriesResponse(
            forgotten=done.memories,
            receipt=receipt_message(done),
            revision=call.revision(done.revision),
        )

    async def RestoreMemories(
        self, request: service.RestoreMemoriesRequest, context: Any
    ) -> service.RestoreMemoriesResponse:
        call = await self._calls.read(request)
        memory_ids = memory_ids_of(request.memory_ids)
        restored, revision = await self._do.restore(call.scope, memory_ids, call.request_key)
        return service.RestoreMemoriesResponse(restored=restored, revision=call.revision(revision))

    async def ListMemoryRevisions(
        self, request: service.ListMemoryRevisionsRequest, context: Any
    ) -> service.ListMemoryRevisionsResponse:
        call = await self._calls.read(request)
        memory_id, size = (
            convert.memory_id(request.memory_id),
            stated_or_default(request, "page_size"),
        )
        binding = tokens.query_binding("ListMemoryRevisions", *names(call.scope), memory_id.bytes)
        below = tokens.read_number_page_token(binding, request.page_token)
        versions, next_below = await self._do.list_revisions(call.scope, memory_id, below, size)
        return service.ListMemoryRevisionsResponse(
            revisions=[
                pb.MemoryRevision(
                    memory=convert.memory_message(version.memory), replaced_at=version.replaced_at
                )
                for version in versions
            ],
            next_page_token=tokens.text_page_token(binding, str(next_below)) if next_below else "",
        )

    async def WatchMemories(
        self, request: service.WatchMemoriesRequest, context: Any
    ) -> AsyncIterator[service.WatchMemoriesResponse]:
        call = await self._calls.read(request)
        async for event in self._do.watch(call.scope, _watch_start(request, call)):
            yield _watch_response(event, call)

    async def ExportMemories(
        self, request: service.ExportMemoriesRequest, context: Any
    ) -> AsyncIterator[service.ExportMemoriesResponse]:
        call = await self._calls.read(request)
        wanted = convert.memory_filter(request.filter)
        batches = self._do.export(call.scope, wanted, with_vectors=request.include_vectors)
        async for rows, revision in batches:
            yield service.ExportMemoriesResponse(
                memories=[convert.memory_message(row.memory, row.vector) for row in rows],
                revision=call.revision(revision),
            )

    async def _recalled(
        self, request: service.RecallRequest, context: Any
    ) -> service.BatchRecallResult:
        try:
            return service.BatchRecallResult(response=await self.Recall(request, context))
        except DomainError as error:
            return service.BatchRecallResult(error=to_status(error))


@rule(service.WatchMemoriesRequest)
def check_start(request: service.WatchMemoriesRequest, path: str, checks: Checks) -> None:
    """Nobody is sent everything who forgot to say where to begin."""
    if request.WhichOneof("start") is None:
        checks.fail("start", "must say where to begin")


def _watch_start(request: service.WatchMemoriesRequest, call: Call) -> WatchPosition:
    """Raises InvalidField, InvalidPageToken, RevisionUnknown."""
    match request.WhichOneof("start"):
        case "resume_token":
            return call.revisions.read_resume_token(call.scope, request.resume_token)
        case "after_revision":
            token = request.after_revision.token
            number = call.revisions.read_revision(call.scope, token, "after_revision.token")
            return WatchPosition(number)
    return WatchPosition(0)


def _watch_response(event: WatchEvent, call: Call) -> service.WatchMemoriesResponse:
    change = pb.MemoryChange(
        resume_token=call.revisions.resume_token(call.scope, event.position),
        revision=call.revision(event.position.revision),
    )
    if event.change is None:
        change.checkpoint.SetInParent()
    elif event.change.memory is None:
        change.forgotten_memory_id = str(event.change.memory_id)
    else:
        change.changed.CopyFrom(convert.memory_message(event.change.memory))
    return service.WatchMemoriesResponse(change=change)
