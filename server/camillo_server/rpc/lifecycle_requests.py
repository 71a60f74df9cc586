"""What LifecycleService is asked for."""

from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_service_pb2 as service

from camillo_server.domain.errors import ScopeForbidden
from camillo_server.domain.ids import MemoryId, TenantId
from camillo_server.domain.lifecycle.plan import MemorySelector, PlanRef
from camillo_server.domain.memory import Archived, MemoryKind
from camillo_server.domain.scope import Scope
from camillo_server.rpc import context_fields as fields
from camillo_server.rpc import convert, lifecycle_tokens, limits
from camillo_server.rpc.caller import principal, scope_of
from camillo_server.rpc.validate import Checks


def plan_of(request: Any, scope: Scope, checks: Checks) -> tuple[bytes, PlanRef | None]:
    """What plans of this request are bound to, and the one it brings. Raises InvalidField."""
    if request.dry_run and request.plan_token:
        checks.fail("plan_token", "must be empty with dry_run, which makes a new one")
    checks.text("plan_token", request.plan_token, 0, limits.TOKEN_CHARACTERS)
    checks.done()
    binding = lifecycle_tokens.plan_binding(request, scope)
    return binding, lifecycle_tokens.read_plan_token(binding, request.plan_token)


def selector_of(message: service.LifecycleSelector, checks: Checks) -> MemorySelector:
    """Which memories are meant. Adds to the checks what is wrong with it."""
    path = "selector"
    archived = fields.value_known(
        message.archived, checks, f"{path}.archived", default=Archived.INCLUDE
    )
    selector = MemorySelector(
        memory_ids=_memory_ids(message, checks, f"{path}.memory_ids"),
        unused_since=convert.moment(message, "unused_since", checks, path),
        created_before=convert.moment(message, "created_before", checks, path),
        tags_any=fields.tags(message.tags_any, checks, f"{path}.tags_any"),
        tags_all=fields.tags(message.tags_all, checks, f"{path}.tags_all"),
        kinds=fields.values_known(message.kinds, checks, f"{path}.kinds", MemoryKind),
        max_access_count=_max_access_count(message, checks, f"{path}.max_access_count"),
        importance_below=_importance_below(message, checks, f"{path}.importance_below"),
        archived=archived,
    )
    if selector.is_empty:
        checks.fail(path, "must hold at least one condition")
    return selector


def tenant_of(request: Any, checks: Checks) -> TenantId:
    """The tenant all of whose scopes are asked for. Raises ScopeForbidden."""
    if request.agent_id:
        checks.fail("agent_id", "must be empty with all_scopes")
    caller = principal()
    if caller.agent_id is not None:
        raise ScopeForbidden("all_scopes needs a credential that reaches any agent")
    return caller.tenant_id


def scope_or_tenant(request: Any, checks: Checks) -> tuple[TenantId, Scope | None]:
    """The tenant, and of it the one scope that is asked for; None for all. Raises ScopeForbidden."""
    if request.all_scopes:
        return tenant_of(request, checks), None
    scope = scope_of(request, checks)
    return scope.tenant_id, scope


def lifted_of(request: service.LiftValueBlocksRequest, checks: Checks) -> str | UUID:
    """The text whose block is lifted, or the receipt."""
    match request.WhichOneof("blocks"):
        case "content":
            return convert.content(request.content, checks, "content")
        case "receipt_id":
            return checks.uuid("receipt_id", request.receipt_id)
    checks.fail("blocks", "must be a content or a receipt_id")
    return ""


def page_size(request: Any, checks: Checks) -> int:
    return checks.size("page_size", request.page_size, limits.PAGE_SIZE, limits.PAGE_SIZE_DEFAULT)


def _memory_ids(
    message: service.LifecycleSelector, checks: Checks, field: str
) -> tuple[MemoryId, ...]:
    found = fields.uuids(message.memory_ids, checks, field, (0, limits.FORGET_IDS))
    return tuple(map(MemoryId, found))


def _max_access_count(message: service.LifecycleSelector, checks: Checks, field: str) -> int | None:
    if not message.HasField("max_access_count"):
        return None
    return checks.whole(field, message.max_access_count, 0)


def _importance_below(
    message: service.LifecycleSelector, checks: Checks, field: str
) -> float | None:
    if not message.HasField("importance_below"):
        return None
    return checks.number(field, message.importance_below, 0, 1)
