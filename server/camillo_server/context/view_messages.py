"""Views, recipes and packets as callers state them, and as the contract has them."""

from datetime import datetime
from uuid import UUID

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service

from camillo_server.context.recipe import Recipe
from camillo_server.context.view import Handoff, HandoffPacket, View
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.rpc import fields
from camillo_server.rpc.fields import sensitivity_of, time_of


def view_of(message: pb.View, scope: Scope, now: datetime) -> View:
    """The text that is to be shown, not yet stored in any version."""
    return View(
        name=message.name,
        agent_id=scope.agent_id,
        text=message.text,
        sensitivity=sensitivity_of(message.sensitivity),
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
    fields.fill_timestamp(message.updated_at, view.updated_at)
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


def handoff_of(
    request: service.HandOffRequest,
) -> tuple[AgentId, str, HandoffPacket, datetime | None]:
    """To whom, in which conversation, what, and until when; None for as long as is usual."""
    return (
        AgentId(request.to_agent_id),
        request.session_id,
        packet_of(request.packet),
        time_of(request, "expires_at"),
    )


def packet_of(message: pb.HandoffPacket) -> HandoffPacket:
    """What is handed over."""
    return HandoffPacket(
        goal=message.goal,
        plan_step=message.plan_step,
        note=message.note,
        task_ids=tuple(UUID(value) for value in dict.fromkeys(message.task_ids)),
        decision_ids=tuple(UUID(value) for value in dict.fromkeys(message.decision_ids)),
        constraints=tuple(message.constraints),
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
    fields.fill_timestamp(message.created_at, handoff.created_at)
    fields.fill_timestamp(message.expires_at, handoff.expires_at)
    return message
