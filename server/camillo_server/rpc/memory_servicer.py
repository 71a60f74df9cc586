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
from camillo_server.domain.scope import Scope
from camillo_server.domain.update_memory import UpdateMemory
from camillo_server.domain.watch_memories import WatchEvent, WatchMemories, WatchPosition
from camillo_server.rpc import convert, limits, tokens
from camillo_server.rpc.caller import names, request_key, scope_of
from camillo_server.rpc.context_reading import read_request
from camillo_server.rpc.errors import to_status
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
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks, OwnModel


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

    def __init__(self, do: MemoryUseCases, revisions: RevisionTokens, own_model: OwnModel) -> None:
        self._do = do
        self._revisions = revisions
        self._own_model = own_model

    async def Remember(
        self, request: service.RememberRequest, context: Any
    ) -> service.RememberResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        draft = convert.memory_draft(request.memory, checks, "memory")
        checks.done()
        done = await self._do.remember(scope, draft, key)
        return service.RememberResponse(
            memory=convert.memory_message(done.memory),
            revision=self._revisions.revision(scope, done.revision),
            redactions=convert.redaction_messages(done.redactions),
        )

    async def BatchRemember(
        self, request: service.BatchRememberRequest, context: Any
    ) -> service.BatchRememberResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        if not 1 <= len(request.memories) <= limits.BATCH_REMEMBER:
            checks.fail("memories", f"must have 1 to {limits.BATCH_REMEMBER} values")
        checks.done()
        drafts, refused = await read_request(request, partial(drafts_of, own_model=self._own_model))
        done = await self._do.batch_remember(scope, drafts, key)
        stored = iter(done.results)
        outcomes = [refused.get(i) or next(stored) for i in range(len(request.memories))]
        return service.BatchRememberResponse(
            results=[batch_result(outcome) for outcome in outcomes],
            revision=self._revisions.revision(scope, done.revision),
        )

    async def ImportMemories(
        self, request_iterator: AsyncIterator[service.ImportMemoriesRequest], context: Any
    ) -> service.ImportMemoriesResponse:
        stream = ImportStream(self._do.import_memories, self._own_model)
        return await stream.run(request_iterator, self._revisions)

    async def Recall(self, request: service.RecallRequest, context: Any) -> service.RecallResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        query = recall_query(request, scope, self._revisions, checks)
        checks.done()
        answer = await self._do.recall(query)
        return recall_response(answer, scope, self._revisions)

    async def BatchRecall(
        self, request: service.BatchRecallRequest, context: Any
    ) -> service.BatchRecallResponse:
        checks = Checks(self._own_model)
        if not 1 <= len(request.requests) <= limits.BATCH_RECALL:
            checks.fail("requests", f"must have 1 to {limits.BATCH_RECALL} values")
        checks.done()
        # Together, so that their texts are embedded together.
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._recalled(one, context)) for one in request.requests]
        return service.BatchRecallResponse(results=[task.result() for task in tasks])

    async def GetMemory(
        self, request: service.GetMemoryRequest, context: Any
    ) -> service.GetMemoryResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        memory_id = convert.memory_id(request.memory_id, checks, "memory_id")
        checks.done()
        freshness = demanded_freshness(request.freshness, scope, self._revisions)
        memory, vector, revision = await self._do.get(
            scope, memory_id, freshness, with_vector=request.include_vector
        )
        return service.GetMemoryResponse(
            memory=convert.memory_message(memory, vector),
            revision=self._revisions.revision(scope, revision),
        )

    async def ListMemories(
        self, request: service.ListMemoriesRequest, context: Any
    ) -> service.ListMemoriesResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        wanted = convert.memory_filter(request.filter, checks, "filter")
        size = checks.size(
            "page_size", request.page_size, limits.PAGE_SIZE, limits.PAGE_SIZE_DEFAULT
        )
        checks.done()
        filter_bytes = request.filter.SerializeToString(deterministic=True)
        binding = tokens.query_binding("ListMemories", *names(scope), filter_bytes)
        after = tokens.read_page_token(binding, request.page_token)
        freshness = demanded_freshness(request.freshness, scope, self._revisions)
        page = await self._do.list(scope, wanted, after, size, freshness)
        return service.ListMemoriesResponse(
            memories=[convert.memory_message(memory) for memory in page.memories],
            next_page_token=tokens.page_token(binding, page.next_cursor)
            if page.next_cursor
            else "",
            revision=self._revisions.revision(scope, page.revision),
        )

    async def UpdateMemory(
        self, request: service.UpdateMemoryRequest, context: Any
    ) -> service.UpdateMemoryResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        update = memory_update(request, checks)
        checks.done()
        done = await self._do.update(scope, update, key)
        return service.UpdateMemoryResponse(
            memory=convert.memory_message(done.memory),
            revision=self._revisions.revision(scope, done.revision),
            redactions=convert.redaction_messages(done.redactions),
        )

    async def ForgetMemories(
        self, request: service.ForgetMemoriesRequest, context: Any
    ) -> service.ForgetMemoriesResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        what = forgetting_of(request, checks)
        checks.done()
        done = await self._do.forget(scope, what, key, dry_run=request.dry_run)
        return service.ForgetMemoriesResponse(
            forgotten=done.memories,
            receipt=receipt_message(done),
            revision=self._revisions.revision(scope, done.revision),
        )

    async def RestoreMemories(
        self, request: service.RestoreMemoriesRequest, context: Any
    ) -> service.RestoreMemoriesResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        memory_ids = memory_ids_of(request.memory_ids, checks)
        checks.done()
        restored, revision = await self._do.restore(scope, memory_ids, key)
        return service.RestoreMemoriesResponse(
            restored=restored, revision=self._revisions.revision(scope, revision)
        )

    async def ListMemoryRevisions(
        self, request: service.ListMemoryRevisionsRequest, context: Any
    ) -> service.ListMemoryRevisionsResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        memory_id = convert.memory_id(request.memory_id, checks, "memory_id")
        size = checks.size(
            "page_size", request.page_size, limits.PAGE_SIZE, limits.PAGE_SIZE_DEFAULT
        )
        checks.done()
        binding = tokens.query_binding("ListMemoryRevisions", *names(scope), memory_id.bytes)
        below = tokens.read_number_page_token(binding, request.page_token)
        versions, next_below = await self._do.list_revisions(scope, memory_id, below, size)
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
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        start = self._watch_start(request, scope, checks)
        checks.done()
        async for event in self._do.watch(scope, start):
            yield self._watch_response(scope, event)

    async def ExportMemories(
        self, request: service.ExportMemoriesRequest, context: Any
    ) -> AsyncIterator[service.ExportMemoriesResponse]:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        wanted = convert.memory_filter(request.filter, checks, "filter")
        checks.done()
        batches = self._do.export(scope, wanted, with_vectors=request.include_vectors)
        async for rows, revision in batches:
            yield service.ExportMemoriesResponse(
                memories=[convert.memory_message(row.memory, row.vector) for row in rows],
                revision=self._revisions.revision(scope, revision),
            )

    async def _recalled(
        self, request: service.RecallRequest, context: Any
    ) -> service.BatchRecallResult:
        try:
            return service.BatchRecallResult(response=await self.Recall(request, context))
        except DomainError as error:
            return service.BatchRecallResult(error=to_status(error))

    def _watch_start(
        self, request: service.WatchMemoriesRequest, scope: Scope, checks: Checks
    ) -> WatchPosition:
        match request.WhichOneof("start"):
            case "resume_token":
                return self._revisions.read_resume_token(scope, request.resume_token)
            case "after_revision":
                token = request.after_revision.token
                number = self._revisions.read_revision(scope, token, "after_revision.token")
                return WatchPosition(number)
            case "from_beginning":
                return WatchPosition(0)
        checks.fail("start", "must say where to begin")
        return WatchPosition(0)

    def _watch_response(self, scope: Scope, event: WatchEvent) -> service.WatchMemoriesResponse:
        change = pb.MemoryChange(
            resume_token=self._revisions.resume_token(scope, event.position),
            revision=self._revisions.revision(scope, event.position.revision),
        )
        if event.change is None:
            change.checkpoint.SetInParent()
        elif event.change.memory is None:
            change.forgotten_memory_id = str(event.change.memory_id)
        else:
            change.changed.CopyFrom(convert.memory_message(event.change.memory))
        return service.WatchMemoriesResponse(change=change)
