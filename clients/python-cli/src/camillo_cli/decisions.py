"""decision record, supersede, list, show, query: the decisions of an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import time_text
from camillo_cli.output import note, print_message, print_notes, print_result
from camillo_cli.recall import degraded_notes
from camillo_cli.tables import (
    Column,
    age_in,
    pages,
    print_list,
    show_items,
    show_record,
    within,
)

if TYPE_CHECKING:
    from camillo.v1.decision_pb2 import Decision

DecisionId = Annotated[str, Argument(metavar="ID", help="The id of a decision.")]
Text = Annotated[options.Words, options.words("The decision")]


@dataclass(frozen=True, slots=True)
class DecisionOptions(options.ClientFields):
    """The fields of a new decision, apart from its text."""

    refs: options.Refs = field(default_factory=list)
    rationale: Annotated[list[str], options.about("A reason for it; may be repeated.", "--because")] = field(
        default_factory=list
    )
    constraints: options.Constraints = field(default_factory=list)
    alternatives: Annotated[list[str], options.about("What was not chosen; may be repeated.", "--instead-of")] = field(
        default_factory=list
    )
    consequences: Annotated[list[str], options.about("What follows from it; may be repeated.", "--consequence")] = (
        field(default_factory=list)
    )
    reach: Annotated[options.Reach | None, options.about("Where it applies. Default: project.")] = None
    session_id: options.SessionId = ""
    channel: Annotated[
        options.Channel | None,
        options.about("Where it was made. Default: private.", "--channel"),
    ] = None
    sensitivity: options.SensitivityLevel = None
    tags: options.Tags = field(default_factory=list)
    decided_at: Annotated[
        datetime | None,
        options.ago(options.about, "When it was made: 2026-01-31, or 2h for two hours ago.", "--decided"),
    ] = None


@dataclass(frozen=True, slots=True)
class DecisionFilterOptions(options.ClientFields):
    """Conditions of a filter of decisions; all of them have to hold."""

    statuses: Annotated[
        list[options.DecisionStatus],
        options.where("With this status; repeated: with one of them. Default: active.", "--status"),
    ] = field(default_factory=list)
    reaches: Annotated[
        list[options.Reach],
        options.where("With this reach; repeated: with one of them.", "--reach"),
    ] = field(default_factory=list)
    session_id: options.OfSession = ""
    tags_any: options.AnyTags = field(default_factory=list)
    ref: Annotated[str, options.where("Based on the record with this id.", "--ref")] = ""


def record(
    client: ClientOptions,
    decision: DecisionOptions,
    text: Text = None,
    request_id: options.RequestId = None,
) -> None:
    """Record a decision and what it is based on.

    Example: camillo decision record "We ship on Fridays" --because "QA is free" --ref
    0198c0de-0000-7000-8000-000000000001"""
    content = read_words(text)
    with connected(client) as camillo:
        recorded = camillo.decisions.record(content, request_id=request_id, **decision.fields())
    print_result(client, recorded, f"recorded {recorded.decision_id}")


def supersede(
    client: ClientOptions,
    decision: DecisionOptions,
    decision_id: DecisionId,
    text: Text = None,
    by: Annotated[str, Option(metavar="ID", help="An active decision that replaces it.", show_default=False)] = "",
    expected_version: options.ExpectedVersion = None,
    request_id: options.RequestId = None,
) -> None:
    """Replace a decision by a new one, or by another active one. The old one stays readable.

    Example: camillo decision supersede 0198c0de-0000-7000-8000-000000000001 "We ship daily" --ref
    0198c0de-0000-7000-8000-000000000002"""
    if by and (text or decision != DecisionOptions()):
        raise CliError("give either --by or a new decision", ExitCode.USAGE)
    fields = {} if by else decision.fields()
    content = None if by else read_words(text)
    with connected(client) as camillo:
        version = expected_version or camillo.decisions.get(decision_id).version
        answer = camillo.decisions.supersede(
            decision_id, version, content, successor_id=by, request_id=request_id, **fields
        )
    superseded, successor = answer.superseded.decision_id, answer.decision.decision_id
    print_result(client, answer, f"{superseded} is superseded by {successor}")


def list_decisions(
    client: ClientOptions,
    filters: DecisionFilterOptions,
    limit: options.Limit = None,
    channel: options.ShownIn = None,
) -> None:
    """List decisions, the latest first.

    Example: camillo decision list --status active --status superseded
    """
    with connected(client) as camillo:
        found = pages(camillo.decisions.list, limit, channel=channel, **filters.fields())
        print_list(client, found, COLUMNS, empty="no decisions")


def show(client: ClientOptions, decision_id: DecisionId, channel: options.ShownIn = None) -> None:
    """Show one decision, its reasons, and the decision that replaced it.

    Example: camillo decision show 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        decision = camillo.decisions.get(decision_id, channel=options.literal(channel))
    show_record(client, decision, decision.stated.decision, DETAILS, LISTS)


def query(
    client: ClientOptions,
    filters: DecisionFilterOptions,
    text: Annotated[options.Words, options.words("What to look for")] = None,
    limit: Annotated[int, Option(min=1, max=200, help="At most this many.")] = 5,
    channel: options.ShownIn = None,
) -> None:
    """Find the decisions that answer a query best, by keyword and by meaning.

    Example: camillo decision query "when do we ship?" --limit 3
    """
    query_text = read_words(text)
    conditions = filters.fields() | {"channel": channel}
    with connected(client) as camillo:
        answer = camillo.decisions.query(query_text, limit=limit, **conditions).message
    print_notes(degraded_notes(answer.degraded))
    if client.as_json:
        print_message(answer)
    elif answer.decisions:
        show_items(answer.decisions, FOUND, lines=2)
    else:
        note("nothing found")


def _superseded(decision: Decision) -> str:
    if not decision.HasField("superseded_at"):
        return ""
    return f"by {decision.superseded_by}, {time_text(decision.superseded_at)}"


COLUMNS = (
    Column("id", "decision_id", style="dim"),
    Column("age", age_in("stated.decided_at"), right=True),
    Column("status", "status", styles={"active": "green", "superseded": "dim"}, optional=True),
    Column("reach", "stated.reach", optional=True),
    Column("decision", "stated.decision"),
)
FOUND = (
    Column("score", lambda found: f"{found.score:.3f}", style="bold", right=True),
    *(within(column, "decision") for column in COLUMNS),
)
LISTS = ("rationale", "constraints", "alternatives", "consequences", "refs")
DETAILS = (
    ("id", "decision_id"),
    ("status", "status"),
    ("reach", "stated.reach"),
    ("superseded", _superseded),
    ("supersedes", "supersedes"),
    ("session", "stated.session_id"),
    ("tags", "stated.tags"),
    ("scope", lambda decision: "" if decision.agent_id else "shared"),
    ("channel", "stated.channel"),
    ("sensitivity", "stated.sensitivity"),
    ("decided", "stated.decided_at"),
    ("version", lambda decision: f"{decision.version}, recorded {time_text(decision.created_at)}"),
)
