"""Slots that no search and no digest has: in all else they are slots like others."""

from collections.abc import Sequence

import psycopg
import pytest
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2, snapshot_service_pb2
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service

from tests.postgres_fixtures import TestDatabase
from tests.rpc.lifecycle.test_reindex import reindex
from tests.rpc.memories.calls import recall
from tests.rpc.slots.calls import CHAT, get_slot, history, listed, set_memory
from tests.rpc.slots.watching import changes_of, exported, versions_of
from tests.server_fixtures import Caller, Server
from tests.storage.admin.test_invariants import broken

KEY, OTHER = "/threads/羊", "/notes/羊"
TEXT = '{"text": "xylophone пение 🍵"}'


async def found(caller: Caller) -> list[str]:
    """The keys of the slots that a recall finds, and those of a digest."""
    answer = await recall(caller, "xylophone", sources=[memory_pb2.SOURCE_SLOT])
    built = (await caller(snapshot_service_pb2.BuildDigestRequest())).bundle
    lines = [item.text.split()[1] for section in built.sections for item in section.items]
    return sorted([hit.chunk.text.partition("\n")[0] for hit in answer.hits] + [f"/{line}" for line in lines])


def chunks(database: TestDatabase, slots: Sequence[pb.Slot]) -> int:
    """How many chunks these slots have in Postgres."""
    with psycopg.connect(database.superuser_url) as connection:
        ids = [slot.slot_id for slot in slots]
        row = connection.execute(
            "select count(*) from camillo.memories where source_refs[1] = any(%s)", [ids]
        ).fetchone()
    assert row is not None
    return int(row[0])


async def test_an_unindexed_slot_is_read_by_its_key_alone(server: Server, database: TestDatabase) -> None:
    slot = await set_memory(server.alice, KEY, TEXT, unindexed=True)
    other = await set_memory(server.alice, OTHER, TEXT)
    assert (slot.unindexed, other.unindexed) == (True, False)
    assert await found(server.alice) == [OTHER, OTHER]
    assert (chunks(database, [slot]), chunks(database, [other])) == (0, 1)
    assert await get_slot(server.alice, KEY) == slot
    assert await listed(server.alice) == [OTHER, KEY]
    assert versions_of(await exported(server.alice)) == [slot, other]
    changes = await changes_of(server.alice, from_beginning=True)
    assert [change.written for change in changes if change.HasField("written")] == [slot, other]
    # The chunks of a scope made anew are as many as before.
    await reindex(server.alice)
    assert (chunks(database, [slot]), chunks(database, [other])) == (0, 1)
    assert not broken(database)


async def test_each_version_says_whether_it_is_found(server: Server, database: TestDatabase) -> None:
    await set_memory(server.alice, KEY, TEXT)
    assert await found(server.alice) == [KEY, KEY]
    unindexed = await set_memory(server.alice, KEY, TEXT, unindexed=True)
    assert await found(server.alice) == []
    assert chunks(database, [unindexed]) == 0
    await set_memory(server.alice, KEY, TEXT)
    assert await found(server.alice) == [KEY, KEY]
    answer = await server.alice(service.RestoreSlotRequest(key=KEY, version=2))
    assert (answer.slot.version, answer.slot.unindexed) == (4, True)
    assert await found(server.alice) == []
    assert [each.unindexed for each in await history(server.alice, KEY)] == [True, False, True, False]
    both = [pb.NewSlot(key=key, json_content=TEXT, source=CHAT, unindexed=key == KEY) for key in (KEY, OTHER)]
    results = (await server.alice(service.BatchSetMemoryRequest(slots=both))).results
    assert [each.slot.unindexed for each in results] == [True, False]
    assert await found(server.alice) == [OTHER, OTHER]
    assert not broken(database)


@pytest.mark.parametrize("level", [memory_pb2.SENSITIVITY_INTERNAL, memory_pb2.SENSITIVITY_CONFIDENTIAL])
async def test_forgetting_a_value_finds_unindexed_slots(server: Server, level: memory_pb2.Sensitivity) -> None:
    value = "安娜 lives in the Hafenweg"
    slot = await set_memory(server.alice, KEY, f'{{"said": ["{value}"]}}', unindexed=True, sensitivity=level)
    key_alone = await set_memory(server.alice, f"/c/{value}", "1", unindexed=True)
    await set_memory(server.alice, OTHER, '"bob lives elsewhere"', unindexed=True, sensitivity=level)
    assert (await get_slot(server.alice, KEY)).unindexed
    assert await listed(server.alice) == [f"/c/{value}", OTHER, KEY]
    receipt = (await server.alice(lifecycle.ForgetRequest(value=value))).receipt
    assert set(receipt.records.slot_ids) == {slot.slot_id, key_alone.slot_id}
    assert await listed(server.alice) == [OTHER]
