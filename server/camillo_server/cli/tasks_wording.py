"""How tasks read."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.tables import Column, clean
from camillo_server.cli.wording import age, moment

if TYPE_CHECKING:
    from camillo.v1.task_pb2 import Task

STYLES = {"doing": "cyan", "blocked": "red", "done": "green", "cancelled": "dim"}
COLUMNS = (
    Column("id", style="dim"),
    Column("age", right=True, optional=True),
    Column("status", styles=STYLES),
    Column("session", optional=True),
    Column("title"),
)


def status(task: Task) -> str:
    """How far it has come, in one word."""
    from camillo.v1.task_pb2 import TaskStatus
    from camillo_client import enum_name

    return enum_name(TaskStatus, task.stated.status)


def row(task: Task, now: datetime) -> list[str]:
    """Its row in a list; its age is that of the last change."""
    from camillo_client import to_datetime

    changed = age(to_datetime(task.updated_at), now)
    return [task.task_id, changed, status(task), task.stated.session_id, task.stated.title]


def details(task: Task) -> list[tuple[str, str]]:
    """What there is to say of it beside its title, details and constraints."""
    from camillo.v1.channel_pb2 import Channel
    from camillo.v1.memory_pb2 import Sensitivity
    from camillo_client import enum_name

    stated = task.stated
    optional = [
        ("goal", stated.goal),
        ("plan step", stated.plan_step),
        ("session", stated.session_id),
        ("tags", ", ".join(stated.tags)),
        ("refs", ", ".join(stated.refs)),
        ("scope", "" if task.agent_id else "shared"),
    ]
    shown = [
        ("id", task.task_id),
        ("status", status(task)),
        *[(name, value) for name, value in optional if value],
        ("channel", enum_name(Channel, stated.channel)),
        ("sensitivity", enum_name(Sensitivity, stated.sensitivity)),
        ("opened", moment(task.created_at)),
        ("version", f"{task.version}, of {moment(task.updated_at)}"),
    ]
    return [(name, clean(value)) for name, value in shown]
