"""Refs: what names something in a scope or in the tenant's shared one, and what does not."""

from collections.abc import AsyncIterator

import pytest

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, BOB, RIVAL, SHARED, GroundStore, chunks_of, event, ground_store


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


async def test_refs_that_name_nothing_here_are_missing(store: GroundStore) -> None:
    own, shared, bobs, rivals = event(), event(scope=SHARED), event(scope=BOB), event(scope=RIVAL)
    chunk = chunks_of([own])[0]
    await store.record(own, chunks=[chunk])
    await store.record(shared, scope=SHARED)
    await store.record(bobs, scope=BOB)
    await store.record(rivals, scope=RIVAL)
    there = [str(own.event_id), str(own.event_id).upper(), str(chunk.memory.memory_id)]
    there.append(str(shared.event_id))
    missing = [str(bobs.event_id), str(rivals.event_id), "log_1", "no id at all", "", "会议"]
    missing += [own.event_id.hex, f"urn:uuid:{own.event_id}"]
    mixed = [ref for pair in zip(missing[:4], there, strict=True) for ref in pair] + missing[4:]
    assert await store.refs.missing(ALICE, mixed) == missing
    assert await store.refs.missing(ALICE, ["%", "😀"]) == ["%", "😀"]
    assert await store.refs.missing(BOB, [str(bobs.event_id)]) == []
