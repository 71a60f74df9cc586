"""The lifecycle of memories, wired: its service, and the jobs that work on it in the background."""

from datetime import timedelta
from functools import partial

from camillo.v1.lifecycle_service_pb2_grpc import add_LifecycleServiceServicer_to_server

from camillo_server.compaction.compaction import Thresholds
from camillo_server.compaction.compactions import CompactionParts, Compactions
from camillo_server.compaction.find_groups import FindGroups
from camillo_server.compaction.merge import MergeGroups
from camillo_server.compaction.store.compactions import CompactionStore
from camillo_server.compaction.summarizer import LiteLLMSummariser
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.spend import BudgetLimit, EmbeddingBudget
from camillo_server.forgetting.wiring import forgetting
from camillo_server.jobs.board import JobBoard
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.lifecycle.background_jobs import BackgroundJobs, JobWork
from camillo_server.lifecycle.embed_scope import EmbedScope, ReembedScope
from camillo_server.lifecycle.get_usage import GetUsage
from camillo_server.lifecycle.job_scopes import MaintenanceJobs, MissingVectors
from camillo_server.lifecycle.maintenance import Maintenance
from camillo_server.lifecycle.plan import LifecyclePolicy
from camillo_server.lifecycle.reembedding import Models, Reembedding
from camillo_server.lifecycle.servicer import LifecycleFeatures, LifecycleServicer
from camillo_server.lifecycle.store.embedding_backlog import EmbeddingBacklog
from camillo_server.lifecycle.store.passes import PassStore
from camillo_server.lifecycle.store.reembedding import ReembeddingStore
from camillo_server.lifecycle.store.usage import UsageStore
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.index.verification import CachedIndexes
from camillo_server.settings import Settings
from camillo_server.wiring import Kernel


class WiredJobs:
    """The jobs of one process, and what the service of lifecycles asks of them."""

    def __init__(self, kernel: Kernel) -> None:
        database, providers = kernel.database, kernel.providers
        self._kernel = kernel
        self._backlog = EmbeddingBacklog(database, kernel.notifier, kernel.clock, kernel.keyring)
        self._reembedding = ReembeddingStore(database, kernel.keyring, kernel.notifier.notify)
        by_model = {providers.serving.model_id: providers.serving}
        if providers.next is not None:
            by_model.setdefault(providers.next.model_id, providers.next)
        self._reembed = ReembedScope(database, self._reembedding, by_model)
        self.board = JobBoard(database)

    def background_jobs(self) -> BackgroundJobs:
        """All of them, for the process to start."""
        kernel, settings = self._kernel, self._kernel.settings
        policy = lifecycle_policy(settings)
        maintenance = Maintenance(PassStore(kernel.writes, policy), policy, kernel.clock)
        work = JobWork(
            EmbedScope(self._backlog, kernel.providers.serving),
            MissingVectors(kernel.database, self._backlog, kernel.without_vectors),
            self._reembed,
            MaintenanceJobs(kernel.database, maintenance, settings.lifecycle.cron),
        )
        return BackgroundJobs(
            kernel.database_url, settings.jobs, work, settings.database.connect_timeout_seconds
        )

    def reembedding(self) -> Reembedding:
        """Reembedding, as the service offers it; these jobs do the work."""
        serving, following = self._kernel.providers.serving, self._kernel.providers.next
        models = Models(serving.model_id, following.model_id if following else None)
        clock, on_started = self._kernel.clock, self._reembed.pending.add
        return Reembedding(self._reembedding, models, clock, on_started)


def wire(
    kernel: Kernel, calls: CallReader, jobs: WiredJobs, indexes: CachedIndexes
) -> Registration:
    """LifecycleService. Raises EmbeddingError."""
    policy, writes, clock = lifecycle_policy(kernel.settings), kernel.writes, kernel.clock
    features = LifecycleFeatures(
        maintenance=Maintenance(PassStore(writes, policy), policy, clock),
        usage=GetUsage(UsageStore(kernel.database), indexes, policy, clock),
        forgetting=forgetting(kernel),
        compactions=_compactions(kernel),
        jobs=jobs.board,
        reembedding=jobs.reembedding(),
    )
    return partial(add_LifecycleServiceServicer_to_server, LifecycleServicer(features, calls))


def _compactions(kernel: Kernel) -> Compactions:
    store = CompactionStore(kernel.writes, kernel.keyring)
    compaction = kernel.settings.compaction
    thresholds = Thresholds(compaction.tag_threshold, compaction.likeness)
    parts = CompactionParts(
        FindGroups(store, LexicalEmbedder(), thresholds),
        MergeGroups(_summariser(kernel), kernel.redactor),
        kernel.providers.serving,
    )
    return Compactions(store, parts, kernel.clock)


def _summariser(kernel: Kernel) -> LiteLLMSummariser | None:
    """The model that puts memories together, if one is configured."""
    compaction, memory = kernel.settings.compaction, kernel.settings.memory
    if compaction.litellm_model is None:
        return None
    spend = EmbeddingBudget(kernel.database, kernel.clock, BudgetLimit.of(memory))
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
