"""Lists, retries and discards a tenant's spooled writes; reads and sets its spool policy."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

from grpc.aio import Channel

from camillo.v1.spool_pb2 import SpooledWrite, SpoolPolicy, SpoolState
from camillo.v1.spool_service_pb2 import (
    DiscardSpooledRequest,
    GetSpoolPolicyRequest,
    ListSpooledRequest,
    RetrySpooledRequest,
    RetrySpooledResponse,
    SetSpoolPolicyRequest,
)
from camillo.v1.spool_service_pb2_grpc import SpoolServiceStub
from camillo_client._async.caller import new_request_id
from camillo_client._async.calls import Calls
from camillo_client.convert import SpoolPolicyName, SpoolStateName, to_enum, to_strings
from camillo_client.named_arguments import NamesArguments


class AsyncSpool(NamesArguments):
    """For keys of tenant administrators. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls) -> None:
        self._spool = SpoolServiceStub(channel)
        self._calls = calls

    async def list(
        self,
        *,
        state: SpoolStateName | SpoolState | None = None,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> AsyncGenerator[SpooledWrite]:
        """Spooled writes that are not stored: failed ones, then those that wait on the disk of the answering server,
        each the oldest first. The timeout applies to each page. Failed ones are not listed while Postgres is away."""
        request = ListSpooledRequest(state=None if state is None else to_enum(SpoolState, state), page_size=page_size)
        pages = self._calls.pages(lambda page: self._calls.unary(self._spool.ListSpooled, page, timeout), request)
        async for page in pages:
            for write in page.writes:
                yield write

    async def retry(
        self,
        spool_ids: Iterable[str],
        *,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> RetrySpooledResponse:
        """Tries up to 100 writes again that failed, in the order given: how many are stored now, and which failed
        again."""
        request = RetrySpooledRequest(
            request_id=request_id or new_request_id(), spool_ids=to_strings(spool_ids, "spool_ids")
        )
        return await self._calls.unary(self._spool.RetrySpooled, request, timeout)

    async def discard(
        self,
        spool_ids: Iterable[str],
        *,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Removes up to 1,000 writes that failed, for good; returns how many there were."""
        request = DiscardSpooledRequest(
            request_id=request_id or new_request_id(), spool_ids=to_strings(spool_ids, "spool_ids")
        )
        return (await self._calls.unary(self._spool.DiscardSpooled, request, timeout)).discarded

    async def policy(self, *, timeout: float | None = None) -> SpoolPolicy:
        """The tenant's policy for its writes while Postgres is away."""
        request = GetSpoolPolicyRequest()
        return (await self._calls.unary(self._spool.GetSpoolPolicy, request, timeout)).policy

    async def set_policy(
        self,
        policy: SpoolPolicyName | SpoolPolicy,
        *,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> SpoolPolicy:
        """Changes that; every server follows within 15 seconds."""
        request = SetSpoolPolicyRequest(policy=to_enum(SpoolPolicy, policy), request_id=request_id or new_request_id())
        return (await self._calls.unary(self._spool.SetSpoolPolicy, request, timeout)).policy
