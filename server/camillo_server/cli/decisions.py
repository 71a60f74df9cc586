"""decision record, supersede, list, show, query."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import given_text, utc_now
from camillo_server.cli.artifact_options import ShownIn, name_of
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.decisions_options import DecisionFilterOptions, DecisionOptions
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.hits import reasons_told
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import printable, show_table
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.decision_pb2 import Decision

PAGE_SIZE = 200
DecisionId = Annotated[str, Argument(metavar="ID", help="The id of a decision.")]
Words = Annotated[
    list[str] | None, Argument(help="What was decided; '-', or piped in: from standard input.")
]


def record(
    client: ClientOptions,
    about: DecisionOptions,
    text: Words = None,
    request_id: RequestId = None,
) -> None:
    """Record a decision, with what it rests on.

    Example: camillo decision record "We ship on Fridays" --because "QA is free" --ref 0198c0de-0000-7000-8000-000000000001
    """
    fields = about.fields()
    stated = given_text(text)
    with connected(client) as camillo:
        decision = camillo.decisions.record(stated, request_id=request_id, **fields)
    if client.as_json:
        print_message(decision)
    else:
        say(f"recorded {decision.decision_id}")


def supersede(
    client: ClientOptions,
    about: DecisionOptions,
    decision_id: DecisionId,
    text: Words = None,
    by: Annotated[str, Option(metavar="ID", help="One in force already.", show_default=False)] = "",
    expected_version: Annotated[
        int | None, Option(min=1, help="Fail if it has another one. Default: the one it has.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Put a new decision, or another one in force, in the place of one; the old one stays readable.

    Example: camillo decision supersede 0198c0de-0000-7000-8000-000000000001 "We ship daily" --ref 0198c0de-0000-7000-8000-000000000002
    """
    if by and (text or not about.is_empty):
        raise CliError("give either --by or a new decision", ExitCode.USAGE)
    fields = {} if by else about.fields()
    stated = None if by else given_text(text)
    with connected(client) as camillo:
        version = expected_version or camillo.decisions.get(decision_id).version
        answer = camillo.decisions.supersede(
            decision_id, version, stated, successor_id=by, request_id=request_id, **fields
        )
    if client.as_json:
        print_message(answer)
    else:
        say(f"{answer.superseded.decision_id} is superseded by {answer.decision.decision_id}")


def list_decisions(
    client: ClientOptions,
    filters: DecisionFilterOptions,
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
    channel: ShownIn = None,
) -> None:
    """List decisions, the latest first.

    Example: camillo decision list --status active --status superseded
    """
    with connected(client) as camillo:
        found = islice(
            camillo.decisions.list(
                page_size=min(limit or PAGE_SIZE, PAGE_SIZE),
                channel=name_of(channel),
                **filters.conditions(),
            ),
            limit,
        )
        if client.as_json:
            for decision in found:
                print_message(decision)
        else:
            _show_decisions(found)


def show(client: ClientOptions, decision_id: DecisionId, channel: ShownIn = None) -> None:
    """Show one decision, why it was made, and what took its place.

    Example: camillo decision show 0198c0de-0000-7000-8000-000000000001
    """
    from camillo_server.cli.decisions_wording import details, reasons

    with connected(client) as camillo:
        decision = camillo.decisions.get(decision_id, channel=name_of(channel))
    if client.as_json:
        print_message(decision)
        return
    text = decision.stated.decision
    say(printable(text) if sys.stdout.isatty() else text)
    for name, texts in reasons(decision):
        say(f"\n{name}")
        for each in texts:
            say(f"- {each}")
    say("")
    for name, value in details(decision):
        say(f"{name:<12} {value}")


def query(
    client: ClientOptions,
    filters: DecisionFilterOptions,
    text: Annotated[
        list[str] | None, Argument(help="What to look for; '-': from standard input.")
    ] = None,
    limit: Annotated[int, Option(min=1, max=200, help="At most this many.")] = 5,
    channel: ShownIn = None,
) -> None:
    """Find the decisions that answer a text best.

    Example: camillo decision query "when do we ship?" --limit 3
    """
    from camillo_server.cli.decisions_wording import COLUMNS, SCORE, row

    words = given_text(text)
    with connected(client) as camillo:
        conditions: dict[str, Any] = filters.conditions()
        answer = camillo.decisions.query(words, limit=limit, channel=name_of(channel), **conditions)
    for reason in reasons_told(answer.degraded):
        note(f"note: {reason}")
    if client.as_json:
        print_message(answer)
    elif answer.decisions:
        now = utc_now()
        rows = [[f"{found.score:.3f}", *row(found.decision, now)] for found in answer.decisions]
        show_table([SCORE, *COLUMNS], rows, lines=2)
    else:
        note("nothing found")


def _show_decisions(decisions: Iterator[Decision]) -> None:
    """Page by page, so that the first are seen before the last are read."""
    from camillo_server.cli.decisions_wording import COLUMNS, row

    now, shown = utc_now(), 0
    while page := list(islice(decisions, PAGE_SIZE)):
        show_table(COLUMNS, [row(decision, now) for decision in page])
        shown += len(page)
    if not shown:
        note("no decisions")
