"""A small spool: two writes that failed and one that waits, in pages of one."""

from __future__ import annotations

from clients.python.tests.fake_service import Context, Desk

from camillo.v1 import spool_service_pb2 as pb
from camillo.v1.spool_pb2 import SpooledWrite, SpoolPolicy, SpoolState
from camillo.v1.spool_service_pb2_grpc import SpoolServiceServicer

FAILED, WAITING = SpoolState.SPOOL_STATE_FAILED, SpoolState.SPOOL_STATE_WAITING


class FakeSpool(SpoolServiceServicer):
    """Retries store all but the first that failed."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.policy = SpoolPolicy.SPOOL_POLICY_SPOOL
        self.writes = [
            SpooledWrite(spool_id="s1", state=FAILED, reason="QUOTA_EXCEEDED", may_be_retried=True),
            SpooledWrite(spool_id="s2", state=FAILED, reason="DAMAGED"),
            SpooledWrite(spool_id="s3", state=WAITING),
        ]

    async def ListSpooled(self, request: pb.ListSpooledRequest, context: Context) -> pb.ListSpooledResponse:
        await self.desk.enter("ListSpooled", request, context)
        found = [each for each in self.writes if request.state in (0, each.state)]
        start = int(request.page_token or 0)
        token = str(start + 1) if start + 1 < len(found) else ""
        return pb.ListSpooledResponse(writes=found[start : start + 1], next_page_token=token)

    async def RetrySpooled(self, request: pb.RetrySpooledRequest, context: Context) -> pb.RetrySpooledResponse:
        await self.desk.enter("RetrySpooled", request, context)
        failed = [each for each in self.writes[:1] if each.spool_id in request.spool_ids]
        return pb.RetrySpooledResponse(stored=len(request.spool_ids) - len(failed), failed=failed)

    async def DiscardSpooled(self, request: pb.DiscardSpooledRequest, context: Context) -> pb.DiscardSpooledResponse:
        await self.desk.enter("DiscardSpooled", request, context)
        before = len(self.writes)
        self.writes = [each for each in self.writes if each.spool_id not in request.spool_ids]
        return pb.DiscardSpooledResponse(discarded=before - len(self.writes))

    async def GetSpoolPolicy(self, request: pb.GetSpoolPolicyRequest, context: Context) -> pb.GetSpoolPolicyResponse:
        await self.desk.enter("GetSpoolPolicy", request, context)
        return pb.GetSpoolPolicyResponse(policy=self.policy)

    async def SetSpoolPolicy(self, request: pb.SetSpoolPolicyRequest, context: Context) -> pb.SetSpoolPolicyResponse:
        await self.desk.enter("SetSpoolPolicy", request, context)
        self.policy = request.policy
        return pb.SetSpoolPolicyResponse(policy=self.policy)
