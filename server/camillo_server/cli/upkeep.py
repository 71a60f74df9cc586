"""lifecycle usage, jobs, retry, reembed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import utc_now
from camillo_server.cli.choices import JobState
from camillo_server.cli.connection import ClientOptions, administering, connected
from camillo_server.cli.lifecycle_options import SCOPES_AT_ONCE, AllScopes
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.progress import progress_bar
from camillo_server.cli.tables import show_table
from camillo_server.cli.upkeep_wording import (
    JOBS,
    REEMBEDDINGS,
    STORES,
    USAGES,
    job_row,
    reembedding_row,
    store_row,
    usage_details,
    usage_row,
)

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Reembedding, ScopeUsage
    from camillo_client import Camillo

PAGE_SIZE = 200
POLL_SECONDS = 1.0


def usage(client: ClientOptions, all_scopes: AllScopes = False) -> None:
    """Show what a scope takes, or every scope of the tenant.

    Example: camillo lifecycle usage --all-scopes
    """
    if all_scopes:
        with administering(client) as camillo:
            found = list(camillo.lifecycle.all_usage(page_size=SCOPES_AT_ONCE))
    else:
        with connected(client) as camillo:
            found = [camillo.lifecycle.usage()]
    if client.as_json:
        for scope in found:
            print_message(scope)
    elif all_scopes:
        show_table(USAGES, [usage_row(scope) for scope in found])
    else:
        _show_usage(found[0])


def jobs(
    client: ClientOptions,
    state: Annotated[JobState | None, Option(help="Default: any.")] = None,
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
) -> None:
    """List the work in the background of the tenant, oldest first.

    Example: camillo lifecycle jobs --state dead
    """
    wanted: Any = state and state.value
    with administering(client) as camillo:
        size = min(limit or PAGE_SIZE, PAGE_SIZE)
        found = list(islice(camillo.lifecycle.jobs(state=wanted, page_size=size), limit))
    if client.as_json:
        for job in found:
            print_message(job)
    elif found:
        now = utc_now()
        show_table(JOBS, [job_row(job, now) for job in found])
    else:
        note("no jobs")


def retry(
    client: ClientOptions,
    job_id: Annotated[str, Argument(metavar="ID", help="The id of a job.")],
) -> None:
    """Try a job again that has failed for good, or waits for its next try.

    Example: camillo lifecycle retry 42
    """
    with administering(client) as camillo:
        job = camillo.lifecycle.retry(job_id)
    if client.as_json:
        print_message(job)
    else:
        say(f"{job.job_id} {job_row(job, utc_now())[1]}")


def reembed(
    client: ClientOptions,
    start: Annotated[
        bool, Option("--start", help="Have vectors made of the model that is to serve next.")
    ] = False,
    wait: Annotated[bool, Option("--wait", help="Until every row has its vector.")] = False,
    all_scopes: AllScopes = False,
) -> None:
    """Show how far vectors of the next model have come, or have them made.

    Example: camillo lifecycle reembed --start --all-scopes --wait
    """
    with administering(client) if all_scopes else connected(client) as camillo:
        if start:
            camillo.lifecycle.reembed(all_scopes=all_scopes)
        found = camillo.lifecycle.reembedding(all_scopes=all_scopes)
        if wait:
            found = _complete(camillo, found, all_scopes=all_scopes)
    if client.as_json:
        for each in found:
            print_message(each)
    else:
        show_table(REEMBEDDINGS, [reembedding_row(each) for each in found])


def _complete(
    camillo: Camillo, found: Sequence[Reembedding], *, all_scopes: bool
) -> Sequence[Reembedding]:
    """The same once there is nothing left to do."""
    with progress_bar("embedding", sum(each.rows for each in found)) as report:
        while not all(each.is_complete for each in found):
            embedded = sum(each.embedded for each in found)
            report(embedded, embedded)
            time.sleep(POLL_SECONDS)
            found = camillo.lifecycle.reembedding(all_scopes=all_scopes)
    return found


def _show_usage(scope: ScopeUsage) -> None:
    for name, value in usage_details(scope):
        say(f"{name:<12} {value}")
    if scope.stores:
        say("")
        show_table(STORES, [store_row(each) for each in scope.stores])
