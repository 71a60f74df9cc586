"""The composition root: the one module that knows every concrete class."""

import asyncio
from collections.abc import Sequence
from importlib.metadata import version
from uuid import uuid4

from camillo.v1 import admin_service_pb2_grpc

from camillo_server.admin.servicer import AdminServicer, AdminUseCases, ServerIdentity
from camillo_server.admin.store.administration import PostgresAdministration
from camillo_server.admin.store.tenants import PostgresTenants, database_identity
from camillo_server.admin.tenants import CreateKey, NewSecret
from camillo_server.artifacts.wiring import ArtifactApp, channel_policy, keyring
from camillo_server.context.retrieval import Retrieval
from camillo_server.context.store.record_cache import HeldGround
from camillo_server.context.store.records import PostgresGroundReader
from camillo_server.context.wiring import ContextApp, ContextParts
from camillo_server.embedding.embedder import NANO
from camillo_server.embedding.litellm import LiteLLMEmbedder
from camillo_server.identity.api_keys import digest, new_secret
from camillo_server.identity.credentials import Authenticator
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import Clock, SystemClock
from camillo_server.kernel.ids import KeyId
from camillo_server.kernel.writes import REQUEST_LIFETIME
from camillo_server.lifecycle.wiring import (
    JobApp,
    JobParts,
    LifecycleApp,
    LifecycleParts,
    lifecycle_policy,
    masking_policy,
    open_embeddings,
)
from camillo_server.memories.builder import MemoryBuilder
from camillo_server.memories.store.access import AccessStatistics
from camillo_server.memories.wiring import MemoryApp, MemoryParts
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.pipeline import Pipeline
from camillo_server.rpc.server import Registration, RpcServer
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import OwnModel
from camillo_server.runs.store.endings import remove_ended_runs
from camillo_server.runs.wiring import RunApp, RunParts
from camillo_server.search.index.engine import RetrievalEngine, cache_bytes
from camillo_server.search.recall import Recall, RecallRules
from camillo_server.search.store.recall import PostgresMemorySearch
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.settings import Settings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.requests import purge_requests
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.telemetry.instruments import PoolUse, ProviderUse
from camillo_server.telemetry.startup import Telemetry
from camillo_server.telemetry.tracing import watch_loop_lag
from camillo_server.text.exact_tokens import choose_counter

ACCESS_FLUSH_SECONDS = 10.0
PURGE_SECONDS = 3600.0
ENDED_RUNS_SECONDS = 300.0
JOB_HEALTH_SECONDS = 15.0
# Not a service of the contract: who watches over the server asks for it by this name.
JOB_HEALTH = "camillo.jobs"


class App:
    """One server process: everything from the database pool to the port, started and stopped in order.

    Making one raises EmbeddingError, KeySetError, KeyringError, ObjectStoreError and TokenizerError; it belongs to the event loop that
    runs then.
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
        self._settings = settings
        self._telemetry = telemetry
        self._clock = clock or SystemClock()
        self._more_services = more_services
        self._database = Database(database_url, settings.database)
        self._keys = keyring(settings)
        self._notifier = ChangeNotifier(database_url)
        self._access = AccessStatistics(self._database)
        self._tasks = BackgroundTasks()
        self._embeddings = open_embeddings(
            settings, self._database, self._clock, telemetry.instruments.record_embedding_failure
        )
        self.choice, self._embedding = self._embeddings.choice, self._embeddings.serving
        self._retrieval = RetrievalEngine(
            ScopeRowsReader(
                self._database, self._embedding.model_id, self._embedding.dimensions, self._keys
            ),
            cache_bytes(settings.retrieval, settings.server.workers),
            telemetry.instruments,
        )
        self._notifier.subscribe(self._retrieval.caches)
        self._job_app = JobApp(
            settings,
            JobParts(
                database=self._database,
                database_url=database_url,
                notifier=self._notifier,
                keyring=self._keys,
                embeddings=self._embeddings,
                clock=self._clock,
            ),
        )
        self._missing_vectors = self._job_app.missing_vectors
        self.artifacts = ArtifactApp(settings, self._database, self._clock)
        self._ground = HeldGround(
            PostgresGroundReader(self._database, self._keys), self._retrieval.caches.revision_of
        )
        self._notifier.subscribe(self._ground)
        self._writes = ScopeWrites(
            self._database, self._notifier, self._missing_vectors.pending.add
        )
        self._jobs = self._job_app.background_jobs(self._writes)
        self._search = self._retrieval.search(PostgresMemorySearch(self._database))
        self._recall = Recall(
            self._search,
            self._embedding,
            self._access,
            self._clock,
            RecallRules(
                settings.memory.time_decay_half_life_hours,
                channel_policy(settings),
                masking_policy(settings),
            ),
        )
        self._counter = choose_counter(settings.memory.tokenizer, settings.data_dir / "models")
        self._authenticator = Authenticator.of(
            settings.identity, PostgresTenants(self._database), self._clock
        )
        self._rpc: RpcServer | None = None

    async def start(self) -> int:
        """Serves when it returns, on the port that it returns. Raises AddressInUse, StorageUnavailable."""
        await self._database.open()
        revisions = RevisionTokens(await database_identity(self._database))
        calls = CallReader(revisions, self._own_model())
        context = self._context()
        self._rpc = RpcServer(
            self._settings.server,
            self._settings.tls,
            self._pipeline(),
            (
                self._memories().service(calls),
                self.artifacts.service(calls),
                *context.services(calls),
                self._runs(context).service(calls),
                self._lifecycle().service(calls),
                self._admin_service(calls),
                *self._more_services,
            ),
        )
        port = await self._rpc.start()
        self._start_background_work()
        return port

    async def leave(self, hurried: asyncio.Event) -> None:
        """Reports unhealthy and goes on answering, for as long as the settings say or until `hurried`."""
        if self._rpc is not None:
            await self._rpc.leave(self._settings.server.leave_seconds, hurried)

    async def stop(self) -> None:
        """Takes no more calls, lets those in flight finish, stores what was written behind, closes. Safe at any
        point of a start that failed."""
        if self._rpc is not None:
            await self._rpc.stop(self._settings.server.drain_seconds)
        await self._tasks.stop()
        await self._jobs.close()
        await self._retrieval.close()
        await self._access.flush()
        await self._authenticator.close()
        await self._embeddings.close()
        await self._database.close()

    def _pipeline(self) -> Pipeline:
        return Pipeline(
            self._authenticator,
            self._settings.server,
            self._telemetry.instruments,
            self._telemetry.tracing,
        )

    def _memories(self) -> MemoryApp:
        return MemoryApp(
            MemoryParts(
                writes=self._writes,
                notifier=self._notifier,
                keyring=self._keys,
                recall=self._recall,
                builder=self._making(),
                embedding=self._embedding,
                clock=self._clock,
            )
        )

    def _context(self) -> ContextApp:
        return ContextApp(
            ContextParts(
                database=self._database,
                writes=self._writes,
                notifier=self._notifier,
                ground=self._ground,
                keyring=self._keys,
                policy=channel_policy(self._settings),
                recall=self._recall,
                retrieval=Retrieval(
                    self._search,
                    self._embedding,
                    self._settings.memory.time_decay_half_life_hours,
                ),
                offload=self.artifacts.offload,
                counter=self._counter,
                clock=self._clock,
            )
        )

    def _runs(self, context: ContextApp) -> RunApp:
        return RunApp(
            RunParts(
                writes=self._writes,
                keyring=self._keys,
                bundle=context.build_bundle,
                making=self._making(),
                counter=self._counter,
                clock=self._clock,
            )
        )

    def _making(self) -> MemoryBuilder:
        lifetimes = lifecycle_policy(self._settings).expires_at
        return MemoryBuilder(self._embedding, SecretRedactor(), lifetimes, self._clock)

    def _own_model(self) -> OwnModel:
        return OwnModel(self._embedding.model_id, self._embedding.dimensions)

    def _lifecycle(self) -> LifecycleApp:
        return LifecycleApp(
            self._settings,
            LifecycleParts(
                writes=self._writes,
                keyring=self._keys,
                embedding=self._embedding,
                indexes=self._retrieval.indexes,
                jobs=self._job_app,
                clock=self._clock,
            ),
        )

    def _admin_service(self, calls: CallReader) -> Registration:
        change = PostgresAdministration(self._database, self._notifier)
        servicer = AdminServicer(
            AdminUseCases(
                read=PostgresTenants(self._database),
                change=change,
                create_key=CreateKey(change, new_key_secret, self._clock),
                known_keys=self._authenticator,
                indexes=self._retrieval.indexes,
                clock=self._clock,
            ),
            ServerIdentity(
                version("camillo-server"), self._embedding.model_id, self._embedding.dimensions
            ),
            calls,
        )
        return lambda server: admin_service_pb2_grpc.add_AdminServiceServicer_to_server(
            servicer, server
        )

    def _start_background_work(self) -> None:
        instruments = self._telemetry.instruments
        instruments.pool = self._pool_use
        instruments.query_cache = lambda: self._embedding.query_cache
        instruments.provider = self._provider_use
        instruments.backlog = self._jobs.scopes_without_vectors
        instruments.jobs = self._jobs.figures
        instruments.indexes = self._retrieval.use
        self._tasks.run("follow changes", self._notifier.follow)
        self._tasks.run("publish changes", self._notifier.publish)
        self._tasks.run("loop lag", lambda: watch_loop_lag(instruments))
        self._tasks.repeat("access statistics", self._access.flush, ACCESS_FLUSH_SECONDS)
        self._tasks.repeat("request purge", self._purge_requests, PURGE_SECONDS)
        self._tasks.repeat("ended runs", self._remove_ended_runs, ENDED_RUNS_SECONDS)
        self._tasks.repeat(
            "artifact collection", self.artifacts.collect, self._settings.artifacts.collect_seconds
        )
        self._tasks.run("job health", self._watch_jobs)
        self._jobs.start(self._tasks)
        self._retrieval.start(self._tasks)

    async def _watch_jobs(self) -> None:
        while self._rpc is not None:
            await self._rpc.report(JOB_HEALTH, is_serving=not await self._job_app.board.troubled())
            await asyncio.sleep(JOB_HEALTH_SECONDS)

    async def _purge_requests(self) -> None:
        await purge_requests(self._database, self._clock.now() - REQUEST_LIFETIME)

    async def _remove_ended_runs(self) -> None:
        await remove_ended_runs(self._database, self._clock.now())

    def _pool_use(self) -> PoolUse:
        statistics = self._database.statistics()
        return PoolUse(
            statistics.get("pool_size", 0),
            statistics.get("pool_available", 0),
            statistics.get("requests_waiting", 0),
        )

    def _provider_use(self) -> ProviderUse | None:
        embedder = self.choice.embedder
        if not isinstance(embedder, LiteLLMEmbedder):
            return None
        figures = embedder.figures
        return ProviderUse(
            dict(figures.calls), figures.tokens, figures.nano_usd / NANO, embedder.breaker_state
        )


def new_key_secret() -> NewSecret:
    """A fresh key id and secret."""
    secret = new_secret()
    return NewSecret(KeyId(str(uuid4())), secret, digest(secret))
