"""Packets from one agent to another."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from camillo_server.across.context.view import Handoff, HandoffPacket
from camillo_server.across.context.views import Handoffs
from camillo_server.features.decisions.decision import Decision, Supersession
from camillo_server.features.tasks.task import Task, TaskStatus
from camillo_server.kernel.errors import InvalidField, NotFound, NotShareable
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import UNATTRIBUTED
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redaction, Redactor
from camillo_server.lib.text.tokens import ESTIMATE

from tests.postgres_fixtures import TestDatabase
from tests.secret_samples import samples
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    NOW,
    GroundStore,
    decision,
    event,
    ground_store,
)
from tests.storage.context.test_build_bundle import FixedClock
from tests.storage.tasks.test_tasks import task


@dataclass
class World:
    """Alice, who hands over to Bob."""

    store: GroundStore

    def handoffs(self) -> Handoffs:
        store = self.store
        return Handoffs(store.handoffs, store.tasks, store.decisions, Redactor(), ESTIMATE, FixedClock())

    async def add(self, record: Task | Decision) -> None:
        if isinstance(record, Task):
            await self.store.tasks.put(ALICE, record, None, None, texts={}, now=NOW)
        else:
            await self.store.decide(record)

    async def hand_off(
        self, packet: HandoffPacket, request_id: str = "", **fields: Any
    ) -> tuple[Handoff, Sequence[Redaction]]:
        request = RequestKey(request_id, bytes(32)) if request_id else None
        return await self.handoffs().hand_off(
            ALICE, BOB.agent_id, "", packet, fields.get("expires_at"), UNATTRIBUTED, request
        )


@pytest.fixture
async def world(database: TestDatabase) -> AsyncIterator[World]:
    async with ground_store(database) as opened:
        await opened.record(event(scope=BOB), scope=BOB)
        yield World(opened)


async def test_a_packet_tells_what_was_stated_and_the_state_of_what_it_names(world: World) -> None:
    doing = task(title="Write\nthe report", status=TaskStatus.DOING)
    old, new = decision("Use dollars"), decision("Use euros")
    await world.add(doing)
    await world.add(old)
    supersession = Supersession(old.decision_id, 1, new, is_new=True)
    await world.store.decisions.supersede(ALICE, supersession, None, now=NOW)
    packet = HandoffPacket(
        "Ship it",
        "step 3",
        "Careful.\nReally.",
        (doing.task_id,),
        (old.decision_id,),
        ("No weekends", "静かに"),
    )
    found, redactions = await world.hand_off(packet)
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
        f"    the report ({doing.task_id})",
        "Decisions:",
        f"- superseded: Use dollars ({old.decision_id})",
    ]
    assert found.tokens == ESTIMATE.count(found.text)
    assert found.expires_at == NOW + timedelta(days=7)
    assert redactions == []


@pytest.mark.parametrize("level", [Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED])
async def test_what_is_too_sensitive_is_not_handed_over(world: World, level: Sensitivity) -> None:
    secret, choice = task(title="x", sensitivity=level), decision("y", sensitivity=level)
    await world.add(secret)
    await world.add(choice)
    for packet in (
        HandoffPacket("g", task_ids=(secret.task_id,)),
        HandoffPacket("g", decision_ids=(choice.decision_id,)),
    ):
        with pytest.raises(NotShareable) as raised:
            await world.hand_off(packet)
        assert raised.value.details["ref"] in (str(secret.task_id), str(choice.decision_id))
        assert world.store.count("handoffs") == 0
    plain = task(title="x")
    await world.add(plain)
    await world.hand_off(HandoffPacket("g", task_ids=(plain.task_id,)))
    assert world.store.count("handoffs") == 1


async def test_what_is_named_has_to_be_there(world: World) -> None:
    for packet, noun in (
        (HandoffPacket("g", task_ids=(UUID(int=1),)), "task"),
        (HandoffPacket("g", decision_ids=(UUID(int=1),)), "decision"),
    ):
        with pytest.raises(NotFound) as raised:
            await world.hand_off(packet)
        assert raised.value.noun == noun


async def test_secrets_are_taken_out_before_anything_is_stored(world: World) -> None:
    secret = samples(1)["aws-access-token"]
    found, redactions = await world.hand_off(HandoffPacket("g", note=secret, constraints=(secret,)))
    assert {each.field for each in redactions} == {"packet.note", "packet.constraints[0]"}
    assert secret not in found.text


async def test_a_packet_that_is_too_long_is_told_with_its_tokens(world: World) -> None:
    many = [task(title="word " * 400) for _ in range(20)]
    for each in many:
        await world.add(each)
    with pytest.raises(InvalidField) as raised:
        await world.hand_off(HandoffPacket("g", task_ids=tuple(each.task_id for each in many)))
    (violation,) = raised.value.violations
    assert violation.field == "packet"
    assert "6,000" in violation.description


async def test_a_repeated_request_gives_the_first_packet(world: World) -> None:
    before = task(title="Write")
    await world.add(before)
    packet = HandoffPacket("g", task_ids=(before.task_id,))
    first, _ = await world.hand_off(packet, "r1")
    done = replace(before, version=2, stated=replace(before.stated, status=TaskStatus.DONE))
    await world.store.tasks.put(ALICE, done, 1, None, texts={}, now=NOW)
    again, _ = await world.hand_off(packet, "r1")
    assert again == first
    assert world.store.count("handoffs") == 1
    other, _ = await world.hand_off(packet, "r2")
    assert "done: Write" in other.text


async def test_it_expires_when_it_is_told_to(world: World) -> None:
    await world.hand_off(HandoffPacket("g"), expires_at=NOW + timedelta(hours=1))
    with pytest.raises(InvalidField):
        await world.hand_off(HandoffPacket("g"), expires_at=NOW)
    assert len(await world.handoffs().list(BOB)) == 1
