"""What becomes of memories with time, wired: the part of the composition root that knows these classes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from camillo.v1 import lifecycle_service_pb2_grpc

from camillo_server.compaction.compact import (
    Compact,
    CompactionParts,
    ListCompactions,
    RevertCompaction,
)
from camillo_server.compaction.compaction import Thresholds
from camillo_server.compaction.groups import FindGroups
from camillo_server.compaction.merge import MergeGroups
from camillo_server.compaction.store.compactions import PostgresCompactionStore
from camillo_server.compaction.summarizer import LiteLLMSummariser
from camillo_server.crypto.keyring import Keyring
from camillo_server.embedding.choose import EmbedderChoice, choose_embedder
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.spend_store import BudgetLimit, PostgresEmbeddingSpend
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.forgetting.forgetting import Forgetting
from camillo_server.forgetting.store.forgetting import ForgettingStore
from camillo_server.jobs.board import JobBoard
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.lifecycle.background_jobs import BackgroundJobs, JobWork
from camillo_server.lifecycle.embed_scope import EmbedScope, ReembedScope
from camillo_server.lifecycle.job_scopes import Maintenance, MissingVectors
from camillo_server.lifecycle.maintenance import ArchiveMemories, PruneMemories, RunMaintenance
from camillo_server.lifecycle.plan import LifecyclePolicy
from camillo_server.lifecycle.reembedding import GetReembedding, Models, StartReembedding
from camillo_server.lifecycle.servicer import LifecycleServicer, LifecycleUseCases
from camillo_server.lifecycle.store.embedding_backlog import PostgresEmbeddingBacklog
from camillo_server.lifecycle.store.passes import PostgresLifecycle
from camillo_server.lifecycle.store.reembedding import PostgresReembedding
from camillo_server.lifecycle.store.usage import PostgresUsage
from camillo_server.lifecycle.usage import GetUsage
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.index.status import CachedIndexes
from camillo_server.search.masking.masker import Mask, MaskingPolicy, Rules
from camillo_server.settings import Settings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.receipts import ReceiptStore
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
    notifier: ChangeNotifier
    keyring: Keyring
    embeddings: Embeddings
    clock: Clock


class JobApp:
    """The jobs of one process, and the use cases about them."""

    def __init__(self, settings: Settings, parts: JobParts) -> None:
        self._settings = settings
        self._parts = parts
        self._backlog = PostgresEmbeddingBacklog(
            parts.database, parts.notifier, parts.clock, parts.keyring
        )
        self.missing_vectors = MissingVectors(parts.database, self._backlog)
        self._reembedding = PostgresReembedding(
            parts.database, parts.keyring, parts.notifier.notify
        )
        self.reembed = self._reembed_scope()
        self.board = JobBoard(parts.database)

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


@dataclass(frozen=True, slots=True)
class LifecycleParts:
    """What the rest of the server lends."""

    writes: ScopeWrites
    keyring: Keyring
    embedding: TextEmbedding
    indexes: CachedIndexes
    jobs: JobApp
    clock: Clock


class LifecycleApp:
    """The service of lifecycles."""

    def __init__(self, settings: Settings, parts: LifecycleParts) -> None:
        self._settings = settings
        self._parts = parts
        self._policy = lifecycle_policy(settings)

    def service(self, calls: CallReader) -> Registration:
        """Adds the service to a gRPC server."""
        servicer = LifecycleServicer(self._use_cases(), calls)
        return lambda server: lifecycle_service_pb2_grpc.add_LifecycleServiceServicer_to_server(
            servicer, server
        )

    def _use_cases(self) -> LifecycleUseCases:
        parts, policy = self._parts, self._policy
        writes, jobs, clock = parts.writes, parts.jobs, parts.clock
        passes = PostgresLifecycle(writes, policy)
        compactions = PostgresCompactionStore(writes, parts.keyring)
        return LifecycleUseCases(
            maintain=RunMaintenance(passes, policy, clock),
            prune=PruneMemories(passes, clock),
            archive=ArchiveMemories(passes, clock),
            usage=GetUsage(PostgresUsage(writes.database), parts.indexes, policy, clock),
            forgetting=Forgetting(
                ForgettingStore(writes, parts.keyring), ReceiptStore(writes.database), clock
            ),
            compact=self._compact(compactions),
            revert=RevertCompaction(compactions, clock),
            compactions=ListCompactions(compactions, clock),
            jobs=jobs.board,
            reembed=jobs.start_reembedding(),
            reembedding=jobs.get_reembedding(),
        )

    def _compact(self, store: PostgresCompactionStore) -> Compact:
        compaction = self._settings.compaction
        thresholds = Thresholds(compaction.tag_threshold, compaction.likeness)
        parts = CompactionParts(
            FindGroups(store, LexicalEmbedder(), thresholds),
            MergeGroups(self._summariser(), SecretRedactor()),
            self._parts.embedding,
        )
        return Compact(store, parts, self._parts.clock)

    def _summariser(self) -> LiteLLMSummariser | None:
        """The model that puts memories together, if one is configured. Raises EmbeddingError."""
        compaction, memory = self._settings.compaction, self._settings.memory
        if compaction.litellm_model is None:
            return None
        database, clock = self._parts.writes.database, self._parts.clock
        spend = PostgresEmbeddingSpend(database, clock, BudgetLimit.of(memory))
        return LiteLLMSummariser(compaction, spend, budget_usd=memory.embedding_budget_usd or 0)


def masking_policy(settings: Settings) -> MaskingPolicy:
    """What is masked where it is shown."""
    masking = settings.masking
    default = masking.default.model_dump()
    return MaskingPolicy(
        _rules(default),
        {
            TenantId(tenant): _rules({**default, **rules.model_dump(exclude_none=True)})
            for tenant, rules in masking.tenants.items()
        },
    )


def _rules(masks: Mapping[str, str]) -> Rules:
    return {level: Mask(masks[level.name.lower()]) for level in Sensitivity}
