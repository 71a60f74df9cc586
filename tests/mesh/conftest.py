"""Servers in processes of their own on one database, and a real Envoy in front of them.

They stand for all tests of a group, since a server takes seconds to start; what a test takes away comes back for the
next."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Protocol

import pytest
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.scope import Role

from tests.mesh.envoy_process import Envoy, envoy_process
from tests.mesh.fleet import AGENTS, Fleet
from tests.mesh.replicas import LEAVE_SECONDS, Replica
from tests.ports import free_port
from tests.postgres_fixtures import TestDatabase
from tests.tenant_keys import Keys, create_key, create_keys

PAGE = "https://pages.example.com"


class Addressed(Protocol):
    """Whatever Envoy can send calls to."""

    address: str


NewReplica = Callable[..., Replica]
StartEnvoy = Callable[..., Awaitable[Envoy]]


@pytest.fixture(scope="session")
def mesh_database(
    clone: Callable[[str], TestDatabase], template_database: str, drop: Callable[[str], None]
) -> Iterator[TestDatabase]:
    """The servers'."""
    database = clone(template_database)
    yield database
    drop(database.name)


@pytest.fixture(scope="session")
def mesh_keys(mesh_database: TestDatabase) -> Keys:
    """Who may call them."""
    return create_keys(mesh_database, SystemClock().now())


@pytest.fixture(scope="session")
async def new_replica(
    mesh_database: TestDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[NewReplica]:
    """Makes servers that are not started yet, with sections of settings as keywords; killed at the end."""
    async with AsyncExitStack() as stopping:

        def make(leave_seconds: float = 0.0, **changed: dict[str, Any]) -> Replica:
            data_dir = tmp_path_factory.mktemp("replica")
            url = mesh_database.server_url
            replica = Replica(free_port(), data_dir, url, leave_seconds, changed)
            stopping.push_async_callback(replica.kill)
            return replica

        yield make


@pytest.fixture(scope="session")
async def start_envoy(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[StartEnvoy]:
    """Starts an Envoy in front of replicas, with MESH_ variables as keywords, and parts of its configuration
    changed."""
    async with AsyncExitStack() as stopping:

        async def start(
            replicas: Sequence[Addressed], changed: Mapping[str, str] | None = None, **variables: str
        ) -> Envoy:
            told = {"MESH_REPLICAS": ",".join(replica.address for replica in replicas), **variables}
            directory = tmp_path_factory.mktemp("envoy")
            process = envoy_process(directory, told, changed or {})
            return await stopping.enter_async_context(process)

        yield start


@pytest.fixture(scope="session")
async def standing_pair(
    mesh_database: TestDatabase, mesh_keys: Keys, new_replica: NewReplica, start_envoy: StartEnvoy
) -> Fleet:
    """Two servers. The first one leaves before it drains, as in deploy/kubernetes; the other does not."""
    now = SystemClock().now()
    agents = {agent: create_key(mesh_database, "acme", agent, Role.WRITER, now) for agent in AGENTS}
    replicas = [new_replica(leave_seconds=LEAVE_SECONDS), new_replica()]
    return Fleet(await start_envoy(replicas), replicas, mesh_keys, agents)


@pytest.fixture
async def fleet(standing_pair: Fleet) -> Fleet:
    """The two as they should be, whatever the test before did to them."""
    await standing_pair.restore()
    return standing_pair


@pytest.fixture(scope="session")
async def served(mesh_keys: Keys, new_replica: NewReplica, start_envoy: StartEnvoy) -> Fleet:
    """One server, for tests of how it is reached."""
    replica = new_replica()
    envoy = await start_envoy([replica], MESH_ORIGINS=f"{PAGE}, https://other.example.com")
    alone = Fleet(envoy, [replica], mesh_keys, {})
    await alone.restore()
    return alone
