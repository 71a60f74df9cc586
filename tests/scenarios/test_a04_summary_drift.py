"""A4: where a summary says something else than the event that it cites, the event is shown, and outlives it not."""

from camillo_client import AsyncCamillo

from tests.scenarios.bundles import all_items, items
from tests.scenarios.conftest import settled

TRUTH = "The invoice of the harbour master was 4,200 crowns."
CLAIM = "The invoice of the harbour master was 2,400 crowns, roughly."
QUESTION = "How much was the invoice of the harbour master?"


async def test_ground_truth_is_shown_and_the_summary_marked(alice: AsyncCamillo) -> None:
    event = await alice.events.record(TRUTH, session_id="s", actor="human:ann")
    summary = await alice.remember(CLAIM, kind="summary", source_refs=[event.event_id])
    fact = await alice.remember("The harbour master is called Ida.", source_refs=[event.event_id])
    kept = await alice.remember("The harbour master answers every letter.")

    bundle = await settled(lambda: alice.context.bundle(QUESTION))
    evidence = items(bundle, "retrieved_evidence")
    [truth] = [item for item in evidence if TRUTH in item.text]
    assert event.event_id in truth.refs
    assert not truth.is_derived
    [claim] = [item for item in evidence if CLAIM in item.text]
    assert claim.is_derived
    assert event.event_id in claim.refs
    assert evidence.index(truth) < evidence.index(claim)

    answer = await alice.events.forget([event.event_id])
    assert [*answer.receipt.invalidated_memory_ids] == sorted([summary.memory_id, fact.memory_id])
    after = await settled(lambda: alice.context.bundle(QUESTION))
    assert not [item for item in all_items(after) if "invoice" in item.text]
    assert "Ida" not in after.prompt
    assert kept.content in after.prompt


async def test_the_event_stays_when_both_say_the_same(alice: AsyncCamillo) -> None:
    event = await alice.events.record(TRUTH, session_id="s", actor="human:ann")
    await alice.remember(f"ann: {TRUTH}", kind="summary", source_refs=[event.event_id])
    bundle = await settled(lambda: alice.context.bundle(QUESTION))
    [shown] = [item for item in all_items(bundle) if TRUTH in item.text]
    assert not shown.is_derived
    assert event.event_id in shown.refs
