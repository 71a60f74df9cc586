"""Packets from one agent to another."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import pytest
from camillo_server.context.store.context import HandoffStore
from camillo_server.context.view import Handoff, HandoffPacket
from camillo_server.context.views import Handoffs
from camillo_server.decisions.decision import DecisionStatus
from camillo_server.decisions.store import DecisionStore
from camillo_server.kernel.errors import InvalidField, NotFound, NotShareable
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redaction, Redactor
from camillo_server.tasks.store import TaskStore
from camillo_server.tasks.task import TaskStatus
from camillo_server.text.tokens import ESTIMATE

from tests.secret_samples import samples
from tests.unit.context.context_in_memory import (
    OWN,
    FixedClock,
    PacketsInMemory,
    RecordsInMemory,
    decision,
    task,
)
from tests.unit.context.samples import MOMENT


@dataclass
class World:
    tasks: list[Any] = field(default_factory=list)
    decisions: list[Any] = field(default_factory=list)
    packets: PacketsInMemory = field(default_factory=PacketsInMemory)

    def handoffs(self) -> Handoffs:
        tasks = RecordsInMemory(self.tasks, lambda record: record.task_id)
        return Handoffs(
            cast(HandoffStore, self.packets),
            cast(TaskStore, tasks),
            cast(DecisionStore, RecordsInMemory(self.decisions)),
            Redactor(),
            ESTIMATE,
            FixedClock(),
        )

    async def hand_off(
        self, packet: HandoffPacket, request_id: str = "", **fields: Any
    ) -> tuple[Handoff, list[Redaction]]:
        handoffs = self.handoffs()
        request = RequestKey(request_id, b"digest") if request_id else None
        found, redactions = await handoffs.hand_off(
            OWN, AgentId("b"), "", packet, fields.get("expires_at"), request
        )
        return found, list(redactions)


async def test_a_packet_tells_what_was_stated_and_the_state_of_what_it_names() -> None:
    doing = task("Write\nthe report", 1, status=TaskStatus.DOING)
    old = decision("Use dollars", 2, status=DecisionStatus.SUPERSEDED)
    packet = HandoffPacket(
        "Ship it",
        "step 3",
        "Careful.\nReally.",
        (doing.task_id,),
        (old.decision_id,),
        ("No weekends", "静かに"),
    )
    found, redactions = await World([doing], [old]).hand_off(packet)
    assert found.text.split("\n") == [
        "Goal: Ship it",
        "Plan step: step 3",
        "Note: Careful.",
        "  Really.",
        "Constraints:",
        "- No weekends",
        "- 静かに",
        "Tasks:",
        "- doing: Write",
        f"  the report ({doing.task_id})",
        "Decisions:",
        f"- superseded: Use dollars ({old.decision_id})",
    ]
    assert found.tokens == ESTIMATE.count(found.text)
    assert found.expires_at == MOMENT + timedelta(days=7)
    assert redactions == []


@pytest.mark.parametrize("level", [Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED])
async def test_what_is_too_sensitive_is_not_handed_over(level: Sensitivity) -> None:
    secret, choice = task("x", 1, sensitivity=level), decision("y", 2, sensitivity=level)
    for packet in (
        HandoffPacket("g", task_ids=(secret.task_id,)),
        HandoffPacket("g", decision_ids=(choice.decision_id,)),
    ):
        world = World([secret], [choice])
        with pytest.raises(NotShareable) as raised:
            await world.hand_off(packet)
        assert raised.value.details["ref"] in (str(secret.task_id), str(choice.decision_id))
        assert not world.packets.packets
    plain = task("x", 1)
    await World([plain]).hand_off(HandoffPacket("g", task_ids=(plain.task_id,)))


async def test_what_is_named_has_to_be_there() -> None:
    for packet, noun in (
        (HandoffPacket("g", task_ids=(UUID(int=1),)), "task"),
        (HandoffPacket("g", decision_ids=(UUID(int=1),)), "decision"),
    ):
        with pytest.raises(NotFound) as raised:
            await World().hand_off(packet)
        assert raised.value.noun == noun


async def test_secrets_are_taken_out_before_anything_is_stored() -> None:
    secret = samples(1)["aws-access-token"]
    world = World()
    found, redactions = await world.hand_off(HandoffPacket("g", note=secret, constraints=(secret,)))
    assert {each.field for each in redactions} == {"packet.note", "packet.constraints[0]"}
    assert secret not in found.text


async def test_a_packet_that_is_too_long_is_told_with_its_tokens() -> None:
    many = [task("word " * 400, n) for n in range(20)]
    with pytest.raises(InvalidField) as raised:
        await World(many).hand_off(
            HandoffPacket("g", task_ids=tuple(each.task_id for each in many))
        )
    (violation,) = raised.value.violations
    assert violation.field == "packet"
    assert "6,000" in violation.description


async def test_a_repeated_request_gives_the_first_packet() -> None:
    before = task("Write", 1)
    world = World([before])
    packet = HandoffPacket("g", task_ids=(before.task_id,))
    first, _ = await world.hand_off(packet, "r1")
    world.tasks = [task("Write", 1, status=TaskStatus.DONE)]
    again, _ = await world.hand_off(packet, "r1")
    assert again == first
    assert len(world.packets.packets) == 1
    other, _ = await world.hand_off(packet, "r2")
    assert "done: Write" in other.text


async def test_it_expires_when_it_is_told_to() -> None:
    world = World()
    await world.hand_off(HandoffPacket("g"), expires_at=MOMENT + timedelta(hours=1))
    with pytest.raises(InvalidField):
        await world.hand_off(HandoffPacket("g"), expires_at=MOMENT)
    assert len(await world.handoffs().list(OWN)) == 1
