"""The audit trail of a tenant: listed, followed and checked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Unpack

from grpc.aio import Channel

from camillo.v1.audit_pb2 import AuditChange, AuditEntry, AuditHead, AuditPolicy
from camillo.v1.audit_service_pb2 import (
    GetAuditPolicyRequest,
    ListAuditEntriesRequest,
    RecordAuditEntryRequest,
    RecordAuditEntryResponse,
    SetAuditPolicyRequest,
    VerifyAuditRequest,
    VerifyAuditResponse,
    WatchAuditRequest,
)
from camillo.v1.audit_service_pb2_grpc import AuditServiceStub
from camillo_client._async.caller import Caller, new_request_id
from camillo_client._async.calls import Calls
from camillo_client._async.resumed_streams import Patience, resumed_watch
from camillo_client.audit_fields import ActionFields, AuditConditions, audit_filter, new_action
from camillo_client.call_metadata import SHARED
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions


class AsyncAudit(Caller):
    """All but `record` are for keys of tenant administrators that reach every agent. `agent_id` and `timeout` apply to
    that call in place of the client's own. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._audit = AuditServiceStub(channel)

    async def record(
        self,
        action: str,
        message: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[ActionFields],
    ) -> RecordAuditEntryResponse:
        """Enters an action of the agent's runtime, such as `invoice.approved`. See ActionFields for the rest."""
        request = RecordAuditEntryRequest(agent_id=self._agent(agent_id), action=new_action(action, message, **fields))
        request.request_id = request_id or new_request_id()
        ticket = self._written.begin(SHARED)
        answer = await self._calls.unary(self._audit.RecordAuditEntry, request, timeout)
        self._written.wrote(ticket, answer.shared_revision, repeatable=bool(request_id))
        warn_of(answer.redactions)
        return answer

    async def list(
        self,
        *,
        page_size: int = 0,
        timeout: float | None = None,
        **conditions: Unpack[AuditConditions],
    ) -> AsyncGenerator[AuditEntry]:
        """Entries that pass all conditions, the last committed first; the timeout applies to each page."""
        request = ListAuditEntriesRequest(filter=audit_filter(**conditions), page_size=page_size)
        pages = self._calls.pages(lambda page: self._calls.unary(self._audit.ListAuditEntries, page, timeout), request)
        async for page in pages:
            for entry in page.entries:
                yield entry

    async def watch(
        self,
        *,
        resume_token: str = "",
        max_reconnects: int = 10,
        timeout: float | None = None,
        **conditions: Unpack[AuditConditions],
    ) -> AsyncGenerator[AuditChange]:
        """Entries that pass all conditions in the order of their commits, without end, from the oldest one or from
        behind a resume token, with checkpoints without an entry among them. Resumes when the server goes away; the
        timeout applies to each connection, none unless given."""
        request = WatchAuditRequest(filter=audit_filter(**conditions), resume_token=resume_token)
        patience = Patience(max_reconnects, timeout)
        async for answer in resumed_watch(self._calls, self._audit.WatchAudit, request, patience):
            yield answer.change

    async def policy(self, *, timeout: float | None = None) -> AuditPolicy:
        """How long the tenant keeps entries, and whether its reads are entered."""
        request = GetAuditPolicyRequest()
        return (await self._calls.unary(self._audit.GetAuditPolicy, request, timeout)).policy

    async def set_policy(
        self,
        *,
        retention_days: int = 0,
        audit_reads: bool = False,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> AuditPolicy:
        """Sets both: 0 days keep entries for ever."""
        policy = AuditPolicy(retention_days=retention_days, audit_reads=audit_reads)
        request = SetAuditPolicyRequest(policy=policy, request_id=request_id or new_request_id())
        return (await self._calls.unary(self._audit.SetAuditPolicy, request, timeout)).policy

    async def verify(
        self, known_heads: Iterable[AuditHead] = (), *, timeout: float | None = None
    ) -> AsyncGenerator[VerifyAuditResponse]:
        """Checks every chain of the tenant: what was found of each, by agent. `known_heads` are those that an earlier
        check has told. There is no timeout unless given."""
        request = VerifyAuditRequest(known_heads=known_heads)
        async for found in self._calls.stream(self._audit.VerifyAudit, request, timeout):
            yield found
