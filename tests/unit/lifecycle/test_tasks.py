"""Tasks that a process knows, by what it can do, when they come by themselves, and which come first."""

from functools import partial

from camillo_server.across.lifecycle.background_jobs import JobWork
from camillo_server.across.lifecycle.embed_scope import EmbedScope, MissingVectors, ReembedScope
from camillo_server.across.lifecycle.job_tasks import declare_tasks
from camillo_server.across.lifecycle.maintenance import Maintenance, MaintenanceJobs
from camillo_server.across.lifecycle.plan import LifecyclePolicy
from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog
from camillo_server.across.lifecycle.store.passes import PassStore
from camillo_server.across.lifecycle.store.reembedding import ReembeddingStore
from camillo_server.kernel.clock import SystemClock
from camillo_server.models.embedding.lexical import RandomEmbedder
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.store.encrypted_rows import NO_KEYS
from camillo_server.settings.lifecycle import LifecycleSettings
from camillo_server.settings.settings import DatabaseSettings, JobSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.jobs.board import PendingScopes
from camillo_server.storage.jobs.queue import JobQueue
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.vacuum import vacuum_texts

NOWHERE = "postgresql://nobody@localhost:1/none"
CRON = "17 * * * *"
WEEKLY = "47 3 * * 0"


def declared(cron: str | None = None, *, whole: bool) -> JobQueue:
    """The queue of a process that can do all, or embed alone."""
    database, notifier, policy = (Database(NOWHERE, DatabaseSettings()), ChangeNotifier(NOWHERE), LifecyclePolicy())
    backlog = EmbeddingBacklog(database, notifier, SystemClock())
    embedding = TextEmbedding(RandomEmbedder(8), 1.0, lambda reason: None)
    embed, missing = (EmbedScope(backlog, embedding), MissingVectors(database, backlog, PendingScopes()))
    work = JobWork(embed, missing)
    if whole:
        store = ReembeddingStore(database, NO_KEYS, notifier.notify)
        passes = PassStore(ScopeWrites(database, notifier), policy)
        work = JobWork(
            embed,
            missing,
            ReembedScope(database, store, {embedding.model_id: embedding}, SystemClock()),
            MaintenanceJobs(
                database,
                Maintenance(passes, SystemClock()),
                partial(vacuum_texts, NOWHERE, 1.0),
                LifecycleSettings(cron=cron, vacuum_cron=None if cron is None else WEEKLY),
            ),
        )
    queue = JobQueue(NOWHERE, DatabaseSettings(connect_timeout_seconds=1.0))
    declare_tasks(queue, JobSettings(), work, lambda seconds: None)
    return queue


def times(queue: JobQueue) -> dict[str, str]:
    periodic = queue.app.periodic_registry.periodic_tasks.values()
    return {each.task.name: each.cron for each in periodic}


async def test_a_queue_is_named_as_its_task_so_that_nobody_fetches_what_is_unknown() -> None:
    queue = declared(CRON, whole=True)
    own = {name for name in queue.app.tasks if "." not in name and ":" not in name}
    assert own == {"embed_scope", "find_missing_vectors", "reembed_scope", "maintain_scope", "maintain_all", "vacuum"}
    assert all(queue.app.tasks[name].queue == name for name in own)


async def test_a_process_that_only_embeds_knows_no_other_work() -> None:
    queue = declared(CRON, whole=False)
    assert {"embed_scope", "find_missing_vectors"} <= set(queue.app.tasks)
    assert not {"reembed_scope", "maintain_scope", "maintain_all"} & set(queue.app.tasks)


async def test_maintenance_comes_by_itself_where_a_time_is_set() -> None:
    assert times(declared(CRON, whole=True)) == {
        "find_missing_vectors": "*/5 * * * *",
        "maintain_all": CRON,
        "vacuum": WEEKLY,
    }
    without = declared(None, whole=True)
    assert set(times(without)) == {"find_missing_vectors"}
    assert "maintain_all" in without.app.tasks


async def test_what_a_caller_waits_for_comes_first() -> None:
    tasks = declared(whole=True).app.tasks
    assert tasks["embed_scope"].priority > tasks["maintain_scope"].priority
    assert tasks["embed_scope"].priority > tasks["reembed_scope"].priority
