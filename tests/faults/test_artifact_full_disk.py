"""A disk without room for artifacts: told plainly, with nothing left on it, and over when there is room again."""

import errno
import os
import random
import subprocess
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import grpc
import pytest
from camillo.v1.artifact_service_pb2 import DeleteArtifactRequest

from tests.faults.artifact_uploads import NOTHING, go_on, held, rows
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, part_files, put, read
from tests.server_fixtures import StartServer, refused

pytestmark = [pytest.mark.xdist_group("artifact_stores"), pytest.mark.timeout(110)]

# Nothing of it can be compressed.
NOISE = random.Random(1).randbytes(3 * MIB + 5)  # noqa: S311


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """Room for less than NOISE."""

    directory: Path

    def files(self) -> list[Path]:
        return part_files(self.directory)


@pytest.fixture(params=["real", "pretended"])
async def small_disk(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[SmallDisk]:
    """A real one where this process may mount one; beside it one whose end is told by the calls of the system."""
    directory = tmp_path / "disk"
    directory.mkdir()
    if request.param == "pretended":
        fsync = os.fsync

        def full(descriptor: int) -> None:
            used = sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
            if used > 2.5 * MIB:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", full)
        yield SmallDisk(directory)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=2560k", "tmpfs", str(directory)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this process may not mount a disk")
    yield SmallDisk(directory)
    subprocess.run(["umount", "--lazy", str(directory)], check=True)


async def test_a_full_disk_is_told_and_nothing_is_left_on_it(
    start_server: StartServer, database: TestDatabase, small_disk: SmallDisk
) -> None:
    server = await start_server(artifacts={"store_url": small_disk.directory.as_uri()})
    refusal = await refused(put(server.alice, NOISE))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "STORAGE_FULL")
    assert rows(database) == NOTHING
    assert not small_disk.files()
    # An artifact that fits is stored.
    artifact_id = (await put(server.alice, NOISE[: 2 * MIB])).artifact.artifact_id
    assert await read(server.alice, artifact_id) == NOISE[: 2 * MIB]
    assert len(small_disk.files()) == 2


async def test_an_upload_goes_on_when_the_disk_has_room_again(start_server: StartServer, small_disk: SmallDisk) -> None:
    server = await start_server(artifacts={"store_url": small_disk.directory.as_uri()})
    other = (await put(server.alice, NOISE[: MIB - 1])).artifact.artifact_id
    upload_id = str(uuid4())
    refusal = await refused(put(server.alice, NOISE[: 2 * MIB], upload_id=upload_id))
    assert refusal.reason == "STORAGE_FULL"
    assert await held(server.alice, upload_id, MIB) == MIB
    await server.alice(DeleteArtifactRequest(artifact_id=other))
    answer = await go_on(server.alice, NOISE[: 2 * MIB], upload_id=upload_id)
    assert answer.artifact.sha256 == sha256(NOISE[: 2 * MIB]).digest()
    assert await read(server.alice, answer.artifact.artifact_id) == NOISE[: 2 * MIB]
