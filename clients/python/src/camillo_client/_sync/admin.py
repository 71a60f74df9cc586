# Generated from _async/admin.py by tools/generate_sync.py: do not edit.
"""Tenants, agents and keys."""

from __future__ import annotations

import datetime
from collections.abc import Generator, Mapping, Sequence
from typing import Literal

from grpc import Channel as GrpcChannel

from camillo.v1.admin_pb2 import Agent, ApiKey, HeldIndex, Quota, Role, Tenant
from camillo.v1.admin_service_pb2 import (
    CreateAgentRequest,
    CreateKeyRequest,
    CreateKeyResponse,
    CreateTenantRequest,
    DeleteAgentRequest,
    DeleteTenantRequest,
    GetQuotasRequest,
    ListAgentsRequest,
    ListIndexesRequest,
    ListKeysRequest,
    ListTenantsRequest,
    ProfileFormat,
    ProfileServerRequest,
    ProfileServerResponse,
    RevokeKeyRequest,
    SetQuotasRequest,
    WhoAmIRequest,
    WhoAmIResponse,
)
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo.v1.channel_pb2 import Channel
from camillo.v1.lifecycle_pb2 import Receipt
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client._sync.caller import new_request_id
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike
from camillo_client.convert import RoleName, SensitivityLevel, to_duration, to_enum
from camillo_client.named_arguments import NamesArguments

# Seconds that a profiling call may take beside those of the profile itself, to start and to end it.
PROFILE_MARGIN_SECONDS = 20.0


class Admin(NamesArguments):
    """`tenant_id` is for root keys; left empty, it is the caller's own."""

    def __init__(self, channel: GrpcChannel, calls: Calls) -> None:
        self._admin = AdminServiceStub(channel)
        self._calls = calls

    def who_am_i(self, *, timeout: float | None = None) -> WhoAmIResponse:
        """Who the caller is, and what it is talking to."""
        return self._calls.unary(self._admin.WhoAmI, WhoAmIRequest(), timeout)

    def create_tenant(
        self,
        tenant_id: str,
        *,
        display_name: str = "",
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Tenant:
        """Creates a tenant."""
        request = CreateTenantRequest(
            request_id=request_id or new_request_id(),
            tenant_id=tenant_id,
            display_name=display_name,
        )
        return (self._calls.unary(self._admin.CreateTenant, request, timeout)).tenant

    def quotas(self, *, tenant_id: str = "", timeout: float | None = None) -> Sequence[Quota]:
        """The quotas of a tenant: each with its limit and what is used of it."""
        request = GetQuotasRequest(tenant_id=tenant_id)
        return (self._calls.unary(self._admin.GetQuotas, request, timeout)).quotas

    def set_quotas(
        self,
        tenant_id: str,
        limits: Mapping[str, int],
        *,
        reset: Sequence[str] = (),
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Sequence[Quota]:
        """Gives a tenant bounds of its own, by name; those in `reset` are the server's again. Returns all bounds."""
        request = SetQuotasRequest(
            request_id=request_id or new_request_id(),
            tenant_id=tenant_id,
            limits=[Quota(name=name, limit=limit) for name, limit in limits.items()],
            reset=reset,
        )
        return (self._calls.unary(self._admin.SetQuotas, request, timeout)).quotas

    def list_tenants(self, *, page_size: int = 0, timeout: float | None = None) -> Generator[Tenant]:
        """All tenants, by id."""
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._admin.ListTenants, page, timeout),
            ListTenantsRequest(page_size=page_size),
        )
        for page in pages:
            for tenant in page.tenants:
                yield tenant

    def delete_tenant(
        self,
        tenant_id: str,
        *,
        confirm_tenant_id: str,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Removes a tenant with everything in it, for good; how many memories went with it."""
        request = DeleteTenantRequest(
            request_id=request_id or new_request_id(),
            tenant_id=tenant_id,
            confirm_tenant_id=confirm_tenant_id,
        )
        answer = self._calls.unary(self._admin.DeleteTenant, request, timeout)
        return answer.forgotten_memories

    def create_agent(
        self,
        agent_id: str,
        *,
        display_name: str = "",
        tenant_id: str = "",
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Agent:
        """Creates an agent. Not needed before its first write, which creates it too."""
        request = CreateAgentRequest(
            request_id=request_id or new_request_id(),
            tenant_id=tenant_id,
            agent_id=agent_id,
            display_name=display_name,
        )
        return (self._calls.unary(self._admin.CreateAgent, request, timeout)).agent

    def list_agents(self, *, tenant_id: str = "", page_size: int = 0, timeout: float | None = None) -> Generator[Agent]:
        """The agents of a tenant, by id."""
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._admin.ListAgents, page, timeout),
            ListAgentsRequest(tenant_id=tenant_id, page_size=page_size),
        )
        for page in pages:
            for agent in page.agents:
                yield agent

    def delete_agent(
        self,
        agent_id: str,
        *,
        confirm_agent_id: str,
        tenant_id: str = "",
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Removes an agent with all its records, for good; how many memories went with it."""
        request = DeleteAgentRequest(
            request_id=request_id or new_request_id(),
            tenant_id=tenant_id,
            agent_id=agent_id,
            confirm_agent_id=confirm_agent_id,
        )
        answer = self._calls.unary(self._admin.DeleteAgent, request, timeout)
        return answer.forgotten_memories

    def erase_agent(
        self,
        agent_id: str,
        *,
        confirm_agent_id: str,
        block_values: bool = False,
        dry_run: bool = False,
        tenant_id: str = "",
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Receipt:
        """Erases like `delete_agent`, and returns the receipt: the rows of every store. With `block_values` nobody may
        state again what the agent stated."""
        request = DeleteAgentRequest(
            request_id="" if dry_run else request_id or new_request_id(),
            tenant_id=tenant_id,
            agent_id=agent_id,
            confirm_agent_id=confirm_agent_id,
            block_values=block_values,
            dry_run=dry_run,
        )
        answer = self._calls.unary(self._admin.DeleteAgent, request, timeout)
        return answer.receipt

    def create_key(
        self,
        role: RoleName | Role,
        *,
        agent_id: str | None = None,
        any_agent: bool = False,
        description: str = "",
        lifetime: datetime.timedelta | None = None,
        channel: ChannelLike | None = None,
        max_sensitivity: SensitivityLevel | Sensitivity | None = None,
        actors: Sequence[str] = (),
        document_categories: Sequence[str] = (),
        spaces: Sequence[str] = (),
        tenant_id: str = "",
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> CreateKeyResponse:
        """Creates a key for one agent or for any, and shows its secret this one time. `channel` and `max_sensitivity`
        bound what it reads, and `document_categories` which documents: without any, those that your own key reads;
        `actors`, such as "human:ada" and "tool:*", for whom it speaks; `spaces`, such as "users/42:write" and
        "teams/eu/*:read", which spaces it reaches beside its agent's own.

        An empty secret says that a first attempt succeeded and its answer was lost: revoke the key, create another.
        """
        if (agent_id is None) != any_agent:
            raise ValueError("a key is either for one agent_id or for any_agent")
        request = CreateKeyRequest(
            request_id=request_id or new_request_id(),
            tenant_id=tenant_id,
            agent_id=agent_id,
            any_agent=any_agent or None,
            role=to_enum(Role, role),
            description=description,
            lifetime=None if lifetime is None else to_duration(lifetime),
            channel=None if channel is None else to_enum(Channel, channel),
            max_sensitivity=None if max_sensitivity is None else to_enum(Sensitivity, max_sensitivity),
            actors=actors,
            document_categories=document_categories,
            spaces=spaces,
        )
        return self._calls.unary(self._admin.CreateKey, request, timeout)

    def list_keys(self, *, tenant_id: str = "", page_size: int = 0, timeout: float | None = None) -> Generator[ApiKey]:
        """The keys of a tenant, newest first."""
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._admin.ListKeys, page, timeout),
            ListKeysRequest(tenant_id=tenant_id, page_size=page_size),
        )
        for page in pages:
            for key in page.keys:
                yield key

    def revoke_key(
        self,
        key_id: str,
        *,
        with_created_keys: bool = False,
        tenant_id: str = "",
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ApiKey:
        """Revokes a key, with `with_created_keys` also those that it created, and those that they created: refused at
        once by the server asked, within seconds by every other."""
        request = RevokeKeyRequest(
            request_id=request_id or new_request_id(),
            tenant_id=tenant_id,
            key_id=key_id,
            with_created_keys=with_created_keys,
        )
        return (self._calls.unary(self._admin.RevokeKey, request, timeout)).key

    def list_indexes(
        self,
        *,
        tenant_id: str = "",
        compare: bool = False,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> Generator[HeldIndex]:
        """Indexes that the answering process holds in memory, by agent; with `compare`, compared with Postgres."""
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._admin.ListIndexes, page, timeout),
            ListIndexesRequest(tenant_id=tenant_id, compare=compare, page_size=page_size),
        )
        for page in pages:
            for index in page.indexes:
                yield index

    def profile_server(
        self,
        *,
        seconds: int = 10,
        samples_per_second: int = 100,
        format: Literal["flamegraph", "raw", "speedscope"] = "flamegraph",
        timeout: float | None = None,
    ) -> ProfileServerResponse:
        """Samples with py-spy where the answering process spends processor time; needs the role root. The profile is an
        SVG, text or JSON, in UTF-8. Without a `timeout` the call may take 20 seconds longer than the profile."""
        request = ProfileServerRequest(
            seconds=seconds,
            samples_per_second=samples_per_second,
            format=to_enum(ProfileFormat, format),
        )
        longest = seconds + PROFILE_MARGIN_SECONDS if timeout is None else timeout
        return self._calls.unary(self._admin.ProfileServer, request, longest)
