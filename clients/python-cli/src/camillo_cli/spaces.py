"""spaces list, show: what is kept of people, projects and teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument

from camillo_cli.background import STORES
from camillo_cli.connection import ClientOptions, administering, connected
from camillo_cli.format import age_of, counted, field_text, size
from camillo_cli.output import note, print_message, say
from camillo_cli.tables import Column, print_list, show_details, show_items

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.duration_pb2 import Duration

    from camillo.v1.space_pb2 import KindUsage, Space
    from camillo.v1.space_service_pb2 import GetSpaceResponse

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


def show(client: ClientOptions, space: SpacePath) -> None:
    """Show what one space holds, how long it stays, and for administrators which keys reach it.

    Example: camillo spaces show users/42
    """
    with connected(client) as camillo:
        found = camillo.spaces.get(space)
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
