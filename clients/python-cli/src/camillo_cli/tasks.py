"""task open, move, list, show: the tasks of an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import clean
from camillo_cli.memories import version_text
from camillo_cli.output import print_result
from camillo_cli.tables import Column, age_in, pages, print_list, show_record

TaskId = Annotated[str, Argument(metavar="ID", help="The id of a task.")]


@dataclass(frozen=True, slots=True)
class TaskOptions(options.ClientFields):
    """The fields of a new task, apart from its title."""

    details: Annotated[str, options.about("More about it.")] = ""
    goal: Annotated[str, options.about("The goal that it serves.")] = ""
    plan_step: Annotated[str, options.about("The current step of its plan.", "--plan-step")] = ""
    status: Annotated[options.TaskStatus | None, options.about("Default: open.")] = None
    constraints: options.Constraints = field(default_factory=list)
    refs: options.Refs = field(default_factory=list)
    session_id: options.SessionId = ""
    channel: Annotated[
        options.Channel | None,
        options.about("Where it belongs. Default: private.", "--channel"),
    ] = None
    sensitivity: options.SensitivityLevel = None
    tags: options.Tags = field(default_factory=list)


def open_task(
    client: ClientOptions,
    task: TaskOptions,
    title: Annotated[options.Words, options.words("What is to be done")] = None,
    request_id: options.RequestId = None,
) -> None:
    """Open a task. Bundles include it until it is done or cancelled.

    Example: camillo task open "Order tea" --goal "Guests on Friday" --plan-step "1 of 3"
    """
    text = read_words(title)
    with connected(client) as camillo:
        opened = camillo.tasks.open(text, request_id=request_id, **task.fields())
    print_result(client, opened, f"opened {opened.task_id}")


def move(
    client: ClientOptions,
    task_id: TaskId,
    status: Annotated[options.TaskStatus, Argument(help="The new status.")],
    plan_step: Annotated[str | None, Option(help="The new current step of its plan.")] = None,
    expected_version: options.ExpectedVersion = None,
    request_id: options.RequestId = None,
) -> None:
    """Change the status of a task.

    Example: camillo task move 0198c0de-0000-7000-8000-000000000001 doing --plan-step "2 of 3"
    """
    fields: dict[str, Any] = {"status": status}
    if plan_step is not None:
        fields["plan_step"] = plan_step
    with connected(client) as camillo:
        version = expected_version or camillo.tasks.get(task_id).version
        task = camillo.tasks.update(task_id, version, request_id=request_id, **fields)
    print_result(client, task, f"moved {task.task_id} to {status.value}, version {task.version}")


def list_tasks(
    client: ClientOptions,
    status: Annotated[
        list[options.TaskStatus] | None,
        Option(help="With this status; repeated: with one of them. Default: neither done nor cancelled."),
    ] = None,
    session: Annotated[str, Option(help="Of this session.", show_default=False)] = "",
    limit: options.Limit = None,
    channel: options.ShownIn = None,
) -> None:
    """List tasks, the last changed first.

    Example: camillo task list --status doing --status blocked
    """
    conditions = {"statuses": status or (), "session_id": session, "channel": channel}
    with connected(client) as camillo:
        found = pages(camillo.tasks.list, limit, **conditions)
        print_list(client, found, COLUMNS, empty="no tasks")


def show(client: ClientOptions, task_id: TaskId, channel: options.ShownIn = None) -> None:
    """Show one task.

    Example: camillo task show 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        task = camillo.tasks.get(task_id, channel=options.literal(channel))
    text = clean(task.stated.title)
    if task.stated.details:
        text += f"\n\n{task.stated.details}"
    show_record(client, task, text, DETAILS, ("constraints",))


COLUMNS = (
    Column("id", "task_id", style="dim"),
    # Age of the last change.
    Column("age", age_in("updated_at"), right=True, optional=True),
    Column(
        "status",
        "stated.status",
        styles={"doing": "cyan", "blocked": "red", "done": "green", "cancelled": "dim"},
    ),
    Column("session", "stated.session_id", optional=True),
    Column("title", "stated.title"),
)
DETAILS = (
    ("id", "task_id"),
    ("status", "stated.status"),
    ("goal", "stated.goal"),
    ("plan step", "stated.plan_step"),
    ("session", "stated.session_id"),
    ("tags", "stated.tags"),
    ("refs", "stated.refs"),
    ("scope", lambda task: "" if task.agent_id else "shared"),
    ("channel", "stated.channel"),
    ("sensitivity", "stated.sensitivity"),
    ("opened", "created_at"),
    ("version", version_text),
)
