"""How decisions read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.tables import Column, clean
from camillo_server.cli.wording import age, moment

if TYPE_CHECKING:
    from camillo.v1.decision_pb2 import Decision

SCORE = Column("score", style="bold", right=True)
COLUMNS = (
    Column("id", style="dim"),
    Column("age", right=True),
    Column("status", styles={"active": "green", "superseded": "dim"}, optional=True),
    Column("reach", optional=True),
    Column("decision"),
)


def status(decision: Decision) -> str:
    """Whether it is in force, in one word."""
    from camillo.v1.decision_pb2 import DecisionStatus
    from camillo_client import enum_name

    return enum_name(DecisionStatus, decision.status)


def row(decision: Decision, now: datetime) -> list[str]:
    """Its row in a list."""
    from camillo.v1.decision_pb2 import DecisionReach
    from camillo_client import enum_name, to_datetime

    return [
        decision.decision_id,
        age(to_datetime(decision.stated.decided_at), now),
        status(decision),
        enum_name(DecisionReach, decision.stated.reach),
        decision.stated.decision,
    ]


def reasons(decision: Decision) -> list[tuple[str, list[str]]]:
    """The lists that go with it, those that are empty left out."""
    stated = decision.stated
    lists: Iterable[tuple[str, Iterable[str]]] = (
        ("rationale", stated.rationale),
        ("constraints", stated.constraints),
        ("alternatives", stated.alternatives),
        ("consequences", stated.consequences),
        ("refs", stated.refs),
    )
    return [(name, [clean(text) for text in texts]) for name, texts in lists if texts]


def details(decision: Decision) -> list[tuple[str, str]]:
    """What there is to say of it beside its text and its reasons."""
    from camillo.v1.channel_pb2 import Channel
    from camillo.v1.decision_pb2 import DecisionReach
    from camillo.v1.memory_pb2 import Sensitivity
    from camillo_client import enum_name

    stated = decision.stated
    superseded = ""
    if decision.HasField("superseded_at"):
        superseded = f"by {decision.superseded_by}, {moment(decision.superseded_at)}"
    optional = [
        ("superseded", superseded),
        ("supersedes", ", ".join(decision.supersedes)),
        ("session", stated.session_id),
        ("tags", ", ".join(stated.tags)),
        ("scope", "" if decision.agent_id else "shared"),
    ]
    shown = [
        ("id", decision.decision_id),
        ("status", status(decision)),
        ("reach", enum_name(DecisionReach, stated.reach)),
        *[(name, value) for name, value in optional if value],
        ("channel", enum_name(Channel, stated.channel)),
        ("sensitivity", enum_name(Sensitivity, stated.sensitivity)),
        ("decided", moment(stated.decided_at)),
        ("version", f"{decision.version}, recorded {moment(decision.created_at)}"),
    ]
    return [(name, clean(value)) for name, value in shown]
