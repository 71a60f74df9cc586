"""spaces list, show, forget: what is kept of people, projects and teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli.administration import Confirmed, confirm_id
from camillo_cli.background import STORES
from camillo_cli.connection import ClientOptions, administering, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import age_of, counted, field_text, size
from camillo_cli.options import DryRun, RequestId, Yes
from camillo_cli.output import note, print_message, print_result, say
from camillo_cli.removals import note_receipt, rows_by_store, show_excerpts, show_matches
from camillo_cli.tables import Column, print_list, show_details, show_items

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.duration_pb2 import Duration

    from camillo.v1.space_pb2 import KindUsage, Space
    from camillo.v1.space_service_pb2 import GetSpaceResponse
    from camillo_client.spaces import OtherSpacesName

SpacePath = Annotated[str, Argument(metavar="SPACE", help="A path such as users/42, an agent's id, or @shared.")]


def list_spaces(
    client: ClientOptions,
    prefix: Annotated[
        str, Argument(help="Only this space and those below it: users/, teams/eu.", show_default=False)
    ] = "",
) -> None:
    """List spaces with what they hold, in the order of their paths: all that the key reaches.

    Example: camillo spaces list users/
    """
    with administering(client) as camillo:
        print_list(client, camillo.spaces.list(prefix), SPACES, empty="no spaces")


def show(client: ClientOptions, path: SpacePath) -> None:
    """Show what one space holds, how long it stays, and for administrators which keys reach it.

    Example: camillo spaces show users/42
    """
    with connected(client) as camillo:
        found = camillo.spaces.get(path)
    if client.as_json:
        print_message(found)
        return
    show_details(found, SPACE)
    held = [kind for kind in found.kinds if kind.memories]
    for items, columns in ((held, KINDS), (found.space.usage.stores, STORES), (found.readers, READERS)):
        if items:
            say("")
            show_items(items, columns)
    if found.more_readers:
        note(f"{counted(found.more_readers, 'more key', 'more keys')}: camillo keys list")


def forget(
    client: ClientOptions,
    path: SpacePath,
    also_named: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="A name of the person: other spaces are searched for it; may be repeated."),
    ] = None,
    redact: Annotated[
        bool, Option("--redact", help="Cut the names out of records of other spaces, where that is possible.")
    ] = False,
    delete: Annotated[bool, Option("--delete", help="Delete the records of other spaces that hold a name.")] = False,
    keep: Annotated[
        list[str] | None,
        Option(metavar="STORE=ID", help="This record of another space stays: memories=ID; may be repeated."),
    ] = None,
    plan: Annotated[str, Option(metavar="TOKEN", help="The plan token of a dry run.", show_default=False)] = "",
    confirm: Confirmed = None,
    block: Annotated[bool, Option("--block", help="What it stated may not be stated again under this path.")] = False,
    excerpts: Annotated[
        int, Option(min=1, max=50, help="Of each store, show so many records of other spaces with a dry run.")
    ] = 10,
    dry_run: DryRun = False,
    yes: Yes = False,
    request_id: RequestId = None,
) -> None:
    """Erase a space: every record of every store, permanently. With names, a dry run shows what other spaces say.

    Example: camillo spaces forget users/42 --also-named "Ana Díaz" --dry-run
    """
    if redact and delete:
        raise CliError("--redact and --delete exclude each other", ExitCode.USAGE)
    other_spaces: OtherSpacesName = "redact_spans" if redact else "delete_records" if delete else "keep"
    names = also_named or []
    is_sure = dry_run or (yes and confirm is None)
    repeated = path if is_sure else confirm_id("space", path, confirm)
    with administering(client) as camillo:
        done = camillo.spaces.forget(
            path,
            confirm=repeated,
            also_named=names,
            other_spaces=other_spaces,
            keep=_kept(keep or []) if keep else None,
            block_values=block,
            dry_run=dry_run,
            plan_token=plan,
            excerpts_per_store=excerpts,
            request_id=request_id,
        )
    verb = "would forget" if dry_run else "forgot"
    print_result(client, done, f"{verb} {path}: {rows_by_store(done.receipt.stores)}")
    if client.as_json:
        return
    if names:
        show_excerpts(done.other_spaces, all_scopes=True)
        show_matches(done.other_spaces, [*names, path])
    else:
        note("no other space was searched: --also-named NAME")
    note_receipt(done.receipt)
    if done.plan_token:
        note(f"to go on, with --redact, --delete or neither: --plan {done.plan_token}")


def _kept(keep: list[str]) -> dict[str, list[str]]:
    """Ids by field of RecordIds. Raises CliError."""
    from camillo.v1.forgetting_pb2 import RecordIds

    kept: dict[str, list[str]] = {}
    known = {name.rpartition("_")[0]: name for name in RecordIds.DESCRIPTOR.fields_by_name}
    for each in keep:
        store, _, record_id = each.partition("=")
        field = known.get({"memories": "memory"}.get(store, store.removesuffix("s")))
        if not (field and record_id):
            stores = ", ".join(sorted(known))
            raise CliError(f"{each}: must be STORE=ID, with one of {stores} as the store", ExitCode.USAGE)
        kept.setdefault(field, []).append(record_id)
    return kept


def _age(name: str) -> Callable[[Any], str]:
    return lambda space: age_of(getattr(space, name)) if space.HasField(name) else ""


def _memories(space: Space) -> str:
    return next((f"{store.rows:,}" for store in space.usage.stores if store.store == "memories"), "0")


def _records(space: Space) -> str:
    return f"{sum(store.rows for store in space.usage.stores if store.store in RECORDS):,}"


def _days(duration: Duration) -> str:
    days = duration.seconds / 86_400
    return counted(int(days), "day", "days") if days.is_integer() else f"{days:.1f} days"


def _lifetime(kind: KindUsage) -> str:
    return _days(kind.lifetime) if kind.HasField("lifetime") else "for good"


def _artifacts_stay(found: GetSpaceResponse) -> str:
    return _days(found.artifacts_stay) if found.HasField("artifacts_stay") else ""


# The stores of what callers stored themselves, each record once.
RECORDS = frozenset(("memories", "events", "slots", "artifacts", "decisions", "tasks", "runs", "views", "documents"))
SPACES = (
    Column("memories", _memories, right=True),
    Column("records", _records, right=True),
    Column("bytes", lambda space: size(space.bytes), right=True),
    Column("written", _age("last_written_at"), right=True),
    Column("read", _age("last_read_at"), right=True, optional=True),
    Column("space", "space"),
)
SPACE = (
    ("space", "space.space"),
    ("name", "space.display_name"),
    ("bytes", lambda found: size(found.space.bytes)),
    ("sessions", "sessions"),
    ("oldest", "oldest_at"),
    ("newest", "newest_at"),
    ("last read", lambda found: field_text(found.space, "last_read_at")),
    ("hidden stay", lambda found: _days(found.hidden_memories_stay)),
    ("artifacts stay", _artifacts_stay),
)
KINDS = (
    Column("memories", "memories", right=True),
    Column("found for", _lifetime, right=True),
    Column("kind", "kind"),
)
READERS = (
    Column("key", "key_id"),
    Column("role", "role"),
    Column("grant", lambda reader: reader.grant or "-"),
    Column("description", "description"),
)
