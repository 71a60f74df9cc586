"""Postgres away while both scopes are in memory: a recall over both is answered as of their last revisions."""

import asyncio

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.patience import CONNECT_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall, remember
from tests.rpc.search.scope_rows import FRESH, texts
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110), pytest.mark.caches]


@pytest.fixture
def answered_from() -> str:
    return "memory"


@pytest.fixture
async def server(own_database: TestDatabase, start_server: StartServer) -> Server:
    return await start_server(on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS})


async def test_what_both_scopes_hold_in_memory_is_found(server: Server, postgres: EmbeddedPostgres) -> None:
    await remember(server.alice, "walrus of Alice 海象")
    await remember(server.admin, "walrus of all 🦭", agent_id="@shared")
    warm = await recall(server.alice, "walrus", include_shared=True, **FRESH)
    assert warm.answered_by == pb.ANSWERED_BY_CACHE
    await asyncio.to_thread(postgres.stop)
    away = await recall(server.alice, "walrus", include_shared=True)
    assert texts(away) == texts(warm)
    assert (away.revision, away.shared_revision) == (warm.revision, warm.shared_revision)
    # A recall that has to be fresh fails without Postgres, for either scope.
    for name in FRESH:
        demanded = {name: FRESH[name]}
        told = await refused(recall(server.alice, "walrus", include_shared=True, **demanded))
        assert told.reason == "STORAGE_UNAVAILABLE"
