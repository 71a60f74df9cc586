"""Recall in several sources, for several channels, and of what is encrypted at rest."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import grpc
import psycopg
import pytest
from camillo.v1 import channel_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.memory_pb2 import MemoryFilter
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ChunkKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.scope_writes import ScopeWrites

from tests.rpc.memories.calls import get, listed, recall, remember
from tests.server_fixtures import Server, StartServer, refused

ALICE = Scope(TenantId("acme"), AgentId("alice"))
SOURCES = (pb.SOURCE_MEMORY, pb.SOURCE_EVENT, pb.SOURCE_DECISION, pb.SOURCE_WORKFLOW_STEP)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


async def store_chunks(server: Server, kinds: Sequence[ChunkKind], **fields: Any) -> list[str]:
    """A chunk of each kind; returns their ids."""
    now = server.clock.now()
    rows = []
    for number, kind in enumerate(kinds):
        stated = {"metadata": {"channel": "private", "place": number}, **fields}
        draft = MemoryDraft(content=f"walrus chunk {kind.name} 海象", **stated)
        memory = draft.memory(ALICE.agent_id, MemoryId(UUID(int=int(kind))), now)
        rows.append(NewRow(memory._replace(kind=kind, source_refs=("origin",)), None))
    database, notifier = server.app.kernel.database, ChangeNotifier(server.database.server_url)
    writer = MemoryWriter(ScopeWrites(database, notifier), server.app.kernel.keyring)
    await writer.import_rows(ALICE, rows, replace=False, after=None, now=now)
    return [str(row.memory.memory_id) for row in rows]


def found(answer: service.RecallResponse) -> set[str]:
    return {hit.memory.content or hit.chunk.text for hit in answer.hits}


async def recalled(server: Server, **fields: Any) -> service.RecallResponse:
    """Recalls as fresh as Postgres, since the chunks were stored past the service."""
    fresh = {"freshness": {"fully_consistent": True}}
    return await recall(server.alice, "walrus", **{**fresh, **fields})


@pytest.mark.own_server
async def test_a_recall_finds_in_the_sources_that_it_names(server: Server) -> None:
    await remember(server.alice, "walrus memory")
    (chunk_id,) = await store_chunks(server, [ChunkKind.EVENT_MESSAGE])
    assert found(await recalled(server)) == {"walrus memory"}
    (hit,) = (await recalled(server, sources=[pb.SOURCE_EVENT])).hits
    assert hit.WhichOneof("item") == "chunk"
    assert hit.source == hit.chunk.source == pb.SOURCE_EVENT
    assert hit.chunk.chunk_id == chunk_id
    assert hit.chunk.origin_id == "origin"
    assert hit.chunk.channel == channel_pb2.CHANNEL_PRIVATE
    answer = await recalled(server, sources=SOURCES)
    kinds = {hit.source: hit.WhichOneof("item") for hit in answer.hits}
    assert kinds == {pb.SOURCE_MEMORY: "memory", pb.SOURCE_EVENT: "chunk"}


@pytest.mark.own_server
async def test_kinds_of_a_filter_are_those_of_memories(server: Server) -> None:
    await remember(server.alice, "walrus fact")
    await remember(server.alice, "walrus error", kind=pb.MEMORY_KIND_ERROR)
    await store_chunks(server, [ChunkKind.EVENT_MESSAGE])
    wanted = MemoryFilter(kinds=[pb.MEMORY_KIND_ERROR])
    answer = await recalled(server, sources=SOURCES, filter=wanted)
    assert found(answer) == {"walrus error", "walrus chunk EVENT_MESSAGE 海象"}
    assert found(await recalled(server, filter=wanted)) == {"walrus error"}


async def test_a_channel_finds_what_it_may_load(server: Server) -> None:
    levels = {
        "walrus public": pb.SENSITIVITY_PUBLIC,
        "walrus internal": pb.SENSITIVITY_INTERNAL,
        "walrus confidential": pb.SENSITIVITY_CONFIDENTIAL,
        "walrus restricted": pb.SENSITIVITY_RESTRICTED,
    }
    for content, level in levels.items():
        await remember(server.alice, content, sensitivity=level)
    expected = {
        channel_pb2.CHANNEL_PUBLIC: [*levels][:1],
        channel_pb2.CHANNEL_AGENT: [*levels][:2],
        channel_pb2.CHANNEL_TEAM: [*levels][:3],
        channel_pb2.CHANNEL_PRIVATE: [*levels],
        channel_pb2.CHANNEL_UNSPECIFIED: [*levels],
    }
    in_memory = server.answered_from == "memory"
    for channel, contents in expected.items():
        answer = await recalled(server, channel=channel)
        # Without the index in memory, what is sealed is not found, and the answer says so.
        assert found(answer) == set(contents if in_memory else contents[:2])
        told = pb.DEGRADED_REASON_SEALED_NOT_SEARCHED in answer.degraded
        assert told is (not in_memory and len(contents) > 2)


@pytest.mark.own_server
async def test_in_public_preferences_and_decisions_are_left_out(server: Server) -> None:
    public: dict[str, Any] = {"sensitivity": pb.SENSITIVITY_PUBLIC}
    for kind in (pb.MEMORY_KIND_FACT, pb.MEMORY_KIND_PREFERENCE, pb.MEMORY_KIND_DECISION):
        await remember(server.alice, f"walrus {kind}", kind=kind, **public)
    kinds = [ChunkKind.EVENT_MESSAGE, ChunkKind.EVENT_DECISION, ChunkKind.DECISION, ChunkKind.WORKFLOW_STEP]
    await store_chunks(server, kinds, sensitivity=Sensitivity.PUBLIC)
    everything = await recalled(server, sources=SOURCES, channel=channel_pb2.CHANNEL_TEAM)
    assert len(found(everything)) == 7
    answer = await recalled(server, sources=SOURCES, channel=channel_pb2.CHANNEL_PUBLIC)
    assert found(answer) == {
        f"walrus {pb.MEMORY_KIND_FACT}",
        "walrus chunk EVENT_MESSAGE 海象",
        "walrus chunk WORKFLOW_STEP 海象",
    }


@pytest.mark.own_server
async def test_hits_of_all_sources_count_as_accesses_of_memories_alone(server: Server) -> None:
    memory = await remember(server.alice, "walrus memory")
    await store_chunks(server, [ChunkKind.EVENT_MESSAGE])
    assert len((await recalled(server, sources=SOURCES)).hits) == 2
    await server.app.search.access.flush()
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = connection.execute("select memory_id from camillo.memory_access").fetchall()
    assert rows == [(UUID(memory.memory_id),)]


@pytest.mark.own_server
async def test_the_blended_profile_tells_the_priority_of_the_source(server: Server) -> None:
    await remember(server.alice, "walrus memory")
    await store_chunks(server, [ChunkKind.EVENT_MESSAGE, ChunkKind.WORKFLOW_STEP])
    answer = await recalled(server, sources=SOURCES, profile=pb.ScoringProfile(name="blended"), explain=True)
    told = {hit.source: round(hit.breakdown.source_priority, 3) for hit in answer.hits}
    assert told == {pb.SOURCE_MEMORY: 1.0, pb.SOURCE_EVENT: 0.9, pb.SOURCE_WORKFLOW_STEP: 0.6}


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"sources": [pb.SOURCE_UNSPECIFIED]}, "sources"),
        ({"sources": [pb.SOURCE_MEMORY, 99]}, "sources"),
        ({"channel": 99}, "channel"),
    ],
)
async def test_unknown_sources_and_channels_are_refused(server: Server, fields: dict[str, Any], named: str) -> None:
    refusal = await refused(recall(server.alice, "walrus", **fields))
    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.fields == (named,)


@pytest.mark.own_server
async def test_methods_for_memories_do_not_know_the_id_of_a_chunk(server: Server) -> None:
    memory = await remember(server.alice, "walrus memory")
    (chunk_id,) = await store_chunks(server, [ChunkKind.EVENT_MESSAGE])
    assert (await get(server.alice, memory.memory_id)).content == "walrus memory"
    assert (await refused(get(server.alice, chunk_id))).code is grpc.StatusCode.NOT_FOUND
    assert await listed(server.alice) == ["walrus memory"]
    forget = service.ForgetMemoriesRequest(memory_ids={"ids": [chunk_id, memory.memory_id]})
    assert (await server.alice(forget)).forgotten == 1
    assert found(await recalled(server, sources=SOURCES)) == {"walrus chunk EVENT_MESSAGE 海象"}


async def test_a_confidential_memory_is_read_and_recalled_after_a_restart(start_server: StartServer) -> None:
    first = await start_server()
    memory = await remember(first.alice, "walrus 秘密", sensitivity=pb.SENSITIVITY_RESTRICTED, metadata={"k": "ключ"})
    second = await start_server()
    assert (await get(second.alice, memory.memory_id)).content == "walrus 秘密"
    assert await listed(second.alice) == ["walrus 秘密"]
    expected = {"walrus 秘密"} if second.answered_from == "memory" else set()
    assert found(await recalled(second)) == expected
