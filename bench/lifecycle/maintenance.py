"""Maintenance of scopes of which a tenth is to be archived, and recall beside it."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo_server.rows.row import NewRow

from bench.lifecycle.options import LifecycleOptions
from bench.material.corpus import Corpus, row_of
from bench.material.fill import fill_scope, fill_scopes
from bench.measure.client import Client, connected
from bench.measure.servers import AppServer, app_server, temporary_directory
from bench.measure.timing import Call, Figure, Figures, latencies_ms, percentile
from bench.recall.calls import Recaller, by_vectors

# The scope that is searched meanwhile; however large the others are, it is in memory soon.
BESIDE, MAX_BESIDE_ROWS = "beside", 10_000
WARM_SECONDS = 60.0
WARM_UP = 50
QUERIES = 200
# Every tenth memory is below the bound of maintenance, and the others are far above it.
UNIMPORTANT_EVERY = 10
LOW, HIGH = 0.05, 0.9
# The server's own maintenance would come in between, and vectors are there.
SETTINGS = {"jobs.enabled": "false"}


@dataclass(frozen=True, slots=True)
class Maintained:
    """Result of a pass over some scopes, one after the other: its seconds and effects."""

    seconds: float
    archived: int


def measure(options: LifecycleOptions) -> Figures:
    """Seconds, a ratio, and how many memories were archived."""
    first = [f"first-{number}" for number in range(options.rounds)]
    every = [f"scope-{number}" for number in range(options.scopes)]
    with (
        temporary_directory() as directory,
        app_server(options.embedding, directory / "data", settings=SETTINGS) as app,
    ):
        _fill(options, app.url("superuser"), [*first, *every])
        return asyncio.run(_measure(options, app, first, every))


def _fill(options: LifecycleOptions, url: str, agents: Sequence[str]) -> None:
    rows, model_id = options.scope_rows, f"random-{options.dimensions}"
    beside = Corpus(min(rows, MAX_BESIDE_ROWS), options.dimensions, seed=9)
    fill_scope(url, BESIDE, beside, model_id, kept_as=lambda row: _stated(row, HIGH))
    corpus = Corpus(len(agents) * rows, options.dimensions, block_rows=rows)
    fill_scopes(url, agents, corpus, model_id, kept_as=_partly_unimportant)


async def _measure(options: LifecycleOptions, app: AppServer, first: Sequence[str], every: Sequence[str]) -> Figures:
    async with connected(app.port, app.secret) as client:
        one = [await _maintain(client, [agent_id]) for agent_id in first]
        unchanged = [await _maintain(client, [agent_id]) for agent_id in first]
        recaller = Recaller(client, BESIDE)
        vectors = Corpus(1, options.dimensions, seed=9).queries(QUERIES)
        requests = by_vectors(BESIDE, vectors)
        assert await recaller.until_warm(requests[0], WARM_SECONDS) is not None
        call = recaller.recalls(requests)
        idle = (await latencies_ms(call, options.recalls + WARM_UP))[WARM_UP:]
        beside: list[float] = []
        async with asyncio.TaskGroup() as tasks:
            recalling = tasks.create_task(_recall_on(call, beside))
            all_of_them = await _maintain(client, every)
            recalling.cancel()
    of_each = options.scope_rows / UNIMPORTANT_EVERY
    assert all(each.archived == of_each for each in one), one
    assert not any(each.archived for each in unchanged), unchanged
    assert all_of_them.archived == of_each * len(every), all_of_them
    return {
        "maintain_10k_s": Figure(tuple(each.seconds for each in one)),
        "maintain_10k_archived": Figure(tuple(float(each.archived) for each in one)),
        "maintain_unchanged_s": Figure(tuple(each.seconds for each in unchanged)),
        "maintain_1m_s": Figure((all_of_them.seconds,)),
        "maintain_1m_archived": Figure((float(all_of_them.archived),)),
        "maintain_recall_idle_p95_ms": Figure((percentile(idle, 95),)),
        "maintain_recall_p95_ms": Figure((percentile(beside, 95),)),
        "maintain_recall_ratio": Figure((percentile(beside, 95) / percentile(idle, 95),)),
    }


async def _maintain(client: Client, agent_ids: Sequence[str]) -> Maintained:
    started, archived = time.perf_counter(), 0
    for agent_id in agent_ids:
        done = await client(lifecycle.RunMaintenanceRequest(agent_id=agent_id))
        archived += sum(count.memories for count in getattr(done, "pass").counts)
    return Maintained(time.perf_counter() - started, archived)


async def _recall_on(call: Call, taken: list[float]) -> None:
    while True:
        taken += await latencies_ms(call, 1)


def _partly_unimportant(row: NewRow) -> NewRow:
    number = row_of(str(row.memory.memory_id))
    return _stated(row, HIGH if number % UNIMPORTANT_EVERY else LOW)


def _stated(row: NewRow, importance: float) -> NewRow:
    """Stored a moment ago: nothing has decayed."""
    now = datetime.now(UTC)
    memory = row.memory._replace(importance=importance, created_at=now, updated_at=now)
    return NewRow(memory, row.vector)
