"""AuditService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any

from camillo.v1 import audit_pb2 as pb
from camillo.v1 import audit_service_pb2 as service
from camillo.v1 import audit_service_pb2_grpc as stubs
from camillo_formats.audit_chain import AuditHead, findings_message

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import fill_timestamp, redaction_messages_off_loop, sensitivity_of, time_of
from camillo_server.doors.rpc.json_values import fill_json, plain_object
from camillo_server.doors.rpc.page_tokens import fitting, list_binding
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.audit.actions import Actions
from camillo_server.features.audit.audit import Audit
from camillo_server.features.audit.entry import BEGINNING, ActionDraft, AuditCursor, AuditEntry, AuditFilter
from camillo_server.features.audit.policy import AuditPolicies, AuditPolicy
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import SHARED, shared_scope


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
        draft = action_draft(request.action)
        action, revision, redactions = await self._actions.record(call.scope, draft, call.request_key)
        return service.RecordAuditEntryResponse(
            action_id=str(action.action_id),
            action=action_message(action.stated, action.created_at),
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
            audit_filter(request),
            read_cursor(binding, request.page_token),
            size,
        )
        return list_response(entries, size, binding)

    async def WatchAudit(
        self, request: service.WatchAuditRequest, context: Any
    ) -> AsyncIterator[service.WatchAuditResponse]:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        # Numbers of transactions are those of one history of Postgres.
        binding = call.revisions.binding(call.scope.tenant_id.encode())
        after = read_cursor(binding, request.resume_token) or BEGINNING
        changes = self._audit.watch(call.scope.tenant_id, audit_filter(request), after)
        async with aclosing(changes):
            async for entries, position in changes:
                for entry in entries:
                    yield watch_response(entry.cursor, binding, entry)
                if position is not None:
                    yield watch_response(position, binding)

    async def GetAuditPolicy(
        self, request: service.GetAuditPolicyRequest, context: Any
    ) -> service.GetAuditPolicyResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        policy = await self._policies.get(call.scope.tenant_id)
        return service.GetAuditPolicyResponse(policy=policy_message(policy))

    async def SetAuditPolicy(
        self, request: service.SetAuditPolicyRequest, context: Any
    ) -> service.SetAuditPolicyResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        policy = await self._policies.set(call.scope.tenant_id, policy_of(request), call.request_key)
        return service.SetAuditPolicyResponse(policy=policy_message(policy))

    async def VerifyAudit(
        self, request: service.VerifyAuditRequest, context: Any
    ) -> AsyncIterator[service.VerifyAuditResponse]:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        checks = self._audit.verify(call.scope.tenant_id, known_heads(request))
        async with aclosing(checks):
            async for check in checks:
                yield findings_message(check)


def audit_filter(request: Any) -> AuditFilter:
    stated = request.filter
    agent_id = AgentId("" if stated.scope_agent_id == SHARED else stated.scope_agent_id)
    return AuditFilter(
        agent_id=agent_id if stated.scope_agent_id else None,
        method=stated.method,
        credential=stated.credential,
        id=stated.id,
        at_from=time_of(stated, "at_from"),
        at_before=time_of(stated, "at_before"),
    )


def known_heads(request: service.VerifyAuditRequest) -> Sequence[AuditHead]:
    return [AuditHead(AgentId(head.agent_id), head.position, head.hash) for head in request.known_heads]


def cursor_token(binding: bytes, at: AuditCursor) -> str:
    return tokens.text_page_token(binding, f"{at.transaction_id} {at.position} {at.agent_id}")


def read_cursor(binding: bytes, token: str) -> AuditCursor | None:
    """The position in a page token; None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    try:
        transaction_id, position, agent_id = text.split(" ", 2)
        return AuditCursor(int(transaction_id), agent_id, int(position))
    except ValueError:
        raise tokens.foreign_token() from None


def list_response(entries: Sequence[AuditEntry], size: int, binding: bytes) -> service.ListAuditEntriesResponse:
    messages = fitting(entries, entry_message)
    is_last = len(entries) < size and len(messages) == len(entries)
    return service.ListAuditEntriesResponse(
        entries=messages,
        next_page_token="" if is_last else cursor_token(binding, entries[len(messages) - 1].cursor),
    )


def watch_response(at: AuditCursor, binding: bytes, entry: AuditEntry | None = None) -> service.WatchAuditResponse:
    """An entry with the position behind it, or the position alone: everything before it was sent."""
    change = pb.AuditChange(
        entry=None if entry is None else entry_message(entry),
        resume_token=cursor_token(binding, at),
    )
    return service.WatchAuditResponse(change=change)


def entry_message(entry: AuditEntry) -> pb.AuditEntry:
    message = pb.AuditEntry(
        agent_id=entry.agent_id,
        position=entry.position,
        method=entry.method,
        credential=entry.credential,
        revision=entry.revision,
        facts=entry.facts,
        hash=entry.hash,
    )
    fill_timestamp(message.at, entry.at)
    if entry.action_id is not None:
        message.action_id = str(entry.action_id)
    if entry.action is not None:
        message.action.CopyFrom(action_message(entry.action, entry.at))
    return message


def action_draft(message: pb.NewAuditAction) -> ActionDraft:
    """The draft in a request."""
    return ActionDraft(
        action=message.action,
        message=message.message,
        meta=plain_object(message.meta),
        session_id=message.session_id,
        sensitivity=sensitivity_of(message.sensitivity),
        occurred_at=time_of(message, "occurred_at"),
    )


def action_message(stated: ActionDraft, created_at: datetime) -> pb.NewAuditAction:
    message = pb.NewAuditAction(
        action=stated.action,
        message=stated.message,
        session_id=stated.session_id,
        sensitivity=int(stated.sensitivity),  # type: ignore[arg-type]
    )
    if stated.meta:
        fill_json(message.meta, stated.meta)
    fill_timestamp(message.occurred_at, stated.occurred_at or created_at)
    return message


@rule(service.SetAuditPolicyRequest)
def _check_policy(message: Any, path: str, checks: Checks) -> None:
    # One that is empty keeps entries for ever: nobody means that by leaving it out.
    if not message.HasField("policy"):
        checks.fail(f"{path}policy", "must be given")


def policy_of(request: service.SetAuditPolicyRequest) -> AuditPolicy:
    return AuditPolicy(request.policy.retention_days, request.policy.audit_reads)


def policy_message(policy: AuditPolicy) -> pb.AuditPolicy:
    return pb.AuditPolicy(retention_days=policy.retention_days, audit_reads=policy.audit_reads)
