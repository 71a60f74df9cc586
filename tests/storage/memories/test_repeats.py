"""Exact repeats where they are stored: no way past each other for writers, and nothing lost on the way."""

import asyncio
import random
from datetime import timedelta
from typing import Any

import numpy as np
import psycopg
import pytest
from camillo.v1 import admin_pb2, admin_service_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import MINIMIZE_LATENCY, RequestKey
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.search.store.scope_rows import PAGE_ROWS
from numpy.typing import NDArray

from tests import caches
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_import_export import exported, importing
from tests.rpc.search.test_list_indexes import answered_by
from tests.server_fixtures import Server, StartServer
from tests.storage.memories.replicas import (
    ALICE,
    KEYS,
    NOW,
    Replica,
    contents,
    loaded,
    new_row,
    replica,
    unit,
)
from tests.storage.replays import OF_MEMORIES
from tests.storage.search.agreeing_index import compared, deaf, execute

WRITERS, TEXTS = 32, 50
# Every writer waits for every other: the last one takes as long as all of them.
WRITING_SECONDS = 5 * PATIENCE_SECONDS
LATER = NOW + timedelta(days=1)


def rows_of(database: TestDatabase, query: str) -> list[tuple[Any, ...]]:
    options = "-c search_path=camillo,public"
    with psycopg.connect(database.superuser_url, options=options) as superuser:
        return superuser.execute(query.encode()).fetchall()


def text(number: int, writer: int) -> str:
    """A text by its number, spelled otherwise for every other writer."""
    spelled = f"Fact {number} über 茶 \U0001f375 שלום"
    return spelled if writer % 2 else f" {spelled.replace(' ', chr(0x3000))}\n"


async def write_all(server: Server, writer: int) -> None:
    """Writes all texts in an order of its own, by a way of its own, with its name as a tag."""
    numbers = random.Random(writer).sample(range(TEXTS), TEXTS)  # noqa: S311
    tag, alice = f"writer {writer}", server.caller(server.keys.alice, WRITING_SECONDS)
    if writer % 3 == 0:
        for number in numbers:
            await remember(alice, text(number, writer), tags=[tag])
    elif writer % 3 == 1:
        new = [pb.NewMemory(content=text(number, writer), tags=[tag]) for number in numbers]
        for part in (new[:20], new[20:]):
            answer = await alice(service.BatchRememberRequest(memories=part))
            assert all(result.HasField("memory") for result in answer.results)
    else:
        old = [pb.Memory(content=text(number, writer), tags=[tag]) for number in numbers]
        answer = await alice.send(importing(old[:30]) + importing(old[30:]))
        assert (answer.imported + answer.merged, answer.failed) == (TEXTS, 0)


async def test_many_writers_of_the_same_texts_leave_one_memory_of_each(
    start_server: StartServer,
) -> None:
    servers = [await start_server(), await start_server()]
    async with asyncio.timeout(WRITING_SECONDS), asyncio.TaskGroup() as group:
        for writer in range(WRITERS):
            group.create_task(write_all(servers[writer % 2], writer))
    found = await exported(servers[0].alice)
    assert sorted(memory.content.split()[1] for memory in found) == sorted(map(str, range(TEXTS)))
    assert {memory.stated_count for memory in found} == {WRITERS}
    tags = {f"writer {writer}" for writer in range(WRITERS)}
    assert all(set(memory.tags) == tags for memory in found)
    counts = rows_of(servers[0].database, "select memory_count, (select count(*) from memories) from scopes")
    assert counts == [(TEXTS, TEXTS)]
    if not caches.ARE_OFF:
        for server in servers:
            await assert_index_agrees(server)


async def assert_index_agrees(server: Server) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await answered_by(server.alice) != pb.ANSWERED_BY_CACHE:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
    request = admin_service_pb2.ListIndexesRequest(compare=True)
    (index,) = (await server.admin(request)).indexes
    assert (index.memories, index.agreement) == (TEXTS, admin_pb2.AGREEMENT_AGREES)


async def test_the_database_itself_refuses_a_second_row(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember(new_row("tea"))
        copied = (
            "insert into memories select (jsonb_populate_record(memories, jsonb_build_object("
            "'memory_id', gen_random_uuid(){}))).* from memories"
        )
        with pytest.raises(psycopg.errors.UniqueViolation) as refused:
            execute(database, copied.format(""))
        assert refused.value.diag.constraint_name == "memories_fingerprint_key"
        # The control: in another scope it may be said.
        await here.remember(new_row("tea"), Scope(ALICE.tenant_id, AgentId("bob")))
        execute(database, copied.format(", 'fingerprint', null"))


async def test_chunks_repeat_each_other_freely(database: TestDatabase) -> None:
    def chunk() -> NewRow:
        row = new_row("the same passage 同")
        return NewRow(row.memory._replace(kind=ChunkKind.EVENT_MESSAGE), None)

    async with replica(database) as here:
        await here.remember_many([chunk(), chunk(), new_row("the same passage 同")])
        await here.remember_many([new_row("the same passage 同")])
    assert rows_of(database, "select count(*), count(fingerprint) from memories") == [(3, 1)]


async def test_a_bare_repeat_rewrites_no_row(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember(new_row("tea", unit(1.0)))
        before = rows_of(database, "select xmin, ctid, revision from memories")
        written = await here.remember(new_row("tea", unit(0.0, 1.0)))
        assert rows_of(database, "select xmin, ctid, revision from memories") == before
        assert rows_of(database, "select revision from scopes") == [(written.revision,)]
        assert rows_of(database, "select stated_count from memory_access") == [(2,)]
        assert rows_of(database, "select count(*) from memory_history") == [(0,)]


async def test_the_index_in_memory_hears_of_a_merge(database: TestDatabase) -> None:
    async with replica(database) as here, replica(database, heard_through=deaf) as other:
        row = new_row("tea", unit(1.0), tags=["a"])
        await here.remember(row)
        indexes = [await each.warm() for each in (here, other)]
        await here.remember(new_row("tea", unit(0.0, 1.0), tags=["b"]))
        await here.remember_many([new_row("tea", None, tags=["c"])])
        for each, resident in zip((here, other), indexes, strict=True):
            await resident.refresh()
            (memory,) = resident.snapshot.memories(np.flatnonzero(resident.snapshot.live).tolist())
            assert (memory.tags, memory.version) == (("a", "b", "c"), 3)
            assert resident.snapshot.facts.memory_count == 1
            assert await compared(each, resident) is None
            assert (await vector_of(each, row)).tolist() == unit(1.0).values.tolist()


async def vector_of(here: Replica, row: NewRow) -> NDArray[np.float32]:
    reader = MemoryReader(here.database, KEYS)
    found = await reader.vectors(ALICE, [row.memory.memory_id])
    return found[row.memory.memory_id].values


async def test_a_merge_leaves_what_waits_for_a_vector_waiting(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember(new_row("tea", None))
        await here.remember(new_row("tea", unit(1.0), tags=["a"]))
        assert (await here.warm()).snapshot.pending_count == 1
        assert rows_of(database, "select vector_model_id, version from memories") == [("", 2)]


@pytest.mark.parametrize("level", [Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED])
async def test_a_sealed_merge_stays_sealed(database: TestDatabase, level: Sensitivity) -> None:
    async with replica(database) as here:
        for number in range(2):
            await here.remember(new_row("tea 茶", unit(1.0), sensitivity=level, metadata={f"k{number}": "Zebra"}))
        rows = "select m::text from memories m union all select h::text from memory_history h"
        stored = [row for (row,) in rows_of(database, rows)]
        assert len(stored) == 2
        for word in ("Zebra", "茶", "k0"):
            assert not any(word in row for row in stored)
        assert rows_of(database, "select octet_length(fingerprint) from memories") == [(32,)]
        (memory,) = (await loaded(here.reader)).snapshot.memories([0])
        assert (memory.metadata, memory.content) == ({"k0": "Zebra", "k1": "Zebra"}, "tea 茶")


async def test_fingerprints_tell_nothing_across_agents(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        for level in (Sensitivity.PUBLIC, Sensitivity.RESTRICTED):
            for agent_id in ("alice", "bob"):
                scope = Scope(ALICE.tenant_id, AgentId(agent_id))
                await here.remember(new_row("tea", sensitivity=level), scope)
    counts = rows_of(
        database,
        "select sensitivity, count(distinct fingerprint) from memories group by 1 order by 1",
    )
    assert counts == [(int(Sensitivity.PUBLIC), 2), (int(Sensitivity.RESTRICTED), 2)]


async def test_a_batch_of_repeats_makes_one_version(database: TestDatabase) -> None:
    async with replica(database) as here:
        first = new_row("tea", tags=["0"])
        await here.remember(first)
        rows = [new_row("tea", tags=[str(number)]) for number in range(1, 5)]
        stored = await here.writer.remember_many(ALICE, rows, OF_MEMORIES, None, now=LATER)
        assert [stored.merged[place].version for place in range(4)] == [2] * 4
        memory, _ = await MemoryReader(here.database, KEYS).get(
            ALICE, first.memory.memory_id, MINIMIZE_LATENCY, now=NOW
        )
        assert memory == stored.merged[0]
        assert memory
        assert (memory.stated_count, memory.tags) == (5, ("0", "1", "2", "3", "4"))
        assert rows_of(database, "select version, replaced_at from memory_history") == [(1, LATER)]


async def test_no_text_is_kept_with_a_request(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember(new_row("Zebra 斑马"))
        rows = [
            new_row("Zebra 斑马", tags=["Streifen"], metadata={"Schlüssel": "Wert"}),
            new_row("Giraffe"),
        ]
        request = RequestKey("once", bytes(32))
        first = await here.writer.remember_many(ALICE, rows, OF_MEMORIES, request, now=NOW)
        again = await here.writer.remember_many(ALICE, rows, OF_MEMORIES, request, now=LATER)
        assert (again.revision, again.merged) == (first.revision, first.merged)
        assert first.merged[0].tags == ("Streifen",)
    ((facts,),) = rows_of(database, "select facts::text from requests")
    assert str(first.merged[0].memory_id) in facts
    for word in ("Zebra", "斑马", "Streifen", "Schlüssel", "Wert", "Giraffe"):
        assert word not in facts


async def test_turns_of_a_log_that_is_imported_twice_are_there_once(database: TestDatabase) -> None:
    def turns() -> list[NewRow]:
        said: dict[str, Any] = {"kind": MemoryKind.CONVERSATION, "session_id": "сессия"}
        return [new_row("ok", number=number, **said) for number in range(PAGE_ROWS // 10)]

    async with replica(database) as here:
        await here.remember_many(turns())
        await here.remember_many(turns())
        assert contents((await here.warm()).snapshot) == ["ok"] * len(turns())
