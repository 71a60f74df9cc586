"""Events, decisions, tasks and bundles for tests of conversions."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from camillo.v1 import actor_pb2
from camillo.v1 import event_pb2 as pb
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.doors.rpc.validate import OwnModel
from camillo_server.features.decisions.decision import Decision, DecisionDraft, DecisionId, DecisionStatus
from camillo_server.features.events.event import Actor, Event, EventContent, EventId, TextContent
from camillo_server.features.tasks.task import Task, TaskDraft, TaskId
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import History

HAPPENED = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
RECORDED = datetime(2026, 3, 1, 12, 30, 16, 1, tzinfo=UTC)
ADA = Scope(TenantId("acme"), AgentId("ada"))
BOB = Scope(TenantId("acme"), AgentId("bob"))
REVISIONS = RevisionTokens(History(UUID(int=1)))
CALLS = CallReader(REVISIONS, OwnModel("own", 3))
OTHER_DATABASE = RevisionTokens(History(UUID(int=2)))
SOME_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


def message(**fields: Any) -> pb.NewEvent:
    """A person's message in a session, unless told otherwise."""
    content = {"text", "json", "tool_call", "tool_result"} & fields.keys()
    said = {} if content else {"text": "hello"}
    actor = actor_pb2.Actor(type=actor_pb2.ACTOR_TYPE_HUMAN, id="user")
    return pb.NewEvent(**{"session_id": "s", "actor": actor, **said, **fields})


def event(content: EventContent | None = None, **fields: Any) -> Event:
    """Ada's."""
    values: dict[str, Any] = {
        "event_id": EventId(UUID(int=5)),
        "agent_id": AgentId("ada"),
        "session_id": "s",
        "channel": Channel.TEAM,
        "actor": Actor(ActorType.AGENT, "助手"),
        "kind": EventKind.MESSAGE,
        "sensitivity": Sensitivity.CONFIDENTIAL,
        "tags": ("b", "a"),
        "occurred_at": HAPPENED,
        "refs": (SOME_ID,),
        "content": content or TextContent("مرحبا 🎉"),
        "importance": None,
        "recorded_at": RECORDED,
        "revision": 7,
        "index": 2,
    }
    return Event(**{**values, **fields})


def decision(text: str = "Wir nehmen Postgres", **fields: Any) -> Decision:
    """Ada's, in force."""
    stated = DecisionDraft(decision=text, refs=(SOME_ID,), decided_at=HAPPENED)
    values: dict[str, Any] = {
        "decision_id": DecisionId(UUID(int=6)),
        "agent_id": AgentId("ada"),
        "stated": stated,
        "status": DecisionStatus.ACTIVE,
        "supersedes": (),
        "superseded_by": None,
        "version": 1,
        "created_at": RECORDED,
    }
    return Decision(**{**values, **fields})


def task(draft: TaskDraft | None = None, **fields: Any) -> Task:
    """Ada's."""
    values: dict[str, Any] = {
        "task_id": TaskId(UUID(int=7)),
        "agent_id": AgentId("ada"),
        "stated": draft or TaskDraft("ship it"),
        "version": 3,
        "created_at": HAPPENED,
        "updated_at": RECORDED,
    }
    return Task(**{**values, **fields})
