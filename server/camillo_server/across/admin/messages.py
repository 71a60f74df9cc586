"""Messages of AdminService into values, and back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as service

from camillo_server.across.admin.profiler import ProfileFormat
from camillo_server.across.admin.tenants import Agent, KeyDraft, Tenant
from camillo_server.doors.identity.key_cache import ApiKey
from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.channel import Channel, ReadLimit
from camillo_server.kernel.ids import AgentId, KeyId, PageCursor
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import ACTOR_TYPES, Principal, Role
from camillo_server.search.index.verification import IndexStatus
from camillo_server.settings.sections import MAX_WEIGHT, QuotaSettings
from camillo_server.storage.quotas import WEIGHT, QuotaUse

Row = TypeVar("Row")
# Unspecified is a flame graph.
PROFILE_FORMATS: Mapping[int, ProfileFormat] = {
    service.PROFILE_FORMAT_UNSPECIFIED: ProfileFormat.FLAMEGRAPH,
    service.PROFILE_FORMAT_FLAMEGRAPH: ProfileFormat.FLAMEGRAPH,
    service.PROFILE_FORMAT_RAW: ProfileFormat.RAW,
    service.PROFILE_FORMAT_SPEEDSCOPE: ProfileFormat.SPEEDSCOPE,
}


@rule(service.DeleteTenantRequest)
def check_tenant_confirmed(request: service.DeleteTenantRequest, path: str, checks: Checks) -> None:
    """A deletion cannot be undone: the request names its object twice."""
    if request.confirm_tenant_id != request.tenant_id:
        checks.fail("confirm_tenant_id", "must repeat tenant_id")


@rule(service.DeleteAgentRequest)
def check_agent_confirmed(request: service.DeleteAgentRequest, path: str, checks: Checks) -> None:
    """A deletion cannot be undone: the request names its object twice."""
    if request.confirm_agent_id != request.agent_id:
        checks.fail("confirm_agent_id", "must repeat agent_id")


@rule(service.CreateKeyRequest)
def check_reach(request: service.CreateKeyRequest, path: str, checks: Checks) -> None:
    """A key reaches every agent only by request, not because a field was left out."""
    if request.WhichOneof("reach") != "agent_id" and not request.any_agent:
        checks.fail("reach", "must name an agent or set any_agent")
    if request.any_agent and request.spaces:
        checks.fail("spaces", "must be empty for any agent: such a key reaches every space")


@rule(service.SetQuotasRequest)
def check_quotas(request: service.SetQuotasRequest, path: str, checks: Checks) -> None:
    """Refuses names that are none, and bounds that cannot be."""
    names = ", ".join(QuotaSettings.model_fields)
    for each in request.limits:
        if each.name not in QuotaSettings.model_fields:
            checks.fail("limits", f"must have names of quotas: {names}")
        elif each.limit < 0 or (each.name == WEIGHT and not 1 <= each.limit <= MAX_WEIGHT):
            checks.fail("limits", "must be 0 or more, for weight from 1 to 100")
    if any(name not in QuotaSettings.model_fields for name in request.reset):
        checks.fail("reset", f"must be names of quotas: {names}")


def key_draft(request: service.CreateKeyRequest, call: Call) -> KeyDraft:
    """Raises ScopeForbidden."""
    return KeyDraft(
        tenant_id=call.principal.tenant(request.tenant_id),
        agent_id=None if request.any_agent else AgentId(request.agent_id),
        role=Role(request.role),
        description=request.description,
        lifetime=timedelta(seconds=request.lifetime.seconds) if request.HasField("lifetime") else None,
        read_limit=_read_limit(request),
        actors=frozenset(request.actors) or None,
        document_categories=frozenset(request.document_categories) or None,
        spaces=frozenset(request.spaces),
    )


def _read_limit(request: service.CreateKeyRequest) -> ReadLimit | None:
    if not request.channel and not request.max_sensitivity:
        return None
    return ReadLimit(
        Channel(request.channel) if request.channel else None,
        Sensitivity(request.max_sensitivity) if request.max_sensitivity else None,
    )


@rule(service.CreateKeyRequest)
def check_actors(request: service.CreateKeyRequest, path: str, checks: Checks) -> None:
    """An actor that no event can have would bind the key to nobody."""
    for i, actor in enumerate(request.actors):
        kind, _, actor_id = actor.partition(":")
        if kind not in ACTOR_TYPES or not 1 <= len(actor_id) <= 128:
            checks.fail(f"actors[{i}]", "must be human:, agent:, tool: or system: and an id, or *")


def key_message(key: ApiKey) -> pb.ApiKey:
    limit = key.read_limit or ReadLimit()
    return pb.ApiKey(
        key_id=key.key_id,
        tenant_id=key.tenant_id,
        agent_id=key.agent_id or "",
        any_agent=key.agent_id is None,
        role=int(key.role),  # type: ignore[arg-type]
        description=key.description,
        created_at=key.created_at,
        expires_at=key.expires_at,
        revoked_at=key.revoked_at,
        created_by_key_id=key.created_by or "",
        channel=limit.channel or 0,  # type: ignore[arg-type]
        max_sensitivity=limit.max_sensitivity.name.lower() if limit.max_sensitivity else "",
        actors=sorted(key.actors or ()),
        document_categories=sorted(key.document_categories or ()),
        spaces=sorted(key.spaces),
    )


def caller_limits(caller: Principal) -> dict[str, Any]:
    """The limits of a credential, as WhoAmI tells them."""
    limit = caller.read_limit or ReadLimit()
    return {
        "channel": limit.channel or 0,
        "max_sensitivity": limit.max_sensitivity or 0,
        "actors": sorted(caller.actors or ()),
        "document_categories": sorted(caller.document_categories or ()),
        "spaces": sorted(caller.spaces),
    }


def tenant_message(tenant: Tenant) -> pb.Tenant:
    return pb.Tenant(
        tenant_id=tenant.tenant_id,
        display_name=tenant.display_name,
        created_at=tenant.created_at,
    )


def quota_message(use: QuotaUse) -> pb.Quota:
    return pb.Quota(name=use.name, used=use.used, limit=use.limit, is_own=use.is_own)


def agent_message(agent: Agent) -> pb.Agent:
    return pb.Agent(agent_id=agent.agent_id, display_name=agent.display_name, created_at=agent.created_at)


def _index_message(index: IndexStatus) -> pb.HeldIndex:
    return pb.HeldIndex(
        agent_id=index.scope.agent_id,
        memories=index.memories,
        bytes=index.nbytes,
        agreement=int(index.agreement),  # type: ignore[arg-type]
        difference=index.difference,
    )


def tenants_response(found: Sequence[Tenant], size: int, binding: bytes) -> service.ListTenantsResponse:
    """A page of the tenants found, which are one more than the page if another one follows."""
    return service.ListTenantsResponse(
        tenants=map(tenant_message, found[:size]),
        next_page_token=_next_token(found, size, binding, lambda tenant: tenant.tenant_id),
    )


def agents_response(found: Sequence[Agent], size: int, binding: bytes) -> service.ListAgentsResponse:
    """A page of the agents found, which are one more than the page if another one follows."""
    return service.ListAgentsResponse(
        agents=map(agent_message, found[:size]),
        next_page_token=_next_token(found, size, binding, lambda agent: agent.agent_id),
    )


def keys_response(found: Sequence[ApiKey], size: int, binding: bytes) -> service.ListKeysResponse:
    """A page of the keys found, which are one more than the page if another one follows."""
    token = ""
    if len(found) > size:
        last = found[size - 1]
        cursor = PageCursor(last.created_at, UUID(last.key_id))
        token = tokens.page_token(binding, cursor)
    return service.ListKeysResponse(keys=map(key_message, found[:size]), next_page_token=token)


def keys_start(binding: bytes, token: str) -> tuple[datetime, KeyId] | None:
    """The key after which a page begins. Raises InvalidPageToken."""
    cursor = tokens.read_page_token(binding, token)
    return (cursor.at, KeyId(str(cursor.row_id))) if cursor else None


def indexes_response(
    shown: Iterable[IndexStatus | None], found: Sequence[IndexStatus], size: int, binding: bytes
) -> service.ListIndexesResponse:
    """The indexes of a page that are still in memory, and where the next page begins."""
    # The id of the shared scope is empty: the text of a token begins with a character of its own.
    token = _next_token(found, size, binding, lambda index: f"={index.scope.agent_id}")
    return service.ListIndexesResponse(
        indexes=[_index_message(index) for index in shown if index], next_page_token=token
    )


def indexes_start(binding: bytes, token: str) -> AgentId | None:
    """The agent after which a page begins. Raises InvalidPageToken."""
    after = tokens.read_text_page_token(binding, token)
    return AgentId(after[1:]) if after else None


def _next_token(found: Sequence[Row], size: int, binding: bytes, text_of: Callable[[Row], str]) -> str:
    return tokens.text_page_token(binding, text_of(found[size - 1])) if len(found) > size else ""
