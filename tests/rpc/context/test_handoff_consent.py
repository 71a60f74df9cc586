"""Consent to handoffs: from whom an agent accepts them, how many, and how long they are kept."""

import asyncio
from datetime import timedelta
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import memory_pb2
from camillo.v1 import memory_service_pb2 as memory
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.context_pb2 import HandoffPacket
from camillo_server.across.context.store import context
from camillo_server.across.context.store.context import remove_expired_handoffs

from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server, refused
from tests.storage.locking import scope_held, until_waiting


def hand_off(goal: str = "Refund order 7", **fields: Any) -> service.HandOffRequest:
    packet = HandoffPacket(goal=goal)
    return service.HandOffRequest(**{"to_agent_id": "bob", "packet": packet, **fields})


def accept(*senders: str, **fields: Any) -> service.AcceptHandoffsRequest:
    return service.AcceptHandoffsRequest(agent_id="bob", from_agent_ids=senders, **fields)


@pytest.fixture(autouse=True)
async def bob(server: Server) -> None:
    """Bob has written, so that he is there."""
    await server.admin(memory.RememberRequest(agent_id="bob", memory=memory_pb2.NewMemory(content="I am Bob 🦊")))


async def test_an_agent_says_from_whom_it_accepts_handoffs(server: Server) -> None:
    await server.alice(hand_off())
    for senders in ((), ("carol", "@shared")):
        answer = await server.admin(accept(*senders))
        assert (answer.any_agent, tuple(answer.from_agent_ids)) == (False, senders)
        failed = await refused(server.alice(hand_off()))
        assert (failed.code, failed.reason) == (grpc.StatusCode.PERMISSION_DENIED, "HANDOFF_REFUSED")
        assert failed.metadata == {"agent_id": "bob"}
    await server.admin(hand_off(agent_id="carol"))
    await server.admin(hand_off(agent_id="@shared"))
    await server.admin(accept("alice"))
    await server.alice(hand_off())
    assert (await refused(server.admin(hand_off(agent_id="carol")))).reason == "HANDOFF_REFUSED"
    assert (await server.admin(accept(any_agent=True))).any_agent
    await server.admin(hand_off(agent_id="carol"))


async def test_an_agent_takes_so_many_handoffs_that_are_still_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "MAX_HANDOFFS_OF_SENDER", 2)
    monkeypatch.setattr(context, "MAX_HANDOFFS", 3)
    for number in range(2):
        await server.alice(hand_off(f"goal {number}"))
    failed = await refused(server.alice(hand_off()))
    assert (failed.code, failed.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
    await server.admin(hand_off(agent_id="carol"))
    assert (await refused(server.admin(hand_off(agent_id="dave")))).reason == "QUOTA_EXCEEDED"
    server.clock.move(timedelta(days=8).total_seconds())
    await server.alice(hand_off())


@pytest.mark.own_server
async def test_expired_handoffs_go_by_themselves(server: Server) -> None:
    await server.alice(hand_off())
    kernel = server.app.kernel
    for days, left in ((1, 1), (8, 0)):
        server.clock.move(timedelta(days=days).total_seconds())
        await remove_expired_handoffs(kernel.database, kernel.clock.now())
        with psycopg.connect(server.database.superuser_url) as superuser:
            row = superuser.execute("select count(*) from camillo.handoffs").fetchone()
        assert row == (left,)


@pytest.mark.own_server
async def test_a_handoff_waits_for_its_sender_that_forgets(server: Server) -> None:
    """The sender forgets nothing between the handoff's look at the blocked values and its end."""
    kept = await remember(server.alice, "用户住在巴塞尔。")
    with scope_held(server.database, "acme", "alice"):
        waiting = asyncio.ensure_future(server.alice(hand_off("用户住在巴塞尔。")))
        await until_waiting(server.database, 1)
        assert not waiting.done()
    await waiting
    forget = memory.ForgetMemoriesRequest(memory_ids=memory.MemoryIds(ids=[kept.memory_id]))
    await server.alice(forget)
    assert (await refused(server.alice(hand_off("用户住在巴塞尔。")))).reason == "VALUE_REJECTED"
