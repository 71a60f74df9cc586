"""task open, move, list, show."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import given_text, utc_now
from camillo_server.cli.artifact_options import Channel, ShownIn, name_of
from camillo_server.cli.choices import Sensitivity, TaskStatus
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import clean, printable, show_table
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.task_pb2 import Task

PAGE_SIZE = 200
ABOUT = "About it"
TaskId = Annotated[str, Argument(metavar="ID", help="The id of a task.")]


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """What may be said of a new task beside its title."""

    details: Annotated[
        str, Option(help="More about it.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    goal: Annotated[
        str, Option(help="What it serves.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    plan_step: Annotated[
        str, Option(help="Where its plan stands.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    status: Annotated[TaskStatus | None, Option(help="Default: open.", rich_help_panel=ABOUT)] = (
        None
    )
    constraint: Annotated[
        list[str], Option(help="What it has to respect; may be repeated.", rich_help_panel=ABOUT)
    ] = field(default_factory=list)
    ref: Annotated[
        list[str],
        Option(help="An id of what it rests on; may be repeated.", rich_help_panel=ABOUT),
    ] = field(default_factory=list)
    session: Annotated[
        str, Option(help="Its conversation.", show_default=False, rich_help_panel=ABOUT)
    ] = ""
    belongs_to: Annotated[
        Channel | None,
        Option("--channel", help="Where it belongs. Default: private.", rich_help_panel=ABOUT),
    ] = None
    sensitivity: Annotated[
        Sensitivity | None,
        Option(help="Who may be shown it. Default: internal.", rich_help_panel=ABOUT),
    ] = None
    tag: Annotated[list[str], Option(help="May be repeated.", rich_help_panel=ABOUT)] = field(
        default_factory=list
    )

    def fields(self) -> dict[str, Any]:
        """As the client takes them."""
        return {
            "details": self.details,
            "goal": self.goal,
            "plan_step": self.plan_step,
            "status": self.status and self.status.value,
            "constraints": self.constraint,
            "refs": self.ref,
            "session_id": self.session,
            "channel": name_of(self.belongs_to),
            "sensitivity": self.sensitivity and self.sensitivity.value,
            "tags": self.tag,
        }


def open_task(
    client: ClientOptions,
    about: TaskOptions,
    title: Annotated[
        list[str] | None, Argument(help="What is to be done; '-': from standard input.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Open a task: bundles show it until it is done or cancelled.

    Example: camillo task open "Order tea" --goal "Guests on Friday" --plan-step "1 of 3"
    """
    stated = given_text(title)
    with connected(client) as camillo:
        task = camillo.tasks.open(stated, request_id=request_id, **about.fields())
    if client.as_json:
        print_message(task)
    else:
        say(f"opened {task.task_id}")


def move(
    client: ClientOptions,
    task_id: TaskId,
    status: Annotated[TaskStatus, Argument(help="How far it has come.")],
    plan_step: Annotated[str | None, Option(help="Where its plan stands now.")] = None,
    expected_version: Annotated[
        int | None, Option(min=1, help="Fail if it has another one. Default: the one it has.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Say how far a task has come.

    Example: camillo task move 0198c0de-0000-7000-8000-000000000001 doing --plan-step "2 of 3"
    """
    fields: dict[str, Any] = {"status": status.value}
    if plan_step is not None:
        fields["plan_step"] = plan_step
    with connected(client) as camillo:
        version = expected_version or camillo.tasks.get(task_id).version
        task = camillo.tasks.update(task_id, version, request_id=request_id, **fields)
    if client.as_json:
        print_message(task)
    else:
        say(f"moved {task.task_id} to {status.value}, version {task.version}")


def list_tasks(
    client: ClientOptions,
    status: Annotated[
        list[TaskStatus] | None,
        Option(help="Default: neither done nor cancelled; repeated: one of them."),
    ] = None,
    session: Annotated[str, Option(help="Of this conversation.", show_default=False)] = "",
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
    channel: ShownIn = None,
) -> None:
    """List tasks, the last changed first.

    Example: camillo task list --status doing --status blocked
    """
    statuses: list[Any] = [each.value for each in status or ()]
    with connected(client) as camillo:
        found = camillo.tasks.list(
            statuses=statuses,
            session_id=session,
            channel=name_of(channel),
            page_size=min(limit or PAGE_SIZE, PAGE_SIZE),
        )
        if client.as_json:
            for task in islice(found, limit):
                print_message(task)
        else:
            _show_tasks(islice(found, limit))


def show(client: ClientOptions, task_id: TaskId, channel: ShownIn = None) -> None:
    """Show one task.

    Example: camillo task show 0198c0de-0000-7000-8000-000000000001
    """
    from camillo_server.cli.tasks_wording import details

    with connected(client) as camillo:
        task = camillo.tasks.get(task_id, channel=name_of(channel))
    if client.as_json:
        print_message(task)
        return
    shown = printable if sys.stdout.isatty() else str
    say(clean(task.stated.title))
    if task.stated.details:
        say(f"\n{shown(task.stated.details)}")
    if task.stated.constraints:
        say("\nconstraints")
    for constraint in task.stated.constraints:
        say(f"- {clean(constraint)}")
    say("")
    for name, value in details(task):
        say(f"{name:<12} {value}")


def _show_tasks(tasks: Iterator[Task]) -> None:
    """Page by page, so that the first are seen before the last are read."""
    from camillo_server.cli.tasks_wording import COLUMNS, row

    now, shown = utc_now(), 0
    while page := list(islice(tasks, PAGE_SIZE)):
        show_table(COLUMNS, [row(task, now) for task in page])
        shown += len(page)
    if not shown:
        note("no tasks")
