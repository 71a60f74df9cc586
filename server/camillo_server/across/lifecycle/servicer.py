"""LifecycleService, but for its methods that compact (features/compaction/servicer.py) and forget
(across/forgetting/servicer.py)."""

from typing import Any

from camillo.v1 import lifecycle_service_pb2 as service

from camillo_server.across.lifecycle import messages
from camillo_server.across.lifecycle.maintenance import GetUsage, Maintenance, Reembedding, Reindex
from camillo_server.across.lifecycle.plan import Action, PassOrder, Selected
from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.page_tokens import plan_binding, plan_consent, read_plan_token
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import PlanConsent
from camillo_server.storage.jobs.board import JobBoard, JobState


class LifecycleServicer:
    """The methods of proto/camillo/v1/lifecycle_service.proto that maintain, count, and work in the background."""

    def __init__(
        self,
        maintenance: Maintenance,
        usage: GetUsage,
        jobs: JobBoard,
        reembedding: Reembedding,
        reindex: Reindex,
        max_without_plan: int,
        calls: CallReader,
    ) -> None:
        self._maintenance = maintenance
        self._max_without_plan = max_without_plan
        self._usage = usage
        self._jobs = jobs
        self._reembedding = reembedding
        self._reindex = reindex
        self._calls = calls

    async def RunMaintenance(
        self, request: service.RunMaintenanceRequest, context: Any
    ) -> service.RunMaintenanceResponse:
        call = await self._calls.read(request)
        return service.RunMaintenanceResponse(**await self._run(call, request, None))

    async def Prune(self, request: service.PruneRequest, context: Any) -> service.PruneResponse:
        call = await self._calls.read(request)
        work = Selected(Action.REMOVE, messages.selector_of(request.selector))
        return service.PruneResponse(**await self._run(call, request, work))

    async def Archive(self, request: service.ArchiveRequest, context: Any) -> service.ArchiveResponse:
        call = await self._calls.read(request)
        work = Selected(Action.ARCHIVE, messages.selector_of(request.selector))
        return service.ArchiveResponse(**await self._run(call, request, work))

    async def _run(self, call: Call, request: Any, work: Selected | None) -> dict[str, Any]:
        """Runs a pass; the fields of its response."""
        binding = plan_binding(messages.undated(request) if work else request, call.scope)
        consent = PlanConsent(read_plan_token(binding, request.plan_token))
        if work and work.action is Action.REMOVE:
            consent = plan_consent(request, binding, call.principal, self._max_without_plan)
        order = PassOrder(call.request_key, consent)
        done = await self._maintenance.run(call.scope, work, order, dry_run=request.dry_run)
        return {
            "pass": messages.pass_message(done, binding, dry_run=request.dry_run),
            "revision": call.revision(done.revision),
        }

    async def GetUsage(self, request: service.GetUsageRequest, context: Any) -> service.GetUsageResponse:
        call = await self._calls.read(request)
        tenant_id, agent_id = messages.tenant_and_agent(request, call)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("GetUsage", tenant_id)
        after = messages.read_agent_token(binding, request.page_token)
        if agent_id is not None:
            usage = await self._usage.of_scope(Scope(tenant_id, agent_id))
            return messages.usage_response([usage], size, binding)
        found = await self._usage.of_tenant(tenant_id, after, size + 1)
        return messages.usage_response(found, size, binding)

    async def ListJobs(self, request: service.ListJobsRequest, context: Any) -> service.ListJobsResponse:
        call = await self._calls.read(request)
        state = JobState(request.state) if request.state else None
        size = stated_or_default(request, "page_size")
        tenant_id = call.scope.tenant_id
        binding = messages.jobs_binding(tenant_id, state)
        after = messages.read_job_token(binding, request.page_token)
        found = await self._jobs.page(tenant_id, state, after, size + 1)
        return messages.jobs_response(found, size, binding)

    async def RetryJob(self, request: service.RetryJobRequest, context: Any) -> service.RetryJobResponse:
        call = await self._calls.read(request)
        job = await self._jobs.retry(call.scope.tenant_id, request.job_id)
        return service.RetryJobResponse(job=messages.job_message(job))

    async def StartReembedding(
        self, request: service.StartReembeddingRequest, context: Any
    ) -> service.StartReembeddingResponse:
        call = await self._calls.read(request)
        started = await self._reembedding.start(*messages.tenant_and_agent(request, call))
        models = self._reembedding.models
        return service.StartReembeddingResponse(
            reembeddings=[messages.reembedding_message(each, models) for each in started]
        )

    async def GetReembedding(
        self, request: service.GetReembeddingRequest, context: Any
    ) -> service.GetReembeddingResponse:
        call = await self._calls.read(request)
        found = await self._reembedding.progress(*messages.tenant_and_agent(request, call))
        models = self._reembedding.models
        return service.GetReembeddingResponse(
            reembeddings=[messages.reembedding_message(each, models) for each in found]
        )

    async def Reindex(self, request: service.ReindexRequest, context: Any) -> service.ReindexResponse:
        call = await self._calls.read(request)
        done = await self._reindex(call.scope)
        return service.ReindexResponse(
            rows=done.rows,
            changed=done.changed,
            unreadable=done.unreadable,
            revision=call.revision(done.revision),
        )
