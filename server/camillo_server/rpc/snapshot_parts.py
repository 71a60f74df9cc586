"""Views, recipes and packets as callers state them, and as the contract has them."""

from datetime import datetime

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service

from camillo_server.domain.context.recipe import Recipe
from camillo_server.domain.context.view import Handoff, HandoffPacket, View
from camillo_server.domain.ids import AgentId
from camillo_server.domain.scope import Scope
from camillo_server.rpc import context_fields as fields
from camillo_server.rpc import convert, limits
from camillo_server.rpc.validate import Checks


def view_of(request: service.PutViewRequest, scope: Scope, checks: Checks, now: datetime) -> View:
    """The text that is to be shown, not yet stored in any version."""
    message = request.view
    return View(
        name=fields.short_name(message.name, checks, "view.name"),
        agent_id=scope.agent_id,
        text=checks.text("view.text", message.text, 1, limits.VIEW_CHARACTERS),
        sensitivity=convert.sensitivity(message.sensitivity, checks, "view.sensitivity"),
        version=0,
        updated_at=now,
    )


def view_message(view: View) -> pb.View:
    message = pb.View(
        name=view.name,
        agent_id=view.agent_id,
        text=view.text,
        sensitivity=int(view.sensitivity),  # type: ignore[arg-type]
        version=view.version,
    )
    convert.fill_timestamp(message.updated_at, view.updated_at)
    return message


def recipe_message(recipe: Recipe) -> pb.Recipe:
    return pb.Recipe(
        name=recipe.name,
        description=recipe.description,
        yaml=recipe.text,
        is_built_in=recipe.is_built_in,
        budget_tokens=recipe.budget,
        sections=[section.name for section in recipe.sections],
        digest=recipe.digest,
    )


def recipe_text(request: service.PutRecipeRequest, checks: Checks) -> str:
    return checks.text("yaml", request.yaml, 1, limits.RECIPE_CHARACTERS)


def handoff_of(
    request: service.HandOffRequest, checks: Checks
) -> tuple[AgentId, str, HandoffPacket, datetime | None]:
    """To whom, in which conversation, what, and until when; None for as long as is usual."""
    return (
        AgentId(checks.name("to_agent_id", request.to_agent_id)),
        convert.session_id(request.session_id, checks, "session_id"),
        packet_of(request.packet, checks, "packet"),
        checks.moment("expires_at", request.expires_at) if request.HasField("expires_at") else None,
    )


def packet_of(message: pb.HandoffPacket, checks: Checks, path: str) -> HandoffPacket:
    """What is handed over. Adds to the checks what is wrong with it."""
    bounds = (0, limits.HANDOFF_IDS)
    return HandoffPacket(
        goal=fields.statement(message.goal, checks, f"{path}.goal", least=1),
        plan_step=fields.statement(message.plan_step, checks, f"{path}.plan_step"),
        note=checks.text(f"{path}.note", message.note, 0, limits.NOTE_CHARACTERS),
        task_ids=tuple(fields.uuids(message.task_ids, checks, f"{path}.task_ids", bounds)),
        decision_ids=tuple(
            fields.uuids(message.decision_ids, checks, f"{path}.decision_ids", bounds)
        ),
        constraints=fields.statements(message.constraints, checks, f"{path}.constraints"),
    )


def handoff_message(handoff: Handoff) -> pb.Handoff:
    packet = handoff.packet
    message = pb.Handoff(
        handoff_id=str(handoff.handoff_id),
        from_agent_id=handoff.from_agent_id,
        to_agent_id=handoff.to_agent_id,
        session_id=handoff.session_id,
        packet=pb.HandoffPacket(
            goal=packet.goal,
            plan_step=packet.plan_step,
            note=packet.note,
            task_ids=[str(each) for each in packet.task_ids],
            decision_ids=[str(each) for each in packet.decision_ids],
            constraints=packet.constraints,
        ),
        text=handoff.text,
        tokens=handoff.tokens,
    )
    convert.fill_timestamp(message.created_at, handoff.created_at)
    convert.fill_timestamp(message.expires_at, handoff.expires_at)
    return message
