"""workflow show, record: the steps of workflows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import time_text
from camillo_cli.output import note, print_result
from camillo_cli.tables import Column, pages, print_list, within

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import Event

Workflow = Annotated[str, Argument(metavar="WORKFLOW", help="The workflow.")]
Run = Annotated[str, Option("--run", help="A run of the workflow.", show_default=False)]


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step, and the time since the one before in its list."""

    event: Event
    took: str


def show(
    client: ClientOptions,
    workflow: Workflow,
    run: Run = "",
    statuses: Annotated[
        list[options.WorkflowStatus] | None,
        Option("--status", help="Only steps with this status; may be repeated."),
    ] = None,
    limit: options.Limit = None,
    channel: options.ShownIn = None,
) -> None:
    """Show the steps of a workflow as a timeline: time, status and the beginning of the output of each.

    Example: camillo workflow show nightly-import --run 2026-05-04
    """
    with connected(client) as camillo:
        steps = pages(
            camillo.workflows.list,
            limit,
            workflow=workflow,
            run=run,
            statuses=[options.literal(each) for each in statuses or ()],
            channel=options.literal(channel),
        )
        if client.as_json:
            print_list(client, steps, (), empty="")
        else:
            print_list(client, _timed(steps), COLUMNS, empty="no steps")


def record(
    client: ClientOptions,
    workflow: Workflow,
    step: Annotated[str, Argument(metavar="STEP", help="The step.")],
    text: Annotated[options.Words, options.words("Its output")] = None,
    status: Annotated[
        options.WorkflowStatus, Option(help="The status of the step.")
    ] = options.WorkflowStatus.SUCCEEDED,
    run: Run = "",
    session: Annotated[str, options.about("Default: the run, else the workflow.")] = "",
    sensitivity: options.SensitivityLevel = None,
    request_id: options.RequestId = None,
) -> None:
    """Record the status of a step of a workflow, and its output.

    Example: camillo workflow record nightly-import fetch "12 files" --run 2026-05-04
    """
    output = read_words(text, exact=True) if text else ""
    with connected(client) as camillo:
        recorded = camillo.events.record_workflow_step(
            workflow,
            step,
            output,
            status=options.literal(status),
            run=run,
            session_id=session or run or workflow,
            sensitivity=options.literal(sensitivity),
            request_id=request_id,
        )
    print_result(client, recorded, f"recorded {recorded.event_id}")
    if recorded.artifact_id and not client.as_json:
        note(f"the full output is the artifact {recorded.artifact_id}")


def _timed(steps: Iterable[Event]) -> Iterator[ShownStep]:
    from camillo_client import to_datetime

    before = None
    for event in steps:
        at = to_datetime(event.stated.occurred_at)
        yield ShownStep(event, "" if before is None else f"+{duration(at - before)}")
        before = at


def duration(span: timedelta) -> str:
    """A span of time in its two largest units."""
    seconds = span.total_seconds()
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def _first_line(event: Event) -> str:
    return next(iter(event.stated.workflow_step.output.splitlines()), "")


COLUMNS = (
    *(
        within(column, "event")
        for column in (
            Column("time", lambda event: time_text(event.stated.occurred_at), style="dim"),
            Column("run", "stated.workflow_step.run", optional=True),
            Column("step", "stated.workflow_step.step", style="bold"),
            Column(
                "status",
                "stated.workflow_step.status",
                styles={
                    "started": "cyan",
                    "succeeded": "green",
                    "failed": "red",
                    "skipped": "yellow",
                },
            ),
        )
    ),
    Column("since", lambda shown: shown.took, right=True),
    within(Column("artifact", "stated.workflow_step.artifact_id", optional=True), "event"),
    within(Column("output", _first_line), "event"),
)
