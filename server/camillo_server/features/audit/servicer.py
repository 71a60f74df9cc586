"""AuditService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from camillo.v1 import audit_service_pb2 as service
from camillo.v1 import audit_service_pb2_grpc as stubs
from camillo_formats.audit_chain import findings_message

from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import redaction_messages_off_loop
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.features.audit import messages as requests
from camillo_server.features.audit.actions import Actions
from camillo_server.features.audit.audit import Audit
from camillo_server.features.audit.entry import BEGINNING
from camillo_server.features.audit.policy import AuditPolicies
from camillo_server.kernel.scope import shared_scope


class AuditServicer(stubs.AuditServiceServicer):
    """The service of proto/camillo/v1/audit_service.proto. All but RecordAuditEntry are for credentials that reach
    every agent."""

    def __init__(self, audit: Audit, actions: Actions, policies: AuditPolicies, calls: CallReader) -> None:
        self._audit = audit
        self._policies = policies
        self._actions = actions
        self._calls = calls

    async def RecordAuditEntry(
        self, request: service.RecordAuditEntryRequest, context: Any
    ) -> service.RecordAuditEntryResponse:
        call = await self._calls.read(request)
        draft = requests.action_draft(request.action)
        action, revision, redactions = await self._actions.record(call.scope, draft, call.request_key)
        return service.RecordAuditEntryResponse(
            action_id=str(action.action_id),
            action=requests.action_message(action.stated, action.created_at),
            shared_revision=call.revisions.revision(shared_scope(call.scope), revision),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def ListAuditEntries(
        self, request: service.ListAuditEntriesRequest, context: Any
    ) -> service.ListAuditEntriesResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        size, binding = stated_or_default(request, "page_size"), list_binding(request, call.scope)
        entries = await self._audit.list(
            call.scope.tenant_id,
            requests.audit_filter(request),
            requests.read_cursor(binding, request.page_token),
            size,
        )
        return requests.list_response(entries, size, binding)

    async def WatchAudit(
        self, request: service.WatchAuditRequest, context: Any
    ) -> AsyncIterator[service.WatchAuditResponse]:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        # Numbers of transactions are those of one history of Postgres.
        binding = call.revisions.binding(call.scope.tenant_id.encode())
        after = requests.read_cursor(binding, request.resume_token) or BEGINNING
        told = self._audit.watch(call.scope.tenant_id, requests.audit_filter(request), after)
        async with aclosing(told):
            async for entries, position in told:
                for entry in entries:
                    yield requests.watch_response(requests.cursor_of(entry), binding, entry)
                if position is not None:
                    yield requests.watch_response(position, binding)

    async def GetAuditPolicy(
        self, request: service.GetAuditPolicyRequest, context: Any
    ) -> service.GetAuditPolicyResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        policy = await self._policies.get(call.scope.tenant_id)
        return service.GetAuditPolicyResponse(policy=requests.policy_message(policy))

    async def SetAuditPolicy(
        self, request: service.SetAuditPolicyRequest, context: Any
    ) -> service.SetAuditPolicyResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        policy = await self._policies.set(call.scope.tenant_id, requests.policy_of(request), call.request_key)
        return service.SetAuditPolicyResponse(policy=requests.policy_message(policy))

    async def VerifyAudit(
        self, request: service.VerifyAuditRequest, context: Any
    ) -> AsyncIterator[service.VerifyAuditResponse]:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        checks = self._audit.verify(call.scope.tenant_id, requests.known_heads(request))
        async with aclosing(checks):
            async for check in checks:
                yield findings_message(check)
