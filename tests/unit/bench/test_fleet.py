"""Memory, cores and storage that a fleet needs."""

from dataclasses import replace

import pytest

from bench.scale.fleet import Assumptions, Costs, fleet
from bench.scale.model import Line

COSTS = Costs(recall_ms=Line(0.4, 0.0001), scope_bytes=Line(10_000, 1_000), miss_ms=10.5, disk_bytes=4_000)
ASSUMED = Assumptions(
    agents=1_000_000,
    memories_per_agent=1_000,
    active_share=0.1,
    recalls_per_second=10_000,
    hit_share=0.9,
    replicas=2,
    cores=10,
    memory_gb=100,
    cache_share=0.5,
    utilisation=0.5,
    database_copies=3,
)


def test_memory_is_for_every_copy_of_every_scope_in_use() -> None:
    needed = fleet(ASSUMED, COSTS)
    assert needed.cached_gb == pytest.approx(100_000 * 2 * 1_010_000 / 1e9)
    assert needed.machines_for_memory == 5  # 202 GB, 50 GB on each


def test_cores_are_for_hits_and_misses() -> None:
    needed = fleet(ASSUMED, COSTS)
    assert needed.core_ms_per_recall == pytest.approx(0.9 * 0.5 + 0.1 * 10.5)
    assert needed.machines_for_cores == 3  # 15 cores busy, 5 of each machine


def test_the_greater_demand_decides() -> None:
    assert fleet(ASSUMED, COSTS).machines == 5
    assert fleet(replace(ASSUMED, recalls_per_second=100_000), COSTS).machines == 30


def test_the_database_holds_everything_in_all_copies() -> None:
    assert fleet(ASSUMED, COSTS).database_gb == pytest.approx(1e9 * 4_000 * 3 / 1e9)
