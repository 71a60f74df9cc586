"""event watch."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

from typer import Option

from camillo_server.cli.artifact_options import ShownIn, name_of
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.events_options import EventFilterOptions
from camillo_server.cli.events_wording import line
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import print_message, say
from camillo_server.cli.watching import present_revision

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import EventChange


def watch(
    client: ClientOptions,
    filters: EventFilterOptions,
    resume: Annotated[
        str, Option(metavar="TOKEN", help="Go on behind the change that carried this token.")
    ] = "",
    from_beginning: Annotated[
        bool, Option("--from-beginning", help="First every event there is.")
    ] = False,
    limit: Annotated[int | None, Option(min=1, help="End after so many changes.")] = None,
    channel: ShownIn = None,
) -> None:
    """Follow an agent's events as they are recorded, a line each, until interrupted (exit code 130).

    With --json each line has the resume_token with which a later watch goes on, and checkpoints are
    shown, too. Example: camillo event watch --session s1 --from-beginning
    """
    if resume and from_beginning:
        raise CliError("give either --resume or --from-beginning", ExitCode.USAGE)
    conditions = filters.conditions()
    seen = 0
    with (
        connected(client) as camillo,
        closing(
            camillo.events.watch(
                resume_token=resume,
                after_revision=None if resume or from_beginning else present_revision(camillo),
                from_beginning=from_beginning,
                channel=name_of(channel),
                **conditions,
            )
        ) as changes,
    ):
        for change in changes:
            if client.as_json:
                print_message(change)
            elif told := _line(change):
                say(told)
            sys.stdout.flush()
            seen += change.WhichOneof("change") != "checkpoint"
            if seen == limit:
                return


def _line(change: EventChange) -> str:
    what = change.WhichOneof("change")
    if what == "forgotten_event_id":
        return f"{change.forgotten_event_id}  forgotten"
    return line(change.recorded) if what == "recorded" else ""
