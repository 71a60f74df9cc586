"""links add, remove, related: what belongs together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from typer import Argument, BadParameter, Option

from camillo_cli import options
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import field_text
from camillo_cli.output import print_message, print_value
from camillo_cli.tables import Column, age_in, pages, print_list

if TYPE_CHECKING:
    from camillo.v1.link_pb2 import Related

ENDS = "The id of a memory; event:ID, decision:ID, document:ID; or the key of a slot"
From = Annotated[str, Argument(metavar="FROM", help=f"{ENDS}.")]
Type = Annotated[options.LinkType, Argument(metavar="TYPE", help="What the link says.")]
To = Annotated[str, Argument(metavar="TO", help=f"{ENDS}.")]


def add(
    client: ClientOptions,
    from_end: From,
    type_: Type,
    to_end: To,
    request_id: options.RequestId = None,
) -> None:
    """Link two things. TYPE is about, derived_from, contradicts or follows.

    Example: camillo links add 0198c0de-0000-7000-8000-000000000001 about /people/ada
    """
    with _ends_in_words(), connected(client) as camillo:
        (link,) = camillo.links.add([(from_end, options.literal(type_), to_end)], request_id=request_id)
    if client.as_json:
        print_message(link)
    else:
        print_value(None, f"{from_end} {type_.value} {to_end}", as_json=False)


def remove(
    client: ClientOptions,
    from_end: From,
    type_: Type,
    to_end: To,
    request_id: options.RequestId = None,
) -> None:
    """Remove a link. It is no error if there is none.

    Example: camillo links remove 0198c0de-0000-7000-8000-000000000001 about /people/ada
    """
    with _ends_in_words(), connected(client) as camillo:
        removed = camillo.links.remove([(from_end, options.literal(type_), to_end)], request_id=request_id)
    text = "removed" if removed else "there is no such link"
    print_value({"removed": removed}, text, as_json=client.as_json)


def related(
    client: ClientOptions,
    item: Annotated[str | None, Argument(metavar="[ITEM]", help=f"{ENDS}.")] = None,
    entity: Annotated[
        str | None,
        Option(help="What mentions this: ticket:ABC-123; a name, email, path, ticket or identifier."),
    ] = None,
    type_: Annotated[
        list[options.LinkType] | None,
        Option("--type", help="Only by links of this type; may be repeated."),
    ] = None,
    limit: Annotated[int, Option(min=1, help="At most this many.")] = 20,
    channel: options.ShownIn = None,
) -> None:
    """Show what is linked with something, and what mentions the same.

    Example: camillo related 0198c0de-0000-7000-8000-000000000001 --limit 5
    """
    if (item is None) == (entity is None):
        raise BadParameter("give an item or --entity")
    shown_in = options.literal(channel)
    with _ends_in_words(), connected(client) as camillo:
        if entity is not None:
            kind, _, name = entity.partition(":")
            found = pages(camillo.links.mentioning, limit, type=kind, name=name, channel=shown_in)
        else:
            types = [each.value for each in type_ or ()]
            found = pages(camillo.links.related, limit, item=item, types=types, channel=shown_in)
        print_list(client, found, COLUMNS, empty="nothing is related")


@contextmanager
def _ends_in_words() -> Iterator[None]:
    """Raises CliError for a text that the client does not know as an end or an entity."""
    try:
        yield
    except ValueError as error:
        raise CliError(str(error), ExitCode.USAGE) from None


def _item(related: Related) -> str:
    from camillo_client.link_fields import short_end

    return short_end(related.item)


def _why(related: Related) -> str:
    """The link, or what both mention."""
    if not related.HasField("link"):
        return ", ".join(entity.name for entity in related.shared)
    leads_here = getattr(related.link, "from") == related.item
    arrow = "<-" if leads_here else "->"
    return f"{arrow} {field_text(related, 'link.type')}"


COLUMNS = (
    Column("item", _item, style="dim"),
    Column("why", _why, style="cyan"),
    Column("age", age_in("occurred_at"), right=True, optional=True),
    Column("text", "text"),
)
