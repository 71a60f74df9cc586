"""How usage, jobs and reembeddings read."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.artifact_wording import size
from camillo_server.cli.tables import Column
from camillo_server.cli.wording import age, moment

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Job, Reembedding, ScopeUsage, StoreUsage

SHARED = "(shared)"
USAGES = (
    Column("active", right=True),
    Column("archived", right=True),
    Column("expired", right=True, optional=True),
    Column("pinned", right=True, optional=True),
    Column("bytes", right=True),
    Column("in memory", right=True),
    Column("agent"),
)
STORES = (Column("rows", right=True), Column("bytes", right=True), Column("store"))
STATES = {"dead": "red", "stuck": "red", "running": "cyan"}
JOBS = (
    Column("id", right=True),
    Column("state", styles=STATES),
    Column("tries", right=True),
    Column("since", right=True),
    Column("due", optional=True),
    Column("task"),
    Column("agent"),
)
REEMBEDDINGS = (
    Column("done", right=True),
    Column("embedded", right=True),
    Column("rows", right=True),
    Column("next model"),
    Column("serving", optional=True),
    Column("agent"),
)


def usage_row(scope: ScopeUsage) -> list[str]:
    """A scope among others."""
    return [
        f"{scope.active_memories:,}",
        f"{scope.archived_memories:,}",
        f"{scope.expired_memories:,}",
        f"{scope.pinned_memories:,}",
        size(sum(each.bytes for each in scope.stores)),
        size(scope.memory_bytes) if scope.is_in_memory else "no",
        scope.agent_id or SHARED,
    ]


def usage_details(scope: ScopeUsage) -> list[tuple[str, str]]:
    """A scope alone, but for its stores."""
    quota = f" of {scope.memory_quota:,}" if scope.memory_quota else ""
    moments = [
        ("oldest", moment(scope.oldest_at) if scope.HasField("oldest_at") else ""),
        ("newest", moment(scope.newest_at) if scope.HasField("newest_at") else ""),
    ]
    return [
        ("agent", scope.agent_id or SHARED),
        ("active", f"{scope.active_memories:,}{quota}"),
        ("archived", f"{scope.archived_memories:,}"),
        ("expired", f"{scope.expired_memories:,}"),
        ("pinned", f"{scope.pinned_memories:,}"),
        *[(name, value) for name, value in moments if value],
        ("in memory", size(scope.memory_bytes) if scope.is_in_memory else "no"),
    ]


def store_row(store: StoreUsage) -> list[str]:
    return [f"{store.rows:,}", size(store.bytes), store.store]


def job_row(job: Job, now: datetime) -> list[str]:
    """Its row in a list. One that no process works on is stuck, whatever its state."""
    from camillo.v1.lifecycle_pb2 import JobState
    from camillo_client import enum_name, to_datetime

    return [
        job.job_id,
        "stuck" if job.is_stuck else enum_name(JobState, job.state),
        str(job.attempts),
        age(to_datetime(job.changed_at), now) if job.HasField("changed_at") else "",
        moment(job.due_at) if job.HasField("due_at") else "at once",
        job.task,
        job.agent_id or SHARED,
    ]


def reembedding_row(reembedding: Reembedding) -> list[str]:
    share = reembedding.embedded / reembedding.rows if reembedding.rows else 1.0
    return [
        # Down, so that it is not 100% before it is.
        f"{int(100 * share)}%",
        f"{reembedding.embedded:,}",
        f"{reembedding.rows:,}",
        reembedding.model_id,
        reembedding.serving_model_id,
        reembedding.agent_id or SHARED,
    ]
