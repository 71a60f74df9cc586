"""The tasks that this server knows. A queue is named as its task."""

from collections.abc import Callable

from procrastinate import JobContext

from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.scope import Scope
from camillo_server.jobs.backoff import Backoff
from camillo_server.jobs.embed_scope import EmbedScope
from camillo_server.jobs.missing_vectors import MissingVectors
from camillo_server.jobs.queue import JobQueue
from camillo_server.jobs.rules import JobRules
from camillo_server.jobs.task_names import EMBED_SCOPE, FIND_MISSING_VECTORS

# How long a job that failed for good is left alone, and then given one more attempt each time.
DEAD_SECONDS = 3600.0
EVERY_FIVE_MINUTES = "*/5 * * * *"


def declare_tasks(
    queue: JobQueue,
    rules: JobRules,
    embed: EmbedScope,
    missing: MissingVectors,
    on_retry: Callable[[float], None],
) -> None:
    """Makes the tasks known to the queue. `on_retry` is told in how many seconds a job will be due again."""
    backoff = Backoff(
        rules.max_attempts, rules.first_retry_seconds, rules.longest_retry_seconds, on_retry
    )

    @queue.app.task(name=EMBED_SCOPE, queue=EMBED_SCOPE, pass_context=True, retry=backoff)
    async def embed_scope(context: JobContext, tenant_id: str, agent_id: str) -> None:
        failed_attempts = context.job.attempts
        await embed.embed(Scope(TenantId(tenant_id), AgentId(agent_id)), failed_attempts)
        if failed_attempts:
            # The provider works again, so the others need not wait for their time.
            await queue.hurry(EMBED_SCOPE)

    # Of those that come again by themselves a failed one is not repeated.
    once = Backoff(max_attempts=1)

    @queue.app.periodic(cron=EVERY_FIVE_MINUTES)
    @queue.app.task(
        name=FIND_MISSING_VECTORS,
        queue=FIND_MISSING_VECTORS,
        lock=FIND_MISSING_VECTORS,
        queueing_lock=FIND_MISSING_VECTORS,
        retry=once,
    )
    async def find_missing_vectors(timestamp: int) -> None:
        await missing.look_everywhere(lambda scopes: queue.defer(EMBED_SCOPE, scopes))
        await queue.revive(EMBED_SCOPE, DEAD_SECONDS)
