"""A9: bundles without retrieval on a warm scope. The goal of 15 ms at p95 is measured by `python -m bench.context`; here p95
has to hold what the design asks, whatever else the machine does."""

import time

import pytest
from camillo_client import AsyncCamillo
from camillo_client.event_fields import new_event

from tests.patience import FACTOR

BUNDLES = 1_000
DESIGN_SECONDS = 0.150


@pytest.mark.timeout(200)
async def test_bundles_without_retrieval_are_quick(alice: AsyncCamillo) -> None:
    await alice.context.views.put("identity", "You keep the boats.")
    await alice.context.views.put("rules", "Say what you did.\n" * 40)
    await alice.events.record_many(
        new_event(f"Boat {number} came in.", session_id="s", actor="human:ann")
        for number in range(200)
    )
    event = await alice.events.record("Which boat?", session_id="s", actor="human:ann")
    for number in range(10):
        await alice.tasks.open(f"Look at boat {number}", refs=[event.event_id])
        await alice.decisions.record(f"Boat {number} stays.", refs=[event.event_id])
    taken = []
    for _ in range(BUNDLES):
        started = time.perf_counter()
        bundle = await alice.context.bundle(session_id="s")
        taken.append(time.perf_counter() - started)
        assert len(bundle.sections) == 5
    taken.sort()
    assert taken[BUNDLES * 95 // 100] <= DESIGN_SECONDS * FACTOR
