"""A process loads what the one before it had in memory, before anybody asks for it."""

import json
import logging
import stat
from datetime import UTC, datetime
from pathlib import Path

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.warm_scopes import WarmScopes

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS, until
from tests.postgres_fixtures import TestDatabase
from tests.server_fixtures import Caller
from tests.storage.memories.replicas import ALICE, new_rows, replica
from tests.tenant_keys import create_keys

ZOË = Scope(ALICE.tenant_id, AgentId("zoë"))
FORGOTTEN = Scope(ALICE.tenant_id, AgentId("forgotten"))


async def test_scopes_of_before_are_loaded_the_last_used_first(database: TestDatabase, tmp_path: Path) -> None:
    path = tmp_path / "new/warm.json"
    async with replica(database) as before:
        for scope in (ALICE, ZOË):
            await before.remember_many(new_rows(3), scope)
            await before.warm(scope)
        before.caches.use(ALICE)
        tasks = BackgroundTasks()
        tasks.run("warm scopes", WarmScopes(before.caches, path).run)
        await until(path.exists)
        # A list is kept at the end, too.
        before.caches.use(ZOË)
        await tasks.stop()
    assert json.loads(path.read_bytes()) == [["acme", "zoë"], ["acme", "alice"]]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    async with replica(database) as after:
        assert after.held() is None
        await WarmScopes(after.caches, path).load()
        assert [entry.resident.scope for entry in after.caches.budget] == [ZOË, ALICE]
        assert after.caches.misses == 0


async def test_a_scope_that_is_gone_or_does_not_fit_is_passed_over(
    database: TestDatabase, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "warm.json"
    path.write_text(json.dumps([FORGOTTEN, ALICE, ZOË]))
    async with replica(database) as ample:
        await ample.remember_many(new_rows(2))
        await ample.remember_many(new_rows(2_000), ZOË)
        with caplog.at_level(logging.INFO):
            await WarmScopes(ample.caches, path).load()
        assert [entry.resident.scope for entry in ample.caches.budget] == [ALICE, ZOË]
        assert {"scopes": 2, "of": 3}.items() <= caplog.records[-1].__dict__.items()
        small = ample.caches.budget.bytes_held // 2
    async with replica(database, max_bytes=small) as tight:
        await WarmScopes(tight.caches, path).load()
        assert [entry.resident.scope for entry in tight.caches.budget] == [ALICE]


@pytest.mark.parametrize("content", ["", "{", "[3]", '[["acme"]]', "null", "\ud800".encode("utf-16", "surrogatepass")])
async def test_a_list_that_cannot_be_read_keeps_nobody_from_starting(
    database: TestDatabase, tmp_path: Path, caplog: pytest.LogCaptureFixture, content: str | bytes
) -> None:
    path = tmp_path / "warm.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    async with replica(database) as here:
        await here.remember_many(new_rows(2))
        await WarmScopes(here.caches, path).load()
        assert len(here.caches.budget) == 0
        assert "cannot be read" in caplog.text
        path.write_text(json.dumps([ALICE]))
        await WarmScopes(here.caches, path).load()
        assert here.held() is not None


async def test_without_memory_for_scopes_nothing_is_kept(database: TestDatabase, tmp_path: Path) -> None:
    path = tmp_path / "warm.json"
    async with replica(database, max_bytes=0) as here:
        await WarmScopes(here.caches, path).run()
    assert not path.exists()


@pytest.mark.caches
async def test_a_server_that_is_started_again_has_its_scopes(database: TestDatabase, tmp_path: Path) -> None:
    keys = create_keys(database, datetime.now(UTC))
    recall = service.RecallRequest(text="会议")
    for has_run in (False, True):
        with server_process(tmp_path, database_url=database.server_url) as process:
            async with grpc.aio.insecure_channel(await process.ready()) as channel:
                call = Caller(channel, keys.alice, PATIENCE_SECONDS)
                administer = Caller(channel, keys.admin, PATIENCE_SECONDS)
                if not has_run:
                    await call(service.RememberRequest(memory=pb.NewMemory(content="we met 会议")))
                    while (await call(recall)).answered_by != pb.ANSWERED_BY_CACHE:
                        pass
                while not (held := (await administer(admin.ListIndexesRequest())).indexes):
                    pass
                assert [index.agent_id for index in held] == ["alice"]
                assert (await call(recall)).answered_by == pb.ANSWERED_BY_CACHE
            assert await process.terminate() == 0
