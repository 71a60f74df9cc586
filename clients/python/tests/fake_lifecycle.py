"""The lifecycle in memory: a small service that takes every call and counts what it would do."""

from __future__ import annotations

import grpc
from clients.python.tests.fake_service import Context, Desk, FakeMemories, abort, status

from camillo.v1 import forgetting_pb2 as forgetting
from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1.consistency_pb2 import Revision
from camillo.v1.lifecycle_service_pb2_grpc import LifecycleServiceServicer
from camillo.v1.memory_pb2 import ForgetReceipt, MemoryKind, StoreCount

PAGES = 3
TAKEN = "0198c0de-0000-7000-8000-000000000001"


class FakeLifecycle(LifecycleServiceServicer):
    """Each pass takes one memory; each list has three pages of one."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories

    def _revision(self, agent_id: str, *, dry_run: bool) -> Revision:
        self.memories.counters[agent_id] += not dry_run
        return self.memories.revision(agent_id)

    async def _pass(
        self, name: str, request: service.PruneRequest, action: pb.LifecycleAction, context: Context
    ) -> pb.LifecyclePass:
        await self.desk.enter(name, request, context)
        if request.plan_token not in ("", f"plan-{name}"):
            await abort(context, status(grpc.StatusCode.ABORTED, "PLAN_CHANGED", message="the plan has changed"))
        reason = pb.LIFECYCLE_REASON_REQUESTED
        removes = action == pb.LIFECYCLE_ACTION_REMOVE
        return pb.LifecyclePass(
            receipt_id="" if request.dry_run else "r1",
            plan_token=f"plan-{name}" if request.dry_run else "",
            items=[
                pb.LifecycleItem(
                    memory_id=TAKEN,
                    action=action,
                    reason=reason,
                    decayed_importance=0.05,
                    kind=MemoryKind.MEMORY_KIND_TASK_OUTCOME,
                )
            ],
            counts=[pb.LifecycleCount(action=action, reason=reason, memories=1_002)],
            stores=[StoreCount(store="memories", rows=1_002)] if removes else [],
        )

    async def RunMaintenance(
        self, request: service.RunMaintenanceRequest, context: Context
    ) -> service.RunMaintenanceResponse:
        done = await self._pass("RunMaintenance", request, pb.LIFECYCLE_ACTION_ARCHIVE, context)  # type: ignore[arg-type]
        revision = self._revision(request.agent_id, dry_run=request.dry_run)
        return service.RunMaintenanceResponse(**{"pass": done}, revision=revision)

    async def Prune(self, request: service.PruneRequest, context: Context) -> service.PruneResponse:
        done = await self._pass("Prune", request, pb.LIFECYCLE_ACTION_REMOVE, context)
        revision = self._revision(request.agent_id, dry_run=request.dry_run)
        return service.PruneResponse(**{"pass": done}, revision=revision)

    async def Archive(self, request: service.ArchiveRequest, context: Context) -> service.ArchiveResponse:
        done = await self._pass("Archive", request, pb.LIFECYCLE_ACTION_ARCHIVE, context)  # type: ignore[arg-type]
        revision = self._revision(request.agent_id, dry_run=request.dry_run)
        return service.ArchiveResponse(**{"pass": done}, revision=revision)

    async def Forget(self, request: service.ForgetRequest, context: Context) -> service.ForgetResponse:
        await self.desk.enter("Forget", request, context)
        receipt = ForgetReceipt(
            receipt_id="" if request.dry_run else "r1",
            records=request.records,
            stores=[StoreCount(store="decisions", rows=1)],
            blocked_values=int(not request.allow_restating),
        )
        revision = self._revision(request.agent_id, dry_run=request.dry_run)
        return service.ForgetResponse(receipt=receipt, revision=revision)

    async def Reset(self, request: service.ResetRequest, context: Context) -> service.ResetResponse:
        await self.desk.enter("Reset", request, context)
        if request.confirm != request.agent_id:
            await abort(context, status(grpc.StatusCode.FAILED_PRECONDITION, "CONFIRMATION_REQUIRED"))
        receipt = _receipt("" if request.dry_run else "r1", "reset")
        revision = self._revision(request.agent_id, dry_run=request.dry_run)
        return service.ResetResponse(receipt=receipt, revision=revision)

    async def Compact(self, request: service.CompactRequest, context: Context) -> service.CompactResponse:
        await self.desk.enter("Compact", request, context)
        proposed = pb.Compaction(
            compaction_id="c1",
            state=pb.COMPACTION_STATE_PROPOSED if request.dry_run else pb.COMPACTION_STATE_COMMITTED,
            tag="茶",
            source_ids=["m1", "m2"],
            content="tea 🍵",
        )
        refused = pb.Compaction(
            compaction_id="c2",
            state=pb.COMPACTION_STATE_REFUSED,
            source_ids=["m3", "m4"],
            refusal=pb.COMPACTION_REFUSAL_LOSES_FACTS,
            lost=["Ада", "42"],
        )
        revision = self._revision(request.agent_id, dry_run=request.dry_run)
        is_search = request.WhichOneof("work") == "criteria"
        return service.CompactResponse(compactions=[proposed, refused], more=is_search, revision=revision)

    async def RevertCompaction(
        self, request: service.RevertCompactionRequest, context: Context
    ) -> service.RevertCompactionResponse:
        await self.desk.enter("RevertCompaction", request, context)
        if request.compaction_id != "c1":
            metadata = {"compaction_id": request.compaction_id, "state": "refused"}
            await abort(
                context,
                status(
                    grpc.StatusCode.FAILED_PRECONDITION,
                    "COMPACTION_STATE",
                    message="the compaction is refused",
                    metadata=metadata,
                ),
            )
        return service.RevertCompactionResponse(
            compaction=pb.Compaction(compaction_id="c1", state=pb.COMPACTION_STATE_REVERTED),
            restored=2,
            revision=self._revision(request.agent_id, dry_run=False),
        )

    async def ListCompactions(
        self, request: service.ListCompactionsRequest, context: Context
    ) -> service.ListCompactionsResponse:
        await self.desk.enter("ListCompactions", request, context)
        page, token = _page(request.page_token)
        return service.ListCompactionsResponse(
            compactions=[pb.Compaction(compaction_id=f"c{page}", content="tea")], next_page_token=token
        )

    async def GetUsage(self, request: service.GetUsageRequest, context: Context) -> service.GetUsageResponse:
        await self.desk.enter("GetUsage", request, context)
        page, token = _page(request.page_token)
        agent = f"agent{page}" if request.all_scopes else request.agent_id
        scope = pb.ScopeUsage(
            agent_id=agent,
            stores=[pb.StoreUsage(store="memories", rows=7, bytes=2048)],
            active_memories=6,
            archived_memories=1,
            memory_quota=10_000,
        )
        return service.GetUsageResponse(scopes=[scope], next_page_token=token if request.all_scopes else "")

    async def ListJobs(self, request: service.ListJobsRequest, context: Context) -> service.ListJobsResponse:
        await self.desk.enter("ListJobs", request, context)
        page, token = _page(request.page_token)
        job = pb.Job(job_id=str(page), task="embed_scope", agent_id="ada", state=pb.JOB_STATE_DEAD, attempts=12)
        return service.ListJobsResponse(jobs=[job], next_page_token=token)

    async def RetryJob(self, request: service.RetryJobRequest, context: Context) -> service.RetryJobResponse:
        await self.desk.enter("RetryJob", request, context)
        if request.job_id != "1":
            metadata = {"job_id": request.job_id}
            await abort(
                context, status(grpc.StatusCode.NOT_FOUND, "JOB_NOT_FOUND", message="job not found", metadata=metadata)
            )
        return service.RetryJobResponse(job=pb.Job(job_id="1", state=pb.JOB_STATE_WAITING))

    async def StartReembedding(
        self, request: service.StartReembeddingRequest, context: Context
    ) -> service.StartReembeddingResponse:
        await self.desk.enter("StartReembedding", request, context)
        return service.StartReembeddingResponse(reembeddings=[_reembedding(request.agent_id, 1)])

    async def GetReembedding(
        self, request: service.GetReembeddingRequest, context: Context
    ) -> service.GetReembeddingResponse:
        await self.desk.enter("GetReembedding", request, context)
        embedded = len(self.desk.of("GetReembedding"))
        return service.GetReembeddingResponse(reembeddings=[_reembedding(request.agent_id, embedded)])

    async def Reindex(self, request: service.ReindexRequest, context: Context) -> service.ReindexResponse:
        await self.desk.enter("Reindex", request, context)
        revision = self._revision(request.agent_id, dry_run=False)
        return service.ReindexResponse(rows=1_040, changed=1_012, unreadable=3, revision=revision)

    async def ListReceipts(
        self, request: service.ListReceiptsRequest, context: Context
    ) -> service.ListReceiptsResponse:
        await self.desk.enter("ListReceipts", request, context)
        page, token = _page(request.page_token)
        return service.ListReceiptsResponse(receipts=[_receipt(f"r{page}", "forget_memories")], next_page_token=token)

    async def ListValueRefusals(
        self, request: forgetting.ListValueRefusalsRequest, context: Context
    ) -> forgetting.ListValueRefusalsResponse:
        await self.desk.enter("ListValueRefusals", request, context)
        page, token = _page(request.page_token)
        refusal = forgetting.ValueRefusal(refusal_id=f"v{page}", field="memory.content")
        return forgetting.ListValueRefusalsResponse(refusals=[refusal], next_page_token=token)

    async def LiftValueBlocks(
        self, request: service.LiftValueBlocksRequest, context: Context
    ) -> service.LiftValueBlocksResponse:
        await self.desk.enter("LiftValueBlocks", request, context)
        return service.LiftValueBlocksResponse(lifted=1 if request.content else 3)


def _page(token: str) -> tuple[int, str]:
    page = int(token or 0)
    return page, str(page + 1) if page + 1 < PAGES else ""


def _receipt(receipt_id: str, cause: str) -> pb.Receipt:
    stores = [StoreCount(store="memories", rows=2), StoreCount(store="runs", rows=0)]
    return pb.Receipt(receipt_id=receipt_id, cause=cause, stores=stores, blocked_values=2)


def _reembedding(agent_id: str, embedded: int) -> pb.Reembedding:
    return pb.Reembedding(
        agent_id=agent_id,
        model_id="new",
        serving_model_id="old",
        embedded=min(embedded, 2),
        rows=2,
        is_complete=embedded >= 2,
    )
