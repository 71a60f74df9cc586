"""SpoolService: converts, calls the use case, converts back."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from camillo.v1 import memory_pb2
from camillo.v1 import spool_pb2 as pb
from camillo.v1 import spool_service_pb2 as service
from camillo.v1 import spool_service_pb2_grpc as stubs

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.doors.spool.failures import UnstoredWrite
from camillo_server.doors.spool.policies import SpoolPolicies, SpoolPolicy
from camillo_server.doors.spool.spooled_writes import SpooledWrites
from camillo_server.kernel.ids import BEFORE_ALL


def write_message(write: UnstoredWrite, state: "pb.SpoolState") -> pb.SpooledWrite:
    """A write that waits, or failed."""
    message = pb.SpooledWrite(
        spool_id=str(write.spool_id),
        agent_id=write.scope.agent_id,
        method=write.method,
        request_id=write.key.request_id if write.has_request_id else "",
        byte_count=write.byte_count,
        state=state,
        reason=write.reason,
        message=write.message,
        may_be_retried=write.request is not None,
    )
    fields.fill_timestamp(message.accepted_at, write.accepted_at)
    if write.reason:
        fields.fill_timestamp(message.failed_at, write.failed_at)
    return message


def spool_ids(values: Sequence[str]) -> list[UUID]:
    """The ids in their order, each once."""
    return [UUID(value) for value in dict.fromkeys(values)]


FAILED, WAITING = pb.SPOOL_STATE_FAILED, pb.SPOOL_STATE_WAITING


class SpoolServicer(stubs.SpoolServiceServicer):
    """The service of proto/camillo/v1/spool_service.proto, for credentials that reach every agent."""

    def __init__(self, writes: SpooledWrites, policies: SpoolPolicies, calls: CallReader) -> None:
        self._writes = writes
        self._policies = policies
        self._calls = calls

    async def ListSpooled(self, request: service.ListSpooledRequest, context: Any) -> service.ListSpooledResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        binding = list_binding(request, call.scope)
        size = stated_or_default(request, "page_size")
        response = service.ListSpooledResponse()
        stage, cursor = tokens.read_stage_token(binding, request.page_token, (FAILED, WAITING))
        for kind, read in ((FAILED, self._writes.failed), (WAITING, self._writes.waiting)):
            is_before = kind == FAILED and stage == WAITING
            if is_before or request.state not in (kind, pb.SPOOL_STATE_UNSPECIFIED):
                continue
            if len(response.writes) == size:
                # Whether there are any, the next page tells.
                response.next_page_token = tokens.stage_token(binding, kind, BEFORE_ALL)
                break
            begin = cursor if kind == stage else None
            page = await read(call.scope.tenant_id, begin, size - len(response.writes))
            response.writes.extend(write_message(each, kind) for each in page.writes)
            if page.is_partial:
                response.degraded.append(memory_pb2.DEGRADED_REASON_STORAGE_UNAVAILABLE)
            if page.next_cursor is not None:
                response.next_page_token = tokens.stage_token(binding, kind, page.next_cursor)
                break
        return response

    async def RetrySpooled(self, request: service.RetrySpooledRequest, context: Any) -> service.RetrySpooledResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        done = await self._writes.retry(call.scope.tenant_id, spool_ids(request.spool_ids))
        return service.RetrySpooledResponse(
            stored=done.stored, failed=[write_message(each, FAILED) for each in done.failed]
        )

    async def DiscardSpooled(
        self, request: service.DiscardSpooledRequest, context: Any
    ) -> service.DiscardSpooledResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        number = await self._writes.discard(call.scope.tenant_id, spool_ids(request.spool_ids))
        return service.DiscardSpooledResponse(discarded=number)

    async def GetSpoolPolicy(
        self, request: service.GetSpoolPolicyRequest, context: Any
    ) -> service.GetSpoolPolicyResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        policy = await self._policies.get(call.scope.tenant_id)
        return service.GetSpoolPolicyResponse(policy=int(policy))  # type: ignore[arg-type]

    async def SetSpoolPolicy(
        self, request: service.SetSpoolPolicyRequest, context: Any
    ) -> service.SetSpoolPolicyResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        policy = await self._policies.set(call.scope.tenant_id, SpoolPolicy(request.policy), call.request_key)
        return service.SetSpoolPolicyResponse(policy=int(policy))  # type: ignore[arg-type]
