"""lifecycle compact, compactions, revert."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import utc_now
from camillo_server.cli.choices import CompactionState
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.lifecycle_options import DryRun
from camillo_server.cli.output import counted, note, print_message, say
from camillo_server.cli.progress import working
from camillo_server.cli.tables import Column, show_table
from camillo_server.cli.wording import age
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Compaction
    from camillo_client import Camillo

PAGE_SIZE = 200
STYLES = {"committed": "green", "refused": "red", "proposed": "yellow", "reverted": "dim"}
COLUMNS = (
    Column("id", style="dim"),
    Column("state", styles=STYLES),
    Column("age", right=True, optional=True),
    Column("of", right=True),
    Column("why", optional=True),
    Column("content"),
)


def compact(
    client: ClientOptions,
    tag: Annotated[list[str] | None, Option(help="Only with one of these tags.")] = None,
    tag_threshold: Annotated[
        int, Option(min=0, help="Put a tag together that more memories have; 0: the server's.")
    ] = 0,
    likeness: Annotated[
        float, Option(min=0, max=1, help="How alike near-duplicates are; 0: the server's.")
    ] = 0.0,
    skip_tags: Annotated[bool, Option("--skip-tags", help="Only near-duplicates.")] = False,
    skip_near_duplicates: Annotated[
        bool, Option("--skip-near-duplicates", help="Only groups of a tag.")
    ] = False,
    commit: Annotated[
        list[str] | None, Option(metavar="ID", help="Carry out this proposal; may be repeated.")
    ] = None,
    dry_run: DryRun = False,
    request_id: RequestId = None,
) -> None:
    """Put memories together that share a tag or say nearly the same; the sources are archived.

    A large scope, or a model, takes longer than calls may by default.

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
    with connected(client) as camillo, working("compacting"):
        if commit:
            answer = camillo.lifecycle.commit(commit, request_id=request_id)
        else:
            answer = camillo.lifecycle.compact(dry_run=dry_run, request_id=request_id, **criteria)
    if client.as_json:
        print_message(answer)
        return
    _show(answer.compactions)
    if answer.more:
        note("there are more: call it again")
    if dry_run and answer.compactions:
        note("to carry one out: camillo lifecycle compact --commit ID")


def list_compactions(
    client: ClientOptions,
    state: Annotated[CompactionState | None, Option(help="Default: any.")] = None,
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
) -> None:
    """List compactions, newest first.

    Example: camillo lifecycle compactions --state committed --limit 10
    """
    with connected(client) as camillo:
        found = islice(_compactions(camillo, state, limit), limit)
        if client.as_json:
            for compaction in found:
                print_message(compaction)
        else:
            _show(list(found))


def revert(
    client: ClientOptions,
    compaction_id: Annotated[str, Argument(metavar="ID", help="The id of a compaction.")],
    request_id: RequestId = None,
) -> None:
    """Undo a compaction: the sources are back in recall, the merged memory is gone.

    Example: camillo lifecycle revert 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        answer = camillo.lifecycle.revert(compaction_id, request_id=request_id)
    if client.as_json:
        print_message(answer)
    else:
        say(f"reverted {answer.compaction.compaction_id}: {counted(answer.restored)} back")


def _compactions(
    camillo: Camillo, state: CompactionState | None, limit: int | None
) -> Iterable[Compaction]:
    wanted: Any = state and state.value
    return camillo.lifecycle.compactions(state=wanted, page_size=min(limit or PAGE_SIZE, PAGE_SIZE))


def _show(compactions: Iterable[Compaction]) -> None:
    rows = [_row(each) for each in compactions]
    if rows:
        show_table(COLUMNS, rows, lines=3)
    else:
        note("no compactions")


def _row(compaction: Compaction) -> list[str]:
    from camillo.v1.lifecycle_pb2 import CompactionState as State
    from camillo_client import enum_name, to_datetime

    return [
        compaction.compaction_id,
        enum_name(State, compaction.state),
        age(to_datetime(compaction.created_at), utc_now()),
        str(len(compaction.source_ids)),
        f"tag {compaction.tag}" if compaction.tag else "near-duplicates",
        _told(compaction),
    ]


def _told(compaction: Compaction) -> str:
    """Its text, behind why it was refused, if it was."""
    from camillo.v1.lifecycle_pb2 import CompactionRefusal
    from camillo_client import enum_name

    if not compaction.refusal:
        return compaction.content
    why = enum_name(CompactionRefusal, compaction.refusal).replace("_", " ")
    lost = f" ({', '.join(compaction.lost)})" if compaction.lost else ""
    return f"[{why}{lost}] {compaction.content}".rstrip()
