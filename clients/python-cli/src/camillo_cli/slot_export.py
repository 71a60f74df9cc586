"""slots export: the history of slots as JSON lines."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import counted
from camillo_cli.options import ShownIn, literal
from camillo_cli.output import open_output, print_value, progress_bar
from camillo_cli.slots import Shared


def export(
    client: ClientOptions,
    target: Annotated[str, Argument(metavar="[FILE]", help="Write to it; '-': standard output.")] = "-",
    prefix: Annotated[str, Option(help="Only slots below this key.", metavar="KEY")] = "",
    newest: Annotated[
        bool,
        Option("--newest", help="Only the newest version of each slot that has content, by key."),
    ] = False,
    shared: Shared = False,
    channel: ShownIn = None,
) -> None:
    """Write every version of slots as JSON lines in the order of writing: key, ts, version, slot_id, valid, source,
    content.

    These are the lines of a mirror's log.jsonl.

    Example: camillo slots export slots.jsonl --prefix /user
    """
    from camillo_client.mirror.changes import envelope_of

    count = 0
    with (
        connected(client) as camillo,
        open_output(target) as file,
        progress_bar("export", None) as report,
    ):
        for version in camillo.slots.export(prefix, newest_only=newest, shared=shared, channel=literal(channel)):
            file.write(envelope_of(version).line)
            count += 1
            if count % 500 == 0:
                report(count, count)
    if target != "-":
        text = f"exported {counted(count, 'version', 'versions')} to {target}"
        print_value({"exported": count}, text, as_json=client.as_json)
