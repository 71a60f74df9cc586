"""LifecycleService: converts, calls the use case, converts back."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import lifecycle_service_pb2_grpc as stubs

from camillo_server.compaction import messages as compaction_messages
from camillo_server.compaction.compactions import Compactions
from camillo_server.forgetting.forgetting import Forgetting
from camillo_server.jobs.board import JobBoard
from camillo_server.lifecycle import job_messages
from camillo_server.lifecycle import messages as lifecycle_requests
from camillo_server.lifecycle import plan_tokens as lifecycle_tokens
from camillo_server.lifecycle.get_usage import GetUsage
from camillo_server.lifecycle.maintenance import Maintenance
from camillo_server.lifecycle.messages import (
    pass_message,
    receipt_message,
    receipts_response,
    usage_message,
    usage_response,
)
from camillo_server.lifecycle.reembedding import Reembedding
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.field_limits import stated_or_default
from camillo_server.rpc.page_tokens import list_binding, read_moment_token


@dataclass(frozen=True, slots=True)
class LifecycleFeatures:
    """The features that LifecycleService calls."""

    maintenance: Maintenance
    usage: GetUsage
    forgetting: Forgetting
    compactions: Compactions
    jobs: JobBoard
    reembedding: Reembedding


class LifecycleServicer(stubs.LifecycleServiceServicer):
    """The service of proto/camillo/v1/lifecycle_service.proto."""

    def __init__(self, do: LifecycleFeatures, calls: CallReader) -> None:
        self._do = do
        self._calls = calls

    async def RunMaintenance(
        self, request: service.RunMaintenanceRequest, context: Any
    ) -> service.RunMaintenanceResponse:
        call = await self._calls.read(request)
        binding, plan = lifecycle_requests.plan_of(request, call.scope)
        done = await self._do.maintenance.maintain(
            call.scope, call.request_key, plan, dry_run=request.dry_run
        )
        return service.RunMaintenanceResponse(
            **{"pass": pass_message(done, binding, dry_run=request.dry_run)},
            revision=call.revision(done.revision),
        )

    async def Prune(self, request: service.PruneRequest, context: Any) -> service.PruneResponse:
        call = await self._calls.read(request)
        selector = lifecycle_requests.selector_of(request.selector)
        binding, plan = lifecycle_requests.plan_of(request, call.scope)
        done = await self._do.maintenance.prune(
            call.scope, selector, call.request_key, plan, dry_run=request.dry_run
        )
        return service.PruneResponse(
            **{"pass": pass_message(done, binding, dry_run=request.dry_run)},
            revision=call.revision(done.revision),
        )

    async def Archive(
        self, request: service.ArchiveRequest, context: Any
    ) -> service.ArchiveResponse:
        call = await self._calls.read(request)
        selector = lifecycle_requests.selector_of(request.selector)
        binding, plan = lifecycle_requests.plan_of(request, call.scope)
        done = await self._do.maintenance.archive(
            call.scope, selector, call.request_key, plan, dry_run=request.dry_run
        )
        return service.ArchiveResponse(
            **{"pass": pass_message(done, binding, dry_run=request.dry_run)},
            revision=call.revision(done.revision),
        )

    async def Reset(self, request: service.ResetRequest, context: Any) -> service.ResetResponse:
        call = await self._calls.read(request)
        done = await self._do.forgetting.reset(
            call.scope, request.confirm, call.request_key, dry_run=request.dry_run
        )
        return service.ResetResponse(
            receipt=receipt_message(done.receipt),
            revision=call.revision(done.revision),
        )

    async def ListReceipts(
        self, request: service.ListReceiptsRequest, context: Any
    ) -> service.ListReceiptsResponse:
        call = await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        binding = list_binding(request, call.scope)
        after = read_moment_token(binding, request.page_token)
        found = await self._do.forgetting.list_receipts(call.scope, after, size + 1)
        return receipts_response(found, size, binding)

    async def LiftValueBlocks(
        self, request: service.LiftValueBlocksRequest, context: Any
    ) -> service.LiftValueBlocksResponse:
        call = await self._calls.read(request)
        blocked = lifecycle_requests.lifted_of(request)
        lifted = await self._do.forgetting.lift_blocks(call.scope, blocked, call.request_key)
        return service.LiftValueBlocksResponse(lifted=lifted)

    async def Compact(
        self, request: service.CompactRequest, context: Any
    ) -> service.CompactResponse:
        call = await self._calls.read(request)
        work = compaction_messages.compaction_work(request)
        done = await self._do.compactions.compact(
            call.scope, work, call.request_key, dry_run=request.dry_run
        )
        return service.CompactResponse(
            compactions=map(compaction_messages.compaction_message, done.compactions),
            more=done.has_more,
            revision=call.revision(done.revision),
        )

    async def RevertCompaction(
        self, request: service.RevertCompactionRequest, context: Any
    ) -> service.RevertCompactionResponse:
        call = await self._calls.read(request)
        compaction_id = UUID(request.compaction_id)
        done = await self._do.compactions.revert(call.scope, compaction_id, call.request_key)
        return service.RevertCompactionResponse(
            compaction=compaction_messages.compaction_message(done.compaction),
            restored=done.restored,
            revision=call.revision(done.revision),
        )

    async def ListCompactions(
        self, request: service.ListCompactionsRequest, context: Any
    ) -> service.ListCompactionsResponse:
        call = await self._calls.read(request)
        state = compaction_messages.compaction_state(request.state)
        size = stated_or_default(request, "page_size")
        binding = list_binding(request, call.scope)
        after = read_moment_token(binding, request.page_token)
        found = await self._do.compactions.list(call.scope, state, after, size + 1)
        return compaction_messages.list_response(found, size, binding)

    async def GetUsage(
        self, request: service.GetUsageRequest, context: Any
    ) -> service.GetUsageResponse:
        call = await self._calls.read(request)
        tenant_id, scope = lifecycle_requests.scope_or_tenant(request, call)
        size = stated_or_default(request, "page_size")
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
        call = await self._calls.read(request)
        state = job_messages.job_state(request.state)
        size = stated_or_default(request, "page_size")
        tenant_id = call.scope.tenant_id
        binding = job_messages.list_binding(tenant_id, state)
        after = job_messages.read_job_token(binding, request.page_token)
        found = await self._do.jobs.page(tenant_id, state, after, size + 1)
        return job_messages.list_response(found, size, binding)

    async def RetryJob(
        self, request: service.RetryJobRequest, context: Any
    ) -> service.RetryJobResponse:
        call = await self._calls.read(request)
        job = await self._do.jobs.retry(call.scope.tenant_id, request.job_id)
        return service.RetryJobResponse(job=job_messages.job_message(job))

    async def StartReembedding(
        self, request: service.StartReembeddingRequest, context: Any
    ) -> service.StartReembeddingResponse:
        call = await self._calls.read(request)
        tenant_id, scope = lifecycle_requests.scope_or_tenant(request, call)
        started = await self._do.reembedding.start(tenant_id, scope)
        return service.StartReembeddingResponse(
            reembeddings=job_messages.reembedding_messages(started)
        )

    async def GetReembedding(
        self, request: service.GetReembeddingRequest, context: Any
    ) -> service.GetReembeddingResponse:
        call = await self._calls.read(request)
        tenant_id, scope = lifecycle_requests.scope_or_tenant(request, call)
        found = await self._do.reembedding.progress(tenant_id, scope)
        return service.GetReembeddingResponse(reembeddings=job_messages.reembedding_messages(found))
