"""Removals by the collector (expiry, retention, abandoned uploads, remains of a crash, stray bytes), and what stays."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from camillo_server.across.admin.store.admin_store import AdminStore
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.features.artifacts.artifact import Artifact, ArtifactDraft
from camillo_server.features.artifacts.store import orphaned_contents
from camillo_server.features.artifacts.store.collector import CollectionCounts
from camillo_server.kernel.errors import BytesUnavailable, NotFound
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.parts.object_parts import PartName

from tests.postgres_fixtures import TestDatabase
from tests.storage.artifacts.artifact_store import (
    ALICE,
    BOB,
    LONG,
    NOW,
    RIVAL,
    TEXT,
    ArtifactStores,
    artifact_for,
    artifact_store,
    noise,
    parts_of,
    progress_with,
    upload_for,
)
from tests.storage.replays import OF_DELETION

DAY = timedelta(days=1)
ACME = ALICE.tenant_id


@pytest.fixture
async def outside(database: TestDatabase, tmp_path: Path) -> AsyncIterator[ArtifactStores]:
    """Stores with bytes in a directory."""
    async with artifact_store(database, tmp_path / "parts") as opened:
        yield opened


async def collected(
    store: ArtifactStores, now: datetime = NOW, retention_from: datetime | None = None, tenant_id: TenantId = ACME
) -> CollectionCounts:
    return await store.collector.collect(tenant_id, retention_from=retention_from, now=now)


def execute(store: ArtifactStores, sql: str, *parameters: object) -> None:
    with psycopg.connect(store.postgres.superuser_url) as connection:
        connection.execute("set search_path to camillo, public")
        connection.execute(sql, parameters)


async def is_there(store: ArtifactStores, artifact: Artifact, scope: Scope = ALICE) -> bool:
    try:
        await store.found(artifact.artifact_id, scope)
    except NotFound:
        return False
    return True


async def test_nothing_is_collected_of_what_is_in_use(store: ArtifactStores) -> None:
    artifact = await store.put(LONG)
    upload = await store.uploaded(TEXT)
    assert await collected(store) == CollectionCounts()
    assert await store.bytes_of(artifact) == LONG
    await store.finish(upload, artifact_for(upload, TEXT))


async def test_what_has_expired_goes_with_its_bytes_pinned_or_not(store: ArtifactStores) -> None:
    gone = [await store.put(noise(n, 900), draft=ArtifactDraft(expires_at=NOW + DAY, pinned=n == 1)) for n in range(2)]
    kept = await store.put(TEXT, draft=ArtifactDraft(expires_at=NOW + 2 * DAY))
    theirs = await store.put(TEXT, RIVAL, ArtifactDraft(expires_at=NOW + DAY))
    found = await collected(store, NOW + DAY)
    assert found == CollectionCounts(expired_artifacts=2, contents=2)
    assert [await is_there(store, each) for each in [*gone, kept]] == [False, False, True]
    assert store.count("artifacts") == store.count("contents") == store.count("content_parts") == 2
    assert await store.outside() == (1 if store.objects else 0)
    assert await is_there(store, theirs, RIVAL)


async def test_retention_takes_what_is_old_and_not_pinned(store: ArtifactStores) -> None:
    old = await store.put(TEXT, created_at=NOW - DAY)
    pinned = await store.put(TEXT, draft=ArtifactDraft(pinned=True), created_at=NOW - DAY)
    young = await store.put(LONG)
    assert await collected(store) == CollectionCounts()
    found = await collected(store, retention_from=NOW)
    assert found == CollectionCounts(expired_artifacts=1)
    assert [await is_there(store, each) for each in (old, pinned, young)] == [False, True, True]
    assert await store.bytes_of(pinned) == TEXT


async def test_more_than_a_batch_is_collected_at_once(store: ArtifactStores) -> None:
    artifact = await store.put(TEXT, draft=ArtifactDraft(expires_at=NOW))
    columns = (
        "agent_id, created_by, content_id, kind, session_id, tool, tags, sensitivity, size, pinned,"
        " expires_at, created_at, updated_at, version, key_id, details"
    )
    execute(
        store,
        f"insert into artifacts (tenant_id, artifact_id, {columns}) select tenant_id, 'n' || n, {columns}"
        " from artifacts, generate_series(1, 1200) n",
    )
    assert not await is_there(store, artifact)
    assert await collected(store) == CollectionCounts(expired_artifacts=1201, contents=1)


async def test_uploads_go_a_day_after_they_began(store: ArtifactStores) -> None:
    await store.uploaded(LONG)
    kept = await store.put(TEXT)
    assert await collected(store, NOW + DAY - timedelta(seconds=1)) == CollectionCounts()
    assert store.count("uploads") == 2
    found = await collected(store, NOW + DAY)
    assert found == CollectionCounts(abandoned_uploads=1, contents=1)
    assert store.counts() == {"artifacts": 1, "contents": 1, "content_parts": 1, "uploads": 0}
    assert await store.outside() == (1 if store.objects else 0)
    assert await store.bytes_of(kept) == TEXT


async def test_what_a_crash_left_condemned_or_without_a_use_is_removed(store: ArtifactStores) -> None:
    """The states between two steps: condemned and not removed, written and no upload, ready and no artifact."""
    for data in (noise(1, 50), noise(2, 50), noise(3, 50)):
        await store.put(data)
    kept = await store.put(TEXT)
    execute(
        store,
        "delete from artifacts where artifact_id in ( select artifact_id from artifacts where artifact_id <> %s)",
        kept.artifact_id,
    )
    ids = [row[0] for row in store.rows("select content_id from contents where size = 50")]
    for content_id, state in zip(ids, (1, 3), strict=False):
        execute(store, "update contents set state = %s, fingerprint = null where content_id = %s", state, content_id)
    assert await collected(store) == CollectionCounts(contents=3)
    assert store.counts() == {"artifacts": 1, "contents": 1, "content_parts": 1, "uploads": 1}
    assert await store.outside() == (1 if store.objects else 0)
    assert await store.bytes_of(kept) == TEXT


def make_old(store: ArtifactStores, tmp_path: Path, content_id: UUID) -> None:
    """Files of a content, written years ago."""
    at = datetime(2020, 1, 1, tzinfo=UTC).timestamp()
    folder = tmp_path / "parts" / ACME / content_id.hex
    for path in (*folder.iterdir(), folder):
        os.utime(path, (at, at))


async def test_bytes_that_no_content_has_go_when_they_are_a_day_old(outside: ArtifactStores, tmp_path: Path) -> None:
    assert outside.objects is not None
    stray, kept = uuid4(), await outside.put(TEXT)
    await outside.objects.put(PartName(ACME, stray, 0), b"stray")
    make_old(outside, tmp_path, kept.content_id)
    written = datetime.now(UTC)
    assert (await collected(outside, written)).stray_contents == 0
    make_old(outside, tmp_path, stray)
    assert (await collected(outside, written)).stray_contents == 1
    assert await outside.outside() == 1
    assert await outside.bytes_of(kept) == TEXT


async def test_a_part_that_was_put_before_its_row_goes_with_its_upload(outside: ArtifactStores) -> None:
    assert outside.objects is not None
    upload = upload_for(ALICE)
    await outside.uploads.begin(upload, quota_bytes=None, now=NOW)
    await outside.objects.put(PartName(ACME, upload.content.content_id, 0), b"put, then killed")
    found = await collected(outside, NOW + DAY)
    assert found == CollectionCounts(abandoned_uploads=1, contents=1)
    assert await outside.outside() == 0


async def test_missing_bytes_of_ready_contents_are_counted(outside: ArtifactStores, tmp_path: Path) -> None:
    whole, damaged, gone = [await outside.put(data) for data in (TEXT, LONG, noise(1, 9))]
    later = NOW + timedelta(hours=1)
    assert (await collected(outside, later)).lost == 0
    for artifact in (damaged, gone):
        path = next((tmp_path / "parts").rglob(f"*{artifact.content_id.hex}*/*"))
        path.unlink()
    assert (await collected(outside, later)).lost == 2
    assert await outside.bytes_of(whole) == TEXT


async def test_what_lies_outside_waits_until_it_can_be_reached(outside: ArtifactStores, database: TestDatabase) -> None:
    artifact = await outside.put(LONG)
    inside = await outside.put(TEXT)
    async with artifact_store(database, None) as without:
        found, content = await without.found(artifact.artifact_id)
        with pytest.raises(BytesUnavailable):
            await without.contents.read(content, 0, 1)
        written = await without.artifacts.delete(ALICE, found, OF_DELETION, None, now=NOW)
        assert not written.record.bytes_deleted
        assert (await collected(without)).contents == 0
    assert await outside.outside() == 2
    assert await collected(outside) == CollectionCounts(contents=1)
    assert await outside.outside() == 1
    assert await outside.bytes_of(inside) == TEXT


async def test_an_upload_goes_on_at_the_place_that_the_server_has_now(
    outside: ArtifactStores, database: TestDatabase
) -> None:
    first, second, last = parts_of(LONG)
    async with artifact_store(database, None) as without:
        upload = upload_for(ALICE)
        await without.uploads.begin(upload, quota_bytes=None, now=NOW)
        await without.uploads.add_part(upload, first, progress_with(first))
    upload = await outside.uploads.find(ALICE, upload.upload_id, now=NOW)
    upload = await outside.uploads.resume(upload)
    for part in (second, last):
        await outside.uploads.add_part(upload, part, None)
    artifact = artifact_for(upload, LONG)
    await outside.finish(upload, artifact)
    assert await outside.bytes_of(artifact) == LONG
    assert (await collected(outside, NOW + timedelta(hours=1))).lost == 0
    await outside.artifacts.delete(ALICE, artifact, OF_DELETION, None, now=NOW)
    assert await outside.outside() == 0


async def test_a_deleted_agent_leaves_none_of_its_artifacts(store: ArtifactStores) -> None:
    mine, ours = await store.put(LONG), await store.put(TEXT)
    upload = await store.uploaded(noise(1, 99))
    same = await store.put(TEXT, BOB)
    shared = await store.put(noise(2, 99), draft=ArtifactDraft(is_shared=True))
    notifier = ChangeNotifier(store.postgres.server_url)
    administration = AdminStore(store.database, notifier, FORGETTABLES)
    await administration.delete_agent(ACME, ALICE, None, NOW)
    assert [await is_there(store, each) for each in (mine, ours, shared)] == [False, False, True]
    with pytest.raises(NotFound):
        await store.finish(upload, artifact_for(upload, noise(1, 99)))
    assert await store.bytes_of(same, BOB) == TEXT
    assert store.counts()["artifacts"] == 2
    assert store.rows("select count(*) from contents where state <> 3") == [(2,)]
    assert await collected(store) == CollectionCounts(contents=2 if store.objects else 0)
    assert await store.outside() == (2 if store.objects else 0)
    back = await store.put(LONG)
    assert await store.bytes_of(back) == LONG
    assert store.rows("select deleted_at from scopes where agent_id = 'alice'") == [(None,)]


async def test_what_is_too_much_to_delete_at_once_is_left_condemned(
    store: ArtifactStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orphaned_contents, "MAX_PARTS_AT_ONCE", 1)
    for data in (TEXT, LONG, noise(1, 99)):
        await store.put(data)
    administration = AdminStore(store.database, ChangeNotifier(store.postgres.server_url), FORGETTABLES)
    await administration.delete_agent(ACME, ALICE, None, NOW)
    left = store.rows("select state from contents")
    assert left == [(3,)] * (3 if store.objects else 2)
    assert store.count("artifacts") == store.count("uploads") == 0
    await collected(store)
    assert set(store.counts().values()) == {0}
    assert await store.outside() == 0


async def test_a_deleted_tenant_takes_everything_and_what_lies_outside_is_found_later(store: ArtifactStores) -> None:
    await store.put(LONG)
    await store.uploaded(TEXT)
    theirs = await store.put(TEXT, RIVAL)
    notifier = ChangeNotifier(store.postgres.server_url)
    administration = AdminStore(store.database, notifier, FORGETTABLES)
    await administration.delete_tenant(RIVAL.tenant_id, ACME, None, NOW)
    assert store.counts() == {"artifacts": 1, "contents": 1, "content_parts": 1, "uploads": 1}
    assert await store.bytes_of(theirs, RIVAL) == TEXT
    in_a_year = datetime.now(UTC) + 365 * DAY
    if store.objects:
        assert await store.collector.tenants() == ["acme", "rival"]
        assert (await collected(store, in_a_year)).stray_contents == 2
        assert await store.outside() == 0
    else:
        assert await store.collector.tenants() == ["rival"]
