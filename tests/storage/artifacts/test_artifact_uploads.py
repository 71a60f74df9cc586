"""Uploads on real Postgres: taken up again, kept apart, bounded, repeated and given up."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from camillo_server.features.artifacts.artifact import PART_BYTES, ArtifactReplay, UploadId
from camillo_server.features.artifacts.upload import ContentPart
from camillo_server.kernel.errors import AlreadyExists, NotFound, QuotaExceeded, RequestIdReused, UploadOffsetMismatch
from camillo_server.kernel.ids import TenantId

from tests.storage.artifacts.artifact_store import (
    ALICE,
    BOB,
    CONFIDENTIAL,
    LONG,
    NOW,
    RIVAL,
    TEXT,
    ArtifactStores,
    artifact_for,
    noise,
    parts_of,
    progress_with,
    request,
    upload_for,
)


async def test_an_upload_is_seen_part_by_part_and_its_artifact_only_at_the_end(store: ArtifactStores) -> None:
    upload = upload_for(ALICE, CONFIDENTIAL)
    await store.uploads.begin(upload, quota_bytes=None, now=NOW)
    first, second, last = parts_of(LONG)
    progress = progress_with(first)
    await store.uploads.add_part(upload, first, progress)
    found = await store.uploads.find(ALICE, upload.upload_id, now=NOW)
    assert (found.progress, found.header_digest, found.artifact_id) == (progress, b"h" * 32, None)
    assert await store.contents.read(found.content, 0, PART_BYTES) == first.data
    await store.uploads.add_part(upload, second, progress_with(second))
    await store.uploads.add_part(upload, last, None)
    artifact = artifact_for(upload, LONG, CONFIDENTIAL)
    with pytest.raises(NotFound):
        await store.found(artifact.artifact_id)
    written = await store.finish(upload, artifact)
    assert written.record == ArtifactReplay(artifact.artifact_id)
    finished = await store.uploads.find(ALICE, upload.upload_id, now=NOW)
    assert finished.artifact_id == artifact.artifact_id
    assert await store.bytes_of(artifact) == LONG


async def test_a_broken_upload_goes_on_behind_what_it_holds(store: ArtifactStores) -> None:
    upload = upload_for(ALICE)
    first, second, last = parts_of(LONG)
    await store.uploads.begin(upload, quota_bytes=None, now=NOW)
    await store.uploads.add_part(upload, first, progress_with(first))
    await store.uploads.add_part(upload, ContentPart(1, 1, b"torn"), None)
    begun = await store.uploads.find(ALICE, upload.upload_id, now=NOW)
    begun = await store.uploads.resume(begun)
    assert store.count("content_parts") == 1
    await store.uploads.add_part(begun, second, progress_with(second))
    await store.uploads.add_part(begun, last, None)
    artifact = artifact_for(begun, LONG)
    await store.finish(begun, artifact)
    assert await store.bytes_of(artifact) == LONG


async def test_behind_a_part_that_postgres_lost_none_is_added(store: ArtifactStores) -> None:
    """Postgres may crash before the part is on disk: the caller goes on behind what is held."""
    upload = upload_for(ALICE)
    first, second, last = parts_of(LONG)
    await store.uploads.begin(upload, quota_bytes=None, now=NOW)
    await store.uploads.add_part(upload, first, progress_with(first))
    await store.uploads.add_part(upload, second, None)
    store.rows("delete from content_parts where number = 1 returning number")
    with pytest.raises(UploadOffsetMismatch) as refused:
        await store.uploads.add_part(upload, last, progress_with(last))
    assert refused.value.expected == PART_BYTES
    assert store.count("content_parts") == 1
    await store.uploads.add_part(upload, second, progress_with(second))
    await store.uploads.add_part(upload, last, None)
    artifact = artifact_for(upload, LONG)
    await store.finish(upload, artifact)
    assert await store.bytes_of(artifact) == LONG


async def test_two_calls_cannot_mix_their_parts_in_one_upload(store: ArtifactStores) -> None:
    upload = upload_for(ALICE)
    first, second, last = parts_of(LONG)
    await store.uploads.begin(upload, quota_bytes=None, now=NOW)
    await store.uploads.add_part(upload, first, progress_with(first))
    other = replace(first, data=bytes(PART_BYTES))
    with pytest.raises(UploadOffsetMismatch):
        await store.uploads.add_part(upload, other, progress_with(other))
    await store.uploads.add_part(upload, second, progress_with(second))
    await store.uploads.add_part(upload, last, None)
    with pytest.raises(UploadOffsetMismatch):
        await store.uploads.add_part(upload, replace(last, data=b"other"), None)
    artifact = artifact_for(upload, LONG)
    with pytest.raises(UploadOffsetMismatch):
        await store.finish(upload, artifact_for(upload, LONG + b"!"))
    await store.finish(upload, artifact)
    assert await store.bytes_of(artifact) == LONG


async def test_whoever_goes_on_with_an_upload_ends_the_call_before(store: ArtifactStores) -> None:
    """The earlier call ends even if it has stored a part that nobody can go on behind."""
    upload = upload_for(ALICE)
    first, second, last = parts_of(LONG)
    await store.uploads.begin(upload, quota_bytes=None, now=NOW)
    await store.uploads.add_part(upload, first, progress_with(first))
    found = await store.uploads.find(ALICE, upload.upload_id, now=NOW)
    early = await store.uploads.resume(found)
    await store.uploads.add_part(early, replace(second, data=bytes(PART_BYTES)), None)
    late = await store.uploads.resume(found)
    assert (early.generation, late.generation) == (1, 2)
    for part in (second, last):
        with pytest.raises(UploadOffsetMismatch):
            await store.uploads.add_part(early, part, None)
    await store.uploads.add_part(late, second, None)
    await store.uploads.add_part(late, last, None)
    artifact = artifact_for(late, LONG)
    with pytest.raises(UploadOffsetMismatch):
        await store.finish(early, artifact)
    await store.uploads.discard(early)
    await store.finish(late, artifact)
    assert await store.bytes_of(artifact) == LONG


async def test_a_discarded_upload_leaves_nothing_and_takes_no_more(store: ArtifactStores) -> None:
    upload = await store.uploaded(LONG)
    assert store.count("content_parts") == 3
    await store.uploads.discard(upload)
    await store.uploads.discard(upload)
    assert set(store.counts().values()) == {0}
    assert await store.outside() == 0
    for part in parts_of(LONG)[:1]:
        with pytest.raises(NotFound):
            await store.uploads.add_part(upload, part, progress_with(part))
    with pytest.raises(NotFound):
        await store.uploads.resume(upload)
    with pytest.raises(NotFound):
        await store.finish(upload, artifact_for(upload, LONG))
    with pytest.raises(NotFound):
        await store.uploads.find(ALICE, upload.upload_id, now=NOW)


async def test_a_finished_upload_is_not_discarded(store: ArtifactStores) -> None:
    upload = await store.uploaded(TEXT)
    artifact = artifact_for(upload, TEXT)
    await store.finish(upload, artifact)
    await store.uploads.discard(upload)
    assert await store.bytes_of(artifact) == TEXT


async def test_an_uploads_id_is_free_again_after_a_day(store: ArtifactStores) -> None:
    upload_id = UploadId(uuid4())
    begin = store.uploads.begin
    await begin(upload_for(ALICE, upload_id=upload_id), quota_bytes=None, now=NOW)
    again = upload_for(ALICE, upload_id=upload_id)
    with pytest.raises(AlreadyExists):
        await begin(again, quota_bytes=None, now=NOW + timedelta(hours=23))
    await begin(upload_for(BOB, upload_id=upload_id), quota_bytes=None, now=NOW)
    later = NOW + timedelta(hours=24)
    with pytest.raises(NotFound):
        await store.uploads.find(ALICE, upload_id, now=later)
    await begin(again, quota_bytes=None, now=later)
    found = await store.uploads.find(ALICE, upload_id, now=later)
    assert found.content.content_id == again.content.content_id


async def test_an_upload_begins_with_its_first_part_or_not_at_all(store: ArtifactStores) -> None:
    upload, begin_with = upload_for(ALICE), store.uploads.begin_with
    first, second, last = parts_of(LONG)
    await begin_with(upload, first, quota_bytes=None, now=NOW)
    await store.uploads.add_part(upload, second, None)
    await store.uploads.add_part(upload, last, None)
    artifact = artifact_for(upload, LONG)
    await store.finish(upload, artifact)
    assert await store.bytes_of(artifact) == LONG
    tables = ("contents", "content_parts", "uploads")
    before = [store.count(table) for table in tables]
    with pytest.raises(QuotaExceeded):
        await begin_with(upload_for(ALICE), first, quota_bytes=len(LONG), now=NOW)
    with pytest.raises(AlreadyExists):
        await begin_with(replace(upload_for(ALICE), upload_id=upload.upload_id), first, quota_bytes=None, now=NOW)
    assert [store.count(table) for table in tables] == before == [1, 3, 1]


async def test_a_quota_holds_at_the_beginning_and_at_the_end(store: ArtifactStores) -> None:
    data = noise(2, 1_000)
    await store.put(data)
    begin = store.uploads.begin
    with pytest.raises(QuotaExceeded):
        await begin(upload_for(ALICE), quota_bytes=1_000, now=NOW)
    await begin(upload_for(RIVAL), quota_bytes=1_000, now=NOW)
    await begin(upload_for(ALICE), quota_bytes=1_001, now=NOW)
    upload = await store.uploaded(TEXT)
    artifact = artifact_for(upload, TEXT)
    with pytest.raises(QuotaExceeded):
        await store.finish(upload, artifact, quota_bytes=1_000 + len(TEXT) - 1)
    await store.finish(upload, artifact, quota_bytes=1_000 + len(TEXT))
    # Bytes that are stored already take no room.
    again = await store.uploaded(data)
    await store.finish(again, artifact_for(again, data), quota_bytes=1)


async def test_a_repeated_request_gives_the_first_artifact_and_keeps_no_bytes(store: ArtifactStores) -> None:
    first = await store.uploaded(TEXT)
    artifact = artifact_for(first, TEXT)
    answered = await store.finish(first, artifact, request())
    again = await store.uploaded(LONG)
    assert await store.finish(again, artifact_for(again, LONG), request()) == answered
    assert await store.artifacts.first_answer(ALICE, request(), ArtifactReplay, now=NOW) == answered
    new = request("new")
    assert await store.artifacts.first_answer(ALICE, new, ArtifactReplay, now=NOW) is None
    assert store.counts() == {"artifacts": 1, "contents": 1, "content_parts": 1, "uploads": 1}
    assert await store.outside() == (1 if store.objects else 0)
    other = await store.uploaded(LONG)
    with pytest.raises(RequestIdReused):
        await store.finish(other, artifact_for(other, LONG), request(content=b"other"))
    with pytest.raises(RequestIdReused):
        await store.artifacts.first_answer(ALICE, request(content=b"other"), ArtifactReplay, now=NOW)


async def test_an_artifacts_id_is_taken_once_in_a_tenant(store: ArtifactStores) -> None:
    artifact = await store.put(TEXT)
    upload = await store.uploaded(LONG, BOB)
    taken = artifact_for(upload, LONG, artifact_id=artifact.artifact_id)
    with pytest.raises(AlreadyExists):
        await store.finish(upload, taken)
    await store.put(LONG, RIVAL, artifact_id=artifact.artifact_id)
    assert await store.bytes_of(artifact) == TEXT


async def test_a_tenant_that_is_not_there_is_told_as_such(store: ArtifactStores) -> None:
    upload = upload_for(ALICE._replace(tenant_id=TenantId("nobody")))
    with pytest.raises(NotFound, match="tenant"):
        await store.uploads.begin(upload, quota_bytes=None, now=NOW)
