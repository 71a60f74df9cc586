"""lifecycle compact, compactions, revert: memories merged into one that stands for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.format import counted, field_text
from camillo_server.cli.options import CompactionState, DryRun, Limit, RequestId
from camillo_server.cli.output import note, print_message, print_result, spinner
from camillo_server.cli.tables import Column, age_in, pages, print_list

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Compaction


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
    commit: Annotated[
        list[str] | None, Option(metavar="ID", help="Carry out this proposal; may be repeated.")
    ] = None,
    dry_run: DryRun = False,
    request_id: RequestId = None,
) -> None:
    """Merge memories that share a tag or are nearly the same, and archive the ones that were merged.

    For a large scope, or with a language model, allow more time with --timeout.

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
    print_list(client, answer.compactions, COLUMNS, empty="no compactions", lines=3)
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
        print_list(client, found, COLUMNS, empty="no compactions", lines=3)


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


def _content(compaction: Compaction) -> str:
    """Its text; first the reason, if it was refused."""
    if not compaction.refusal:
        return compaction.content
    reason = field_text(compaction, "refusal").replace("_", " ")
    lost = f" ({', '.join(compaction.lost)})" if compaction.lost else ""
    return f"[{reason}{lost}] {compaction.content}".rstrip()


COLUMNS = (
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
