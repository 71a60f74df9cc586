"""A9: bundles without retrieval on a warm scope. Their goal of 15 ms at p95 is measured by `python -m bench.context`;
here they are compared with what Postgres and the way to the server take in the same moments."""

import pytest
from camillo_client import AsyncCamillo
from camillo_client.event_fields import new_event

from tests.scenarios.timing import p95, seconds_of

BUNDLES = 200
# A bundle reads five sections.
MAX_READS = 12


@pytest.mark.timeout(200)
async def test_bundles_without_retrieval_are_quick(alice: AsyncCamillo) -> None:
    await alice.context.views.put("identity", "You keep the boats.")
    await alice.context.views.put("rules", "Say what you did.\n" * 40)
    await alice.events.record_many(
        new_event(f"Boat {number} came in.", session_id="s", actor="human:ann") for number in range(200)
    )
    event = await alice.events.record("Which boat?", session_id="s", actor="human:ann")
    for number in range(10):
        task = await alice.tasks.open(f"Look at boat {number}", refs=[event.event_id])
        await alice.decisions.record(f"Boat {number} stays.", refs=[event.event_id])
    bundles, reads = [], []
    for _ in range(BUNDLES):
        seconds, bundle = await seconds_of(alice.context.bundle(session_id="s"))
        assert len(bundle.sections) == 5
        bundles.append(seconds)
        reads.append((await seconds_of(alice.tasks.get(task.task_id)))[0])
    print(f"A9: {p95(bundles) * 1000:.1f} ms, a read {p95(reads) * 1000:.1f} ms")
    assert p95(bundles) <= MAX_READS * p95(reads)
