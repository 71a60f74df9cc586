"""Artifacts in Postgres, their bytes there or in a directory: what is stored, read, shared, refused and removed."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from camillo_server.features.artifacts.artifact import PART_BYTES, ArtifactDraft, ArtifactId, ArtifactReplay
from camillo_server.kernel.errors import BytesLost, KeyMissing, NotFound, StorageFull, VersionConflict
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.database import Session

from tests.postgres_fixtures import TestDatabase
from tests.storage.artifacts.artifact_store import (
    ALICE,
    BOB,
    CONFIDENTIAL,
    LONG,
    NOW,
    RESTRICTED,
    RIVAL,
    TEXT,
    ArtifactStores,
    artifact_store,
    noise,
    parts_of,
    request,
)
from tests.storage.replays import OF_ARTIFACT, OF_DELETION


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_what_is_stored_is_what_is_found(store: ArtifactStores, level: Sensitivity) -> None:
    draft = ArtifactDraft(
        name="лог.txt",
        description="what I ran",
        media_type="text/plain",
        tool="shell",
        command="make 测试",
        exit_code=-3,
        session_id="s",
        tags=("b", "a"),
        sensitivity=level,
        metadata={"größe": 1.5, "ok": True, "none": None, "text": "नमस्ते"},
        expires_at=NOW + timedelta(days=1),
        pinned=True,
        source_refs=("ref-1", "other"),
    )
    artifact = await store.put(TEXT, draft=draft)
    found, content = await store.found(artifact.artifact_id)
    assert found == artifact
    assert (content.size, content.is_encrypted) == (len(TEXT), draft.is_encrypted)
    assert await store.bytes_of(artifact) == TEXT
    assert store.rows("select place, state from contents") == [(2 if store.objects else 1, 2)]


async def test_bytes_that_do_not_compress_and_no_bytes_at_all_come_back(store: ArtifactStores) -> None:
    for data in (noise(1, PART_BYTES + 1), b"", LONG):
        artifact = await store.put(data)
        assert await store.bytes_of(artifact) == data


async def test_any_range_is_read_in_blocks_that_know_their_lines(store: ArtifactStores) -> None:
    artifact = await store.put(LONG)
    _, content = await store.found(artifact.artifact_id)
    ranges = [
        (0, len(LONG)),
        (5, 6),
        (7, 7),
        (PART_BYTES - 1, PART_BYTES + 1),
        (PART_BYTES, 2 * PART_BYTES),
        (3, len(LONG) - 3),
    ]
    for start, end in ranges:
        blocks = [block async for block in store.contents.blocks(content, start, end)]
        assert b"".join(block.data for block in blocks) == LONG[start:end]
        for block in blocks:
            assert block.first_line == LONG.count(b"\n", 0, block.offset) + 1
            assert LONG[block.offset :].startswith(block.data)
            assert len(block.data) <= PART_BYTES
    assert await store.contents.read(content, len(LONG) - 2, 100) == LONG[-2:]


async def test_a_line_is_found_by_the_last_part_that_begins_at_or_before_it(store: ArtifactStores) -> None:
    artifact = await store.put(LONG)
    _, content = await store.found(artifact.artifact_id)
    firsts = [part.first_line for part in parts_of(LONG)]
    for line in (1, firsts[1] - 1, firsts[1], firsts[2], firsts[2] + 1, 10**9):
        block = await store.contents.block_of_line(content, line)
        expected = max(n for n, first in enumerate(firsts) if first <= line)
        assert (block.offset, block.first_line) == (expected * PART_BYTES, firsts[expected])
        assert block.data == parts_of(LONG)[expected].data


async def test_a_reader_that_stops_early_leaves_nothing_behind(store: ArtifactStores) -> None:
    artifact = await store.put(LONG)
    _, content = await store.found(artifact.artifact_id)
    blocks = store.contents.blocks(content, 0, content.size)
    assert (await anext(blocks)).data == LONG[:PART_BYTES]
    await blocks.aclose()
    assert await store.bytes_of(artifact) == LONG


async def test_only_the_own_and_the_shared_scope_are_seen(store: ArtifactStores) -> None:
    own = await store.put(TEXT)
    shared = await store.put(LONG, draft=ArtifactDraft(is_shared=True))
    assert (await store.found(own.artifact_id))[0] == own
    assert (await store.found(shared.artifact_id, BOB))[0] == shared
    for scope in (BOB, RIVAL):
        with pytest.raises(NotFound):
            await store.found(own.artifact_id, scope)
    with pytest.raises(NotFound):
        await store.found(shared.artifact_id, RIVAL)


async def test_what_is_expired_or_of_no_allowed_level_is_not_found(store: ArtifactStores) -> None:
    artifact = await store.put(TEXT, draft=ArtifactDraft(expires_at=NOW + timedelta(seconds=1)))
    levels = {Sensitivity.INTERNAL}
    find = store.artifacts.find
    assert await find(ALICE, artifact.artifact_id, levels, now=NOW)
    with pytest.raises(NotFound):
        await find(ALICE, artifact.artifact_id, levels, now=NOW + timedelta(seconds=1))
    with pytest.raises(NotFound):
        await find(ALICE, artifact.artifact_id, {Sensitivity.PUBLIC}, now=NOW)


@pytest.mark.parametrize("draft", [ArtifactDraft(), CONFIDENTIAL], ids=["plain", "sealed"])
async def test_equal_bytes_of_a_tenant_are_kept_once(store: ArtifactStores, draft: ArtifactDraft) -> None:
    first = await store.put(LONG, draft=draft)
    second = await store.put(LONG, BOB, draft)
    assert store.counts() == {"artifacts": 2, "contents": 1, "content_parts": 3, "uploads": 2}
    assert await store.outside() == (1 if store.objects else 0)
    await store.put(LONG, RIVAL, draft)
    assert store.count("contents") == 2
    kept, _ = await store.found(second.artifact_id, BOB)
    assert kept.content_id == first.content_id
    assert await store.bytes_of(second, BOB) == LONG


async def test_equal_bytes_of_other_sealing_or_another_restricted_agent_are_kept_apart(store: ArtifactStores) -> None:
    await store.put(TEXT)
    await store.put(TEXT, draft=CONFIDENTIAL)
    await store.put(TEXT, draft=RESTRICTED)
    await store.put(TEXT, BOB, RESTRICTED)
    assert store.count("contents") == 4
    await store.put(TEXT, BOB, RESTRICTED)
    assert store.count("contents") == 4


@pytest.mark.parametrize("draft", [ArtifactDraft(), CONFIDENTIAL], ids=["plain", "sealed"])
async def test_an_update_takes_the_place_of_the_expected_version(store: ArtifactStores, draft: ArtifactDraft) -> None:
    artifact = await store.put(TEXT, draft=draft)
    later = NOW + timedelta(minutes=1)
    new = replace(draft, name="新名字", tags=("x",), pinned=True, session_id="s2")
    changed = replace(artifact, draft=new, version=2, updated_at=later)
    key = request("u")
    update = store.artifacts.update
    written = await update(ALICE, changed, 1, OF_ARTIFACT, key, new_texts={}, now=later)
    assert (await store.found(artifact.artifact_id))[0] == changed
    with pytest.raises(VersionConflict):
        await update(ALICE, changed, 1, OF_ARTIFACT, request("v"), new_texts={}, now=later)
    other = ArtifactReplay(ArtifactId("other"))
    assert await update(ALICE, changed, 1, other, key, new_texts={}, now=later) == written
    missing = replace(changed, artifact_id=ArtifactId("not_there"))
    with pytest.raises(NotFound):
        await update(ALICE, missing, 2, OF_ARTIFACT, None, new_texts={}, now=later)


async def test_deleting_counts_what_goes_and_removes_bytes_with_their_last_artifact(store: ArtifactStores) -> None:
    first = await store.put(LONG)
    second = await store.put(LONG, BOB)
    delete = partial(store.artifacts.delete, is_operator=True)
    kept = await delete(ALICE, first, OF_DELETION, request("d"), now=NOW)
    assert kept.record == replace(
        OF_DELETION, stores={"artifacts": 1, "content_parts": 0, "contents": 0}, bytes_deleted=False
    )
    assert await store.bytes_of(second, BOB) == LONG
    other = replace(OF_DELETION, size=9)
    assert await delete(ALICE, first, other, request("d"), now=NOW) == kept
    with pytest.raises(NotFound):
        await delete(ALICE, first, OF_DELETION, None, now=NOW)
    _, content = await store.found(second.artifact_id, BOB)
    gone = await delete(BOB, second, OF_DELETION, None, now=NOW)
    assert gone.record == replace(
        OF_DELETION, stores={"artifacts": 1, "content_parts": 3, "contents": 1}, bytes_deleted=True
    )
    assert set(store.counts().values()) == {0}
    assert await store.outside() == 0
    with pytest.raises(NotFound):
        await store.contents.read(content, 0, 1)


async def test_a_missing_part_is_told_as_lost(store: ArtifactStores) -> None:
    artifact = await store.put(LONG)
    _, content = await store.found(artifact.artifact_id)
    await store.database.write(ALICE, lambda session: session.execute("delete from content_parts where number = 1"))
    assert await store.contents.read(content, 0, PART_BYTES) == LONG[:PART_BYTES]
    with pytest.raises(BytesLost):
        await store.contents.read(content, 0, len(LONG))


async def test_what_is_sealed_needs_its_key(store: ArtifactStores, database: TestDatabase, tmp_path: Path) -> None:
    sealed = await store.put(TEXT, draft=CONFIDENTIAL)
    plain = await store.put(TEXT)
    directory = tmp_path / "parts" if store.objects else None
    async with artifact_store(database, directory, Keyring.empty()) as without:
        assert await without.bytes_of(plain) == TEXT
        with pytest.raises(KeyMissing):
            await without.found(sealed.artifact_id)
        _, content = await store.found(sealed.artifact_id)
        with pytest.raises(KeyMissing):
            await without.contents.read(content, 0, 1)
        with pytest.raises(KeyMissing):
            await without.put(TEXT, draft=CONFIDENTIAL)


async def test_a_full_disk_is_told_as_such_and_costs_no_connection(store: ArtifactStores) -> None:
    async def fill(session: Session) -> None:
        await session.execute("do $$ begin raise exception 'full' using errcode = '53100'; end $$")

    async def connection(session: Session) -> int:
        return session.info.backend_pid

    before = await store.database.read(ALICE, connection)
    with pytest.raises(StorageFull):
        await store.database.write(ALICE, fill)
    # There are two, lent in turn.
    later = [await store.database.read(ALICE, connection) for _ in range(4)]
    assert before in later
