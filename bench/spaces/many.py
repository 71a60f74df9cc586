"""A server with very many spaces beside one with few: the same calls to both, in turns."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psycopg
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import space_service_pb2 as spaces
from camillo_server.cli.doctor import Status
from camillo_server.cli.doctor.database import check_database

from bench.material.texts import Texts
from bench.measure.client import Client, Material, connected, remember_call
from bench.measure.servers import VECTORS_GIVEN, AppServer, app_server
from bench.measure.timing import Call, Figure, Figures, percentiles, rounds_of, taking_turns
from tests.ports import free_port

FEW = 1_000
TEMPLATE = "users/template"
DOCTOR_TURNS = 3
LARGE_BYTES = 1 << 30
# The name of the vectors that callers give.
MODEL = "random-384"
# Rows of one space, copied to so many others, through the tables' own constraints and triggers. A vector is not copied:
# the index of a model would take hours for a million of them, and calls about one space read none of another.
FILL = """
insert into scopes (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
select tenant_id, 'users/n-' || n, revision, memory_count, term_count, '', created_at
from scopes, generate_series(%(first)s::bigint, %(last)s) as n where agent_id = %(template)s;
insert into memories ({columns})
select {values} from memories m, generate_series(%(first)s::bigint, %(last)s) as n where m.agent_id = %(template)s
"""
ROWS_AT_ONCE = 20_000


async def measure_many(count: int, rounds: int, calls: int, directory: Path) -> Figures:
    """Each call to a server with `count` spaces over the same call to one with FEW, by medians of rounds in turns."""
    with ExitStack() as servers:
        apps, ports = {}, {}
        for name in ("few", "many"):
            ports[name] = free_port()
            settings = {"telemetry.prometheus_port": ports[name], "jobs.enabled": False, "quotas.agents": 0}
            apps[name] = servers.enter_context(app_server(VECTORS_GIVEN, directory / name, settings=settings))
        async with AsyncExitStack() as stack:
            clients = {
                name: await stack.enter_async_context(connected(app.port, app.secret)) for name, app in apps.items()
            }
            for name, client in clients.items():
                await _written(client, [TEMPLATE])
                started = time.perf_counter()
                await asyncio.to_thread(_fill, apps[name], FEW if name == "few" else count)
                filled = time.perf_counter() - started
            figures: Figures = {"fill_s": Figure((filled,))}
            works = {name: await _works(client, rounds * calls) for name, client in clients.items()}
            for work in works["few"]:
                found = await rounds_of({name: works[name][work] for name in clients}, rounds, calls)
                figures |= _compared(work, {name: percentiles(each, 50) for name, each in found.items()})
        for work in ("metrics", "doctor"):
            taken: dict[str, list[float]] = {name: [] for name in apps}
            for name in taking_turns(list(apps), DOCTOR_TURNS):
                started = time.perf_counter()
                _scrape(ports[name]) if work == "metrics" else _examine(apps[name])
                taken[name].append((time.perf_counter() - started) * 1000)
            figures |= _compared(work, {name: Figure(tuple(each)) for name, each in taken.items()})
    slowest = {name: each for name, each in figures.items() if name.endswith("_many_over_few")}
    return {**figures, "many_over_few": Figure((max(each.median for each in slowest.values()),))}


def _compared(work: str, taken: dict[str, Figure]) -> Figures:
    figures = {f"{work}_{name}_ms": each for name, each in taken.items()}
    return {**figures, f"{work}_many_over_few": taken["many"].over(taken["few"])}


async def _written(client: Client, paths: Sequence[str]) -> None:
    material = Material.with_vectors()
    for path in paths:
        await remember_call(client, material, path)()


def _fill(app: AppServer, count: int) -> None:
    with psycopg.connect(app.url("superuser"), autocommit=True) as connection:
        connection.execute("set search_path = camillo, public")
        names = [row[0] for row in connection.execute("select * from memories limit 0").description or ()]
        values = ["m." + name for name in names]
        values[names.index("agent_id")] = "'users/n-' || n"
        values[names.index("memory_id")] = "gen_random_uuid()"
        values[names.index("fingerprint")] = "sha256(int8send(n))"
        for first in range(0, count, ROWS_AT_ONCE):
            given = {"first": first, "last": min(first + ROWS_AT_ONCE, count) - 1, "template": TEMPLATE}
            for statement in FILL.format(columns=", ".join(names), values=", ".join(values)).split(";"):
                connection.execute(statement.encode(), given)
        connection.execute("analyze")


async def _works(client: Client, cold_spaces: int) -> dict[str, Call]:
    """The calls by name; each cold recall is the first one of its space."""
    material, numbers, asked = Material.with_vectors(), itertools.count(), itertools.cycle(Texts(5).sentences(100))
    cold = [f"teams/cold-{number}" for number in range(cold_spaces)]
    await _written(client, cold)
    paths = iter(cold)

    def first_memory() -> Any:
        return remember_call(client, material, f"users/new-{next(numbers)}")()

    return {
        "remember": remember_call(client, material, "users/n-7"),
        "first_memory": first_memory,
        "first_recall": lambda: client(service.RecallRequest(agent_id=next(paths), text=next(asked), limit=5)),
        "list_spaces": lambda: client(spaces.ListSpacesRequest(prefix="users/")),
        "get_space": lambda: client(spaces.GetSpaceRequest(agent_id="users/n-9")),
        "plan": lambda: client(lifecycle.RunMaintenanceRequest(agent_id="users/n-8", dry_run=True)),
        "usage": lambda: client(lifecycle.GetUsageRequest(agent_id="users/n-8")),
    }


def _scrape(port: int) -> None:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        answer.read()


def _examine(app: AppServer) -> None:
    """Asks Postgres what `camillo doctor` asks."""
    url, quota = app.url("server"), 1_000_000
    found = [*check_database(url, "", LARGE_BYTES, connections=10, memory_quota=quota, model_id=MODEL)]
    assert all(each.status is not Status.FAIL for each in found), found
