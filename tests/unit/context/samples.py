"""Candidates and recipes to pack, and records to show."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from camillo_server.across.context.bundle import Candidate, ItemType
from camillo_server.across.context.recipe import Recipe
from camillo_server.across.context.recipe_parsing import parse_recipe
from camillo_server.features.decisions.decision import Decision, DecisionDraft, DecisionId, DecisionStatus
from camillo_server.features.tasks.task import Task, TaskDraft, TaskId
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import MemoryDraft, Row

MOMENT = datetime(2026, 11, 20, 14, 3, tzinfo=UTC)
OWN = Scope(TenantId("tenant"), AgentId("agent"))
SHARED = Scope(TenantId("tenant"), AgentId(""))


def candidate(text: str, number: int = 0, **fields: Any) -> Candidate:
    """A chunk, the later the higher its number, and the worse."""
    given = {
        "type": ItemType.CHUNK,
        "refs": (f"chunk-{number}", f"event-{number}"),
        "prefix": "2026-11-20 14:03",
        "score": 1 - number / 1_000,
        "occurred_at": MOMENT + timedelta(minutes=number),
    }
    return Candidate(text=text, **{**given, **fields})


def turn(text: str, number: int = 0) -> Candidate:
    """A turn that a caller brings."""
    return Candidate(ItemType.GIVEN, text, (f"turn-{number}",), "user:")


def section(name: str, source: str, budget: int, **fields: Any) -> dict[str, Any]:
    """The plain data of a section."""
    return {"name": name, "source": source, "budget": budget, **fields}


def recipe(budget: int, *sections: dict[str, Any]) -> Recipe:
    """A recipe of these sections."""
    value = {"name": "sample", "budget": budget, "sections": list(sections)}
    return parse_recipe(value, "", is_built_in=False)


def memory(text: str, number: int = 0, scope: Scope = OWN, **fields: Any) -> Row:
    memory_id = fields.pop("memory_id", MemoryId(UUID(int=1 + number)))
    kind = fields.pop("kind", None)
    made = MemoryDraft(text, **fields).memory(scope.agent_id, memory_id, MOMENT)
    return made._replace(kind=kind) if kind is not None else made


def decision(text: str, number: int = 0, scope: Scope = OWN, **fields: Any) -> Decision:
    status = fields.pop("status", DecisionStatus.ACTIVE)
    return Decision(
        decision_id=DecisionId(UUID(int=5_000 + number)),
        agent_id=scope.agent_id,
        stated=DecisionDraft(text, ("ref",), decided_at=MOMENT, **fields),
        status=status,
        supersedes=(),
        superseded_by=None,
        version=1,
        created_at=MOMENT,
    )


def task(title: str, number: int = 0, scope: Scope = OWN, **fields: Any) -> Task:
    return Task(TaskId(UUID(int=9_000 + number)), scope.agent_id, TaskDraft(title, **fields), 1, MOMENT, MOMENT)
