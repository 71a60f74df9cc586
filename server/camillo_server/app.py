"""The composition root: the one module that knows every concrete class."""

from collections.abc import Sequence
from importlib.metadata import version
from uuid import uuid4

from camillo.v1 import admin_service_pb2_grpc, memory_service_pb2_grpc

from camillo_server.artifact_app import ArtifactApp, channel_policy, keyring
from camillo_server.background import BackgroundTasks
from camillo_server.context_app import ContextApp, ContextParts
from camillo_server.domain.batch_remember import BatchRemember
from camillo_server.domain.clock import Clock, SystemClock
from camillo_server.domain.context.retrieval import Retrieval
from camillo_server.domain.create_key import CreateKey, NewSecret
from camillo_server.domain.export_memories import ExportMemories
from camillo_server.domain.forget_memories import ForgetMemories
from camillo_server.domain.get_memory import GetMemory
from camillo_server.domain.ids import KeyId
from camillo_server.domain.import_memories import ImportMemories
from camillo_server.domain.list_memories import ListMemories
from camillo_server.domain.list_memory_revisions import ListMemoryRevisions
from camillo_server.domain.recall import Recall
from camillo_server.domain.remember import Remember
from camillo_server.domain.restore_memories import RestoreMemories
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.domain.update_memory import UpdateMemory
from camillo_server.domain.watch_memories import WatchMemories
from camillo_server.domain.writes import REQUEST_LIFETIME
from camillo_server.embedding.choose import choose_embedder
from camillo_server.embedding.litellm import LiteLLMEmbedder
from camillo_server.embedding.spend import NANO
from camillo_server.identity.api_keys import digest, new_secret
from camillo_server.jobs.background_jobs import BackgroundJobs
from camillo_server.jobs.embed_scope import EmbedScope
from camillo_server.jobs.missing_vectors import MissingVectors
from camillo_server.part_settings import (
    authenticator,
    bounds,
    budget_limit,
    cache_bytes,
    embedding_settings,
    job_rules,
    listening,
    pool_size,
)
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.retrieval.engine import RetrievalEngine
from camillo_server.rpc.admin_servicer import AdminServicer, AdminUseCases, ServerIdentity
from camillo_server.rpc.memory_servicer import MemoryServicer, MemoryUseCases
from camillo_server.rpc.pipeline import Pipeline
from camillo_server.rpc.server import Registration, RpcServer
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import OwnModel
from camillo_server.settings import Settings
from camillo_server.storage.access_statistics import AccessStatistics
from camillo_server.storage.administration import PostgresAdministration
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.database import Database
from camillo_server.storage.embedding_backlog import PostgresEmbeddingBacklog
from camillo_server.storage.embedding_spend import PostgresEmbeddingSpend
from camillo_server.storage.ground_reader import PostgresGroundReader
from camillo_server.storage.held_ground import HeldGround
from camillo_server.storage.memory_reader import PostgresMemoryReader
from camillo_server.storage.memory_writer import PostgresMemoryWriter
from camillo_server.storage.recall_search import PostgresMemorySearch
from camillo_server.storage.request_purge import purge_requests
from camillo_server.storage.scope_rows import ScopeRowsReader
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.tenants import PostgresTenants, database_identity
from camillo_server.telemetry.loop_lag import watch_loop_lag
from camillo_server.telemetry.metrics import PoolUse, ProviderUse
from camillo_server.telemetry.startup import Telemetry
from camillo_server.tokenizing.choose import choose_counter

ACCESS_FLUSH_SECONDS = 10.0
PURGE_SECONDS = 3600.0


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
        self._database = Database(
            database_url,
            pool_size(settings),
            settings.database.statement_timeout_seconds,
        )
        self._keys = keyring(settings)
        self._bell = PostgresChangeBell(database_url)
        self._access = AccessStatistics(self._database)
        self._tasks = BackgroundTasks()
        spend = PostgresEmbeddingSpend(self._database, self._clock, budget_limit(settings))
        self.choice = choose_embedder(embedding_settings(settings), spend)
        self._embedding = TextEmbedding(
            self.choice.for_all_callers(),
            settings.memory.embed_timeout_seconds,
            telemetry.instruments.record_embedding_failure,
            settings.memory.embedding_cache_size,
        )
        self._retrieval = RetrievalEngine(
            ScopeRowsReader(
                self._database, self._embedding.model_id, self._embedding.dimensions, self._keys
            ),
            cache_bytes(settings),
            telemetry.instruments,
        )
        self._bell.observe(self._retrieval.caches.rung)
        backlog = PostgresEmbeddingBacklog(self._database, self._bell, self._clock, self._keys)
        self._missing_vectors = MissingVectors(self._database, backlog)
        self._jobs = BackgroundJobs(
            database_url,
            job_rules(settings),
            EmbedScope(backlog, self._embedding),
            self._missing_vectors,
        )
        self.artifacts = ArtifactApp(settings, self._database, self._clock)
        self._ground = HeldGround(
            PostgresGroundReader(self._database, self._keys), self._retrieval.caches.revision_of
        )
        self._bell.observe(self._ground.rung)
        self._on_commit = self._ground.noting(self._retrieval.caches.committed)
        self._search = self._retrieval.search(PostgresMemorySearch(self._database))
        self._recall = Recall(
            self._search,
            self._embedding,
            self._access,
            self._clock,
            settings.memory.time_decay_half_life_hours,
            channel_policy(settings),
        )
        self._counter = choose_counter(settings.memory.tokenizer, settings.data_dir / "models")
        self._authenticator = authenticator(settings, PostgresTenants(self._database), self._clock)
        self._rpc: RpcServer | None = None

    async def start(self) -> int:
        """Serves when it returns, on the port that it returns. Raises AddressInUse, StorageUnavailable."""
        await self._database.open()
        revisions = RevisionTokens(await database_identity(self._database))
        self._rpc = RpcServer(
            listening(self._settings),
            self._pipeline(),
            (
                self._memory_service(revisions),
                self.artifacts.service(),
                *self._context().services(revisions),
                self._admin_service(),
                *self._more_services,
            ),
        )
        port = await self._rpc.start()
        self._start_background_work()
        return port

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
        await self._embedding.close()
        await self._database.close()

    def _pipeline(self) -> Pipeline:
        return Pipeline(
            self._authenticator,
            bounds(self._settings),
            self._telemetry.instruments,
            self._telemetry.tracing,
        )

    def _memory_service(self, revisions: RevisionTokens) -> Registration:
        reader = PostgresMemoryReader(self._database, self._keys)
        writer = PostgresMemoryWriter(
            self._database,
            self._bell,
            self._missing_vectors.notice,
            self._on_commit,
            self._keys,
        )
        embedding, redactor, clock = self._embedding, SecretRedactor(), self._clock
        servicer = MemoryServicer(
            MemoryUseCases(
                remember=Remember(writer, embedding, redactor, clock),
                batch_remember=BatchRemember(writer, embedding, redactor, clock),
                import_memories=ImportMemories(writer, embedding, redactor, clock),
                recall=self._recall,
                get=GetMemory(reader, clock),
                list=ListMemories(reader, clock),
                update=UpdateMemory(reader, writer, embedding, redactor, clock),
                forget=ForgetMemories(reader, writer, clock),
                restore=RestoreMemories(writer, clock),
                list_revisions=ListMemoryRevisions(reader, clock),
                watch=WatchMemories(reader, self._bell, clock),
                export=ExportMemories(reader, clock),
            ),
            revisions,
            OwnModel(embedding.model_id, embedding.dimensions),
        )
        return lambda server: memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(
            servicer, server
        )

    def _context(self) -> ContextApp:
        return ContextApp(
            ContextParts(
                database=self._database,
                writes=ScopeWrites(
                    self._database, self._bell, self._missing_vectors.notice, self._on_commit
                ),
                bell=self._bell,
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

    def _admin_service(self) -> Registration:
        change = PostgresAdministration(self._database, self._bell)
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
        self._tasks.run("follow changes", self._bell.follow)
        self._tasks.run("tell changes", self._bell.tell)
        self._tasks.run("loop lag", lambda: watch_loop_lag(instruments))
        self._tasks.repeat("access statistics", self._access.flush, ACCESS_FLUSH_SECONDS)
        self._tasks.repeat("request purge", self._purge_requests, PURGE_SECONDS)
        self._tasks.repeat(
            "artifact collection", self.artifacts.collect, self._settings.artifacts.collect_seconds
        )
        self._jobs.start(self._tasks)
        self._retrieval.start(self._tasks)

    async def _purge_requests(self) -> None:
        await purge_requests(self._database, self._clock.now() - REQUEST_LIFETIME)

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
