"""A recall finds what its best hits are linked with, says so, and does nothing where there are no links."""

from typing import Any

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1.link_service_pb2 import RemoveLinksRequest
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo.v1.recall_pb2 import LINK_MODE_IGNORE

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.links.calls import add, decision, event, memory, new_link, slot
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, decide, record, shown
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, StartServer

MANY = 120


# By words, since vectors that mean nothing find anything.
BY_WORDS = {"embedding_model": "lexical", "embedding_dimensions": 384}


@pytest.fixture
def server_settings() -> dict[str, Any]:
    return {"memory": BY_WORDS}


async def fill(caller: Caller, count: int = MANY) -> None:
    """Memories that have a word of the query each, so that no others are candidates."""
    for number in range(count):
        await remember(caller, f"the harbour of town {number}")


async def hits(caller: Caller, text: str, **fields: Any) -> dict[str, pb.RecallHit]:
    """Hits by their text."""
    answer = await recall(caller, text, limit=20, **fields)
    return {hit.memory.content or hit.chunk.text: hit for hit in answer.hits}


async def linked_pair(caller: Caller) -> tuple[pb.Memory, pb.Memory]:
    """A memory that the query finds, and a linked one that has no word in common with it."""
    found = await remember(caller, "the lighthouse keeper of the harbour is ill")
    hidden = await remember(caller, "灯塔看守人的名字是李雷 👨🏽‍🏭")
    await add(caller, new_link(memory(found.memory_id), memory(hidden.memory_id)))
    return found, hidden


QUERY = "who is the lighthouse keeper"


async def test_what_the_best_hit_is_linked_with_is_found(server: Server) -> None:
    await fill(server.alice)
    found, hidden = await linked_pair(server.alice)
    told = await hits(server.alice, QUERY)
    first, second = next(iter(told.values())), told[hidden.content]
    assert first.memory.memory_id == found.memory_id
    assert second.breakdown.linked == pytest.approx(0.8 * first.score)
    assert second.breakdown.linked_weight > 0
    assert second.breakdown.linked_from == found.memory_id
    assert second.score == pytest.approx(second.breakdown.linked)
    assert first.breakdown.linked_from in ("", hidden.memory_id)
    without = await hits(server.alice, QUERY, link_mode=LINK_MODE_IGNORE)
    assert hidden.content not in without
    assert not any(hit.breakdown.linked for hit in without.values())


async def test_a_bundle_follows_links_unless_told_otherwise(server: Server) -> None:
    await fill(server.alice, 500)
    _, hidden = await linked_pair(server.alice)
    followed = shown(await bundle(server.alice, QUERY))["retrieved_evidence"]
    ignored = shown(await bundle(server.alice, QUERY, link_mode=LINK_MODE_IGNORE))
    assert any(hidden.content in text for text in followed)
    assert ignored["retrieved_evidence"]
    assert not any(hidden.content in text for text in ignored["retrieved_evidence"])


async def test_links_are_followed_from_both_ends_and_one_step_far(server: Server) -> None:
    await fill(server.alice)
    found, hidden = await linked_pair(server.alice)
    back = await remember(server.alice, "rückwärts")
    beyond = await remember(server.alice, "zwei Schritte weit")
    await add(
        server.alice,
        new_link(memory(back.memory_id), memory(found.memory_id)),
        new_link(memory(hidden.memory_id), memory(beyond.memory_id)),
    )
    told = await hits(server.alice, QUERY)
    assert {hidden.content, back.content} <= told.keys()
    assert beyond.content not in told


async def test_a_link_that_is_taken_away_leads_nowhere(server: Server) -> None:
    await fill(server.alice)
    found, hidden = await linked_pair(server.alice)
    assert hidden.content in await hits(server.alice, QUERY)
    link = new_link(memory(found.memory_id), memory(hidden.memory_id))
    await server.alice(RemoveLinksRequest(links=[link]))
    assert hidden.content not in await hits(server.alice, QUERY)
    await add(server.alice, link)
    assert hidden.content in await hits(server.alice, QUERY)
    await server.alice(forget(hidden.memory_id))
    assert hidden.content not in await hits(server.alice, QUERY)


async def test_links_lead_to_nothing_that_the_query_excludes(server: Server) -> None:
    await fill(server.alice)
    found = await remember(server.alice, "the lighthouse keeper of the harbour is ill", tags=["t"])
    ends = {
        "tagged": await remember(server.alice, "tagged", tags=["t"], sensitivity=1),
        "without": await remember(server.alice, "without", sensitivity=1),
        "hush": await remember(server.alice, "hush", tags=["t"], sensitivity=2),
    }
    links = [new_link(memory(found.memory_id), memory(each.memory_id)) for each in ends.values()]
    await add(server.alice, *links)
    assert ends.keys() <= (await hits(server.alice, QUERY)).keys()
    tagged = await hits(server.alice, QUERY, filter=pb.MemoryFilter(tags_any=["t"]))
    assert "tagged" in tagged
    assert "without" not in tagged
    low = pb.MemoryFilter(max_sensitivity=pb.SENSITIVITY_PUBLIC)
    below = await hits(server.alice, QUERY, filter=low)
    assert "without" in below
    assert "hush" not in below


async def test_events_slots_and_decisions_are_found_where_they_are_searched(server: Server) -> None:
    await fill(server.alice)
    found = await remember(server.alice, "the lighthouse keeper of the harbour is ill")
    said = await record(server.alice, "nobody answers there")
    decided = await decide(server.alice, "we send a physician", said.event_id)
    await set_memory(server.alice, "/people/keeper", '"Li Lei"')
    ends = [event(said.event_id), decision(decided.decision_id), slot("/people/keeper")]
    await add(server.alice, *(new_link(memory(found.memory_id), end) for end in ends))
    sources = [pb.SOURCE_MEMORY, pb.SOURCE_EVENT, pb.SOURCE_SLOT, pb.SOURCE_DECISION]
    told = await hits(server.alice, QUERY, sources=sources)
    led_to = {each for each, hit in told.items() if hit.breakdown.linked_from == found.memory_id}
    assert len(led_to) == 3
    assert any("Li Lei" in each for each in led_to)
    memories_alone = await hits(server.alice, QUERY)
    assert not any(hit.breakdown.linked_from for hit in memories_alone.values())


async def test_what_is_not_relevant_is_not_followed(server: Server) -> None:
    await fill(server.alice, 20)
    await linked_pair(server.alice)
    linked = [hit.breakdown.linked for hit in (await hits(server.alice, QUERY)).values()]
    assert any(linked)
    told = await hits(server.alice, "zzz qqq")
    assert told
    assert not any(hit.breakdown.linked for hit in told.values())


async def test_a_stranger_finds_nothing_by_links(server: Server) -> None:
    await fill(server.alice)
    _, hidden = await linked_pair(server.alice)
    await fill(server.rival)
    await remember(server.rival, "the lighthouse keeper of the harbour is ill")
    assert hidden.content in await hits(server.alice, QUERY)
    assert hidden.content not in await hits(server.rival, QUERY)


async def test_both_searches_score_linked_rows_alike(server: Server, start_server: StartServer) -> None:
    other = await start_server(memory=BY_WORDS, retrieval={"cache_bytes": 0})
    await fill(server.alice)
    await linked_pair(server.alice)
    cached, stored = await hits(server.alice, QUERY), await hits(other.alice, QUERY)
    assert [*cached][:2] == [*stored][:2]
    for text, hit in [*cached.items()][:2]:
        both = hit.breakdown, stored[text].breakdown
        for part in ("order_score", "similarity", "linked", "linked_weight"):
            # Vectors in memory have half the precision.
            assert getattr(both[0], part) == pytest.approx(getattr(both[1], part), abs=2e-3)


@pytest.mark.own_server
async def test_a_recall_asks_postgres_for_links_once(server: Server) -> None:
    await fill(server.alice)
    await linked_pair(server.alice)
    request = RecallRequest(text=QUERY)
    before = (await server.alice(request)).answered_by
    with psycopg.connect(server.database.superuser_url) as superuser:
        superuser.execute("alter table camillo.links rename to gone")
        superuser.commit()
        if before == pb.ANSWERED_BY_CACHE:
            assert len((await server.alice(request)).hits) > 1
        superuser.execute("alter table camillo.gone rename to links")
