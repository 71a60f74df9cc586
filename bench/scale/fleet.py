"""The needs of a fleet: memory for the scopes in use, cores for the recalls, disk for everything."""

import math
from dataclasses import dataclass

from bench.scale.model import Line

GIGABYTE = 1e9


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Assumptions about the load, and about the machines that serve it.

    `active_share` of the agents have their scope in memory at a time, each on `replicas` servers. `hit_share` of the
    recalls find it there. `cache_share` of a machine's memory may be used so, and `utilisation` of its cores on
    average."""

    agents: int = 10_000_000
    memories_per_agent: int = 1_000
    active_share: float = 0.02
    recalls_per_second: float = 20_000.0
    hit_share: float = 0.98
    replicas: int = 2
    cores: int = 16
    memory_gb: float = 64.0
    cache_share: float = 0.6
    utilisation: float = 0.5
    database_copies: int = 2


@dataclass(frozen=True, slots=True)
class Costs:
    """Measured costs: core-milliseconds of the server a recall and bytes in memory a scope, by its size in memories.

    `miss_ms` are core-milliseconds of the server for a recall that Postgres answers, the load that follows included;
    `disk_bytes` what a memory takes in Postgres with its indexes.
    """

    recall_ms: Line
    scope_bytes: Line
    miss_ms: float
    disk_bytes: float


@dataclass(frozen=True, slots=True)
class Fleet:
    """The size of a fleet. `machines` is the greater of what memory and what cores ask for."""

    cached_gb: float
    machines_for_memory: int
    core_ms_per_recall: float
    machines_for_cores: int
    database_gb: float

    @property
    def machines(self) -> int:
        return max(self.machines_for_memory, self.machines_for_cores)


def fleet(assumed: Assumptions, costs: Costs) -> Fleet:
    """The fleet that is needed if the machines cost what was measured, core for core."""
    scope_bytes = costs.scope_bytes.at(assumed.memories_per_agent)
    cached = assumed.agents * assumed.active_share * assumed.replicas * scope_bytes
    hit_ms = costs.recall_ms.at(assumed.memories_per_agent)
    recall_ms = assumed.hit_share * hit_ms + (1 - assumed.hit_share) * costs.miss_ms
    busy_cores = assumed.recalls_per_second * recall_ms / 1000
    stored = assumed.agents * assumed.memories_per_agent * costs.disk_bytes
    room = assumed.memory_gb * GIGABYTE * assumed.cache_share
    return Fleet(
        cached_gb=cached / GIGABYTE,
        machines_for_memory=math.ceil(cached / room),
        core_ms_per_recall=recall_ms,
        machines_for_cores=math.ceil(busy_cores / (assumed.cores * assumed.utilisation)),
        database_gb=stored * assumed.database_copies / GIGABYTE,
    )
