"""entities list, merge, split, revert, changes: who and what records mention, by all of their names."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import counted
from camillo_cli.output import note, print_message, print_value
from camillo_cli.tables import Column, age_in, pages, print_list

if TYPE_CHECKING:
    from camillo.v1.link_pb2 import Entity, EntityChange, KnownEntity

# A server reads the mentions anew for each page.
LARGEST_PAGE = 1_000
NAME = "A name; or email:NAME, path:NAME, ticket:NAME, identifier:NAME"
Names = Annotated[list[str], Argument(metavar="NAME...", help=f"{NAME}.")]


def list_entities(
    client: ClientOptions,
    prefix: Annotated[str, Argument(metavar="[PREFIX]", help="Only those with a name that begins with this.")] = "",
    type_: Annotated[options.EntityType | None, Option("--type", help="Only those with a name of this type.")] = None,
    limit: options.Limit = None,
    channel: options.ShownIn = None,
) -> None:
    """List the people and things that the newest 5,000 memories and chunks mention, the most mentioned first, with
    their aliases.

    Example: camillo entities list ana --limit 10
    """
    with connected(client) as camillo:
        found = camillo.entities.list(
            prefix,
            type=options.literal(type_),
            channel=options.literal(channel),
            page_size=min(limit or LARGEST_PAGE, LARGEST_PAGE),
        )
        print_list(client, islice(found, limit), ENTITIES, empty="no entities")


def merge(
    client: ClientOptions,
    into: Annotated[str, Argument(metavar="INTO", help=f"{NAME}: what the entity is called.")],
    names: Names,
    request_id: options.RequestId = None,
) -> None:
    """State that names mean the same person or thing.

    Example: camillo entities merge "Ana Lima" 安娜 email:ana@example.com
    """
    with connected(client) as camillo:
        _print_change(client, camillo.entities.merge(into, names, request_id=request_id))


def split(client: ClientOptions, names: Names, request_id: options.RequestId = None) -> None:
    """Take names out of what they were merged into.

    Example: camillo entities split 安娜
    """
    with connected(client) as camillo:
        _print_change(client, camillo.entities.split(names, request_id=request_id))


def revert(
    client: ClientOptions,
    change: Annotated[str, Argument(metavar="CHANGE", help="The id of a change.")],
    request_id: options.RequestId = None,
) -> None:
    """Revert a merge or a split, as if it had never been made.

    Example: camillo entities revert 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        reverted = camillo.entities.revert(change, request_id=request_id)
    text = (
        f"reverted {change}: {counted(reverted, 'name', 'names')}" if reverted else "there is no such change in force"
    )
    print_value({"reverted": reverted}, text, as_json=client.as_json)


def changes(client: ClientOptions, limit: options.Limit = None, channel: options.ShownIn = None) -> None:
    """List merges and splits, newest first, with those that were reverted.

    Example: camillo entities changes --limit 10
    """
    with connected(client) as camillo:
        listed = pages(camillo.entities.changes, limit, channel=options.literal(channel))
        print_list(client, listed, CHANGES, empty="no changes")


def _print_change(client: ClientOptions, change: EntityChange | None) -> None:
    if change is None:
        print_value({}, "nothing to change", as_json=client.as_json)
    elif client.as_json:
        print_message(change)
    else:
        print_value(None, _what(change), as_json=False)
        note(f"change {change.change_id}")


def _what(change: EntityChange) -> str:
    names = _short(change.names)
    return f"{names} = {_short([change.into])}" if change.HasField("into") else f"{names} stand alone"


def _short(names: Iterable[Entity]) -> str:
    from camillo_client.link_fields import short_entity

    return ", ".join(map(short_entity, names))


def _last_seen(entity: KnownEntity) -> str:
    return age_in("last_seen_at")(entity) if entity.HasField("last_seen_at") else "never"


def _mentions(entity: KnownEntity) -> str:
    from camillo.v1.memory_pb2 import Source

    counts = (
        f"{Source.Name(each.source).removeprefix('SOURCE_').lower()} {each.records:,}" for each in entity.mentions
    )
    return ", ".join(counts) or "none"


ENTITIES = (
    Column("name", lambda entity: _short([entity.entity])),
    Column("aliases", lambda entity: _short(entity.aliases), optional=True),
    Column("mentions", _mentions),
    Column("last seen", _last_seen, right=True),
)
CHANGES = (
    Column("id", "change_id", style="dim"),
    Column("age", age_in("changed_at"), right=True),
    Column("what", _what),
    Column("state", lambda change: "reverted" if change.HasField("reverted_at") else "in force", style="cyan"),
    Column("by", "credential", optional=True),
)
