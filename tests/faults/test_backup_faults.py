"""A backup that the store, Postgres or the operator interrupts leaves nothing that can be taken for a backup."""

import asyncio
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from camillo_server.across.backup.manifest import MANIFEST
from camillo_server.across.backup.restore_backup import OpenStore
from camillo_server.cli.backup import open_store
from camillo_server.kernel.errors import BytesUnavailable
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.cli.conftest import clean_environ, command, run_process
from tests.faults.artifact_buckets import Bucket, faulty_bucket
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, put, read
from tests.server_fixtures import StartServer, servers, small_settings
from tests.storage.artifacts.artifact_store import noise
from tests.storage.backup.backups import back_up, restore
from tests.storage.backup.conftest import other
from tests.storage.backup.test_backup_of_artifacts import opened_after, store_in
from tests.unit.artifacts.s3_server import s3_server

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]
__all__ = ["other"]
WAITING = "select count(*) from pg_locks where not granted and relation = 'camillo.memories'::regclass"


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with s3_server() as endpoint, faulty_bucket(endpoint) as bucket:
        yield bucket


def store_of(bucket: Bucket, directory: Path, database: TestDatabase) -> OpenStore:
    settings = small_settings(directory, artifacts=bucket.settings())
    return partial(open_store, settings, database.owner_url)


async def test_a_bucket_that_fails_ends_the_backup_and_the_next_one_is_whole(
    start_server: StartServer, bucket: Bucket, other: TestDatabase, tmp_path: Path
) -> None:
    server = await start_server(artifacts=bucket.settings())
    data = noise(1, 3 * MIB)
    kept = (await put(server.alice, data)).artifact.artifact_id
    root, store = tmp_path / "backup", store_of(bucket, tmp_path, server.database)

    async def fail() -> None:
        bucket.fail("broken", GET=2)

    with pytest.raises(BytesUnavailable):
        await asyncio.to_thread(back_up, server.database, root, store=opened_after(fail, store))
    assert not list(root.iterdir())
    bucket.heal()
    manifest = await asyncio.to_thread(back_up, server.database, root, store=store)
    assert manifest.artifacts.parts == 3
    # From a bucket into a directory.
    await asyncio.to_thread(restore, root, other, store=store_in(tmp_path / "bytes", other))
    async with servers(other, server.keys, server.clock, tmp_path) as start:
        again = await start(artifacts={"store_url": f"file://{tmp_path / 'bytes'}"})
        assert await read(again.alice, kept) == data


async def test_a_postgres_that_goes_ends_the_backup(
    postgres: EmbeddedPostgres, own_database: TestDatabase, tmp_path: Path
) -> None:
    def stop(*_: float) -> None:
        with psycopg.connect(own_database.superuser_url, autocommit=True) as superuser:
            superuser.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy %'"
                " or query like 'COPY %' or state = 'idle in transaction'"
            )

    with psycopg.connect(own_database.superuser_url) as superuser:
        superuser.execute(
            "insert into camillo.key_secrets select sha256(n::text::bytea) from generate_series(1, 50000) n"
        )
    with pytest.raises(psycopg.OperationalError):
        back_up(own_database, tmp_path / "backup", report=stop)
    assert not list((tmp_path / "backup").iterdir())
    assert back_up(own_database, tmp_path / "backup").rows > 50_000


@contextmanager
def waiting_backup(database: TestDatabase, root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command that has begun to write, and waits for a table."""
    environ = clean_environ() | {
        "CAMILLO_DATABASE_URL": database.server_url,
        "CAMILLO_DATABASE_OWNER_URL": database.owner_url,
        "CAMILLO_DATA_DIR": str(root.parent / "data"),
    }
    with psycopg.connect(database.superuser_url) as holder:
        holder.execute("lock table camillo.memories in access exclusive mode")
        with subprocess.Popen(
            command("backup", str(root)), env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while holder.execute(WAITING).fetchone() == (0,):
                assert process.poll() is None
                assert time.monotonic() < deadline
            yield process


def test_a_backup_that_is_killed_is_none(own_database: TestDatabase, tmp_path: Path) -> None:
    root = tmp_path / "backup"
    with waiting_backup(own_database, root) as process:
        process.kill()
    assert list(root.iterdir())
    assert not (root / MANIFEST).exists()
    refused = run_process("restore", str(root), "--verify", environ=clean_environ())
    assert refused.returncode == 1
    assert "is no backup" in refused.stderr


def test_a_backup_that_is_interrupted_leaves_nothing(own_database: TestDatabase, tmp_path: Path) -> None:
    root = tmp_path / "backup"
    with waiting_backup(own_database, root) as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 130
    assert not list(root.iterdir())
