"""MemoryService, but for its methods that search (search/servicer.py) and forget (across/forgetting/servicer.py)."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial
from typing import Any

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import supersession_pb2
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED, SpaceRevision

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call, CallReader, demanded_freshness, names, read_request, spaces_beside
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.page_tokens import fitting, page_of
from camillo_server.doors.rpc.validate import Checks
from camillo_server.doors.spool.spooling import Acceptance, Provisional, Spooling, spoolable
from camillo_server.features.memories.memories import Memories
from camillo_server.features.memories.messages import ImportStream, batch_result, drafts_of, memory_update, supersession
from camillo_server.features.memories.several_spaces import SpaceCursor
from camillo_server.features.memories.update_memory import SupersedeMemory, UpdateMemory
from camillo_server.features.memories.watch import WatchEvent
from camillo_server.kernel.ids import MemoryId, PageCursor, WatchPosition
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness
from camillo_server.rows.filter_messages import memory_filter
from camillo_server.rows.messages import checked_vector, memory_draft, memory_ids_of, memory_message, read_memory_id
from camillo_server.rows.row import MemoryVersion, Row, canonical_bytes


class MemoryServicer:
    """The methods of proto/camillo/v1/memory_service.proto that read and write memories."""

    def __init__(
        self,
        memories: Memories,
        update: UpdateMemory,
        supersede: SupersedeMemory,
        calls: CallReader,
        spooling: Spooling,
    ) -> None:
        self._memories = memories
        self._update = update
        self._supersede = supersede
        self._calls = calls
        self._id_of = spooling.id_of
        spooling.bind(self, calls)

    async def BatchRemember(self, request: service.BatchRememberRequest, context: Any) -> service.BatchRememberResponse:
        call = await self._calls.read(request)
        read = partial(drafts_of, own_model=self._calls.own_model, caller=call.principal)
        drafts, refused = await read_request(request, read)
        done = await self._memories.batch_remember(
            call.scope, drafts, call.request_key, omit_forgotten=request.omit_forgotten
        )
        stored = iter(done.results)
        outcomes = [refused.get(i) or next(stored) for i in range(len(request.memories))]
        return service.BatchRememberResponse(
            results=await off_loop(len(outcomes) * ROW, lambda: [*map(batch_result, outcomes)]),
            revision=call.revision(done.revision),
        )

    @spoolable()
    async def Remember(
        self, call: Call, request: service.RememberRequest, accepted: Acceptance
    ) -> service.RememberResponse:
        given = checked_vector(request.memory, "memory.", call.read, self._calls.own_model)
        draft = memory_draft(request.memory, call.principal, given)
        done = await self._memories.remember(
            call.scope,
            draft,
            call.request_key,
            omit_forgotten=request.omit_forgotten,
            now=accepted.at,
            new_id=MemoryId(accepted.spool_id),
        )
        return service.RememberResponse(
            memory=memory_message(done.memory),
            revision=call.revision(done.revision),
            redactions=await fields.redaction_messages_off_loop(done.redactions),
            omitted=fields.omitted_messages(done.omitted),
            durability=DURABILITY_COMMITTED,
        )

    @Remember.preview
    async def _preview_memory(
        self, call: Call, request: service.RememberRequest, accepted: Acceptance
    ) -> Provisional[service.RememberResponse]:
        request.memory.memory_id = request.memory.memory_id or str(accepted.spool_id)
        given = checked_vector(request.memory, "memory.", call.read, self._calls.own_model)
        draft = memory_draft(request.memory, call.principal, given)
        seen, row = await self._memories.preview(call.scope, draft, accepted.at)
        memory = memory_message(seen.memory)
        if (name := canonical_bytes(seen.memory)) is not None:
            memory.memory_id = str(self._id_of(call.scope, name, seen.memory.memory_id))
        response = service.RememberResponse(
            memory=memory,
            redactions=await fields.redaction_messages_off_loop(seen.redactions),
        )
        return Provisional(response, [row])

    async def ImportMemories(
        self, request_iterator: AsyncIterator[service.ImportMemoriesRequest], context: Any
    ) -> service.ImportMemoriesResponse:
        return await ImportStream(self._memories, self._calls).run(request_iterator)

    async def GetMemory(self, request: service.GetMemoryRequest, context: Any) -> service.GetMemoryResponse:
        call = await self._calls.read(request)
        memory_id = read_memory_id(request.memory_id)
        freshness = demanded_freshness(request.freshness, call)
        memory, vector, revision = await self._memories.get(
            call.scope, memory_id, freshness, with_vector=request.include_vector
        )
        return service.GetMemoryResponse(
            memory=memory_message(memory, vector),
            revision=call.revision(revision),
        )

    async def ListMemories(self, request: service.ListMemoriesRequest, context: Any) -> service.ListMemoriesResponse:
        call = await self._calls.read(request)
        filter_bytes = request.filter.SerializeToString(deterministic=True)
        if request.spaces and (beside := spaces_beside(request.spaces, call)):
            return await self._list_spaces(request, call, dict(beside), filter_bytes)
        binding = tokens.query_binding("ListMemories", *names(call.scope), filter_bytes)
        size = stated_or_default(request, "page_size")
        rows, revision = await self._memories.list(
            call.scope,
            memory_filter(request.filter),
            tokens.read_page_token(binding, request.page_token),
            size,
            demanded_freshness(request.freshness, call),
        )
        messages, token = page_of(rows, size, memory_message, partial(_token_behind, binding))
        return service.ListMemoriesResponse(memories=messages, next_page_token=token, revision=call.revision(revision))

    async def _list_spaces(
        self, request: service.ListMemoriesRequest, call: Call, beside: dict[Scope, Freshness], filter_bytes: bytes
    ) -> service.ListMemoriesResponse:
        """A page of several spaces. Its token is bound to the set of them, and to the one that is the caller's own."""
        spaces = {call.scope: demanded_freshness(request.freshness, call), **beside}
        ids = [scope.agent_id for scope in sorted(spaces)]
        binding = tokens.query_binding("ListMemories of spaces", *names(call.scope), filter_bytes, *ids)
        number, at = tokens.read_stage_token(binding, request.page_token, range(len(spaces)))
        after, size = SpaceCursor(number, at) if at else None, stated_or_default(request, "page_size")
        page = await self._memories.list_spaces(call.scope, spaces, memory_filter(request.filter), after, size)
        messages, token = page_of(
            page.rows,
            size,
            lambda numbered: memory_message(numbered[1]),
            lambda last: tokens.stage_token(binding, last[0], PageCursor(last[1].created_at, last[1].memory_id)),
        )
        revisions = {scope: call.revisions.revision(scope, number) for scope, number in page.revisions.items()}
        return service.ListMemoriesResponse(
            memories=messages,
            next_page_token=token,
            revision=revisions[call.scope],
            spaces=[SpaceRevision(space=scope.agent_id, revision=revisions[scope]) for scope in beside],
        )

    async def UpdateMemory(self, request: service.UpdateMemoryRequest, context: Any) -> service.UpdateMemoryResponse:
        call = await self._calls.read(request)
        done = await self._update(call.scope, memory_update(request, call.principal), call.request_key)
        return service.UpdateMemoryResponse(
            memory=memory_message(done.memory),
            revision=call.revision(done.revision),
            redactions=await fields.redaction_messages_off_loop(done.redactions),
            omitted=fields.omitted_messages(done.omitted),
        )

    async def SupersedeMemory(
        self, request: supersession_pb2.SupersedeMemoryRequest, context: Any
    ) -> supersession_pb2.SupersedeMemoryResponse:
        call = await self._calls.read(request)
        done = await self._supersede(call.scope, supersession(request), call.request_key)
        return supersession_pb2.SupersedeMemoryResponse(
            memory=memory_message(done.memory),
            superseded=memory_message(done.superseded),
            revision=call.revision(done.revision),
        )

    async def RestoreMemories(
        self, request: service.RestoreMemoriesRequest, context: Any
    ) -> service.RestoreMemoriesResponse:
        call = await self._calls.read(request)
        memory_ids = memory_ids_of(request.memory_ids)
        restored, revision = await self._memories.restore(call.scope, memory_ids, call.request_key)
        return service.RestoreMemoriesResponse(restored=restored, revision=call.revision(revision))

    async def ListMemoryRevisions(
        self, request: service.ListMemoryRevisionsRequest, context: Any
    ) -> service.ListMemoryRevisionsResponse:
        call = await self._calls.read(request)
        memory_id = read_memory_id(request.memory_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListMemoryRevisions", *names(call.scope), memory_id.bytes)
        below = tokens.read_number_page_token(binding, request.page_token)
        versions = await self._memories.list_versions(call.scope, memory_id, below, size)

        def token_behind(last: MemoryVersion) -> str:
            return tokens.text_page_token(binding, str(last.memory.version))

        messages, token = page_of(versions, size, _revision_message, token_behind)
        return service.ListMemoryRevisionsResponse(revisions=messages, next_page_token=token)

    async def WatchMemories(
        self, request: service.WatchMemoriesRequest, context: Any
    ) -> AsyncIterator[service.WatchMemoriesResponse]:
        call = await self._calls.read(request)
        positions = _watch_starts(request, call)
        events = self._memories.watch(call.scope, dict(positions))
        async with aclosing(events):
            async for event in events:
                positions[event.scope] = event.position
                yield _watch_response(event, positions, call)

    async def ExportMemories(
        self, request: service.ExportMemoriesRequest, context: Any
    ) -> AsyncIterator[service.ExportMemoriesResponse]:
        call = await self._calls.read(request)
        filter_bytes = request.filter.SerializeToString(deterministic=True)
        binding = tokens.query_binding("ExportMemories", *names(call.scope), filter_bytes)
        batches = self._memories.export(
            call.scope,
            memory_filter(request.filter),
            tokens.read_page_token(binding, request.page_token),
            with_vectors=request.include_vectors,
        )
        async with aclosing(batches):
            async for rows, revision in batches:
                sent = 0
                while sent < len(rows):
                    messages = fitting(rows[sent:], lambda row: memory_message(row.memory, row.vector))
                    sent += len(messages)
                    yield service.ExportMemoriesResponse(
                        memories=messages,
                        revision=call.revision(revision),
                        next_page_token=_token_behind(binding, rows[sent - 1].memory),
                    )


def _token_behind(binding: bytes, last: Row) -> str:
    """The token of the page behind a memory."""
    return tokens.page_token(binding, PageCursor(last.created_at, last.memory_id))


def _revision_message(version: MemoryVersion) -> pb.MemoryRevision:
    return pb.MemoryRevision(memory=memory_message(version.memory), replaced_at=version.replaced_at)


@rule(service.WatchMemoriesRequest)
def check_start(request: service.WatchMemoriesRequest, path: str, checks: Checks) -> None:
    """Refuses a request without a start: nobody is sent everything by leaving something out."""
    if request.WhichOneof("start") is None:
        checks.fail("start", "must say where to begin")


def _watch_starts(request: service.WatchMemoriesRequest, call: Call) -> dict[Scope, WatchPosition]:
    """The position behind which the watch of each space begins, the own one first. Raises ScopeForbidden, InvalidField,
    InvalidPageToken, RevisionUnknown."""
    # The revision of each, and the field that has it.
    scopes = {call.scope: (request.after_revision.token, "after_revision.token")}
    for number, each in enumerate(request.spaces):
        scope = call.principal.scope(each.space, is_reading=True)
        scopes.setdefault(scope, (each.revision.token, f"spaces[{number}].revision.token"))
    match request.WhichOneof("start"):
        case "resume_token":
            return call.revisions.read_resume_token([*scopes], request.resume_token)
        case "after_revision":
            read = call.revisions.read_revision
            return {scope: WatchPosition(read(scope, *stated)) for scope, stated in scopes.items()}
    return dict.fromkeys(scopes, WatchPosition(0))


def _watch_response(
    event: WatchEvent, positions: dict[Scope, WatchPosition], call: Call
) -> service.WatchMemoriesResponse:
    """The message of a change, whose token resumes the watch of all spaces."""
    change = pb.MemoryChange(
        resume_token=call.revisions.resume_token(positions),
        revision=call.revisions.revision(event.scope, event.position.revision),
        agent_id=event.scope.agent_id if len(positions) > 1 else "",
    )
    if event.change is None:
        change.checkpoint.SetInParent()
    elif event.change.memory is None:
        change.forgotten_memory_id = str(event.change.memory_id)
    else:
        change.changed.CopyFrom(memory_message(event.change.memory))
    return service.WatchMemoriesResponse(change=change)
