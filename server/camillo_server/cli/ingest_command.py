"""ingest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.ingest_inputs import Input, find_inputs
from camillo_server.cli.ingest_report import Report
from camillo_server.cli.ingest_run import Ingest
from camillo_server.cli.output import note
from camillo_server.conversations.conversation import Format
from camillo_server.conversations.reading import LONGEST_SESSION


def ingest(
    client: ClientOptions,
    paths: Annotated[
        list[Path],
        Argument(
            help="Chat logs, trajectories, lists of messages, text files, or folders with these."
        ),
    ],
    form: Annotated[
        Format | None,
        Option("--format", help="What the files are. Default: each what its content shows."),
    ] = None,
    session: Annotated[
        str, Option(help="One session for all. Default: as the files say, else their names.")
    ] = "",
    dry_run: Annotated[
        bool, Option("--dry-run", help="Only tell what would be recorded; needs no server.")
    ] = False,
) -> None:
    """Record chat logs and agents' trajectories as events; text files become memories, as 'import' makes them.

    The same again within 24 hours records nothing twice, also after a run that was broken off.
    Example: camillo ingest runs/ --dry-run
    """
    if len(session) > LONGEST_SESSION:
        raise CliError(f"--session must have at most {LONGEST_SESSION} characters", ExitCode.USAGE)
    report = Report(is_dry=dry_run)
    inputs = find_inputs((path.expanduser() for path in paths), all_conversations=form is not None)
    if dry_run:
        Ingest(None, form, session, report).run(inputs)
    else:
        _record(client, inputs, (form, session, report))
    report.show(as_json=client.as_json)
    if report.failed:
        raise CliError(f"{report.failed:,} not recorded")


def _record(
    client: ClientOptions, inputs: list[Input], wanted: tuple[Format | None, str, Report]
) -> None:
    from camillo_client import CamilloError

    with connected(client) as camillo:
        try:
            Ingest(camillo, *wanted).run(inputs)
        except CamilloError:
            if recorded := wanted[-1].events:
                note(
                    f"note: {recorded:,} events are recorded; "
                    "the same command goes on from there and records none of them twice"
                )
            raise
