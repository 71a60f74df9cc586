"""Bytes of artifacts outside of Postgres: those that a snapshot refers to are in the backup, whatever is deleted
meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from camillo.v1.artifact_service_pb2 import DeleteArtifactRequest
from camillo_server.across.backup.manifest import BackupError, Manifest
from camillo_server.across.backup.restore_backup import OpenStore, verify_backup
from camillo_server.cli.backup import open_store
from camillo_server.storage.parts.owned_store import OwnedStore

from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, part_files, put, read
from tests.server_fixtures import Server, StartServer, servers, small_settings
from tests.storage.artifacts.artifact_store import noise
from tests.storage.backup.backups import back_up, nothing, restore
from tests.unit.identity.moving_clock import MovingClock

TEXT = "第一行 🦓 שורה\n".encode() * 100


@pytest.fixture
def bytes_at(tmp_path: Path) -> Path:
    return tmp_path / "bytes"


@pytest.fixture
async def server(start_server: StartServer, bytes_at: Path) -> Server:
    """A server with bytes of artifacts in a directory."""
    return await start_server(artifacts={"store_url": f"file://{bytes_at}"})


def store_in(directory: Path, database: TestDatabase) -> OpenStore:
    settings = small_settings(directory.parent, artifacts={"store_url": f"file://{directory}"})
    return partial(open_store, settings, database.owner_url)


def opened_after(work: Callable[[], Awaitable[object]], store: OpenStore) -> OpenStore:
    """Does work of the server's loop when the backup has its snapshot, before it copies the first part."""
    loop = asyncio.get_running_loop()

    async def run() -> None:
        await work()

    @asynccontextmanager
    async def opened() -> AsyncIterator[OwnedStore]:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(run(), loop))
        async with store() as objects:
            yield objects  # type: ignore[misc]

    return opened


async def test_what_is_deleted_behind_the_snapshot_is_in_the_backup(
    server: Server, bytes_at: Path, other: TestDatabase, tmp_path: Path
) -> None:
    large = noise(1, 3 * MIB)
    kept = (await put(server.alice, TEXT)).artifact.artifact_id
    deleted = (await put(server.alice, large)).artifact.artifact_id
    before = len(part_files(bytes_at))

    async def delete() -> None:
        await server.alice(DeleteArtifactRequest(artifact_id=deleted))
        await server.app.artifacts.collection()
        assert len(part_files(bytes_at)) == before

    store = opened_after(delete, store_in(bytes_at, server.database))
    root = tmp_path / "backup"
    manifest = await asyncio.to_thread(back_up, server.database, root, store=store)
    assert (manifest.artifacts.contents, manifest.artifacts.parts) == (2, before)
    await asyncio.to_thread(verify_backup, root, Manifest.read(root), nothing)
    # The hold is over.
    await server.app.artifacts.collection()
    assert len(part_files(bytes_at)) == 1
    copy_at = tmp_path / "copy"
    await asyncio.to_thread(restore, root, other, store=store_in(copy_at, other))
    settings = {"artifacts": {"store_url": f"file://{copy_at}"}}
    async with servers(other, server.keys, MovingClock(), tmp_path) as start:
        restored = await start(**settings)
        assert await read(restored.alice, kept) == TEXT
        assert await read(restored.alice, deleted) == large
        await restored.app.artifacts.collection()
        assert await read(restored.alice, deleted) == large


async def test_bytes_that_are_lost_are_named_and_the_rest_is_there(
    server: Server, bytes_at: Path, tmp_path: Path
) -> None:
    await put(server.alice, TEXT)
    await put(server.alice, noise(2, MIB))
    [lost, *_] = sorted(part_files(bytes_at), key=lambda path: path.stat().st_size)
    lost.unlink()
    store = store_in(bytes_at, server.database)
    manifest = await asyncio.to_thread(back_up, server.database, tmp_path / "backup", store=store)
    assert [each.split("/")[1].replace("-", "") for each in manifest.artifacts.lost] == [lost.parent.name]
    assert manifest.artifacts.contents == 1


async def test_without_the_store_there_is_no_backup_of_artifacts_outside(server: Server, tmp_path: Path) -> None:
    await put(server.alice, TEXT)
    root = tmp_path / "backup"
    with pytest.raises(BackupError, match="store_url"):
        await asyncio.to_thread(back_up, server.database, root)
    assert not list(root.iterdir())


async def test_two_backups_at_once_are_both_whole(server: Server, bytes_at: Path, tmp_path: Path) -> None:
    await put(server.alice, TEXT)
    store = store_in(bytes_at, server.database)
    roots = [tmp_path / "one", tmp_path / "two"]
    made = [asyncio.to_thread(back_up, server.database, root, store=store) for root in roots]
    for manifest, root in zip(await asyncio.gather(*made), roots, strict=True):
        assert manifest.artifacts.contents == 1
        await asyncio.to_thread(verify_backup, root, Manifest.read(root), nothing)
