"""LifecycleService: converts, calls the use case, converts back."""

from dataclasses import dataclass
from typing import Any

from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import lifecycle_service_pb2_grpc as stubs

from camillo_server.domain.compaction.compact import Compact
from camillo_server.domain.compaction.list_compactions import ListCompactions
from camillo_server.domain.compaction.revert_compaction import RevertCompaction
from camillo_server.domain.forgetting.lift_value_blocks import LiftValueBlocks
from camillo_server.domain.forgetting.list_receipts import ListReceipts
from camillo_server.domain.forgetting.reset_scope import ResetScope
from camillo_server.domain.lifecycle.archive_memories import ArchiveMemories
from camillo_server.domain.lifecycle.jobs import ListJobs, RetryJob
from camillo_server.domain.lifecycle.prune_memories import PruneMemories
from camillo_server.domain.lifecycle.reembedding import GetReembedding, StartReembedding
from camillo_server.domain.lifecycle.run_maintenance import RunMaintenance
from camillo_server.domain.lifecycle.usage import GetUsage
from camillo_server.rpc import compaction_convert as compactions
from camillo_server.rpc import job_convert, lifecycle_requests, lifecycle_tokens, limits
from camillo_server.rpc.caller import principal, request_key, scope_of
from camillo_server.rpc.context_tokens import list_binding, read_moment_token
from camillo_server.rpc.lifecycle_convert import (
    pass_message,
    receipt_message,
    receipts_response,
    usage_message,
    usage_response,
)
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks


@dataclass(frozen=True, slots=True)
class LifecycleUseCases:
    """What LifecycleService can do."""

    maintain: RunMaintenance
    prune: PruneMemories
    archive: ArchiveMemories
    usage: GetUsage
    reset: ResetScope
    receipts: ListReceipts
    lift: LiftValueBlocks
    compact: Compact
    revert: RevertCompaction
    compactions: ListCompactions
    jobs: ListJobs
    retry: RetryJob
    reembed: StartReembedding
    reembedding: GetReembedding


class LifecycleServicer(stubs.LifecycleServiceServicer):
    """The service of proto/camillo/v1/lifecycle_service.proto."""

    def __init__(self, do: LifecycleUseCases, revisions: RevisionTokens) -> None:
        self._do = do
        self._revisions = revisions

    async def RunMaintenance(
        self, request: service.RunMaintenanceRequest, context: Any
    ) -> service.RunMaintenanceResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        binding, plan = lifecycle_requests.plan_of(request, scope, checks)
        done = await self._do.maintain(scope, key, plan, dry_run=request.dry_run)
        return service.RunMaintenanceResponse(
            **{"pass": pass_message(done, binding, dry_run=request.dry_run)},
            revision=self._revisions.revision(scope, done.revision),
        )

    async def Prune(self, request: service.PruneRequest, context: Any) -> service.PruneResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        selector = lifecycle_requests.selector_of(request.selector, checks)
        binding, plan = lifecycle_requests.plan_of(request, scope, checks)
        done = await self._do.prune(scope, selector, key, plan, dry_run=request.dry_run)
        return service.PruneResponse(
            **{"pass": pass_message(done, binding, dry_run=request.dry_run)},
            revision=self._revisions.revision(scope, done.revision),
        )

    async def Archive(
        self, request: service.ArchiveRequest, context: Any
    ) -> service.ArchiveResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        selector = lifecycle_requests.selector_of(request.selector, checks)
        binding, plan = lifecycle_requests.plan_of(request, scope, checks)
        done = await self._do.archive(scope, selector, key, plan, dry_run=request.dry_run)
        return service.ArchiveResponse(
            **{"pass": pass_message(done, binding, dry_run=request.dry_run)},
            revision=self._revisions.revision(scope, done.revision),
        )

    async def Reset(self, request: service.ResetRequest, context: Any) -> service.ResetResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        confirm = checks.text("confirm", request.confirm, 0, limits.TOKEN_CHARACTERS)
        checks.done()
        done = await self._do.reset(scope, confirm, key, dry_run=request.dry_run)
        return service.ResetResponse(
            receipt=receipt_message(done.receipt),
            revision=self._revisions.revision(scope, done.revision),
        )

    async def ListReceipts(
        self, request: service.ListReceiptsRequest, context: Any
    ) -> service.ListReceiptsResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        size = lifecycle_requests.page_size(request, checks)
        checks.done()
        binding = list_binding(request, scope)
        after = read_moment_token(binding, request.page_token)
        found = await self._do.receipts(scope, after, size + 1)
        return receipts_response(found, size, binding)

    async def LiftValueBlocks(
        self, request: service.LiftValueBlocksRequest, context: Any
    ) -> service.LiftValueBlocksResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        what = lifecycle_requests.lifted_of(request, checks)
        checks.done()
        return service.LiftValueBlocksResponse(lifted=await self._do.lift(scope, what, key))

    async def Compact(
        self, request: service.CompactRequest, context: Any
    ) -> service.CompactResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        work = compactions.compaction_work(request, checks)
        checks.done()
        done = await self._do.compact(scope, work, key, dry_run=request.dry_run)
        return service.CompactResponse(
            compactions=map(compactions.compaction_message, done.compactions),
            more=done.has_more,
            revision=self._revisions.revision(scope, done.revision),
        )

    async def RevertCompaction(
        self, request: service.RevertCompactionRequest, context: Any
    ) -> service.RevertCompactionResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        compaction_id = checks.uuid("compaction_id", request.compaction_id)
        checks.done()
        done = await self._do.revert(scope, compaction_id, key)
        return service.RevertCompactionResponse(
            compaction=compactions.compaction_message(done.compaction),
            restored=done.restored,
            revision=self._revisions.revision(scope, done.revision),
        )

    async def ListCompactions(
        self, request: service.ListCompactionsRequest, context: Any
    ) -> service.ListCompactionsResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        state = compactions.compaction_state(request.state, checks)
        size = lifecycle_requests.page_size(request, checks)
        checks.done()
        binding = list_binding(request, scope)
        after = read_moment_token(binding, request.page_token)
        found = await self._do.compactions(scope, state, after, size + 1)
        return compactions.list_response(found, size, binding)

    async def GetUsage(
        self, request: service.GetUsageRequest, context: Any
    ) -> service.GetUsageResponse:
        checks = Checks()
        tenant_id, scope = lifecycle_requests.scope_or_tenant(request, checks)
        size = lifecycle_requests.page_size(request, checks)
        checks.done()
        binding = lifecycle_tokens.agents_binding("GetUsage", tenant_id)
        after = lifecycle_tokens.read_agent_token(binding, request.page_token)
        if scope is not None:
            return service.GetUsageResponse(
                scopes=[usage_message(await self._do.usage.of_scope(scope))]
            )
        found = await self._do.usage.of_tenant(tenant_id, after, size + 1)
        return usage_response(found, size, binding)

    async def ListJobs(
        self, request: service.ListJobsRequest, context: Any
    ) -> service.ListJobsResponse:
        checks = Checks()
        state = job_convert.job_state(request.state, checks)
        size = lifecycle_requests.page_size(request, checks)
        checks.done()
        tenant_id = principal().tenant_id
        binding = job_convert.list_binding(tenant_id, state)
        after = job_convert.read_job_token(binding, request.page_token)
        found = await self._do.jobs(tenant_id, state, after, size + 1)
        return job_convert.list_response(found, size, binding)

    async def RetryJob(
        self, request: service.RetryJobRequest, context: Any
    ) -> service.RetryJobResponse:
        checks = Checks()
        job_id = checks.text("job_id", request.job_id, 1, limits.JOB_ID_CHARACTERS)
        checks.done()
        job = await self._do.retry(principal().tenant_id, job_id)
        return service.RetryJobResponse(job=job_convert.job_message(job))

    async def StartReembedding(
        self, request: service.StartReembeddingRequest, context: Any
    ) -> service.StartReembeddingResponse:
        checks = Checks()
        tenant_id, scope = lifecycle_requests.scope_or_tenant(request, checks)
        checks.done()
        started = await self._do.reembed(tenant_id, scope)
        return service.StartReembeddingResponse(
            reembeddings=job_convert.reembedding_messages(started)
        )

    async def GetReembedding(
        self, request: service.GetReembeddingRequest, context: Any
    ) -> service.GetReembeddingResponse:
        checks = Checks()
        tenant_id, scope = lifecycle_requests.scope_or_tenant(request, checks)
        checks.done()
        found = await self._do.reembedding(tenant_id, scope)
        return service.GetReembeddingResponse(reembeddings=job_convert.reembedding_messages(found))
