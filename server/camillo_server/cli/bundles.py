"""bundle, snapshot."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import given_text, moment_ago, utc_now
from camillo_server.cli.artifact_options import Channel, name_of
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.hits import reasons_told
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import printable

if TYPE_CHECKING:
    from camillo.v1.context_pb2 import Bundle


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """How to build a bundle, and what to show of it."""

    max_tokens: Annotated[int | None, Option(min=1, help="The budget. Default: the recipe's.")] = (
        None
    )
    session: Annotated[str, Option(help="The conversation.", show_default=False)] = ""
    channel: Annotated[
        Channel | None, Option(help="Where it will be shown: decides what may be loaded.")
    ] = None
    as_of: Annotated[
        str | None, Option(help="As of this time: 2026-01-31T12:00Z, or 2h. Default: now.")
    ] = None
    render: Annotated[bool, Option("--render", help="Print the prompt and nothing else.")] = False
    explain: Annotated[bool, Option("--explain", help="Show what became of each candidate.")] = (
        False
    )

    def values(self) -> dict[str, Any]:
        """As the client takes them. Raises CliError."""
        return {
            "max_tokens": self.max_tokens,
            "session_id": self.session,
            "channel": name_of(self.channel),
            "as_of": moment_ago(self.as_of, utc_now()),
            "explain": self.explain,
        }


def bundle(
    client: ClientOptions,
    options: BundleOptions,
    query: Annotated[
        list[str] | None,
        Argument(help="What is asked; '-': from standard input. Default: nothing is looked for."),
    ] = None,
    recipe: Annotated[
        str, Option(help="See 'camillo recipe list'. Default: active_context.", show_default=False)
    ] = "",
    intent: Annotated[str, Option(help="What it is for, for the record.", show_default=False)] = "",
) -> None:
    """Build the context for the next call of a model, and show what it is made of.

    Example: camillo bundle "when do we ship?" --session s1 --max-tokens 4000 --render
    """
    _check(client, options)
    text = given_text(query) if query else ""
    with connected(client) as camillo:
        built = camillo.context.bundle(text, recipe=recipe, intent=intent, **options.values())
    _show(client, options, built)


def snapshot(
    client: ClientOptions,
    options: BundleOptions,
    trigger: Annotated[
        list[str] | None, Argument(help="What started the run; '-': from standard input.")
    ] = None,
    focus: Annotated[str, Option(help="What it should look at.", show_default=False)] = "",
) -> None:
    """Build the context at the start of a run, and show what it is made of.

    Example: camillo snapshot "Ada wrote: the order is late" --focus orders --render
    """
    _check(client, options)
    text = given_text(trigger)
    with connected(client) as camillo:
        built = camillo.context.snapshot(text, focus=focus, **options.values())
    _show(client, options, built)


def _check(client: ClientOptions, options: BundleOptions) -> None:
    if options.render + options.explain + client.as_json > 1 and options.render:
        raise CliError("--render prints the prompt alone: leave out the others", ExitCode.USAGE)


def _show(client: ClientOptions, options: BundleOptions, built: Bundle) -> None:
    from camillo_server.cli.bundle_report import note_bundle, show_entries, show_sections
    from camillo_server.cli.output import console

    for reason in reasons_told(built.degraded):
        note(f"note: {reason}")
    if client.as_json:
        print_message(built)
        return
    if options.render:
        prompt = built.prompt.rstrip("\n") + "\n"
        sys.stdout.write(printable(prompt) if sys.stdout.isatty() else prompt)
        return
    # Two tables in one pipe could not be told apart.
    if console().is_terminal or not options.explain:
        show_sections(built, explained=options.explain)
    if options.explain:
        if console().is_terminal:
            say("")
        show_entries(built)
    note_bundle(built, explained=options.explain)
