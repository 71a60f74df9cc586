"""An older schema with many rows is migrated while others read and write it."""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.storage.embedded.account import SERVER
from camillo_server.storage.migrate import latest_version, migrate

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import record_all, text_event
from tests.server_fixtures import StartServer
from tests.storage.next_migrations import know_next_migrations

MEMORIES = int(os.environ.get("CAMILLO_TEST_ROWS", "2000"))
AT_ONCE = 1_000
EVENTS = 100
STATEMENTS_BEFORE = 100
# Statements of old servers meanwhile: they find rows, lock a scope, and change what they found.
STATEMENTS = (
    "select memory_id, content from camillo.memories where tenant_id = 'acme' order by memory_id desc limit 20",
    "select count(*) from camillo.events where tenant_id = 'acme'",
    "select key_id from camillo.api_keys where tenant_id = 'acme'",
    "update camillo.scopes set revision = revision where tenant_id = 'acme' and agent_id = 'alice'",
    "update camillo.memory_access set access_count = access_count where memory_id = (select "
    "min(memory_id::text)::uuid from camillo.memory_access)",
)


class Load:
    """Statements one after the other, and how long the slowest took."""

    def __init__(self, url: str, statements: Sequence[str] = STATEMENTS) -> None:
        self._statements = statements
        self.slowest, self.done = (0.0, ""), 0
        self.failure: psycopg.Error | None = None
        self._url, self._ended = url, threading.Event()

    @contextmanager
    def running(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._run, args=(at,)) for at in range(2)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in threads:
                thread.join()

    def _run(self, at: int) -> None:
        try:
            with psycopg.connect(self._url, autocommit=True) as connection:
                while not self._ended.is_set():
                    at += 1
                    statement = self._statements[at % len(self._statements)]
                    begun = time.monotonic()
                    connection.execute(statement.encode())
                    self.slowest = max(self.slowest, (time.monotonic() - begun, statement))
                    self.done += 1
        except psycopg.Error as error:
            self.failure = error


async def test_an_old_database_is_migrated_beside_those_who_use_it(
    database: TestDatabase, start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = await start_server()
    for begin in range(0, MEMORIES, AT_ONCE):
        memories = [pb.NewMemory(content=f"note {begin + i} 记忆") for i in range(AT_ONCE)]
        await started.alice(service.BatchRememberRequest(memories=memories))
    await record_all(started.alice, [text_event(f"event {i}") for i in range(EVENTS)])
    await recall(started.alice, "note 7", limit=5)
    await started.app.stop()
    know_next_migrations(tmp_path, monkeypatch)
    load = Load(database.superuser_url)
    with load.running():
        while load.done < STATEMENTS_BEFORE:
            assert load.failure is None
        before, load.slowest = load.slowest, (0.0, "")
        begun = time.monotonic()
        assert migrate(database.owner_url, SERVER) == latest_version()
        migration_seconds = time.monotonic() - begun
    assert load.failure is None
    # A lock that is given up after a moment holds up others for that moment, one that is held for the migration.
    assert load.slowest[0] < max(20 * before[0], 0.75 * migration_seconds), load.slowest
    again = await start_server()
    await remember(again.alice, "afterwards")
    found = (await recall(again.alice, "afterwards", limit=1)).hits
    assert [hit.memory.content for hit in found] == ["afterwards"]
    with psycopg.connect(database.superuser_url) as superuser:
        count = superuser.execute("select count(*) from camillo.memories where kind < 16")
        assert count.fetchone() == (MEMORIES + 1,)
    print(
        f"{MEMORIES} memories in {migration_seconds:.2f} s: slowest statement {load.slowest[0]:.2f} s, before "
        f"{before[0]:.2f} s"
    )
