"""A store of artifacts belongs to one database: another one neither uses nor cleans it, and may take it on purpose."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from camillo_server.features.artifacts.store.collector import FIRST_COLLECTION
from camillo_server.storage.parts.object_parts import MARKER_NAME as MARKER
from camillo_server.storage.parts.object_parts import ObjectStoreError
from camillo_server.storage.parts.owned_store import adopt_store

from tests.faults.artifact_buckets import faulty_bucket
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import part_files, put, read
from tests.server_fixtures import Server, StartServer, refused, small_settings
from tests.unit.artifacts.s3_server import s3_server
from tests.unit.identity.moving_clock import MovingClock

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC).timestamp()
TEXT = b"build 4711 failed\n" * 999


@pytest.fixture
def clock() -> MovingClock:
    """A clock at the time that the store puts on its objects."""
    clock = MovingClock()
    clock.moment = datetime.now(UTC)
    return clock


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def other_database(
    clone: Callable[[str], TestDatabase], template_database: str, drop: Callable[[str], None]
) -> Iterator[TestDatabase]:
    """A database of another installation."""
    other = clone(template_database)
    with psycopg.connect(other.superuser_url) as connection:
        connection.execute("update camillo.database_identity set database_id = gen_random_uuid()")
    yield other
    drop(other.name)


def make_old(root: Path) -> None:
    for path in root.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))


def marker(root: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((root / MARKER).read_text())
    return found


async def collected_strays(server: Server) -> int:
    return (await server.app.artifacts.collection()).stray_contents


async def start_on(start_server: StartServer, root: Path, **options: TestDatabase) -> Server:
    return await start_server(artifacts={"store_url": root.as_uri()}, **options)


async def stray(server: Server, root: Path) -> Path:
    """The file of a content whose row is gone."""
    before = {*part_files(root)}
    await put(server.alice, f"{uuid4()}".encode() * 99)
    (made,) = {*part_files(root)} - before
    with psycopg.connect(server.database.superuser_url) as connection:
        connection.execute("delete from camillo.artifacts where size = 36 * 99")
        connection.execute("delete from camillo.contents where size = 36 * 99")
    make_old(root)
    return made


async def test_another_database_is_refused_and_deletes_nothing(
    start_server: StartServer, other_database: TestDatabase, root: Path
) -> None:
    owner = await start_on(start_server, root)
    kept = (await put(owner.alice, TEXT)).artifact.artifact_id
    make_old(root)
    with pytest.raises(ObjectStoreError, match="the store of another database"):
        await start_on(start_server, root, on=other_database)
    assert await read(owner.alice, kept) == TEXT
    again = await start_on(start_server, root)
    assert await read(again.alice, kept) == TEXT


async def test_contents_lie_under_the_id_of_the_database(start_server: StartServer, root: Path) -> None:
    server = await start_on(start_server, root)
    await put(server.alice, TEXT)
    with psycopg.connect(server.database.superuser_url) as connection:
        row = connection.execute("select database_id from camillo.database_identity").fetchone()
    assert row is not None
    assert marker(root)["database"] == str(row[0])
    (file,) = part_files(root)
    assert file.relative_to(root).parts[:2] == (f"_{row[0].hex}", "acme")


async def test_the_first_collection_of_a_store_deletes_nothing_that_the_database_does_not_know(
    start_server: StartServer, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = await start_on(start_server, root)
    kept = (await put(server.alice, TEXT)).artifact.artifact_id
    lonely = await stray(server, root)
    assert await collected_strays(server) == 1
    assert lonely.exists()
    assert FIRST_COLLECTION % 1 in caplog.messages
    assert await collected_strays(server) == 1
    assert not lonely.exists()
    assert await read(server.alice, kept) == TEXT


async def test_a_store_of_a_release_without_markers_is_adopted_by_the_database_that_knows_it(
    start_server: StartServer, other_database: TestDatabase, root: Path
) -> None:
    first = await start_on(start_server, root)
    kept = (await put(first.alice, TEXT)).artifact.artifact_id
    lay_out_as_before(root)
    with pytest.raises(ObjectStoreError, match="another database"):
        await start_on(start_server, root, on=other_database)
    assert not (root / MARKER).exists()
    second = await start_on(start_server, root)
    assert marker(root)["folder"] == ""
    assert await read(second.alice, kept) == TEXT
    later = (await put(second.alice, b"later" * 999)).artifact.artifact_id
    assert await read(second.alice, later) == b"later" * 999
    lonely = await stray(second, root)
    assert [await collected_strays(second), lonely.exists()] == [1, True]
    assert [await collected_strays(second), lonely.exists()] == [1, False]


def lay_out_as_before(root: Path) -> None:
    """Lays out the store as earlier releases did: tenants at the top, and no marker."""
    (folder,) = (each for each in root.iterdir() if each.is_dir())
    for tenant in folder.iterdir():
        tenant.rename(root / tenant.name)
    folder.rmdir()
    (root / MARKER).unlink()


async def test_a_restored_database_adopts_the_store_on_purpose(
    start_server: StartServer, root: Path, tmp_path: Path
) -> None:
    server = await start_on(start_server, root)
    kept = (await put(server.alice, TEXT)).artifact.artifact_id
    await collected_strays(server)
    with psycopg.connect(server.database.superuser_url) as connection:
        connection.execute("update camillo.database_identity set database_id = gen_random_uuid()")
    with pytest.raises(ObjectStoreError, match="adopt-store"):
        await start_on(start_server, root)
    settings = small_settings(tmp_path, artifacts={"store_url": root.as_uri()})
    await adopt_store(settings, server.database.server_url)
    restored = await start_on(start_server, root)
    assert await read(restored.alice, kept) == TEXT
    assert marker(root)["collected"] is False


async def test_a_store_whose_disk_is_not_mounted_is_not_claimed_anew(
    start_server: StartServer, root: Path, tmp_path: Path
) -> None:
    server = await start_on(start_server, root)
    kept = (await put(server.alice, TEXT)).artifact.artifact_id
    # The mount point stays where a disk is not there.
    disk = root.rename(tmp_path / "disk")
    root.mkdir()
    with pytest.raises(ObjectStoreError, match="may not be mounted"):
        await start_on(start_server, root)
    assert not list(root.iterdir())
    root.rmdir()
    disk.rename(root)
    mounted = await start_on(start_server, root)
    assert await read(mounted.alice, kept) == TEXT


async def test_a_store_that_lost_its_marker_alone_is_claimed_again(start_server: StartServer, root: Path) -> None:
    server = await start_on(start_server, root)
    kept = (await put(server.alice, TEXT)).artifact.artifact_id
    before = marker(root)
    (root / MARKER).unlink()
    again = await start_on(start_server, root)
    assert await read(again.alice, kept) == TEXT
    assert marker(root) == before


async def test_a_store_whose_contents_are_gone_is_adopted_on_purpose(
    start_server: StartServer, root: Path, tmp_path: Path
) -> None:
    server = await start_on(start_server, root)
    lost = (await put(server.alice, TEXT)).artifact.artifact_id
    shutil.rmtree(root)
    with pytest.raises(ObjectStoreError, match="gone for good"):
        await start_on(start_server, root)
    settings = small_settings(tmp_path, artifacts={"store_url": root.as_uri()})
    await adopt_store(settings, server.database.server_url)
    anew = await start_on(start_server, root)
    assert (await refused(read(anew.alice, lost))).reason == "BYTES_LOST"
    kept = (await put(anew.alice, TEXT * 2)).artifact.artifact_id
    assert await read(anew.alice, kept) == TEXT * 2


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with s3_server() as endpoint:
        yield endpoint


async def test_a_bucket_has_one_owner_too(start_server: StartServer, other_database: TestDatabase, s3: str) -> None:
    with faulty_bucket(s3) as bucket:
        owner = await start_server(artifacts=bucket.settings())
        kept = (await put(owner.alice, TEXT)).artifact.artifact_id
        with pytest.raises(ObjectStoreError, match="another database"):
            await start_server(artifacts=bucket.settings(), on=other_database)
        assert await read(owner.alice, kept) == TEXT
        assert (await owner.app.artifacts.collection()).lost == 0


async def test_a_bucket_that_is_away_at_the_start_is_claimed_when_it_is_back(
    start_server: StartServer, other_database: TestDatabase, s3: str
) -> None:
    with faulty_bucket(s3) as bucket:
        settings = bucket.settings(store_timeout_seconds=10.0)
        bucket.fail("broken")
        early = await start_server(artifacts=settings)
        late = await start_server(artifacts=settings, on=other_database)
        assert (await refused(put(early.alice, TEXT))).reason == "BYTES_UNAVAILABLE"
        bucket.heal()
        kept = (await put(early.alice, TEXT)).artifact.artifact_id
        assert await read(early.alice, kept) == TEXT
        assert (await refused(put(late.alice, TEXT))).reason == "BYTES_UNAVAILABLE"
