"""A3: of decisions that took each other's place, a bundle shows the last; all stay readable, linked both ways."""

import pytest
from camillo.v1.decision_pb2 import DECISION_STATUS_ACTIVE, DECISION_STATUS_SUPERSEDED, Decision
from camillo_client import AsyncCamillo
from camillo_client.errors import DecisionCycle, VersionConflict

from tests.scenarios.bundles import items

QUESTION = "Which queue do we use for letters?"


async def superseded_by(alice: AsyncCamillo, old: Decision, text: str) -> Decision:
    answer = await alice.decisions.supersede(old.decision_id, old.version, text, refs=list(old.stated.refs))
    return answer.decision


async def test_a_bundle_shows_only_the_decision_in_force(alice: AsyncCamillo) -> None:
    asked = await alice.events.record(QUESTION, session_id="s", actor="human:ann")
    first = await alice.decisions.record("The letter queue is a table.", refs=[asked.event_id])
    shown = items(await alice.context.bundle(QUESTION), "relevant_decisions")
    assert [item.refs[0] for item in shown] == [first.decision_id]

    second = await superseded_by(alice, first, "The letter queue is a file.")
    third = await superseded_by(alice, second, "The letter queue is a ring buffer.")
    for query in (QUESTION, ""):
        bundle = await alice.context.bundle(query)
        shown = items(bundle, "relevant_decisions")
        assert [item.refs[0] for item in shown] == [third.decision_id]
        assert "ring buffer" in bundle.prompt
        assert "is a table" not in bundle.prompt
        assert "is a file" not in bundle.prompt
    await assert_linked(alice, first, second, third)


async def assert_linked(alice: AsyncCamillo, first: Decision, second: Decision, third: Decision) -> None:
    read = [await alice.decisions.get(each.decision_id) for each in (first, second, third)]
    assert [each.status for each in read] == [
        DECISION_STATUS_SUPERSEDED,
        DECISION_STATUS_SUPERSEDED,
        DECISION_STATUS_ACTIVE,
    ]
    assert [each.superseded_by for each in read] == [second.decision_id, third.decision_id, ""]
    assert [[*each.supersedes] for each in read] == [[], [first.decision_id], [second.decision_id]]
    every = alice.decisions.list(statuses=["active", "superseded"])
    assert {each.decision_id async for each in every} == {each.decision_id for each in read}


async def test_what_is_superseded_cannot_be_superseded_again_and_no_cycle_comes_about(alice: AsyncCamillo) -> None:
    asked = await alice.events.record(QUESTION, session_id="s", actor="human:ann")
    first = await alice.decisions.record("One.", refs=[asked.event_id])
    second = await superseded_by(alice, first, "Two.")
    with pytest.raises(VersionConflict):
        await superseded_by(alice, first, "Three.")
    with pytest.raises(DecisionCycle):
        await alice.decisions.supersede(second.decision_id, second.version, successor_id=second.decision_id)
    with pytest.raises((DecisionCycle, VersionConflict)):
        await alice.decisions.supersede(second.decision_id, second.version, successor_id=first.decision_id)
    assert (await alice.decisions.get(second.decision_id)).status == DECISION_STATUS_ACTIVE
    third = await superseded_by(alice, second, "Three.")
    assert (await alice.decisions.get(second.decision_id)).superseded_by == third.decision_id
