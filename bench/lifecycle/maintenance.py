"""Maintenance of scopes of which a tenth is to be put away, and recall beside it."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo_server.domain.ports import NewRow

from bench.lifecycle.calls import LifecycleCalls
from bench.lifecycle.options import LifecycleOptions
from bench.material.corpus import Corpus, row_of
from bench.material.fill import fill_scope, fill_scopes
from bench.measure.servers import AppServer, Embedding, app_server, temporary_directory
from bench.measure.timing import Call, Figure, latencies_ms, percentile
from bench.recall.calls import Recaller, by_vectors, connected

BESIDE = "beside"
WARM_SECONDS = 60.0
WARM_UP = 50
QUERIES = 200
# Every tenth memory is below the bound of maintenance, and the others are far above it.
UNIMPORTANT_EVERY = 10
LOW, HIGH = 0.05, 0.9
# The server's own maintenance would come in between, and vectors are there.
SETTINGS = {"jobs.enabled": "false"}


@dataclass(frozen=True, slots=True)
class Material:
    """Where the scopes are: so many in all, and some of the same size to begin with."""

    options: LifecycleOptions
    first: Sequence[str]
    all: Sequence[str]


def measure(options: LifecycleOptions) -> dict[str, Figure]:
    """Seconds, a ratio, and how many memories were put away."""
    embedding = Embedding("random", options.dimensions)
    with (
        temporary_directory() as directory,
        app_server(embedding, directory / "data", settings=SETTINGS) as app,
    ):
        material = Material(
            options,
            [f"first-{number}" for number in range(options.rounds)],
            [f"scope-{number}" for number in range(options.scopes)],
        )
        _fill(material, app)
        return asyncio.run(_measure(material, app))


def _fill(material: Material, app: AppServer) -> None:
    options = material.options
    model_id = f"random-{options.dimensions}"
    url = app.url("superuser")
    beside = Corpus(options.scope_rows, options.dimensions, seed=9)
    fill_scope(url, BESIDE, beside, model_id, kept_as=_important)
    agents = [*material.first, *material.all]
    corpus = Corpus(
        len(agents) * options.scope_rows, options.dimensions, block_rows=options.scope_rows
    )
    fill_scopes(url, agents, corpus, model_id, kept_as=_lately)


async def _measure(material: Material, app: AppServer) -> dict[str, Figure]:
    options = material.options
    async with connected(app.port) as channel:
        calls = LifecycleCalls(channel, app.secret)
        one = [await _maintained(calls, [agent_id]) for agent_id in material.first]
        recaller = Recaller(channel, app.secret, BESIDE)
        vectors = Corpus(1, options.dimensions, seed=9).queries(QUERIES)
        requests = itertools.cycle(by_vectors(BESIDE, vectors))
        assert await recaller.until_warm(next(requests), WARM_SECONDS) is not None
        call = recaller.recalls(requests)
        idle = (await latencies_ms(call, options.recalls + WARM_UP))[WARM_UP:]
        beside: list[float] = []
        async with asyncio.TaskGroup() as tasks:
            recalling = tasks.create_task(_recall_on(call, beside))
            every = await _maintained(calls, material.all)
            recalling.cancel()
    of_each = options.scope_rows / UNIMPORTANT_EVERY
    assert all(each.archived == of_each for each in one), one
    assert every.archived == of_each * len(material.all), every
    return {
        "maintain_10k_s": Figure(tuple(each.seconds for each in one)),
        "maintain_10k_archived": Figure(tuple(float(each.archived) for each in one)),
        "maintain_1m_s": Figure((every.seconds,)),
        "maintain_1m_archived": Figure((float(every.archived),)),
        "maintain_recall_idle_p95_ms": Figure((percentile(idle, 95),)),
        "maintain_recall_p95_ms": Figure((percentile(beside, 95),)),
        "maintain_recall_ratio": Figure((percentile(beside, 95) / percentile(idle, 95),)),
    }


@dataclass(frozen=True, slots=True)
class Maintained:
    """What a pass over some scopes, one after the other, took and did."""

    seconds: float
    archived: int


async def _maintained(calls: LifecycleCalls, agent_ids: Sequence[str]) -> Maintained:
    started, archived = time.perf_counter(), 0
    for agent_id in agent_ids:
        done = await calls(lifecycle.RunMaintenanceRequest(agent_id=agent_id))
        archived += sum(count.memories for count in getattr(done, "pass").counts)
    return Maintained(time.perf_counter() - started, archived)


async def _recall_on(call: Call, taken: list[float]) -> None:
    while True:
        taken += await latencies_ms(call, 1)


def _important(row: NewRow) -> NewRow:
    return _stated(row, HIGH)


def _lately(row: NewRow) -> NewRow:
    number = row_of(str(row.memory.memory_id))
    return _stated(row, HIGH if number % UNIMPORTANT_EVERY else LOW)


def _stated(row: NewRow, importance: float) -> NewRow:
    """Stored a moment ago: nothing has decayed."""
    now = datetime.now(UTC)
    memory = row.memory._replace(importance=importance, created_at=now, updated_at=now)
    return NewRow(memory, row.vector)
