"""Times at which memories are true: what recalls find of them now and of any moment."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2

from tests.rpc.memories.calls import get, listed, recall, remember
from tests.rpc.memories.test_import_export import exported, importing
from tests.rpc.memories.test_update import update, versions
from tests.rpc.records import bundle
from tests.server_fixtures import Caller, Server, StartServer, refused

# The same sentence in two forms, so that each is found by every query.
NOW_TRUE, ENDED, TO_COME = "住在 柏林 🏙️", "住在 巴黎 🗼", "住在 罗马 🏛️"
ANY = pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_ANY)
NOT_TRUE = pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_NOT_TRUE)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def found(caller: Caller, wanted: pb.MemoryFilter | None = None, **fields: object) -> set[str]:
    """Contents that a recall finds."""
    answer = await recall(caller, "住在", filter=wanted, **fields)
    return {hit.memory.content for hit in answer.hits}


async def three(server: Server) -> tuple[pb.Memory, pb.Memory, pb.Memory]:
    """Stores a memory that ended yesterday, one that is true since then for a day more, and one that follows."""
    now, day = server.clock.now(), timedelta(days=1)
    return (
        await remember(server.alice, ENDED, valid_from=now - 9 * day, valid_until=now - day),
        await remember(server.alice, NOW_TRUE, valid_from=now - day, valid_until=now + day),
        await remember(server.alice, TO_COME, valid_from=now + day),
    )


async def test_a_recall_finds_what_is_true_and_whatever_its_filter_asks_for(server: Server) -> None:
    await three(server)
    assert await found(server.alice) == {NOW_TRUE}
    assert await found(server.alice, pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_TRUE)) == {NOW_TRUE}
    assert await found(server.alice, ANY) == {ENDED, NOW_TRUE, TO_COME}
    assert await found(server.alice, NOT_TRUE) == {ENDED, TO_COME}


async def test_what_is_true_changes_with_the_clock_and_at_its_very_moment(server: Server) -> None:
    await three(server)
    await remember(server.alice, "住在 always")
    assert await found(server.alice) == {NOW_TRUE, "住在 always"}
    server.clock.move(timedelta(days=1).total_seconds() - 0.001)
    assert await found(server.alice) == {NOW_TRUE, "住在 always"}
    server.clock.move(0.001)
    assert await found(server.alice) == {TO_COME, "住在 always"}


async def test_a_recall_as_of_a_moment_finds_what_was_true_then(server: Server) -> None:
    now, day = server.clock.now(), timedelta(days=1)
    await three(server)
    # A memory that states no beginning is true since it happened.
    await remember(server.alice, "住在 happened", occurred_at=now - 5 * day)
    assert await found(server.alice, as_of=now - 10 * day) == set()
    assert await found(server.alice, as_of=now - 6 * day) == {ENDED}
    assert await found(server.alice, as_of=now - 2 * day) == {ENDED, "住在 happened"}
    assert await found(server.alice, as_of=now - day) == {NOW_TRUE, "住在 happened"}
    assert await found(server.alice, as_of=now + 2 * day) == {TO_COME, "住在 happened"}
    then = now - 6 * day
    assert await found(server.alice, NOT_TRUE, as_of=then) == {NOW_TRUE, TO_COME, "住在 happened"}


async def test_both_searches_score_what_was_true_alike(start_server: StartServer) -> None:
    """The one path has the index, the other has not: the hits of `as_of` have the same scores."""
    first = await start_server()
    await three(first)
    second = await start_server(retrieval={"cache_bytes": 0})
    for fields in ({}, {"as_of": first.clock.now() - timedelta(days=6)}, {"filter": NOT_TRUE}):
        answers = [await recall(each.alice, "住在 巴黎", **fields) for each in (first, second)]
        scores = [[(hit.memory.content, round(hit.score, 4)) for hit in each.hits] for each in answers]
        assert scores[0] == scores[1]
        assert scores[0]


async def test_lists_and_exports_have_everything_unless_told_otherwise(server: Server) -> None:
    await three(server)
    assert set(await listed(server.alice)) == {TO_COME, NOW_TRUE, ENDED}
    assert await listed(server.alice, pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_TRUE)) == [NOW_TRUE]
    assert set(await listed(server.alice, NOT_TRUE)) == {TO_COME, ENDED}
    assert len(await exported(server.alice)) == 3


async def test_an_export_comes_back_with_the_same_times(server: Server) -> None:
    before = [await get(server.alice, each.memory_id) for each in await three(server)]
    out = await exported(server.alice)
    await server.alice(
        service.ForgetMemoriesRequest(
            memory_ids=service.MemoryIds(ids=[each.memory_id for each in out]), allow_restating=True
        )
    )
    assert await listed(server.alice) == []
    await server.alice.send(importing(out))
    after = [await get(server.alice, each.memory_id) for each in before]
    assert [(each.valid_from, each.valid_until) for each in after] == [
        (each.valid_from, each.valid_until) for each in before
    ]
    assert await found(server.alice) == {NOW_TRUE}


async def test_an_update_changes_when_it_is_true_and_history_keeps_what_was(server: Server) -> None:
    kept = await remember(server.alice, NOW_TRUE, pinned=True)
    assert await found(server.alice) == {NOW_TRUE}
    ended = server.clock.now() - timedelta(hours=1)
    await server.alice(update(kept.memory_id, 1, valid_until=ended))
    assert await found(server.alice) == set()
    assert await found(server.alice, ANY) == {NOW_TRUE}
    assert NOW_TRUE not in (await bundle(server.alice, NOW_TRUE)).prompt
    then, first = await versions(server.alice, kept.memory_id)
    assert then.memory.valid_until.ToDatetime(UTC) == ended
    assert not first.memory.HasField("valid_until")
    # A field that is named but empty gets its default: it is true again.
    request = service.UpdateMemoryRequest(memory_id=kept.memory_id, expected_version=2)
    request.update_mask.paths.append("valid_until")
    await server.alice(request)
    assert await found(server.alice) == {NOW_TRUE}
    assert NOW_TRUE in (await bundle(server.alice, NOW_TRUE)).prompt


async def test_an_end_before_the_beginning_is_refused(server: Server) -> None:
    moment = datetime(2029, 1, 1, tzinfo=UTC)
    refusal = await refused(remember(server.alice, "x", valid_from=moment, valid_until=moment))
    assert refusal.fields == ("memory.valid_until",)
    kept = await remember(server.alice, "x", valid_from=moment)
    refusal = await refused(server.alice(update(kept.memory_id, 1, valid_until=moment)))
    assert refusal.fields == ("valid_until",)
    later = moment + timedelta(microseconds=1)
    assert (await server.alice(update(kept.memory_id, 1, valid_until=later))).memory.version == 2


async def test_the_same_statement_of_another_time_is_another_memory(server: Server) -> None:
    first, _, _ = await three(server)
    again = await remember(server.alice, ENDED)
    assert again.memory_id != first.memory_id
    assert await found(server.alice) == {NOW_TRUE, ENDED}
    repeated = await remember(server.alice, ENDED)
    assert (repeated.memory_id, repeated.stated_count) == (again.memory_id, 2)


async def test_encrypted_memories_are_true_for_their_time_as_well(server: Server) -> None:
    now = server.clock.now()
    restricted: dict[str, Any] = {"sensitivity": pb.SENSITIVITY_RESTRICTED}
    await remember(server.alice, "住在 سر", valid_until=now - timedelta(days=1), **restricted)
    kept = await remember(server.alice, "住在 סוד", valid_from=now - timedelta(days=1), **restricted)
    shown = await get(server.alice, kept.memory_id)
    assert shown.valid_from.ToDatetime(UTC) == now - timedelta(days=1)
    assert await listed(server.alice, pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_TRUE)) == ["住在 סוד"]
