"""lifecycle usage, jobs, retry, reembed: what a scope occupies, and the work that servers do in the background."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_server.cli.connection import ClientOptions, administering, connected
from camillo_server.cli.format import SHARED, age_of, field_text, size
from camillo_server.cli.lifecycle import SCOPES_PER_CALL, AllScopes
from camillo_server.cli.options import JobState, Limit
from camillo_server.cli.output import print_message, print_result, progress_bar, say
from camillo_server.cli.tables import Column, pages, print_list, show_details

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Job, Reembedding, ScopeUsage
    from camillo_client import Camillo

POLL_SECONDS = 1.0


def usage(client: ClientOptions, all_scopes: AllScopes = False) -> None:
    """Show the memories, rows and bytes of a scope, or of all scopes of the tenant.

    Example: camillo lifecycle usage --all-scopes
    """
    if all_scopes:
        with administering(client) as camillo:
            scopes = camillo.lifecycle.all_usage(page_size=SCOPES_PER_CALL)
            print_list(client, scopes, USAGES, empty="no scopes")
        return
    with connected(client) as camillo:
        scope = camillo.lifecycle.usage()
    if client.as_json:
        print_message(scope)
        return
    show_details(scope, USAGE)
    if scope.stores:
        say("")
        print_list(client, scope.stores, STORES, empty="")


def jobs(
    client: ClientOptions,
    state: Annotated[JobState | None, Option(help="Default: any.")] = None,
    limit: Limit = None,
) -> None:
    """List the background jobs of the tenant, oldest first.

    Example: camillo lifecycle jobs --state dead
    """
    with administering(client) as camillo:
        found = pages(camillo.lifecycle.jobs, limit, state=state)
        print_list(client, found, JOBS, empty="no jobs")


def retry(
    client: ClientOptions,
    job_id: Annotated[str, Argument(metavar="ID", help="The id of a job.")],
) -> None:
    """Run a job again that has failed permanently, or that waits for its next attempt.

    Example: camillo lifecycle retry 42
    """
    with administering(client) as camillo:
        job = camillo.lifecycle.retry(job_id)
    print_result(client, job, f"{job.job_id} {_state(job)}")


def reembed(
    client: ClientOptions,
    start: Annotated[
        bool, Option("--start", help="Start to embed every row with the next model.")
    ] = False,
    wait: Annotated[bool, Option("--wait", help="Wait until every row has its vector.")] = False,
    all_scopes: AllScopes = False,
) -> None:
    """Show how many rows have a vector of the next embedding model, or start to embed them.

    Example: camillo lifecycle reembed --start --all-scopes --wait
    """
    with administering(client) if all_scopes else connected(client) as camillo:
        if start:
            camillo.lifecycle.reembed(all_scopes=all_scopes)
        found = camillo.lifecycle.reembedding(all_scopes=all_scopes)
        if wait:
            found = _wait_until_complete(camillo, found, all_scopes=all_scopes)
    print_list(client, found, REEMBEDDINGS, empty="no scopes")


def _wait_until_complete(
    camillo: Camillo, found: Sequence[Reembedding], *, all_scopes: bool
) -> Sequence[Reembedding]:
    with progress_bar("embedding", sum(each.rows for each in found)) as report:
        while not all(each.is_complete for each in found):
            embedded = sum(each.embedded for each in found)
            report(embedded, embedded)
            time.sleep(POLL_SECONDS)
            found = camillo.lifecycle.reembedding(all_scopes=all_scopes)
    return found


def _state(job: Job) -> str:
    """The state of a job; one that no process works on is stuck, whatever its state."""
    return "stuck" if job.is_stuck else field_text(job, "state")


def _since(job: Job) -> str:
    return age_of(job.changed_at) if job.HasField("changed_at") else ""


def _active(scope: ScopeUsage) -> str:
    quota = f" of {scope.memory_quota:,}" if scope.memory_quota else ""
    return f"{scope.active_memories:,}{quota}"


def _in_memory(scope: ScopeUsage) -> str:
    return size(scope.memory_bytes) if scope.is_in_memory else "no"


def _stored(scope: ScopeUsage) -> str:
    return size(sum(store.bytes for store in scope.stores))


def _agent(item: ScopeUsage | Job | Reembedding) -> str:
    return item.agent_id or SHARED


def _share(reembedding: Reembedding) -> str:
    share = reembedding.embedded / reembedding.rows if reembedding.rows else 1.0
    # Rounded down, so that it is not 100% before all is done.
    return f"{int(100 * share)}%"


USAGES = (
    Column("active", "active_memories", right=True),
    Column("archived", "archived_memories", right=True),
    Column("expired", "expired_memories", right=True, optional=True),
    Column("pinned", "pinned_memories", right=True, optional=True),
    Column("bytes", _stored, right=True),
    Column("in memory", _in_memory, right=True),
    Column("agent", _agent),
)
USAGE = (
    ("agent", _agent),
    ("active", _active),
    ("archived", "archived_memories"),
    ("expired", "expired_memories"),
    ("pinned", "pinned_memories"),
    ("oldest", "oldest_at"),
    ("newest", "newest_at"),
    ("in memory", _in_memory),
)
STORES = (
    Column("rows", "rows", right=True),
    Column("bytes", lambda store: size(store.bytes), right=True),
    Column("store", "store"),
)
JOBS = (
    Column("id", "job_id", right=True),
    Column("state", _state, styles={"dead": "red", "stuck": "red", "running": "cyan"}),
    Column("tries", "attempts", right=True),
    Column("since", _since, right=True),
    Column("due", lambda job: field_text(job, "due_at") or "at once", optional=True),
    Column("task", "task"),
    Column("agent", _agent),
)
REEMBEDDINGS = (
    Column("done", _share, right=True),
    Column("embedded", "embedded", right=True),
    Column("rows", "rows", right=True),
    Column("next model", "model_id"),
    Column("serving", "serving_model_id", optional=True),
    Column("agent", _agent),
)
