"""Spooled rows while Postgres is away: the server that spooled them finds them, marked, until they are committed."""

import asyncio
from datetime import timedelta

import grpc
import pytest
from camillo.v1 import admin_pb2 as admin_pb
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.admin_service_pb2 import ListIndexesRequest
from camillo.v1.consistency_pb2 import Freshness
from camillo_server.kernel.kinds import ChunkKind, Sensitivity
from camillo_server.rows.row import NewRow
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.spooled_rows import ALICE, caches, resident, spool, spooled_row
from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS, until
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, record
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110), pytest.mark.caches]

AWAY = pb.DEGRADED_REASON_STORAGE_UNAVAILABLE
EVERYTHING_COMMITTED = Freshness(fully_consistent=True)


@pytest.fixture
def answered_from() -> str:
    return "memory"


@pytest.fixture
async def server(own_database: TestDatabase, start_server: StartServer) -> Server:
    """A server with two memories of Alice, in memory."""
    server = await start_server(on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS})
    await remember(server.alice, "the walrus sleeps")
    await remember(server.alice, "海象喜欢冰")
    answer = await recall(server.alice, "walrus")
    assert answer.answered_by == pb.ANSWERED_BY_CACHE
    return server


def marks(answer: service.RecallResponse) -> dict[str, bool]:
    """The contents of the hits, and whether each is marked."""
    hits = answer.hits
    return {(hit.memory.content or hit.chunk.text): hit.is_spooled for hit in hits}


async def found(server: Server, text: str, **fields: object) -> dict[str, bool]:
    return marks(await recall(server.alice, text, **fields))


async def until_back(server: Server) -> None:
    """Waits until Postgres answers."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await server.alice(service.ListMemoriesRequest())
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
            else:
                return


async def drained(server: Server) -> None:
    """Announces that nothing of Alice's is spooled any more, and waits until the index has heard of it."""
    server.app.kernel.notifier.notify_drained(ALICE)
    await until(lambda: not resident(server).spooled_ids)


def commit(server: Server, row: NewRow) -> service.RememberRequest:
    """The request by which a replay stores this row: a memory of the same id."""
    memory = pb.NewMemory(memory_id=str(row.memory.memory_id), content=row.memory.content)
    return service.RememberRequest(memory=memory)


@pytest.mark.parametrize("content", ["the walrus wakes at noon", "海象中午醒来", "الفظ يستيقظ", "🦭 Größe ändert sich"])
async def test_a_spooled_memory_is_found_by_words_and_by_its_vector_and_marked(
    postgres: EmbeddedPostgres, server: Server, content: str
) -> None:
    before = resident(server).revision
    await asyncio.to_thread(postgres.stop)
    (row,) = await spool(server, content)
    assert row.vector is not None
    by_words = await recall(server.alice, content)
    (hit,) = [each for each in by_words.hits if each.is_spooled]
    assert (hit.memory.content, hit.memory.memory_id) == (content, str(row.memory.memory_id))
    assert hit.breakdown.HasField("lexical")
    assert marks(by_words)["the walrus sleeps"] is False
    vector = pb.Vector(values=row.vector.values.tolist())
    by_vector = await server.alice(service.RecallRequest(vector=vector, limit=1))
    assert marks(by_vector) == {content: True}
    # Its bytes are copied the second time.
    assert marks(await server.alice(service.RecallRequest(vector=vector, limit=1))) == {content: True}
    # No revision holds it.
    assert resident(server).revision == before


async def test_an_event_that_is_spooled_is_found_as_a_chunk_and_marked(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    await record(server.alice, "the ferry leaves at nine")
    sources = [pb.SOURCE_EVENT]
    assert len(await found(server, "ferry", sources=sources)) == 1
    await asyncio.to_thread(postgres.stop)
    row = await spooled_row(server, "渡轮 ferry is late")
    chunk = row.memory._replace(kind=ChunkKind.EVENT_MESSAGE, metadata={"channel": "private"})
    server.app.kernel.notifier.notify_spooled(ALICE, [NewRow(chunk, row.vector)])
    (marked,) = [text for text, mark in (await found(server, "渡轮 ferry", sources=sources)).items() if mark]
    assert marked == "渡轮 ferry is late"
    # Memories alone are searched where nothing else is asked for.
    assert marked not in await found(server, "渡轮 ferry")


async def test_filters_expiry_sensitivity_and_masks_hold_for_what_is_spooled(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    await asyncio.to_thread(postgres.stop)
    soon = server.clock.now() + timedelta(seconds=30)
    rows = [
        await spooled_row(server, "walrus tagged 标签", tags=("海",)),
        await spooled_row(server, "walrus expires", expires_at=soon),
        await spooled_row(server, "walrus writes to ann@example.com", sensitivity=Sensitivity.CONFIDENTIAL),
    ]
    server.app.kernel.notifier.notify_spooled(ALICE, rows)
    assert {text for text, mark in (await found(server, "walrus")).items() if mark} == {
        "walrus tagged 标签",
        "walrus expires",
        "walrus writes to ann@example.com",
    }
    tagged = pb.MemoryFilter(tags_any=["海"])
    assert await found(server, "walrus", filter=tagged) == {"walrus tagged 标签": True}
    masked = await found(server, "walrus", masked=True)
    assert masked["walrus writes to [masked: email]"] is True
    assert "walrus writes to ann@example.com" not in masked
    server.clock.move(60)
    assert "walrus expires" not in await found(server, "walrus")


async def test_nobody_else_finds_what_is_spooled(postgres: EmbeddedPostgres, server: Server) -> None:
    await remember(server.admin, "a walrus of Bob's", agent_id="bob")
    await remember(server.rival, "a walrus of a rival", agent_id="alice")
    others = [(server.admin, "bob"), (server.rival, "alice")]
    for caller, agent_id in others:
        answer = await recall(caller, "walrus", agent_id=agent_id)
        assert answer.answered_by == pb.ANSWERED_BY_CACHE
    await asyncio.to_thread(postgres.stop)
    await spool(server, "walrus, spooled")
    assert (await found(server, "walrus"))["walrus, spooled"]
    for caller, agent_id in others:
        answer = await recall(caller, "walrus", agent_id=agent_id)
        assert len(answer.hits) == 1
        assert not any(marks(answer).values())


async def test_what_is_fully_consistent_holds_nothing_that_is_spooled(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    last = (await recall(server.alice, "walrus")).revision
    await asyncio.to_thread(postgres.stop)
    await spool(server, "walrus, spooled")
    consistent = recall(server.alice, "walrus", freshness=EVERYTHING_COMMITTED)
    assert (await refused(consistent)).reason == "STORAGE_UNAVAILABLE"
    fresh = Freshness(at_least_as_fresh=last)
    answer = await recall(server.alice, "walrus", freshness=fresh)
    assert marks(answer)["walrus, spooled"] is True
    assert answer.revision == last
    await asyncio.to_thread(postgres.start)
    await until_back(server)
    # Recalls of one scope, and of several that are searched together.
    for fields in ({}, {"include_shared": True}, {"sources": [pb.SOURCE_MEMORY, pb.SOURCE_EVENT]}):
        told = await found(server, "walrus", freshness=EVERYTHING_COMMITTED, **fields)
        assert "the walrus sleeps" in told
        assert "walrus, spooled" not in told
    assert (await found(server, "walrus"))["walrus, spooled"] is True


async def test_a_committed_row_takes_the_place_of_the_spooled_one(postgres: EmbeddedPostgres, server: Server) -> None:
    await asyncio.to_thread(postgres.stop)
    stored, _ = await spool(server, "walrus, stored 存", "walrus, failed 败")
    await asyncio.to_thread(postgres.start)
    await until_back(server)
    await server.alice(commit(server, stored))
    told = await recall(server.alice, "walrus")
    assert [hit.memory.content for hit in told.hits].count("walrus, stored 存") == 1
    assert marks(told) == {
        "the walrus sleeps": False,
        "海象喜欢冰": False,
        "walrus, stored 存": False,
        "walrus, failed 败": True,
    }
    await drained(server)
    told = await recall(server.alice, "walrus")
    assert told.answered_by == pb.ANSWERED_BY_CACHE
    assert marks(told) == {"the walrus sleeps": False, "海象喜欢冰": False, "walrus, stored 存": False}
    assert caches(server).failures == 0
    (index,) = (await server.admin(ListIndexesRequest(compare=True))).indexes
    assert index.agreement == admin_pb.AGREEMENT_AGREES


async def test_an_index_that_is_loaded_before_the_drain_shows_what_is_spooled(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    caches(server).drop(ALICE, "a test drops it")
    await asyncio.to_thread(postgres.stop)
    await spool(server, "walrus, spooled")
    assert (await refused(recall(server.alice, "walrus"))).reason == "STORAGE_UNAVAILABLE"
    await asyncio.to_thread(postgres.start)
    await until_back(server)
    answer = await recall(server.alice, "walrus")
    assert answer.answered_by == pb.ANSWERED_BY_CACHE
    assert marks(answer)["walrus, spooled"] is True
    await drained(server)
    assert "walrus, spooled" not in await found(server, "walrus")


async def test_a_spooled_write_of_many_rows_is_shown_whole(postgres: EmbeddedPostgres, server: Server) -> None:
    await asyncio.to_thread(postgres.stop)
    await spool(server, *(f"walrus number {number}" for number in range(100)))
    await until(lambda: len(resident(server).index.spooled_ids) == 100)
    told = await found(server, "walrus number")
    assert sum(told.values()) == 100


async def test_bundles_mark_what_is_spooled(postgres: EmbeddedPostgres, server: Server) -> None:
    asked = {"query_text": "walrus", "session_id": "s"}
    await bundle(server.alice, **asked)
    await asyncio.to_thread(postgres.stop)
    # Records read recently are trusted for a moment, which the clock passes.
    server.clock.move(60)
    before = await bundle(server.alice, **asked)
    await spool(server, "walrus, spooled 存")
    built = await bundle(server.alice, **asked)
    marked = {item.text: item.is_spooled for part in built.sections for item in part.items}
    assert marked["the walrus sleeps"] is False
    assert marked["walrus, spooled 存"] is True
    # Sections read from Postgres alone are as they are without the spool.
    assert list(built.degraded) == list(before.degraded) == [AWAY]
    assert built.revision == before.revision


async def test_what_is_removed_takes_the_spooled_rows_of_its_scope_along(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    await asyncio.to_thread(postgres.stop)
    await spool(server, "walrus, spooled")
    assert (await found(server, "walrus"))["walrus, spooled"] is True
    await asyncio.to_thread(postgres.start)
    await until_back(server)
    server.app.kernel.notifier.notify_removal(ALICE)
    await until(lambda: not resident(server).spooled_ids)
    told = await found(server, "walrus")
    assert told == {"the walrus sleeps": False, "海象喜欢冰": False}
