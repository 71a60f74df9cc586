"""lifecycle usage, compact, compactions, revert, jobs, retry, reembed, reindex: what a scope occupies, and work on it
beside calls."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli.connection import ClientOptions, administering, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import SHARED, age_of, counted, field_text, size
from camillo_cli.lifecycle import SCOPES_PER_CALL, AllScopes
from camillo_cli.options import CompactionState, DryRun, JobState, Limit, RequestId
from camillo_cli.output import (
    message_dict,
    note,
    print_json,
    print_message,
    print_result,
    progress_bar,
    say,
    spinner,
)
from camillo_cli.tables import Column, age_in, pages, print_list, show_details, show_table

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Compaction, Job, Reembedding, ScopeUsage
    from camillo.v1.lifecycle_service_pb2 import ReindexResponse
    from camillo_client import Camillo

POLL_SECONDS = 1.0
# From here on a quota is named.
NEAR = 0.8


def usage(client: ClientOptions, all_scopes: AllScopes = False) -> None:
    """Show the memories, rows and bytes of a space, or of all spaces of the tenant. For its quotas: camillo tenants
    quotas.

    Example: camillo lifecycle usage --all-scopes
    """
    if all_scopes:
        with administering(client) as camillo:
            scopes = camillo.lifecycle.all_usage(page_size=SCOPES_PER_CALL)
            print_list(client, scopes, USAGES, empty="no spaces")
            for quota in camillo.admin.quotas():
                if quota.limit and quota.used >= NEAR * quota.limit:
                    note(f"note: the tenant has {quota.used:,} of {quota.limit:,} {quota.name}")
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


def compact(
    client: ClientOptions,
    tag: Annotated[list[str] | None, Option(help="Only with one of these tags.")] = None,
    tag_threshold: Annotated[
        int,
        Option(
            min=0,
            show_default=False,
            help="Merge the memories of a tag that has more than this; 0: the default of the server.",
        ),
    ] = 0,
    likeness: Annotated[
        float,
        Option(
            min=0,
            max=1,
            show_default=False,
            help="Similarity of near-duplicates; 0: the default of the server.",
        ),
    ] = 0.0,
    skip_tags: Annotated[bool, Option("--skip-tags", help="Only near-duplicates.")] = False,
    skip_near_duplicates: Annotated[
        bool, Option("--skip-near-duplicates", help="Only groups with a common tag.")
    ] = False,
    commit: Annotated[list[str] | None, Option(metavar="ID", help="Carry out this proposal; may be repeated.")] = None,
    dry_run: DryRun = False,
    request_id: RequestId = None,
) -> None:
    """Merge memories that share a tag or are nearly the same, and archive the ones that were merged.

    For a large space, or with a language model, allow more time with --timeout.

    Example: camillo lifecycle compact --tag standup --dry-run --timeout 120
    """
    criteria: dict[str, Any] = {
        "tags": tag or [],
        "tag_threshold": tag_threshold,
        "likeness": likeness,
        "skip_tags": skip_tags,
        "skip_near_duplicates": skip_near_duplicates,
    }
    if commit and (dry_run or any(criteria.values())):
        raise CliError("--commit takes no other options: it is of a dry run", ExitCode.USAGE)
    with connected(client) as camillo, spinner("compacting"):
        if commit:
            answer = camillo.lifecycle.commit(commit, request_id=request_id)
        else:
            answer = camillo.lifecycle.compact(dry_run=dry_run, request_id=request_id, **criteria)
    if client.as_json:
        print_message(answer)
        return
    print_list(client, answer.compactions, COMPACTIONS, empty="no compactions", lines=3)
    if answer.more:
        note("there are more: run it again")
    if dry_run and answer.compactions:
        note("to carry one out: camillo lifecycle compact --commit ID")


def list_compactions(
    client: ClientOptions,
    state: Annotated[CompactionState | None, Option(help="Default: any.")] = None,
    limit: Limit = None,
) -> None:
    """List compactions, newest first.

    Example: camillo lifecycle compactions --state committed --limit 10
    """
    with connected(client) as camillo:
        found = pages(camillo.lifecycle.compactions, limit, state=state)
        print_list(client, found, COMPACTIONS, empty="no compactions", lines=3)


def revert(
    client: ClientOptions,
    compaction_id: Annotated[str, Argument(metavar="ID", help="The id of a compaction.")],
    request_id: RequestId = None,
) -> None:
    """Undo a compaction: restore the memories that were merged, and remove the merged one.

    Example: camillo lifecycle revert 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        answer = camillo.lifecycle.revert(compaction_id, request_id=request_id)
    restored = counted(answer.restored)
    print_result(client, answer, f"reverted {answer.compaction.compaction_id}: {restored} back")


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
    start: Annotated[bool, Option("--start", help="Start to embed every row with the next model.")] = False,
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
    print_list(client, found, REEMBEDDINGS, empty="no spaces")
    left = sum(each.rows - each.embedded for each in found if each.model_id == each.serving_model_id)
    if left and not client.as_json:
        note(
            f"{counted(left, 'row', 'rows')} without a vector of the model that serves: found by words alone until "
            f"they have one"
        )


def _wait_until_complete(camillo: Camillo, found: Sequence[Reembedding], *, all_scopes: bool) -> Sequence[Reembedding]:
    with progress_bar("embedding", sum(each.rows for each in found)) as report:
        while not all(each.is_complete for each in found):
            embedded = sum(each.embedded for each in found)
            report(embedded, embedded)
            time.sleep(POLL_SECONDS)
            found = camillo.lifecycle.reembedding(all_scopes=all_scopes)
    return found


def reindex(client: ClientOptions, all_scopes: AllScopes = False) -> None:
    """Analyse the texts of every memory and chunk again, as recalls search them, after an upgrade. Texts, versions and
    vectors stay.

    Example: camillo lifecycle reindex --all-scopes --timeout 600
    """
    if all_scopes:
        _reindex_all(client)
        return
    with connected(client) as camillo:
        done = camillo.lifecycle.reindex()
    print_result(client, done, f"changed the terms of {done.changed:,} of {done.rows:,} rows")
    if not client.as_json:
        _note_unreadable(done.unreadable)


def _reindex_all(client: ClientOptions) -> None:
    done: dict[str, ReindexResponse] = {}
    with administering(client) as camillo:
        scopes = camillo.lifecycle.all_usage(page_size=SCOPES_PER_CALL)
        agents = [scope.agent_id or SHARED for scope in scopes]
        with progress_bar("reindexing", len(agents)) as report:
            for agent in agents:
                done[agent] = camillo.lifecycle.reindex(agent_id=agent)
                report(len(done), sum(each.changed for each in done.values()))
    if client.as_json:
        for agent, each in done.items():
            print_json({"agent_id": agent, **message_dict(each, all_fields=True)})
        return
    columns = [Column("changed", right=True), Column("rows", right=True), Column("agent")]
    rows = [[f"{each.changed:,}", f"{each.rows:,}", agent] for agent, each in done.items()]
    show_table(columns, rows)
    _note_unreadable(sum(each.unreadable for each in done.values()))


def _note_unreadable(rows: int) -> None:
    if rows:
        note(f"{counted(rows, 'row', 'rows')} cannot be decrypted by the server's keys")


def _content(compaction: Compaction) -> str:
    """The text of a compaction; first the reason, if it was refused."""
    if not compaction.refusal:
        return compaction.content
    reason = field_text(compaction, "refusal").replace("_", " ")
    lost = f" ({', '.join(compaction.lost)})" if compaction.lost else ""
    return f"[{reason}{lost}] {compaction.content}".rstrip()


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
COMPACTIONS = (
    Column("id", "compaction_id", style="dim"),
    Column(
        "state",
        "state",
        styles={"committed": "green", "refused": "red", "proposed": "yellow", "reverted": "dim"},
    ),
    Column("age", age_in("created_at"), right=True, optional=True),
    Column("of", lambda compaction: str(len(compaction.source_ids)), right=True),
    Column("why", lambda each: f"tag {each.tag}" if each.tag else "near-duplicates", optional=True),
    Column("content", _content),
)
