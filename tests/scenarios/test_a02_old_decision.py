"""A2: a decision of 200 days ago, under 20,000 newer events, answers a question that says it in other words."""

from datetime import timedelta

import pytest
from camillo_client import AsyncCamillo
from camillo_client.event_fields import new_event

from tests.scenarios.bundles import items
from tests.server_fixtures import Server

EVENTS = 20_000
TOPICS = ("harbour", "timetable", "paint", "lantern", "rope", "anchor", "compass", "ledger")


@pytest.mark.timeout(300)
async def test_an_old_decision_is_found_by_a_question_in_other_words(server: Server, alice: AsyncCamillo) -> None:
    long_ago = server.clock.now() - timedelta(days=200)
    asked = await alice.events.record(
        "Where should sessions of users be kept?", session_id="architecture", actor="human:ann", occurred_at=long_ago
    )
    decision = await alice.decisions.record(
        "User sessions are stored in Redis, not in Postgres.",
        rationale=["they expire by themselves there"],
        refs=[asked.event_id],
        decided_at=long_ago,
    )
    await alice.decisions.record("The hull is painted green.", refs=[asked.event_id], decided_at=long_ago)
    await alice.events.record_many(
        (
            new_event(
                f"Note {number}: the {TOPICS[number % 8]} of ship {number * 7 % 911} was looked at.",
                session_id=f"log-{number // 500}",
                actor="agent:alice",
            )
            for number in range(EVENTS)
        ),
        timeout=120,
    )

    # How quickly is measured elsewhere: embedding 20,000 events goes on beside it.
    bundle = await alice.context.bundle("in which database do we keep a user's session, and why?", timeout=60)
    found = items(bundle, "relevant_decisions")
    assert found[0].refs[0] == decision.decision_id
    assert asked.event_id in found[0].refs
    assert 0 < bundle.provenance.candidate_pool_size <= 2_000
    assert 0 < bundle.provenance.scored <= 200
