"""watch."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

from typer import Option

from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import print_message, say
from camillo_server.cli.tables import clean

if TYPE_CHECKING:
    from camillo.v1.consistency_pb2 import Revision
    from camillo.v1.memory_pb2 import MemoryChange
    from camillo_client import Camillo


def watch(
    client: ClientOptions,
    resume: Annotated[
        str, Option(metavar="TOKEN", help="Go on behind the change that carried this token.")
    ] = "",
    from_beginning: Annotated[
        bool, Option("--from-beginning", help="First every memory there is.")
    ] = False,
    limit: Annotated[int | None, Option(min=1, help="End after so many changes.")] = None,
) -> None:
    """Follow the changes of an agent's memory, a line each, until interrupted (exit code 130).

    With --json each line has the resume_token with which a later watch goes on, and checkpoints are
    shown, too. Example: camillo watch --json --from-beginning
    """
    if resume and from_beginning:
        raise CliError("give either --resume or --from-beginning", ExitCode.USAGE)
    seen = 0
    with (
        connected(client) as camillo,
        closing(
            camillo.watch(
                resume_token=resume,
                after_revision=None if resume or from_beginning else present_revision(camillo),
                from_beginning=from_beginning,
            )
        ) as changes,
    ):
        for change in changes:
            if client.as_json:
                print_message(change)
            elif line := _line(change):
                say(line)
            sys.stdout.flush()
            seen += change.WhichOneof("event") != "checkpoint"
            if seen == limit:
                return


def present_revision(camillo: Camillo) -> Revision:
    """The revision that the scope has now, from a recall that nothing can be found by."""
    from camillo_client import fully_consistent, memory_filter

    nothing = memory_filter(tags_all=[uuid4().hex])
    return camillo.recall("now", limit=1, filter=nothing, freshness=fully_consistent()).revision


def _line(change: MemoryChange) -> str:
    event = change.WhichOneof("event")
    if event == "forgotten_memory_id":
        return f"forgotten   {change.forgotten_memory_id}"
    if event != "changed":
        return ""
    memory = change.changed
    what = "remembered" if memory.version == 1 else f"version {memory.version}"
    return f"{what:<11} {memory.memory_id}  {clean(memory.content)[:200]}"
