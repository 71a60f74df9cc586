"""The methods of LifecycleService that compact."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service

from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import tags_of
from camillo_server.doors.rpc.page_tokens import list_binding, page_of
from camillo_server.doors.rpc.tokens import page_token, read_page_token
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.compaction.compaction import Compaction, CompactionState, Criteria
from camillo_server.features.compaction.compactions import Compactions
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import attributed


class CompactionServicer:
    """Compact, RevertCompaction and ListCompactions."""

    def __init__(self, compactions: Compactions, calls: CallReader) -> None:
        self._compactions = compactions
        self._calls = calls

    async def Compact(self, request: service.CompactRequest, context: Any) -> service.CompactResponse:
        call = await self._calls.read(request)
        done = await self._compactions.compact(
            call.scope,
            compaction_work(request),
            attributed(call.principal),
            call.request_key,
            dry_run=request.dry_run,
        )
        return service.CompactResponse(
            compactions=map(compaction_message, done.compactions),
            more=done.has_more,
            revision=call.revision(done.revision),
        )

    async def RevertCompaction(
        self, request: service.RevertCompactionRequest, context: Any
    ) -> service.RevertCompactionResponse:
        call = await self._calls.read(request)
        compaction_id = UUID(request.compaction_id)
        done = await self._compactions.revert(call.scope, compaction_id, call.request_key)
        return service.RevertCompactionResponse(
            compaction=compaction_message(done.compaction),
            restored=done.restored,
            revision=call.revision(done.revision),
        )

    async def ListCompactions(
        self, request: service.ListCompactionsRequest, context: Any
    ) -> service.ListCompactionsResponse:
        call = await self._calls.read(request)
        state = CompactionState(request.state) if request.state else None
        size = stated_or_default(request, "page_size")
        binding = list_binding(request, call.scope)
        after = read_page_token(binding, request.page_token)
        found = await self._compactions.list(call.scope, state, after, size + 1)

        def token_of(last: Compaction) -> str:
            return page_token(binding, PageCursor(last.created_at, last.compaction_id))

        messages, token = page_of(found, size, compaction_message, token_of)
        return service.ListCompactionsResponse(compactions=messages, next_page_token=token)


@rule(service.CompactRequest)
def check_work(request: service.CompactRequest, path: str, checks: Checks) -> None:
    """There is something to do, and a dry run commits nothing."""
    work = request.WhichOneof("work")
    if work is None:
        checks.fail("work", "must be criteria or proposals")
    elif work == "proposals" and request.dry_run:
        checks.fail("dry_run", "must not be set with proposals: they are of a dry run")


@rule(service.CompactionCriteria)
def check_criteria(message: service.CompactionCriteria, path: str, checks: Checks) -> None:
    """Something is left to look for."""
    if message.skip_near_duplicates and message.skip_tags:
        checks.fail(path.removesuffix("."), "leaves nothing to put together")


def compaction_work(request: service.CompactRequest) -> Criteria | Sequence[UUID]:
    """The memories to compact: those that the criteria find, or proposals."""
    if request.WhichOneof("work") == "proposals":
        return [UUID(value) for value in dict.fromkeys(request.proposals.ids)]
    message = request.criteria
    return Criteria(
        tags=tags_of(message.tags),
        tag_threshold=message.tag_threshold or None,
        skip_near_duplicates=message.skip_near_duplicates,
        skip_tags=message.skip_tags,
        likeness=message.likeness or None,
    )


def compaction_message(compaction: Compaction) -> pb.Compaction:
    """A compaction as the contract has it."""
    return pb.Compaction(
        compaction_id=str(compaction.compaction_id),
        state=int(compaction.state),  # type: ignore[arg-type]
        reason=int(compaction.reason),  # type: ignore[arg-type]
        tag=compaction.tag,
        source_ids=map(str, compaction.source_ids),
        content=compaction.content,
        memory_id=str(compaction.memory_id or ""),
        refusal=int(compaction.refusal or 0),  # type: ignore[arg-type]
        lost=compaction.lost,
        summary_model_id=compaction.summary_model_id,
        created_at=compaction.created_at,
        committed_at=compaction.committed_at,
        reverted_at=compaction.reverted_at,
    )
