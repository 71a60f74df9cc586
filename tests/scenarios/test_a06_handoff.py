"""A6: one agent hands over to another: the packet arrives, and nothing beside it."""

import pytest
from camillo.v1.context_pb2 import HandoffPacket
from camillo.v1.memory_pb2 import SOURCE_EVENT, SOURCE_MEMORY
from camillo_client import AsyncCamillo
from camillo_client.errors import DecisionNotFound, EventNotFound, NotShareable

from tests.scenarios.bundles import items, section
from tests.scenarios.conftest import AsAgent

HER_PLAN = "Nobody but Alice knows that the tide table is wrong."


async def work_of(alice: AsyncCamillo) -> tuple[HandoffPacket, str]:
    """The packet that Alice hands over, and an event of hers that she does not."""
    event = await alice.events.record(HER_PLAN, session_id="hers", actor="human:ann")
    await alice.remember(HER_PLAN)
    task = await alice.tasks.open("Write the timetable", refs=[event.event_id])
    decision = await alice.decisions.record("Boats leave at six.", refs=[event.event_id])
    packet = HandoffPacket(
        goal="The summer timetable is out by Friday.",
        plan_step="3 of 5: check the tides",
        task_ids=[task.task_id],
        decision_ids=[decision.decision_id],
    )
    return packet, event.event_id


async def test_the_packet_arrives_and_nothing_beside_it(alice: AsyncCamillo, agent: AsAgent) -> None:
    bob, carol = await agent("bob"), await agent("carol")
    packet, event_id = await work_of(alice)
    before = await bob.context.bundle("timetable of the tides")
    assert section(before, "handoff_packet") is None
    handoff = await alice.context.hand_off("bob", packet)
    assert handoff.tokens <= 6_000

    bundle = await bob.context.bundle("timetable of the tides")
    [shown] = items(bundle, "handoff_packet")
    for part in (packet.goal, packet.plan_step, "Write the timetable", "Boats leave at six."):
        assert part in shown.text
    found = section(bundle, "handoff_packet")
    assert found is not None
    assert found.tokens <= 6_000
    await assert_nothing_else_is_readable(bob, event_id, packet)
    await assert_sees_nothing(carol)
    assert HER_PLAN in (await alice.context.bundle("tide table")).prompt


async def assert_nothing_else_is_readable(bob: AsyncCamillo, event_id: str, packet: HandoffPacket) -> None:
    with pytest.raises(EventNotFound):
        await bob.events.get(event_id)
    with pytest.raises(DecisionNotFound):
        await bob.decisions.get(packet.decision_ids[0])
    assert not [event async for event in bob.events.list()]
    recalled = await bob.recall("tide table", sources=[SOURCE_EVENT, SOURCE_MEMORY])
    assert not recalled.hits
    assert HER_PLAN not in (await bob.context.bundle("tide table")).prompt


async def assert_sees_nothing(carol: AsyncCamillo) -> None:
    bundle = await carol.context.bundle("timetable of the tides")
    assert section(bundle, "handoff_packet") is None
    assert "timetable is out" not in bundle.prompt
    assert not await carol.context.handoffs()


async def test_what_is_too_sensitive_for_another_agent_is_refused(alice: AsyncCamillo, agent: AsAgent) -> None:
    await agent("bob")
    open_task = await alice.tasks.open("Paint the boat")
    private = await alice.tasks.open("Pay the smuggler", sensitivity="confidential")
    with pytest.raises(NotShareable):
        await alice.context.hand_off("bob", HandoffPacket(goal="Go on", task_ids=[private.task_id]))
    packet = HandoffPacket(goal="Go on", task_ids=[open_task.task_id])
    assert "Paint the boat" in (await alice.context.hand_off("bob", packet)).text
