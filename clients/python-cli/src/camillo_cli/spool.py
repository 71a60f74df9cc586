"""spool list, retry, discard, policy: what was written while Postgres was away, and has not been stored."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.connection import ClientOptions, administering
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import SHARED, counted
from camillo_cli.output import print_value
from camillo_cli.removals import confirm
from camillo_cli.tables import Column, age_in, pages, print_list, show_items

RETRIED_AT_ONCE, DISCARDED_AT_ONCE = 100, 1_000
WRITES = ("spooled write", "spooled writes")


class State(StrEnum):
    """The state of a spooled write."""

    FAILED = "failed"
    WAITING = "waiting"


class Policy(StrEnum):
    """The treatment of a tenant's writes while Postgres is away."""

    SPOOL = "spool"
    REFUSE = "refuse"
    DROP = "drop"


OnlyState = Annotated[State | None, Option("--state", help="Only those that failed, or only those that wait.")]
SpoolIds = Annotated[list[str] | None, Argument(metavar="[ID]...", help="Ids that camillo spool list shows.")]
AllFailed = Annotated[bool, Option("--all", help="All that failed.")]


def list_writes(client: ClientOptions, state: OnlyState = None, limit: options.Limit = None) -> None:
    """List writes that were spooled while Postgres was away and are not stored: those that failed, and those that wait.

    Writes that wait are on the disk of the server that answers; other servers have their own.
    Example: camillo spool list --state failed
    """
    with administering(client) as camillo:
        found = pages(camillo.spool.list, limit, state=state and state.value)
        print_list(client, found, COLUMNS, empty="nothing that was spooled is left")


def retry(client: ClientOptions, ids: SpoolIds = None, every: AllFailed = False) -> None:
    """Store writes again that failed, once their reason is gone. Exit code 1 if one failed again.

    Example: camillo spool retry --all
    """
    with administering(client) as camillo:
        chosen = _chosen(camillo, ids, every=every)
        stored, failed = 0, list[Any]()
        for part in _parts(chosen, RETRIED_AT_ONCE):
            answer = camillo.spool.retry(part)
            stored += answer.stored
            failed += answer.failed
    result = {"stored": stored, "failed": [each.spool_id for each in failed]}
    print_value(result, f"{counted(stored, *WRITES)} stored", as_json=client.as_json)
    if failed and not client.as_json:
        show_items(failed, COLUMNS)
    if failed:
        raise CliError(f"{counted(len(failed), *WRITES)} failed again", ExitCode.ERROR)


def discard(
    client: ClientOptions,
    ids: SpoolIds = None,
    every: AllFailed = False,
    yes: options.Yes = False,
) -> None:
    """Remove writes that failed, for good. They were acknowledged: whoever wrote them counts on them.

    Example: camillo spool discard 01890a5d-ac96-774b-bcce-b302099a8057 --yes
    """
    with administering(client) as camillo:
        chosen = _chosen(camillo, ids, every=every)
        confirm("discard", counted(len(chosen), *WRITES), yes=yes)
        gone = sum(camillo.spool.discard(part) for part in _parts(chosen, DISCARDED_AT_ONCE))
    print_value({"discarded": gone}, f"{counted(gone, *WRITES)} discarded", as_json=client.as_json)


def policy(
    client: ClientOptions,
    wanted: Annotated[
        Policy | None,
        Argument(
            metavar="[spool|refuse|drop]",
            help="spool them; refuse them, so that nothing is acknowledged that Postgres does not hold; or drop "
            "what the spool cannot take.",
        ),
    ] = None,
) -> None:
    """Show what becomes of the tenant's writes while Postgres is away, or change it.

    Every server follows within 15 seconds.
    Example: camillo spool policy refuse
    """
    from camillo.v1.spool_pb2 import SpoolPolicy

    with administering(client) as camillo:
        found = camillo.spool.policy() if wanted is None else camillo.spool.set_policy(wanted.value)
    name = SpoolPolicy.Name(found).removeprefix("SPOOL_POLICY_").lower()
    print_value({"policy": name}, f"{name}: {MEANINGS[name]}", as_json=client.as_json)


def _chosen(camillo: Any, ids: list[str] | None, *, every: bool) -> list[str]:
    """Raises CliError unless either is given."""
    if bool(ids) == every:
        raise CliError("name spooled writes by their ids, or all that failed with --all", ExitCode.USAGE)
    if ids:
        return ids
    return [each.spool_id for each in camillo.spool.list(state="failed")]


def _parts(ids: list[str], size: int) -> list[list[str]]:
    return [ids[begin : begin + size] for begin in range(0, len(ids), size)]


def _state(write: Any) -> str:
    return write.reason or "waiting"


MEANINGS = {
    "spool": "writes are acknowledged once they are on the disk of a server",
    "refuse": "writes are refused while Postgres is away",
    "drop": "writes are spooled, and those that cannot be are dropped, as their answers say",
}
COLUMNS = (
    Column("id", "spool_id"),
    Column("age", age_in("accepted_at"), right=True),
    Column("agent", lambda write: write.agent_id or SHARED),
    Column("method", "method"),
    Column("state", _state, styles={"waiting": "dim"}),
    Column("retry", lambda write: "yes" if write.may_be_retried else "no", optional=True),
    Column("bytes", "byte_count", right=True, optional=True),
    Column("message", "message", style="dim", optional=True),
)
