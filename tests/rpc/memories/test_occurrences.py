"""A text stated again in another session, on another day or with other metadata is found by each of them."""

from datetime import timedelta
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1.memory_service_pb2 import ForgetMemoriesRequest, MemoryIds, RememberRequest

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import get, listed, recall, remember
from tests.rpc.memories.test_update import update, versions
from tests.rpc.records import record
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Server, refused

TEXT = "The order arrived 订单"
DAY = timedelta(days=1)


async def is_found(server: Server, **conditions: Any) -> tuple[bool, bool]:
    """Whether a recall finds something, and whether a list does."""
    wanted = pb.MemoryFilter(**conditions)
    hits = (await recall(server.alice, "order arrived", filter=wanted)).hits
    return bool(hits), bool(await listed(server.alice, wanted))


@pytest.mark.parametrize("is_recalled_before", [True, False])
async def test_a_repeat_is_found_by_its_own_session_metadata_and_time(server: Server, is_recalled_before: bool) -> None:
    begin = server.clock.now()
    first = await remember(server.alice, TEXT, session_id="a", metadata={"order": 1, "shop": "x"})
    await remember(server.alice, "tea", session_id="c", metadata={"order": 3})
    if is_recalled_before:
        await recall(server.alice, "order")
    server.clock.move(2 * 86_400)
    again = await remember(server.alice, TEXT, session_id="b", metadata={"order": 2})
    assert (again.memory_id, again.stated_count) == (first.memory_id, 2)
    told = [(each.session_id, dict(each.metadata)) for each in again.occurrences]
    assert told == [("a", {"order": 1, "shop": "x"}), ("b", {"order": 2})]
    assert await get(server.alice, first.memory_id) == again
    hit = next(h for h in (await recall(server.alice, "order arrived")).hits if h.memory.content == TEXT)
    assert list(hit.memory.occurrences) == list(again.occurrences)
    found_by: list[dict[str, Any]] = [
        *({"session_id": each} for each in "ab"),
        *({"metadata": {"order": each}} for each in (1, 2)),
        {"metadata": {"order": 1, "shop": "x"}, "session_id": "a"},
        {"occurred_before": begin + DAY},
        {"occurred_from": begin + DAY},
        {"occurred_from": begin, "occurred_before": begin + DAY},
    ]
    for found in found_by:
        assert await is_found(server, **found) == (True, True), found
    missed_by: list[dict[str, Any]] = [
        {"session_id": "d"},
        {"metadata": {"order": 4}},
        {"metadata": {"order": "1"}},
        {"occurred_from": begin + DAY, "occurred_before": begin + DAY * 1.5},
        {"occurred_from": begin + 3 * DAY},
    ]
    for missed in missed_by:
        assert await is_found(server, **missed) == (False, False), missed


@pytest.mark.parametrize("level", [pb.SENSITIVITY_CONFIDENTIAL])
async def test_what_is_encrypted_keeps_them_encrypted_and_is_recalled_by_them(
    server: Server, database: TestDatabase, level: pb.Sensitivity
) -> None:
    for session in ("a", "b"):
        note = {"note": f"in {session} 秘密"}
        await remember(server.alice, TEXT, sensitivity=level, session_id=session, metadata=note)
    for session in ("a", "b"):
        wanted = pb.MemoryFilter(metadata={"note": f"in {session} 秘密"})
        assert (await recall(server.alice, "order arrived", filter=wanted)).hits
    assert "秘密" not in stored_texts(database)


async def test_what_is_stated_in_the_same_way_on_one_day_is_only_counted(server: Server) -> None:
    for _ in range(3):
        stored = await remember(server.alice, TEXT, session_id="a", metadata={"n": 1})
        server.clock.move(60)
    assert (stored.stated_count, stored.version, list(stored.occurrences)) == (3, 1, [])
    once = await remember(server.alice, TEXT, session_id="b", metadata={"n": 1})
    # How it was stated is no part of a version.
    assert (once.stated_count, once.version, len(once.occurrences)) == (4, 1, 2)
    assert len(await versions(server.alice, once.memory_id)) == 1
    assert await is_found(server, session_id="b") == (True, True)


async def test_so_many_are_kept_and_the_others_counted(server: Server) -> None:
    for i in range(70):
        stored = await remember(server.alice, TEXT, session_id=f"s{i}")
    assert (stored.stated_count, stored.omitted_occurrences) == (70, 6)
    kept = [each.session_id for each in stored.occurrences]
    assert kept == ["s0", *(f"s{i}" for i in range(7, 70))]
    for session, is_kept in (("s0", True), ("s3", False), ("s69", True)):
        assert await is_found(server, session_id=session) == (is_kept, is_kept)


async def test_an_update_of_what_they_tell_ends_them_and_another_does_not(server: Server) -> None:
    for session in ("a", "b"):
        stored = await remember(server.alice, TEXT, session_id=session)
    pinned = (await server.alice(update(stored.memory_id, 1, pinned=True))).memory
    assert len(pinned.occurrences) == 2
    moved = (await server.alice(update(stored.memory_id, 2, session_id="c"))).memory
    assert list(moved.occurrences) == []
    assert await is_found(server, session_id="b") == (False, False)
    assert await is_found(server, session_id="c") == (True, True)


async def test_forgetting_reaches_them(server: Server, database: TestDatabase) -> None:
    value = "Hafenweg 12, 海德堡"
    for session in ("a", "b"):
        stored = await remember(server.alice, TEXT, session_id=session, metadata={"to": value})
        value = "Seestraße 99 🏠"
    assert "Hafenweg" in stored_texts(database)
    request = ForgetMemoriesRequest(memory_ids=MemoryIds(ids=[stored.memory_id]))
    await server.alice(request)
    assert "Hafenweg" not in stored_texts(database)
    await record(server.alice, "another")
    told = await refused(server.alice(RememberRequest(memory=pb.NewMemory(content=TEXT))))
    assert told.reason == "VALUE_REJECTED"
