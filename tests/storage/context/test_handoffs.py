"""Handoffs in Postgres: in the scope of the agent that they are for."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

import pytest
from camillo_server.across.context.view import Handoff, HandoffPacket
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    MANY_SCRIPTS,
    NOW,
    RIVAL,
    SHARED,
    GroundStore,
    event,
    ground_store,
    later,
    request,
)


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        await opened.record(event(scope=BOB), scope=BOB)
        yield opened


def handoff(
    giver: Scope = ALICE,
    taker: Scope = BOB,
    at: datetime = NOW,
    session_id: str = "",
    expires_at: datetime | None = None,
) -> Handoff:
    """A handoff for an hour."""
    packet = HandoffPacket(MANY_SCRIPTS, "step 2", "note", (uuid4(),), (uuid4(), uuid4()), ("must", "may"))
    return Handoff(
        uuid4(),
        giver.agent_id,
        taker.agent_id,
        session_id,
        packet,
        f"text {MANY_SCRIPTS}",
        17,
        at,
        expires_at or later(3_600),
    )


async def test_a_packet_comes_as_it_was_sent_and_moves_the_takers_scope(store: GroundStore) -> None:
    before = store.rows("select revision from scopes where agent_id = 'bob'")[0][0]
    sent = handoff()
    written = await store.handoffs.put(ALICE, sent, None, now=NOW)
    assert written.revision == before + 1
    assert store.committed[-1] == (BOB, written.revision, 0)
    assert await store.handoffs.incoming(BOB, 10, now=NOW) == [sent]
    for scope in (ALICE, SHARED, Scope(RIVAL.tenant_id, BOB.agent_id)):
        assert await store.handoffs.incoming(scope, 10, now=NOW) == []


async def test_the_latest_come_first_and_the_expired_no_more(store: GroundStore) -> None:
    sent = [handoff(at=later(n), expires_at=later(100 - n)) for n in range(3)]
    for each in sent:
        await store.handoffs.put(ALICE, each, None, now=NOW)
    assert await store.handoffs.incoming(BOB, 2, now=NOW) == [sent[2], sent[1]]
    assert await store.handoffs.incoming(BOB, 9, now=later(98)) == [sent[1], sent[0]]
    # The next one clears away what is past its time.
    await store.handoffs.put(ALICE, handoff(at=later(98)), None, now=later(98))
    assert store.count("handoffs") == 3


async def test_nobody_hands_to_who_is_not_there(store: GroundStore) -> None:
    nobody = Scope(ALICE.tenant_id, AgentId("nobody"))
    for taker in (nobody, SHARED):
        with pytest.raises(NotFound) as refused:
            await store.handoffs.put(ALICE, handoff(taker=taker), None, now=NOW)
        assert (refused.value.noun, refused.value.wanted_id) == ("agent", taker.agent_id)
    with pytest.raises(NotFound):
        await store.handoffs.put(RIVAL, handoff(RIVAL), None, now=NOW)
    acme = ALICE.tenant_id
    await store.administration.delete_agent(acme, BOB, None, NOW)
    with pytest.raises(NotFound):
        await store.handoffs.put(ALICE, handoff(), None, now=NOW)
    assert store.count("handoffs") == 0


async def test_a_repeat_stores_nothing_also_at_once(store: GroundStore) -> None:
    sent = [replace(handoff(), tokens=n) for n in range(6)]
    written = await asyncio.gather(*(store.handoffs.put(ALICE, each, request(), now=NOW) for each in sent))
    assert len({each.revision for each in written}) == 1
    assert all(each.record == written[0].record for each in written)
    assert len(await store.handoffs.incoming(BOB, 10, now=NOW)) == 1
