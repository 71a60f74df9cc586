"""The disk of Postgres is full: writes are refused plainly, reads go on, and writes too once there is room."""

import asyncio
import os
import random
import string
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.conftest import copy_cluster
from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server, StartServer, refusal

pytestmark = [pytest.mark.xdist_group("full_disk"), pytest.mark.timeout(170)]

DISK = "size=400m"
# Nothing of it can be compressed to nothing.
LETTERS = "".join(random.Random(1).choices(string.ascii_letters, k=1_900))  # noqa: S311


@pytest.fixture
def disk(data_directory: Path) -> Iterator[Path]:
    """A disk of its own, which is small."""
    data_directory.mkdir(mode=0o711)
    mount = ["mount", "-t", "tmpfs", "-o", f"{DISK},mode=711", "tmpfs", str(data_directory)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this process may not mount a disk")
    try:
        yield data_directory
    finally:
        subprocess.run(["umount", str(data_directory)], check=True)


@pytest.fixture
def postgres(disk: Path, migrated_cluster: Path) -> Iterator[EmbeddedPostgres]:
    copy_cluster(migrated_cluster, disk / "postgres")
    with EmbeddedPostgres(disk, durable=False) as postgres:
        yield postgres


@pytest.fixture
async def server(own_database: TestDatabase, start_server: StartServer) -> Server:
    return await start_server(on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS})


def fill(disk: Path) -> Path:
    """Takes all that is left."""
    filler = disk / "filler"
    with filler.open("wb") as file, suppress(OSError):
        while True:
            os.posix_fallocate(file.fileno(), file.tell(), 1 << 16)
            file.seek(1 << 16, os.SEEK_CUR)
    return filler


async def test_a_full_disk_refuses_writes_and_nothing_else_until_there_is_room(disk: Path, server: Server) -> None:
    await remember(server.alice, "before 茶")
    await remember(server.admin, "cold 茶", agent_id="cold")
    filler = await asyncio.to_thread(fill, disk)
    acknowledged = []
    async with asyncio.timeout(PATIENCE_SECONDS):
        # Pages that are there already have room for some.
        for number in range(5_000):
            try:
                memory = await remember(server.alice, f"{number} {LETTERS}")
            except grpc.aio.AioRpcError as error:
                refused = refusal(error)
                break
            acknowledged.append(memory.memory_id)
    assert (refused.code, refused.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "STORAGE_FULL")
    assert server.app.kernel.database.faults["full"] >= 1
    assert "cold 茶" in {hit.memory.content for hit in (await recall(server.admin, "茶", agent_id="cold")).hits}
    assert "before 茶" in await listed(server.alice, page_size=200)
    filler.unlink()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            with suppress(grpc.aio.AioRpcError):
                await remember(server.alice, "after 茶")
                break
    stored = await listed(server.alice, page_size=200)
    assert len(stored) == len(acknowledged) + 2
    assert {"before 茶", "after 茶"} <= set(stored)
