"""Passes, usage, jobs and reembeddings as messages of the contract, and the tokens of plans and lists."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1.memory_pb2 import ARCHIVED_FILTER_INCLUDE

from camillo_server.across.lifecycle.maintenance import Models, ScopeUsage
from camillo_server.across.lifecycle.plan import MemorySelector, PassDone, PlannedItem
from camillo_server.across.lifecycle.store.reembedding import Embedded
from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.fields import member, members, tags_of, time_of
from camillo_server.doors.rpc.page_tokens import check_plan, plan_token
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.errors import (
    InvalidPageToken,
    ScopeForbidden,
)
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.writes import PlanRef
from camillo_server.rows.filter_messages import has_condition
from camillo_server.rows.row_filter import Archived
from camillo_server.storage.jobs.board import Job, JobId, JobState


def pass_message(done: PassDone, binding: bytes, *, dry_run: bool) -> pb.LifecyclePass:
    """A pass as the contract has it; of a dry run with the token that carries it out."""
    plan = PlanRef(done.at, done.digest)
    return pb.LifecyclePass(
        receipt_id=str(done.receipt_id or ""),
        plan_token=plan_token(binding, plan) if dry_run else "",
        items=map(_item, done.items),
        counts=[
            pb.LifecycleCount(action=int(action), reason=int(reason), memories=memories)  # type: ignore[arg-type]
            for (action, reason), memories in done.counts.items()
        ],
        stores=fields.store_messages(done.stores),
        at=done.at,
    )


def _item(item: PlannedItem) -> pb.LifecycleItem:
    return pb.LifecycleItem(
        memory_id=str(item.memory_id),
        action=int(item.action),  # type: ignore[arg-type]
        reason=int(item.reason),  # type: ignore[arg-type]
        decayed_importance=item.decayed_importance,
        kind=int(item.kind),  # type: ignore[arg-type]
        last_used_at=item.last_used_at,
    )


for _planned in (service.RunMaintenanceRequest, service.PruneRequest, service.ArchiveRequest):
    rule(_planned)(check_plan)


@rule(service.LifecycleSelector)
def check_selector(message: service.LifecycleSelector, path: str, checks: Checks) -> None:
    """Nobody removes everything by leaving something out."""
    if not has_condition(message, ARCHIVED_FILTER_INCLUDE):
        checks.fail(path.removesuffix("."), "must hold at least one condition")


def selector_of(message: service.LifecycleSelector) -> MemorySelector:
    return MemorySelector(
        memory_ids=tuple(MemoryId(UUID(value)) for value in dict.fromkeys(message.memory_ids)),
        unused_since=time_of(message, "unused_since"),
        created_before=time_of(message, "created_before"),
        tags_any=tags_of(message.tags_any),
        tags_all=tags_of(message.tags_all),
        kinds=members(message.kinds, MemoryKind),
        max_access_count=message.max_access_count if message.HasField("max_access_count") else None,
        importance_below=message.importance_below if message.HasField("importance_below") else None,
        archived=member(message.archived, Archived.INCLUDE),
    )


def undated(request: Any) -> Any:
    """The request without the moments of its selector: "90 days ago" is another one in each request, and the digest of
    the list shows whether that matters."""
    query = type(request)()
    query.CopyFrom(request)
    for field in ("unused_since", "created_before"):
        query.selector.ClearField(field)
    return query


def check_all_scopes(request: Any, path: str, checks: Checks) -> None:
    """All scopes are not one."""
    if request.all_scopes and request.agent_id:
        checks.fail("agent_id", "must be empty with all_scopes")


for _of_scopes in (
    service.GetUsageRequest,
    service.StartReembeddingRequest,
    service.GetReembeddingRequest,
):
    rule(_of_scopes)(check_all_scopes)


def tenant_and_agent(request: Any, call: Call) -> tuple[TenantId, AgentId | None]:
    """The tenant, and the agent whose scope is requested; None for all scopes. Raises ScopeForbidden."""
    if not request.all_scopes:
        return call.scope.tenant_id, call.scope.agent_id
    if call.principal.agent_id is not None:
        raise ScopeForbidden("all_scopes needs a credential that reaches any agent")
    return call.principal.tenant_id, None


def usage_response(found: Sequence[ScopeUsage], size: int, binding: bytes) -> service.GetUsageResponse:
    """A page of what was found, which is one more where another page follows."""
    token = agent_token(binding, found[size - 1].contents.agent_id) if len(found) > size else ""
    return service.GetUsageResponse(scopes=map(usage_message, found[:size]), next_page_token=token)


def usage_message(usage: ScopeUsage) -> pb.ScopeUsage:
    memories, index = usage.contents.memories, usage.index
    return pb.ScopeUsage(
        agent_id=usage.contents.agent_id,
        stores=[pb.StoreUsage(store=each.store, rows=each.rows, bytes=each.bytes) for each in usage.contents.stores],
        active_memories=memories.active,
        archived_memories=memories.archived,
        expired_memories=memories.expired,
        pinned_memories=memories.pinned,
        memory_quota=usage.memory_quota,
        oldest_at=memories.oldest_at,
        newest_at=memories.newest_at,
        is_in_memory=index is not None,
        memory_bytes=index.nbytes if index else 0,
    )


def agent_token(binding: bytes, agent_id: AgentId) -> str:
    """The position behind a scope. The shared one has no name: the text begins with a character of its own."""
    return tokens.text_page_token(binding, f"={agent_id}")


def read_agent_token(binding: bytes, token: str) -> AgentId | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    if not text.startswith("="):
        raise InvalidPageToken("is not a page token of this service")
    return AgentId(text[1:])


def jobs_binding(tenant_id: TenantId, state: JobState | None) -> bytes:
    """All that the token of a list of jobs depends on."""
    return tokens.query_binding("ListJobs", tenant_id, bytes([state or 0]))


def read_job_token(binding: bytes, token: str) -> JobId | None:
    """The last job of the page before, from a client's token, None for an empty one. Raises InvalidPageToken."""
    number = tokens.read_number_page_token(binding, token)
    return None if number is None else JobId(number)


def jobs_response(found: Sequence[Job], size: int, binding: bytes) -> service.ListJobsResponse:
    """A page of what was found, which is one more where another page follows."""
    more = len(found) > size
    token = tokens.text_page_token(binding, str(found[size - 1].job_id)) if more else ""
    return service.ListJobsResponse(jobs=map(job_message, found[:size]), next_page_token=token)


def job_message(job: Job) -> pb.Job:
    return pb.Job(
        job_id=str(job.job_id),
        task=job.task,
        agent_id=job.agent_id,
        state=int(job.state),  # type: ignore[arg-type]
        attempts=job.attempts,
        is_stuck=job.is_stuck,
        due_at=job.due_at,
        changed_at=job.changed_at,
    )


def reembedding_message(progress: Embedded, models: Models) -> pb.Reembedding:
    return pb.Reembedding(
        agent_id=progress.agent_id,
        model_id=models.counted_id,
        serving_model_id=models.serving_id,
        embedded=progress.embedded,
        rows=progress.rows,
        is_complete=progress.is_complete,
        started_at=progress.started_at,
    )
