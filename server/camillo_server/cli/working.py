"""worker: background jobs in a process of its own."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from camillo_server.cli.failures import CliError, one_line
from camillo_server.cli.output import print_json, say
from camillo_server.cli.server_options import ServerOptions
from camillo_server.processes.interpreter import end_with_parent

if TYPE_CHECKING:
    from camillo_server.processes.work import Working
    from camillo_server.settings import Settings


def worker(
    options: ServerOptions,
    as_json: Annotated[
        bool, Option("--json", help="JSON on standard output and nothing else.")
    ] = False,
    ends_with_parent: Annotated[bool, Option("--ends-with-parent", hidden=True)] = False,
) -> None:
    """Work on background jobs until interrupted, without answering calls.

    Servers do it beside their calls, unless jobs.enabled is false for them.
    Start as many workers as you like, anywhere, with the servers' settings.
    With the embedded database a worker joins the server that runs it.

    Example: camillo worker --database-url postgresql://server@db/camillo

    Example: camillo worker --data-dir ./data
    """
    if ends_with_parent:
        end_with_parent()
    settings = options.settings()

    from camillo_server.processes.work import WorkError, work

    def ready(working: Working) -> None:
        if as_json:
            print_json(asdict(working))
        else:
            for line in working_lines(working):
                say(line)
        sys.stdout.flush()

    try:
        code = work(settings, ready, _running_embedded(settings))
    except WorkError as error:
        raise CliError(one_line(str(error))) from error
    raise typer.Exit(code)


def working_lines(working: Working) -> list[str]:
    """What an operator wants to know of a worker that has started."""
    lines = [
        "Camillo works on background jobs (Ctrl-C ends it)",
        f"  database   {working.database}",
        f"  embedding  {working.model_id} ({working.embedder})",
    ]
    if working.next_model_id:
        lines.append(f"  next       {working.next_model_id}")
    return lines


def _running_embedded(settings: Settings) -> str | None:
    """The embedded database that another process has running; None where it runs none. Raises CliError where it is being
    started or stopped."""
    from camillo_server.cli.database_checkup import running_embedded_url
    from camillo_server.cli.machine_checkup import lock_holder

    if settings.database.url is not None:
        return None
    holder = lock_holder(settings.data_dir)
    if not holder:
        return None
    url = running_embedded_url(settings.data_dir)
    if url is None:
        raise CliError(
            f"the embedded database in {settings.data_dir} is being started or stopped by {holder}:"
            " try again in a moment"
        )
    return url
