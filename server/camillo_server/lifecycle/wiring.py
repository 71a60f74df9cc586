"""The lifecycle of memories, wired: its service, and the jobs that work on it in the background."""

from datetime import timedelta
from functools import partial

from camillo.v1.lifecycle_service_pb2_grpc import add_LifecycleServiceServicer_to_server

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
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.spend_store import BudgetLimit, PostgresEmbeddingSpend
from camillo_server.forgetting.wiring import forgetting
from camillo_server.jobs.board import JobBoard
from camillo_server.kernel.kinds import MemoryKind
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
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.index.status import CachedIndexes
from camillo_server.settings import Settings
from camillo_server.wiring import Kernel


class WiredJobs:
    """The jobs of one process, and what the service of lifecycles asks of them."""

    def __init__(self, kernel: Kernel) -> None:
        database, providers = kernel.database, kernel.providers
        self._kernel = kernel
        self._backlog = PostgresEmbeddingBacklog(
            database, kernel.notifier, kernel.clock, kernel.keyring
        )
        self._reembedding = PostgresReembedding(database, kernel.keyring, kernel.notifier.notify)
        by_model = {providers.serving.model_id: providers.serving}
        if providers.next is not None:
            by_model.setdefault(providers.next.model_id, providers.next)
        self._reembed = ReembedScope(database, self._reembedding, by_model)
        self.board = JobBoard(database)

    def background_jobs(self) -> BackgroundJobs:
        """All of them, for the process to start."""
        kernel, settings = self._kernel, self._kernel.settings
        policy = lifecycle_policy(settings)
        run = RunMaintenance(PostgresLifecycle(kernel.writes, policy), policy, kernel.clock)
        work = JobWork(
            EmbedScope(self._backlog, kernel.providers.serving),
            MissingVectors(kernel.database, self._backlog, kernel.without_vectors),
            self._reembed,
            Maintenance(kernel.database, run, settings.lifecycle.cron),
        )
        return BackgroundJobs(
            kernel.database_url, settings.jobs, work, settings.database.connect_timeout_seconds
        )

    def start_reembedding(self) -> StartReembedding:
        return StartReembedding(
            self._reembedding, self._models(), self._kernel.clock, self._reembed.pending.add
        )

    def get_reembedding(self) -> GetReembedding:
        return GetReembedding(self._reembedding, self._models())

    def _models(self) -> Models:
        serving, following = self._kernel.providers.serving, self._kernel.providers.next
        return Models(serving.model_id, following.model_id if following else None)


def wire(
    kernel: Kernel, calls: CallReader, jobs: WiredJobs, indexes: CachedIndexes
) -> Registration:
    """LifecycleService. Raises EmbeddingError."""
    policy, writes, clock = lifecycle_policy(kernel.settings), kernel.writes, kernel.clock
    passes = PostgresLifecycle(writes, policy)
    compactions = PostgresCompactionStore(writes, kernel.keyring)
    use_cases = LifecycleUseCases(
        maintain=RunMaintenance(passes, policy, clock),
        prune=PruneMemories(passes, clock),
        archive=ArchiveMemories(passes, clock),
        usage=GetUsage(PostgresUsage(kernel.database), indexes, policy, clock),
        forgetting=forgetting(kernel),
        compact=_compact(kernel, compactions),
        revert=RevertCompaction(compactions, clock),
        compactions=ListCompactions(compactions, clock),
        jobs=jobs.board,
        reembed=jobs.start_reembedding(),
        reembedding=jobs.get_reembedding(),
    )
    return partial(add_LifecycleServiceServicer_to_server, LifecycleServicer(use_cases, calls))


def _compact(kernel: Kernel, store: PostgresCompactionStore) -> Compact:
    compaction = kernel.settings.compaction
    thresholds = Thresholds(compaction.tag_threshold, compaction.likeness)
    parts = CompactionParts(
        FindGroups(store, LexicalEmbedder(), thresholds),
        MergeGroups(_summariser(kernel), kernel.redactor),
        kernel.providers.serving,
    )
    return Compact(store, parts, kernel.clock)


def _summariser(kernel: Kernel) -> LiteLLMSummariser | None:
    """The model that puts memories together, if one is configured."""
    compaction, memory = kernel.settings.compaction, kernel.settings.memory
    if compaction.litellm_model is None:
        return None
    spend = PostgresEmbeddingSpend(kernel.database, kernel.clock, BudgetLimit.of(memory))
    return LiteLLMSummariser(compaction, spend, budget_usd=memory.embedding_budget_usd or 0)


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
