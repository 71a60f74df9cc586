"""Search, wired: recall, the indexes in memory, and the statistics of hits."""

from collections.abc import Mapping

from camillo_server.assembly.kernel import Kernel
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.models.reranking.cross_encoder import open_reranking
from camillo_server.rows.store.access import AccessStatistics
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.store.removal import StaleMarks
from camillo_server.search.contradictions import Contradictions
from camillo_server.search.history import HitHistory
from camillo_server.search.index.engine import RetrievalEngine, cache_bytes
from camillo_server.search.judge import LiteLLMJudge
from camillo_server.search.judging import Judging
from camillo_server.search.masking import Mask, MaskingPolicy, Rules
from camillo_server.search.recall import Recall, RecallRules
from camillo_server.search.reordering import Reranking
from camillo_server.search.searches import LinkedSearch
from camillo_server.search.store.linked_ends import LinkedEnds
from camillo_server.search.store.recall import PostgresMemorySearch
from camillo_server.search.store.recall_reads import AcceptedSenders, PastVersions, Predecessors
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.settings.lifecycle import ContradictionSettings
from camillo_server.settings.settings import Settings

ACCESS_FLUSH_SECONDS = 10.0


class WiredSearch:
    """The parts that search in this process. Their indexes in memory follow the changes of every scope."""

    def __init__(self, kernel: Kernel) -> None:
        settings, serving = kernel.settings, kernel.providers.serving
        reader = ScopeRowsReader(kernel.database, serving.model_id, serving.dimensions, kernel.keyring)
        self.engine = RetrievalEngine(
            reader,
            cache_bytes(settings.retrieval, settings.server.workers),
            kernel.telemetry.instruments,
            groups_rows=settings.retrieval.row_groups,
        )
        kernel.notifier.subscribe(self.engine.caches)
        self.access = AccessStatistics(kernel.database)
        self.stale_marks = StaleMarks(kernel.database)
        self.half_life_hours = settings.memory.time_decay_half_life_hours
        instruments = kernel.telemetry.instruments
        in_postgres = PostgresMemorySearch(kernel.database, lambda: instruments.record_vector_fault("recall"))
        in_memory = self.engine.search(in_postgres, kernel.is_cut_off)
        self.links = LinkedEnds(kernel.database)
        self.senders = AcceptedSenders(kernel.database)
        self.search = LinkedSearch(in_memory, self.links)
        rules = RecallRules(self.half_life_hours, kernel.channels, masking_policy(settings))
        self.history = HitHistory(Predecessors(kernel.database, kernel.keyring), rules, kernel.clock)
        budget = kernel.model_budget
        self._judging = Judging(
            _judge(settings.contradictions, budget),
            settings.contradictions,
            instruments.record_judged,
        )
        self.contradictions = Contradictions(
            MemoryReader(kernel.database, kernel.keyring),
            self.search,
            serving,
            kernel.clock,
            self._judging,
        )
        self.reranking = open_reranking(settings.reranking, settings.data_dir, budget, instruments.record_reranking)
        self.recall = Recall(
            self.search,
            serving,
            self.access,
            self.stale_marks,
            kernel.clock,
            rules,
            Reranking(self.reranking),
            self.links,
            PastVersions(kernel.database, kernel.keyring),
            self.senders,
        )

    def start(self, tasks: BackgroundTasks) -> None:
        """Begins to follow the commits of other processes, and to store how often each memory was found."""
        self.engine.start(tasks)
        tasks.repeat("access statistics", self.access.flush, ACCESS_FLUSH_SECONDS)

    async def close(self) -> None:
        """Stores the last statistics. Needs the database."""
        await self._judging.close()
        if self.reranking is not None:
            await self.reranking.close()
        await self.engine.close()
        await self.access.flush()


def _judge(settings: ContradictionSettings, budget: EmbeddingBudget) -> LiteLLMJudge | None:
    """The model that judges contradictions, if one is configured."""
    return LiteLLMJudge(settings, budget) if settings.litellm_model else None


def masking_policy(settings: Settings) -> MaskingPolicy:
    """The masks of each level, by default and for single tenants."""
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
