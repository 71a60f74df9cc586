"""One server process: its features wired, its port, its background work."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from camillo_server.across.admin.store.tenant_store import TenantStore
from camillo_server.across.context.store.context import remove_expired_handoffs
from camillo_server.across.runs.store.endings import remove_ended_runs
from camillo_server.assembly import admin_service as admin
from camillo_server.assembly import audit_service as audit
from camillo_server.assembly import decision_service as decisions
from camillo_server.assembly import distillation_service as distillation
from camillo_server.assembly import event_service as events
from camillo_server.assembly import gateway
from camillo_server.assembly import knowledge_service as knowledge
from camillo_server.assembly import lifecycle_service as lifecycle
from camillo_server.assembly import link_service as links
from camillo_server.assembly import memory_service as memories
from camillo_server.assembly import run_service as runs
from camillo_server.assembly import slot_service as slots
from camillo_server.assembly import space_service as spaces
from camillo_server.assembly import task_service as tasks
from camillo_server.assembly.artifact_service import WiredArtifacts
from camillo_server.assembly.distillation_service import WiredDistillation
from camillo_server.assembly.kernel import make_kernel
from camillo_server.assembly.lifecycle_service import WiredJobs
from camillo_server.assembly.processes.local_server import Use
from camillo_server.assembly.search import WiredSearch
from camillo_server.assembly.snapshot_service import WiredContext
from camillo_server.assembly.spool_service import WiredSpool
from camillo_server.doors.identity.credentials import Authenticator
from camillo_server.doors.identity.key_cache import REFRESH_SECONDS, KeySigner
from camillo_server.doors.rpc.audited_calls import AuditedCalls
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.pipeline import Pipeline
from camillo_server.doors.rpc.server import Registration, RpcServer
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.doors.rpc.validate import OwnModel
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import Clock, SystemClock
from camillo_server.kernel.writes import REQUEST_LIFETIME
from camillo_server.lib.text.exact_tokens import choose_counter
from camillo_server.models.embedding.limits import NANO
from camillo_server.models.embedding.litellm import LiteLLMEmbedder
from camillo_server.settings.settings import Settings
from camillo_server.storage.written_requests import purge_requests
from camillo_server.telemetry.instruments import PoolUse, ProviderUse
from camillo_server.telemetry.tracing import Telemetry, watch_loop_lag

if TYPE_CHECKING:
    from camillo_server.doors.gateway.http_server import HttpServer

PURGE_SECONDS = 3600.0
# Other servers follow a changed policy of the audit trail, or of the spool, within this time.
POLICIES_SECONDS = 15.0
ENDED_RUNS_SECONDS = 300.0
DATABASE_CHECK_SECONDS = 10.0
JOB_HEALTH_SECONDS = 15.0
# No services of the contract: who watches over the server asks for them by these names.
JOB_HEALTH = "camillo.jobs"
CONTEXT_FLUSH_SECONDS = 10.0
SWEEP_SECONDS = 6 * 3600.0
DATABASE_HEALTH = "camillo.postgres"


class App:
    """Everything from the database pool to the port, started and stopped in order.

    Making one raises EmbeddingError, KeySetError, KeyringError, ObjectStoreError and TokenizerError; it belongs to the
    event loop that runs then.
    """

    def __init__(
        self,
        settings: Settings,
        database_url: str,
        telemetry: Telemetry,
        *,
        clock: Clock | None = None,
        more_services: Sequence[Registration] = (),
    ) -> None:
        self.kernel = kernel = make_kernel(settings, database_url, telemetry, clock or SystemClock())
        self._more_services = more_services
        self._tasks = BackgroundTasks()
        self.search = WiredSearch(kernel)
        self.artifacts = WiredArtifacts(kernel)
        self.distillation = WiredDistillation(kernel)
        self._wired_jobs = WiredJobs(kernel, self.distillation.jobs)
        self._jobs = self._wired_jobs.background
        self._counter = choose_counter(settings.memory.tokenizer, settings.data_dir / "models")
        keys, identity = TenantStore(kernel.database), settings.identity
        self._signer = KeySigner(keys, kernel.clock, accepts_unsigned=identity.unsigned_keys)
        self._authenticator = Authenticator.of(
            settings, keys, TenantStore(kernel.background_database), self._signer, kernel.clock
        )
        self._rpc: RpcServer | None = None
        self._http: HttpServer | None = None

    async def start(self) -> int:
        """Serves when it returns, on the port that it returns. Raises AddressInUse, ObjectStoreError,
        StorageUnavailable."""
        kernel, serving = self.kernel, self.kernel.providers.serving
        await kernel.database.open()
        await kernel.background_database.open()
        await self._signer.refresh()
        await kernel.audit_queue.refresh()
        if self.artifacts.parts is not None:
            await self.artifacts.parts.try_to_claim()
        revisions = RevisionTokens(await kernel.database.history())
        kernel.database.on_new_history(revisions.enter)
        own_model = OwnModel(serving.model_id, serving.dimensions)
        calls = CallReader(revisions, own_model, kernel.channels)
        await kernel.spooling.policies.refresh()
        await kernel.spooling.spool.open()
        spool = WiredSpool(kernel, calls)
        services = (*self._services(calls), spool.service(), *self._more_services)
        pipeline = self._pipeline()
        self._rpc = RpcServer(kernel.settings.server, kernel.settings.tls, pipeline, services)
        port = await self._rpc.start()
        self._http = gateway.http_server(kernel.settings, pipeline, services, self._rpc.is_serving)
        if self._http is not None:
            await self._http.start()
        self._rpc.report(DATABASE_HEALTH, is_serving=True)
        self._start_background_work(spool)
        return port

    def use(self) -> Use:
        """How much it is used."""
        return Use(self._rpc.arrivals.count, self._rpc.arrivals.under_way) if self._rpc is not None else Use(0, 0)

    async def leave(self, hurried: asyncio.Event) -> None:
        """Reports unhealthy and goes on answering, for as long as the settings say or until `hurried`."""
        if self._rpc is not None:
            await self._rpc.leave(self.kernel.settings.server.leave_seconds, hurried)

    async def stop(self) -> None:
        """Takes no more calls, lets those in flight finish, stores what was written behind, closes. Safe at any
        point of a start that failed."""
        # Together: the pipeline ends the watches of both ports.
        async with asyncio.TaskGroup() as stopping:
            if self._http is not None:
                stopping.create_task(self._http.stop())
            if self._rpc is not None:
                stopping.create_task(self._rpc.stop(self.kernel.settings.server.drain_seconds))
        await self._tasks.stop()
        await self._jobs.close()
        await self.search.close()
        await self._authenticator.close()
        await self.kernel.spooling.spool.close()
        await self.kernel.audit_queue.close()
        await self.kernel.context_tokens.flush()
        await self.kernel.quotas.close()
        await self.kernel.providers.close()
        await self.kernel.background_database.close()
        await self.kernel.database.close()

    def _services(self, calls: CallReader) -> Sequence[Registration]:
        kernel, indexes = self.kernel, self.search.engine.indexes
        context = WiredContext(kernel, self.search, self._counter, self._signer.fence_seed)
        forgetting = lifecycle.forgetting_servicer(kernel, calls, self.artifacts.repeating)
        administration = admin.administration(kernel, self._authenticator, self._signer)
        return (
            memories.wire(kernel, calls, self.search, forgetting),
            self.artifacts.service(calls),
            events.wire(kernel, calls, self.artifacts.offload, forgetting),
            decisions.wire(kernel, calls, self.search.recall),
            links.wire(kernel, calls),
            tasks.wire(kernel, calls),
            slots.wire(kernel, calls),
            context.service(calls),
            runs.wire(kernel, calls, context.build_bundle, self._counter),
            distillation.wire(kernel, calls, self.distillation),
            lifecycle.wire(kernel, calls, self._wired_jobs, indexes, forgetting),
            audit.wire(kernel, calls),
            knowledge.wire(kernel, calls, self._counter),
            spaces.wire(kernel, calls, indexes, administration, self.artifacts.repeating),
            admin.wire(kernel, calls, administration, indexes),
        )

    def _pipeline(self) -> Pipeline:
        telemetry = self.kernel.telemetry
        return Pipeline(
            self._authenticator,
            self.kernel.settings.server,
            telemetry.instruments,
            telemetry.tracing,
            self.kernel.quotas,
            self.kernel.refusals.keep,
            AuditedCalls(self.kernel.audit_queue),
        )

    def _start_background_work(self, spool: WiredSpool) -> None:
        kernel, run, repeat = self.kernel, self._tasks.run, self._tasks.repeat
        self._observe()
        kernel.telemetry.instruments.spool = spool.use
        run("spool replay", spool.replay.run)
        repeat("spool policies", kernel.spooling.policies.refresh, POLICIES_SECONDS)
        run("follow changes", kernel.notifier.follow)
        run("publish changes", kernel.notifier.publish)
        repeat("database check", self._check_database, DATABASE_CHECK_SECONDS)
        run("loop lag", lambda: watch_loop_lag(kernel.telemetry.instruments))
        repeat("key secrets", self._signer.refresh, REFRESH_SECONDS)
        repeat("request purge", self._purge_requests, PURGE_SECONDS)
        repeat("expired handoffs", self._remove_expired_handoffs, PURGE_SECONDS)
        run("audit entries", kernel.audit_queue.run)
        repeat("tokens of context", kernel.context_tokens.flush, CONTEXT_FLUSH_SECONDS)
        repeat("token usage", spaces.usage_sweep(kernel).run, SWEEP_SECONDS)
        repeat("audited reads", kernel.audit_queue.refresh, POLICIES_SECONDS)
        repeat("audit retention", audit.retention(kernel).run, PURGE_SECONDS)
        repeat("ended runs", self._remove_ended_runs, ENDED_RUNS_SECONDS)
        collect_seconds = kernel.settings.artifacts.collect_seconds
        repeat("artifact collection", self.artifacts.collection.run, collect_seconds)
        run("job health", self._watch_jobs)
        self._jobs.start(self._tasks)
        self.search.start(self._tasks)

    def _observe(self) -> None:
        """Lets the figures ask for what they show at the moment of collection."""
        kernel, instruments = self.kernel, self.kernel.telemetry.instruments
        instruments.pool = self._pool_use
        instruments.query_cache = lambda: self.kernel.providers.serving.query_cache
        instruments.provider = self._provider_use
        instruments.token_uses.models = lambda: kernel.model_budget.used
        instruments.token_uses.context = lambda: kernel.context_tokens.stored
        instruments.backlog = self._jobs.scopes_without_vectors
        instruments.jobs = self._jobs.figures
        instruments.database_faults = lambda: kernel.database.faults + kernel.background_database.faults
        instruments.indexes = self.search.engine.use

    async def _check_database(self) -> None:
        try:
            await self.kernel.database.check_history()
        finally:
            if self._rpc is not None:
                is_cut_off = self.kernel.is_cut_off()
                self._rpc.report(DATABASE_HEALTH, is_serving=not is_cut_off)

    async def _watch_jobs(self) -> None:
        board = self._wired_jobs.board
        while self._rpc is not None:
            self._rpc.report(JOB_HEALTH, is_serving=not await board.troubled())
            await asyncio.sleep(JOB_HEALTH_SECONDS)

    async def _purge_requests(self) -> None:
        await purge_requests(self.kernel.database, self.kernel.clock.now() - REQUEST_LIFETIME)

    async def _remove_expired_handoffs(self) -> None:
        await remove_expired_handoffs(self.kernel.database, self.kernel.clock.now())

    async def _remove_ended_runs(self) -> None:
        await remove_ended_runs(self.kernel.database, self.kernel.clock.now())

    def _pool_use(self) -> PoolUse:
        statistics = self.kernel.database.statistics()
        return PoolUse(
            statistics.get("pool_size", 0),
            statistics.get("pool_available", 0),
            statistics.get("requests_waiting", 0),
        )

    def _provider_use(self) -> ProviderUse | None:
        embedder = self.kernel.providers.choice.embedder
        if not isinstance(embedder, LiteLLMEmbedder):
            return None
        figures = embedder.figures
        return ProviderUse(dict(figures.calls), figures.tokens, figures.nano_usd / NANO, embedder.breaker_state)
