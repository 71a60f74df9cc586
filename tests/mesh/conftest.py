"""A fleet: servers in processes of their own on one database, and a real Envoy in front of them.

One fleet stands for all tests, since a server takes seconds to start; what a test takes away comes back for the next.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from camillo_server.domain.clock import SystemClock
from camillo_server.domain.scope import Role
from camillo_server.storage.embedded import EmbeddedPostgres
from camillo_server.storage.embedded.roles import OWNER, SERVER, SUPERUSER

from tests.mesh.envoy_process import Envoy, envoy_process
from tests.mesh.fleet import AGENTS, Fleet
from tests.mesh.replicas import Replica, free_port
from tests.postgres_fixtures import TestDatabase, clone_database
from tests.server_fixtures import create_key, create_keys

HERE = Path(__file__).parent
PAGE = "https://pages.example.com"

NewReplica = Callable[..., Replica]
StartEnvoy = Callable[..., Awaitable[Envoy]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs all of these, so that one fleet does."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("mesh"))


@pytest.fixture(scope="session")
def mesh_database(
    embedded_postgres: EmbeddedPostgres, template_database: str, drop: Callable[[str], None]
) -> Iterator[TestDatabase]:
    """The fleet's."""
    name = f"mesh_{os.getpid()}"
    with psycopg.connect(embedded_postgres.superuser_url, autocommit=True) as superuser:
        clone_database(superuser, template_database, name)
    owner, server, superuser_url = (
        embedded_postgres.url(role, name) for role in (OWNER, SERVER, SUPERUSER)
    )
    yield TestDatabase(owner, server, superuser_url, name)
    drop(name)


@pytest.fixture(scope="session")
async def new_replica(
    mesh_database: TestDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[NewReplica]:
    """Makes servers that are not started yet, with sections of settings as keywords; killed at the end."""
    async with AsyncExitStack() as stopping:

        def make(**changed: dict[str, Any]) -> Replica:
            data_dir = tmp_path_factory.mktemp("replica")
            replica = Replica(free_port(), data_dir, mesh_database.server_url, changed)
            stopping.push_async_callback(replica.kill)
            return replica

        yield make


@pytest.fixture(scope="session")
async def start_envoy(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[StartEnvoy]:
    """Starts an Envoy in front of replicas, with MESH_ variables as keywords."""
    async with AsyncExitStack() as stopping:

        async def start(replicas: list[Replica], **variables: str) -> Envoy:
            told = {"MESH_REPLICAS": ",".join(replica.address for replica in replicas), **variables}
            directory = tmp_path_factory.mktemp("envoy")
            return await stopping.enter_async_context(envoy_process(directory, told))

        yield start


@pytest.fixture(scope="session")
async def standing_fleet(
    mesh_database: TestDatabase, new_replica: NewReplica, start_envoy: StartEnvoy
) -> Fleet:
    """Two servers that serve, and a third that Envoy knows of and nobody has started."""
    now = SystemClock().now()
    keys = create_keys(mesh_database, now)
    agents = {agent: create_key(mesh_database, "acme", agent, Role.WRITER, now) for agent in AGENTS}
    replicas = [new_replica() for _ in range(3)]
    envoy = await start_envoy(replicas, MESH_ORIGINS=f"{PAGE}, https://other.example.com")
    return Fleet(envoy, replicas[:2], replicas[2], keys, agents)


@pytest.fixture
async def fleet(standing_fleet: Fleet) -> Fleet:
    """The fleet as it should be, whatever the test before did to it."""
    await standing_fleet.restore()
    return standing_fleet
