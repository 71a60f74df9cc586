"""Compactions as callers ask for them, and as the contract has them."""

from collections.abc import Sequence
from uuid import UUID

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service

from camillo_server.compaction.compaction import Compaction, CompactionState, Criteria
from camillo_server.rpc import fields, page_tokens
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.fields import distinct
from camillo_server.rpc.page_tokens import fitting
from camillo_server.rpc.validate import Checks


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
    """What is to be put together: what the criteria find, or proposals."""
    if request.WhichOneof("work") == "proposals":
        return [UUID(value) for value in dict.fromkeys(request.proposals.ids)]
    message = request.criteria
    return Criteria(
        tags=distinct(message.tags),
        tag_threshold=message.tag_threshold or None,
        skip_near_duplicates=message.skip_near_duplicates,
        skip_tags=message.skip_tags,
        likeness=message.likeness or None,
    )


def compaction_state(value: int) -> CompactionState | None:
    """The requested state; None is any."""
    return CompactionState(value) if value else None


def list_response(
    found: Sequence[Compaction], size: int, binding: bytes
) -> service.ListCompactionsResponse:
    """A page of what was found, or so much of its beginning as fits in a message; what was found is one more where
    another page follows."""
    messages = fitting(found[:size], compaction_message)
    token = ""
    if len(messages) < len(found):
        last = found[len(messages) - 1]
        token = page_tokens.moment_token(binding, last.created_at, last.compaction_id)
    return service.ListCompactionsResponse(compactions=messages, next_page_token=token)


def compaction_message(compaction: Compaction) -> pb.Compaction:
    """A compaction as the contract has it."""
    message = pb.Compaction(
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
    )
    fields.fill_timestamp(message.created_at, compaction.created_at)
    if compaction.committed_at is not None:
        fields.fill_timestamp(message.committed_at, compaction.committed_at)
    if compaction.reverted_at is not None:
        fields.fill_timestamp(message.reverted_at, compaction.reverted_at)
    return message
