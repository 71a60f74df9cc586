"""Wires the background jobs of a server or of a worker process."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.clock import Clock
from camillo_server.domain.lifecycle.policy import LifecyclePolicy
from camillo_server.domain.lifecycle.reembedding import GetReembedding, Models, StartReembedding
from camillo_server.domain.lifecycle.run_maintenance import RunMaintenance
from camillo_server.domain.memory import MemoryKind
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.embedding.choose import EmbedderChoice, choose_embedder
from camillo_server.jobs.background_jobs import BackgroundJobs, JobWork
from camillo_server.jobs.board import PostgresJobBoard
from camillo_server.jobs.embed_scope import EmbedScope, ReembedScope
from camillo_server.jobs.scopes import Maintenance, MissingVectors
from camillo_server.settings import Settings
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.database import Database
from camillo_server.storage.embedding_backlog import PostgresEmbeddingBacklog
from camillo_server.storage.embedding_spend import BudgetLimit, PostgresEmbeddingSpend
from camillo_server.storage.lifecycle_passes import PostgresLifecycle
from camillo_server.storage.reembedding import PostgresReembedding
from camillo_server.storage.scope_writes import ScopeWrites


@dataclass(frozen=True, slots=True)
class Embeddings:
    """The serving provider and why it was chosen, and the one that is to serve next."""

    choice: EmbedderChoice
    serving: TextEmbedding
    next: TextEmbedding | None

    async def close(self) -> None:
        """Closes the providers."""
        await self.serving.close()
        if self.next is not None:
            await self.next.close()


@dataclass(frozen=True, slots=True)
class JobParts:
    """Parts that the process owns."""

    database: Database
    database_url: str
    bell: PostgresChangeBell
    keyring: Keyring
    embeddings: Embeddings
    clock: Clock


class JobApp:
    """The jobs of one process, and the use cases about them."""

    def __init__(self, settings: Settings, parts: JobParts) -> None:
        self._settings = settings
        self._parts = parts
        self._backlog = PostgresEmbeddingBacklog(
            parts.database, parts.bell, parts.clock, parts.keyring
        )
        self.missing_vectors = MissingVectors(parts.database, self._backlog)
        self._reembedding = PostgresReembedding(parts.database, parts.keyring, parts.bell.ring)
        self.reembed = self._reembed_scope()
        self.board = PostgresJobBoard(parts.database)

    def background_jobs(self, writes: ScopeWrites) -> BackgroundJobs:
        """All jobs; maintenance writes by `writes`."""
        parts, policy = self._parts, lifecycle_policy(self._settings)
        run = RunMaintenance(PostgresLifecycle(writes, policy), policy, parts.clock)
        work = JobWork(
            EmbedScope(self._backlog, parts.embeddings.serving),
            self.missing_vectors,
            self.reembed,
            Maintenance(parts.database, run, self._settings.lifecycle.cron),
        )
        return BackgroundJobs(
            parts.database_url,
            self._settings.jobs,
            work,
            self._settings.database.connect_timeout_seconds,
        )

    def start_reembedding(self) -> StartReembedding:
        return StartReembedding(
            self._reembedding, self._models(), self._parts.clock, self.reembed.pending.add
        )

    def get_reembedding(self) -> GetReembedding:
        return GetReembedding(self._reembedding, self._models())

    def _models(self) -> Models:
        embeddings = self._parts.embeddings
        return Models(
            embeddings.serving.model_id, embeddings.next.model_id if embeddings.next else None
        )

    def _reembed_scope(self) -> ReembedScope:
        parts, embeddings = self._parts, self._parts.embeddings
        by_model = {embeddings.serving.model_id: embeddings.serving}
        if embeddings.next is not None:
            by_model.setdefault(embeddings.next.model_id, embeddings.next)
        return ReembedScope(parts.database, self._reembedding, by_model)


def open_embeddings(
    settings: Settings, database: Database, clock: Clock, on_failure: Callable[[str], None]
) -> Embeddings:
    """The providers that the settings name, loaded. Raises EmbeddingError."""
    memory = settings.memory
    spend = PostgresEmbeddingSpend(database, clock, BudgetLimit.of(memory))
    choice = choose_embedder(memory, settings.data_dir, spend)
    serving = TextEmbedding(
        choice.for_all_callers(),
        memory.embed_timeout_seconds,
        on_failure,
        memory.embedding_cache_size,
    )
    following = memory.of_next_model()
    if following is None:
        return Embeddings(choice, serving, None)
    embedder = choose_embedder(following, settings.data_dir, spend).for_all_callers()
    return Embeddings(
        choice, serving, TextEmbedding(embedder, memory.embed_timeout_seconds, on_failure)
    )


def lifecycle_policy(settings: Settings) -> LifecyclePolicy:
    """The policy that the settings describe."""
    lifecycle = settings.lifecycle
    days = lifecycle.lifetime_days.model_dump()
    return LifecyclePolicy(
        lifetimes={
            MemoryKind[name.upper()]: timedelta(days=each)
            for name, each in days.items()
            if each is not None
        },
        weekly_decay=lifecycle.weekly_decay,
        archive_below=lifecycle.archive_below,
        unimportant_below=lifecycle.unimportant_below,
        unimportant_after=timedelta(days=lifecycle.unimportant_after_days),
        memory_quota=lifecycle.memory_quota,
        retention=timedelta(days=lifecycle.retention_days),
    )
