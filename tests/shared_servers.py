"""Servers that the tests of a worker share, one for each kind of settings. Each test has a tenant of its own there, and
a rival of it: so all of them together test that tenants do not see each other.

A test has a server and a database of its own where it asks for `own_server`, `start_server` or `database`, and where it
is marked with `own_server`: because it reads whole tables, changes what belongs to the process, or names its tenant.
"""

import itertools
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from camillo_server.assembly.app import App
from camillo_server.search.index import scope_caches

from tests.postgres_fixtures import TestDatabase
from tests.server_fixtures import KeyedTemplate, Server, servers
from tests.tenant_keys import insert_tenants_with_keys
from tests.unit.identity.moving_clock import MovingClock

# As many kinds as one file asks for by its parameters. Postgres has connections for about seven servers.
MAX_SERVERS = 3
OWN = {"own_server", "start_server", "database", "keys", "clock"}

ShareServer = Callable[..., Awaitable[Server]]
numbers = itertools.count(1)


class Unshared:
    """Stands for what all tests of a worker have in common: rows of other tests' tenants, and objects of the
    process."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        pytest.fail(f"{self._name}.{attribute} is not the test's own: mark it with pytest.mark.own_server")


@dataclass(frozen=True, slots=True)
class SharedServer:
    """A running server, and a connection that makes tenants in its database."""

    server: Server
    connection: psycopg.Connection
    stack: AsyncExitStack

    def for_a_test(self) -> Server:
        """The server as a test sees it that has just begun: two new tenants, and the clock where it always starts."""
        clock = self.server.clock
        clock.moment = MovingClock().moment
        number = next(numbers)
        keys = insert_tenants_with_keys(self.connection, f"acme-{number}", f"rival-{number}", clock.now())
        app, database = cast(App, Unshared("app")), cast(TestDatabase, Unshared("database"))
        return replace(
            self.server, app=app, database=database, keys=replace(keys, root=""), tenants=self.server.database
        )


class SharedServers:
    """Starts a server for each kind that is asked for, and stops the one that was used least recently."""

    def __init__(
        self,
        template: KeyedTemplate,
        clone: Callable[[str], TestDatabase],
        drop: Callable[[str], None],
        directory: Callable[[str], Path],
    ) -> None:
        self._template, self._clone, self._drop, self._directory = template, clone, drop, directory
        self._running: OrderedDict[str, SharedServer] = OrderedDict()

    async def get(self, answered_from: str, **changed: dict[str, Any]) -> SharedServer:
        """The server of these settings."""
        kind = repr((answered_from, changed))
        if kind not in self._running:
            while len(self._running) >= MAX_SERVERS:
                await self._stop(next(iter(self._running)))
            self._running[kind] = await self._start(answered_from, **changed)
        self._running.move_to_end(kind)
        return self._running[kind]

    async def _start(self, answered_from: str, **changed: dict[str, Any]) -> SharedServer:
        stack = AsyncExitStack()
        database = self._clone(self._template.name)
        stack.callback(self._drop, database.name)
        connection = psycopg.connect(database.superuser_url, autocommit=True)
        stack.callback(connection.close)
        start = await stack.enter_async_context(
            servers(database, self._template.keys, MovingClock(), self._directory("shared-server"), answered_from)
        )
        return SharedServer(await start(**changed), connection, stack)

    async def _stop(self, kind: str) -> None:
        await self._running.pop(kind).stack.aclose()

    async def close(self) -> None:
        """Stops all of them."""
        for kind in list(self._running):
            await self._stop(kind)


@pytest.fixture(scope="session")
async def shared_servers(
    keyed_template: KeyedTemplate,
    clone: Callable[[str], TestDatabase],
    drop: Callable[[str], None],
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[SharedServers]:
    """The servers that tests of this worker share."""
    shared = SharedServers(keyed_template, clone, drop, tmp_path_factory.mktemp)
    yield shared
    await shared.close()


@pytest.fixture
async def share_server(
    shared_servers: SharedServers, answered_from: str, monkeypatch: pytest.MonkeyPatch
) -> ShareServer:
    """A shared server with sections of settings as keywords, and two new tenants each time."""
    if answered_from == "memory":
        # A scope that was empty a moment ago may come in at once.
        monkeypatch.setattr(scope_caches, "LOAD_BACKOFF_SECONDS", 0.0)

    async def share(**changed: dict[str, Any]) -> Server:
        shared = await shared_servers.get(answered_from, **changed)
        return shared.for_a_test()

    return share


@pytest.fixture
async def shared_server(share_server: ShareServer, server_settings: dict[str, Any]) -> Server:
    """A server that tests share."""
    return await share_server(**server_settings)


@pytest.fixture
def server(request: pytest.FixtureRequest, answered_from: str, server_settings: dict[str, Any]) -> Server:
    """A running server: the test's own where it needs one, or the shared one. Depends on what it passes over, so that
    these may have parameters."""
    owned = OWN.intersection(request.fixturenames) or request.node.get_closest_marker("own_server")
    server: Server = request.getfixturevalue("own_server" if owned else "shared_server")
    return server
