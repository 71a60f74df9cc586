"""Point-in-time recovery with the tools of Postgres, as docs/backup.md tells it: a base backup, and the archived log up
to a moment."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from camillo_server.storage.embedded.account import SUPERUSER, account_for, binaries_for
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.conftest import copy_cluster
from tests.faults.test_lost_history import fresh_as, until_back, warm
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall, remember
from tests.server_fixtures import StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]

ARCHIVING = "archive_mode = on\narchive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'\n"
RECOVERY = """
restore_command = 'cp {archive}/%f %p'
recovery_target_time = '{moment}'
recovery_target_action = 'promote'
hot_standby = off
archive_mode = off
"""
ARCHIVED = "select last_archived_wal from pg_stat_archiver"


@pytest.fixture
def archive(data_directory: Path) -> Iterator[Path]:
    """The directory in which Postgres puts its log, whoever runs it."""
    directory = data_directory.with_name(f"{data_directory.name}-archive")
    directory.mkdir()
    directory.chmod(0o777)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def postgres(migrated_directory: Path, archive: Path) -> Iterator[EmbeddedPostgres]:
    """A Postgres that archives its log, and lets a base backup be taken."""
    configuration = migrated_directory / "postgres" / "postgresql.auto.conf"
    with configuration.open("a") as file:
        file.write(ARCHIVING.format(archive=archive))
    with EmbeddedPostgres(migrated_directory) as postgres:
        with (migrated_directory / "pg_hba.conf").open("a") as file:
            file.write(f"local replication {SUPERUSER} peer map=camillo\n")
        execute(postgres, "select pg_reload_conf()")
        yield postgres


def execute(postgres: EmbeddedPostgres, statement: str) -> object:
    with psycopg.connect(postgres.superuser_url, autocommit=True) as superuser:
        row = superuser.execute(statement.encode()).fetchone()
    return row and row[0]


def base_backup(postgres: EmbeddedPostgres, cluster: Path, target: Path) -> None:
    """Copies the running cluster by `pg_basebackup`."""
    binaries = binaries_for(account_for(cluster))
    command = [str(binaries / "pg_basebackup"), "-d", postgres.superuser_url, "-D", str(target), "-c", "fast"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    owner = cluster.stat()
    for path in (target, *target.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)


async def until_archived(postgres: EmbeddedPostgres) -> None:
    """Waits until everything that was written is in the archive."""
    wanted = execute(postgres, "select pg_walfile_name(pg_switch_wal())")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while str(await asyncio.to_thread(execute, postgres, ARCHIVED)) < str(wanted):
            continue


async def test_a_database_at_an_earlier_moment_is_noticed_by_servers_that_run(
    postgres: EmbeddedPostgres,
    own_database: TestDatabase,
    start_server: StartServer,
    data_directory: Path,
    archive: Path,
) -> None:
    cluster, base = data_directory / "postgres", data_directory / "base"
    server = await start_server(on=own_database)
    await remember(server.alice, "green tea")
    await asyncio.to_thread(base_backup, postgres, cluster, base)
    await remember(server.alice, "black tea 紅茶")
    moment = await asyncio.to_thread(execute, postgres, "select clock_timestamp()::text")
    await remember(server.alice, "lost tea")
    assert "lost tea" in await warm(server)
    old = (await recall(server.alice, "tea")).revision
    await until_archived(postgres)

    def recover() -> None:
        postgres.stop()
        cluster.rename(data_directory / "lost")
        copy_cluster(base, cluster)
        with (cluster / "postgresql.auto.conf").open("a") as settings:
            settings.write(RECOVERY.format(archive=archive, moment=moment))
        (cluster / "recovery.signal").touch()
        postgres.start()

    before = await server.app.kernel.database.history()
    await asyncio.to_thread(recover)
    await until_back(server)
    await remember(server.alice, "oolong tea")
    assert await warm(server) == {"green tea", "black tea 紅茶", "oolong tea"}
    after = await server.app.kernel.database.history()
    assert (after.database_id, after.timeline) == (before.database_id, before.timeline + 1)
    assert (await refused(server.alice(fresh_as(old)))).reason == "REVISION_UNKNOWN"
