"""The cases in which somebody asks why an agent remembers badly: what `explain` and the audit trail tell of each."""

import json
from typing import Any

import pytest
from camillo.v1.memory_pb2 import MemoryFilter, ScoringWeights
from camillo_client import AsyncCamillo
from camillo_client.errors import MemoryNotFound

from tests.scenarios.conftest import settled
from tests.server_fixtures import Server

DAY = 86_400.0
REMEMBER, MAINTENANCE = "MemoryService/Remember", "LifecycleService/RunMaintenance"
OF_TALK = MemoryFilter(session_id="talk")
SMALL_TALK = "Thanks, 谢谢 👍"
SAID = "We talked about the wisteria 紫藤 at the harbour wall."
ASKED = "Remember this: the wisteria at the harbour is never cut in spring."


async def trail(operator: AsyncCamillo, memory_id: str) -> list[tuple[str, dict[str, Any]]]:
    """Calls about a memory with their facts, the oldest first."""
    found = [(each.method, json.loads(each.facts)) async for each in operator.audit.list(id=memory_id)]
    return found[::-1]


async def test_an_agent_forgets_a_conversation(server: Server, alice: AsyncCamillo, operator: AsyncCamillo) -> None:
    """Its memories have expired, or were not important enough: the trail has who stored them, and the pass that removed
    them."""
    said = await alice.remember(SAID, kind="conversation", session_id="talk")
    asked = await alice.remember(ASKED, kind="conversation", session_id="talk")
    thanks = await alice.remember(SMALL_TALK, session_id="talk")
    assert (asked.importance, asked.HasField("expires_at")) == (1.0, False)
    assert said.HasField("expires_at")
    assert thanks.importance < 0.2 < said.importance
    found = await settled(lambda: alice.recall("wisteria harbour", filter=OF_TALK))
    assert {hit.memory.memory_id for hit in found.hits} >= {said.memory_id, asked.memory_id}

    server.clock.move(8 * DAY)
    later = await alice.recall("wisteria harbour", filter=OF_TALK, explain=True)
    ids = [hit.memory.memory_id for hit in later.hits]
    assert asked.memory_id in ids
    assert said.memory_id not in ids
    await operator.lifecycle.maintain(agent_id="alice")
    with pytest.raises(MemoryNotFound):
        await alice.memories.get(said.memory_id)
    # Nobody removed it: it has expired, and is kept for those who look. The small talk was archived, as the trail says.
    assert [method for method, _ in await trail(operator, said.memory_id)] == [REMEMBER]
    stored, archived = await trail(operator, thanks.memory_id)
    assert (stored[0], archived[0]) == (REMEMBER, MAINTENANCE)
    assert archived[1]["counts"] == {"archive_unimportant": 1}
    assert (await alice.memories.get(thanks.memory_id)).archived

    server.clock.move(366 * DAY)
    await operator.lifecycle.maintain(agent_id="alice")
    stored, removed = await trail(operator, said.memory_id)
    assert (stored[0], removed[0]) == (REMEMBER, MAINTENANCE)
    assert removed[1]["counts"]["remove_retention"] == 2
    assert "wisteria" not in json.dumps([stored, removed])
    assert (await alice.memories.get(asked.memory_id)).content == ASKED


async def test_an_agent_retrieves_what_is_irrelevant(alice: AsyncCamillo) -> None:
    """The score of a hit is comparable between queries, and its parts say that only words in common or nothing found
    it."""
    for text in (SAID, "The tide tables are kept in the harbour office.", "浮标在七号码头。"):
        await alice.remember(text)
    vague = await settled(lambda: alice.recall("quantum chromodynamics lecture", explain=True))
    assert vague.no_match
    assert all(hit.breakdown.coverage == 0 for hit in vague.hits)
    assert all(not hit.breakdown.HasField("lexical") for hit in vague.hits)
    precise = await alice.recall("tide tables harbour office", explain=True)
    assert not precise.no_match
    best = precise.hits[0]
    assert best.text.startswith("The tide tables")
    assert best.breakdown.coverage > 0.9
    assert best.breakdown.lexical.rank == 1
    # With a threshold nothing irrelevant is left, and what is relevant stays.
    assert not (await alice.recall("quantum chromodynamics lecture", min_score=0.5)).hits
    kept = await alice.recall("tide tables harbour office", min_score=0.5)
    assert kept.hits[0].text == best.text


async def test_an_agent_acts_on_what_is_outdated(server: Server, alice: AsyncCamillo, operator: AsyncCamillo) -> None:
    """Recency says how old a hit is; a larger weight of it puts the newer one first; what was corrected leaves its
    history."""
    old = await alice.remember("The price of a berth at the harbour is 40 crowns a week.")
    server.clock.move(60 * DAY)
    new = await alice.remember("A berth costs 55 crowns now.")
    query = "price of a berth at the harbour a week"
    blended = await settled(lambda: alice.recall(query, profile="blended", explain=True))
    parts = {hit.memory.memory_id: hit.breakdown for hit in blended.hits}
    assert parts[old.memory_id].recency < 0.01 < 0.99 < parts[new.memory_id].recency
    assert parts[old.memory_id].similarity > parts[new.memory_id].similarity
    by_meaning = await alice.recall(query, profile="similarity")
    assert by_meaning.hits[0].memory.memory_id == old.memory_id
    fast = ScoringWeights(similarity=0.3, recency=0.7)
    by_recency = await alice.recall(query, profile=fast)
    assert by_recency.hits[0].memory.memory_id == new.memory_id

    await alice.memories.update(old.memory_id, old.version, content="A berth costs 55 crowns a week.")
    methods = [method for method, _ in await trail(operator, old.memory_id)]
    assert methods == [REMEMBER, "MemoryService/UpdateMemory"]
    history = [each.memory.content async for each in alice.memories.history(old.memory_id)]
    assert history[-1].startswith("The price of a berth")
