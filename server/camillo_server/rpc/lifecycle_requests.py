"""What LifecycleService is asked for."""

from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1.memory_pb2 import ARCHIVED_FILTER_INCLUDE, ARCHIVED_FILTER_UNSPECIFIED

from camillo_server.domain.errors import ScopeForbidden
from camillo_server.domain.ids import MemoryId, TenantId
from camillo_server.domain.lifecycle.plan import MemorySelector, PlanRef
from camillo_server.domain.memory import Archived, MemoryKind
from camillo_server.domain.scope import Scope
from camillo_server.rpc import lifecycle_tokens
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.field_values import distinct, member, members, time_of
from camillo_server.rpc.validate import Checks


def check_plan(request: Any, path: str, checks: Checks) -> None:
    """A dry run makes a plan, and carries none out."""
    if request.dry_run and request.plan_token:
        checks.fail("plan_token", "must be empty with dry_run, which makes a new one")


for _planned in (service.RunMaintenanceRequest, service.PruneRequest, service.ArchiveRequest):
    rule(_planned)(check_plan)


def plan_of(request: Any, scope: Scope) -> tuple[bytes, PlanRef | None]:
    """What plans of this request are bound to, and the one it brings. Raises InvalidField."""
    binding = lifecycle_tokens.plan_binding(request, scope)
    return binding, lifecycle_tokens.read_plan_token(binding, request.plan_token)


@rule(service.LifecycleSelector)
def check_selector(message: service.LifecycleSelector, path: str, checks: Checks) -> None:
    """Nobody removes everything by leaving something out."""
    if not (
        message.memory_ids
        or message.HasField("unused_since")
        or message.HasField("created_before")
        or message.tags_any
        or message.tags_all
        or any(message.kinds)
        or message.HasField("max_access_count")
        or message.HasField("importance_below")
        or message.archived not in (ARCHIVED_FILTER_UNSPECIFIED, ARCHIVED_FILTER_INCLUDE)
    ):
        checks.fail(path.removesuffix("."), "must hold at least one condition")


def selector_of(message: service.LifecycleSelector) -> MemorySelector:
    """Which memories are meant."""
    return MemorySelector(
        memory_ids=tuple(MemoryId(UUID(value)) for value in dict.fromkeys(message.memory_ids)),
        unused_since=time_of(message, "unused_since"),
        created_before=time_of(message, "created_before"),
        tags_any=distinct(message.tags_any),
        tags_all=distinct(message.tags_all),
        kinds=members(message.kinds, MemoryKind),
        max_access_count=message.max_access_count if message.HasField("max_access_count") else None,
        importance_below=message.importance_below if message.HasField("importance_below") else None,
        archived=member(message.archived, Archived.INCLUDE),
    )


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


def scope_or_tenant(request: Any, call: Call) -> tuple[TenantId, Scope | None]:
    """The tenant, and of it the one scope that is asked for; None for all. Raises ScopeForbidden."""
    if not request.all_scopes:
        return call.scope.tenant_id, call.scope
    if call.principal.agent_id is not None:
        raise ScopeForbidden("all_scopes needs a credential that reaches any agent")
    return call.principal.tenant_id, None


@rule(service.LiftValueBlocksRequest)
def check_blocks(request: service.LiftValueBlocksRequest, path: str, checks: Checks) -> None:
    """Which blocks are lifted has to be said."""
    if request.WhichOneof("blocks") is None:
        checks.fail("blocks", "must be a content or a receipt_id")


def lifted_of(request: service.LiftValueBlocksRequest) -> str | UUID:
    """The text whose block is lifted, or the receipt."""
    if request.WhichOneof("blocks") == "receipt_id":
        return UUID(request.receipt_id)
    return request.content
