"""Hits are encoded once and copied from then on: whoever asks, and however, sees what is stored and may be seen now."""

import asyncio
from typing import Any

import pytest
from camillo.v1 import channel_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope

from tests.patience import PATIENCE_SECONDS
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import get, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import record
from tests.server_fixtures import Server, StartServer

pytestmark = pytest.mark.caches

TEXTS = ("walrus tea", "walrus 海象 爱喝茶", "walrus 🦭🫖", "walrus فظ يشرب الشاي")
FRESH = {"fully_consistent": True}
ALICE = Scope(TenantId("acme"), AgentId("alice"))


@pytest.fixture
def answered_from() -> str:
    return "memory"


async def remember_all(server: Server) -> dict[str, pb.Memory]:
    """Memories with every field there is, by content."""
    fields: dict[str, Any] = {
        "tags": ["sea", "чай"],
        "metadata": {"depth": 2.5, "deep": True, "海": "🌊", "nothing": None},
        "session_id": "s1",
        "source_refs": ["log:1"],
        "importance": 0.25,
        "pinned": True,
        "kind": pb.MEMORY_KIND_PREFERENCE,
    }
    return {
        text: await remember(server.alice, text, **(fields if number % 2 else {})) for number, text in enumerate(TEXTS)
    }


def kept_bytes(server: Server) -> int:
    """Bytes that the index of alice keeps for answers."""
    resident = server.app.search.engine.caches.budget.get(ALICE)
    assert resident is not None
    return resident.snapshot.encoded_rows.nbytes


def items(answer: service.RecallResponse) -> dict[str, pb.RecallHit]:
    """The hits without their scores, by their text."""
    found = {}
    for hit in answer.hits:
        hit.ClearField("score")
        hit.ClearField("breakdown")
        found[hit.memory.content or hit.chunk.text] = hit
    return found


def model_of(hit: pb.RecallHit) -> str:
    return hit.memory.vector_model_id or hit.chunk.vector_model_id


@pytest.mark.own_server
async def test_a_copied_hit_is_the_memory_as_other_reads_show_it(server: Server) -> None:
    stored = await remember_all(server)
    first = await recall(server.alice, "walrus", explain=False)
    assert kept_bytes(server)
    again = await recall(server.alice, "walrus", explain=False)
    assert again == first
    assert again.answered_by == pb.ANSWERED_BY_CACHE
    shown = items(again)
    assert shown.keys() == stored.keys()
    for text, memory in stored.items():
        assert shown[text].memory == await get(server.alice, memory.memory_id)
        assert shown[text].source == pb.SOURCE_MEMORY


async def test_memory_and_postgres_show_the_same(start_server: StartServer) -> None:
    warm = await start_server()
    await remember_all(warm)
    await record(warm.alice, "walrus turn 海象", sensitivity=pb.SENSITIVITY_PUBLIC)
    cold = await start_server(retrieval={"cache_bytes": 0})
    asked: dict[str, Any] = {"sources": [pb.SOURCE_MEMORY, pb.SOURCE_EVENT], "freshness": FRESH}
    async with asyncio.timeout(PATIENCE_SECONDS):
        # Events are embedded behind their writes.
        while not all(model_of(hit) for hit in (await recall(warm.alice, "walrus", **asked)).hits):
            pass
    for _ in range(2):
        of_memory = await recall(warm.alice, "walrus", **asked)
        of_postgres = await recall(cold.alice, "walrus", **asked)
        assert of_memory.answered_by != of_postgres.answered_by
        assert items(of_memory) == items(of_postgres)
        assert len(of_memory.hits) == len(TEXTS) + 1


async def test_scores_are_those_of_the_query_and_explained_where_asked(server: Server) -> None:
    await remember_all(server)
    for text in ("walrus", "海象 爱喝茶", "tea") * 2:
        plain = await recall(server.alice, text, explain=False)
        explained = await recall(server.alice, text, explain=True)
        assert [hit.score for hit in plain.hits] == [hit.score for hit in explained.hits]
        assert not any(hit.HasField("breakdown") for hit in plain.hits)
        assert all(hit.HasField("breakdown") for hit in explained.hits)
    best = [(await recall(server.alice, text)).hits[0].memory.content for text in TEXTS]
    assert best == list(TEXTS)


async def test_what_is_masked_for_one_answer_is_whole_in_the_next_and_the_other_way_round(
    server: Server,
) -> None:
    private = "walrus 海象: mail ada@example.com"
    await remember(server.alice, private, sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    event = await record(server.alice, private, sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    assert event.event_id
    sources = [pb.SOURCE_MEMORY, pb.SOURCE_EVENT]
    for _ in range(3):
        for masked in (True, False):
            answer = await recall(server.alice, "walrus", masked=masked, sources=sources)
            texts = [hit.memory.content or hit.chunk.text for hit in answer.hits]
            assert len(texts) == 2
            assert ["ada@example.com" in text for text in texts] == [not masked] * 2
            assert ["[masked: email]" in text for text in texts] == [masked] * 2


async def test_what_a_channel_hides_is_hidden_after_it_was_shown_in_another(server: Server) -> None:
    await remember(server.alice, "walrus for all", sensitivity=pb.SENSITIVITY_PUBLIC)
    await remember(server.alice, "walrus of alice", sensitivity=pb.SENSITIVITY_RESTRICTED)
    for _ in range(2):
        private = await recall(server.alice, "walrus")
        public = await recall(server.alice, "walrus", channel=channel_pb2.CHANNEL_PUBLIC)
        assert items(private).keys() == {"walrus for all", "walrus of alice"}
        assert items(public).keys() == {"walrus for all"}


async def test_agents_and_tenants_have_answers_of_their_own(server: Server) -> None:
    """Every scope has the same words, and each finds its own, in turns."""
    callers = {"alice": server.alice, "bob": server.admin, "r": server.rival}
    stored = {}
    for agent_id, caller in callers.items():
        memory = await remember(caller, f"walrus of {agent_id}", agent_id=agent_id)
        stored[agent_id] = memory.memory_id
    for _ in range(3):
        for agent_id, caller in callers.items():
            (hit,) = (await recall(caller, "walrus", agent_id=agent_id)).hits
            assert hit.memory.memory_id == stored[agent_id]
            assert (hit.memory.agent_id, hit.memory.content) == (agent_id, f"walrus of {agent_id}")
    # An operator sees the row of alice as she does.
    assert items(await recall(server.admin, "walrus", agent_id="alice")) == items(await recall(server.alice, "walrus"))


@pytest.mark.own_server
async def test_after_an_update_and_after_forgetting_nothing_of_before_is_shown(
    server: Server,
) -> None:
    other = await remember(server.alice, "walrus that stays")
    memory = await remember(server.alice, "walrus 海象 old", tags=["old"])
    for number in range(5):
        old = "walrus 海象 old" if not number else f"walrus new {number}"
        assert items(await recall(server.alice, "walrus")).keys() == {old, other.content}
        # Once more, copied.
        assert old in items(await recall(server.alice, "walrus"))
        kept = kept_bytes(server)
        new = f"walrus new {number + 1}"
        await server.alice(update(memory.memory_id, number + 1, content=new))
        shown = items(await recall(server.alice, "walrus"))
        assert shown.keys() == {new, other.content}
        assert shown[new].memory.version == number + 2
        # Bytes for two rows, as before.
        assert kept_bytes(server) < 1.25 * kept
    await server.alice(forget(memory.memory_id))
    assert items(await recall(server.alice, "walrus")).keys() == {other.content}
    again = await recall(server.alice, "walrus")
    assert items(again).keys() == {other.content}
    assert again.answered_by == pb.ANSWERED_BY_CACHE
    assert 0 < kept_bytes(server) < 0.75 * kept


async def test_a_memory_that_became_stale_says_so_where_archived_ones_are_shown(
    server: Server,
) -> None:
    source = await remember(server.alice, "the fee is 40 francs")
    text = "so the walrus pays little"
    derived = await remember(server.alice, text, source_refs=[source.memory_id])
    archived = pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE)
    for is_stale in (False, True):
        for _ in range(2):
            shown = items(await recall(server.alice, "walrus pays", filter=archived))
            assert shown[derived.content].memory.HasField("stale") == is_stale
            plain = items(await recall(server.alice, "walrus pays"))
            assert (derived.content in plain) == (not is_stale)
        await server.alice(update(source.memory_id, 1 + is_stale, content=f"{is_stale} 70 francs"))


@pytest.mark.own_server
async def test_what_is_kept_is_dropped_before_the_index_is(server: Server) -> None:
    await remember_all(server)
    before = await recall(server.alice, "walrus", explain=False)
    caches = server.app.search.engine.caches
    resident = caches.budget.get(ALICE)
    assert resident is not None
    assert kept_bytes(server)
    # Half of it is what one scope may have.
    caches.budget.max_bytes = 2 * (resident.index.nbytes - 1)
    await recall(server.alice, "walrus")
    await caches.check()
    assert kept_bytes(server) == 0
    assert caches.budget.get(ALICE) is resident
    assert await recall(server.alice, "walrus", explain=False) == before
