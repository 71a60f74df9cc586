"""A recall over an agent's own scope and the tenant's documents follows links from the one into the other, in both
directions."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import recall_pb2
from camillo.v1.knowledge_service_pb2 import DeleteDocumentRequest
from camillo.v1.link_pb2 import LinkEnd
from camillo_server.kernel.kinds import ChunkKind

from tests.rpc.knowledge.calls import publish
from tests.rpc.links.calls import add, document, memory, new_link
from tests.rpc.links.test_linked_documents import key
from tests.rpc.links.test_linked_recall import BY_WORDS, MANY, QUERY, fill, hits
from tests.rpc.memories.calls import remember
from tests.rpc.search.scope_rows import SHARED, Row, store
from tests.server_fixtures import Caller, Server, StartServer

KEEPER = "the lighthouse keeper of the harbour is ill"
RULES = "# 規程\n\n燈塔看守人は病気の時、代理を呼ぶ 🏥。\n"
NOTE = "أحمد يعرف الطبيب"
BOTH: dict[str, Any] = {"sources": [pb.SOURCE_MEMORY, pb.SOURCE_DOCUMENT]}


@pytest.fixture
async def here(start_server: StartServer) -> Server:
    server = await start_server(memory=BY_WORDS)
    await fill(server.alice)
    # Passages that have a word of the query each, so that no others are candidates.
    rows = [Row(f"the harbour of port {number}", ChunkKind.PASSAGE) for number in range(MANY)]
    await store(server, SHARED, rows)
    return server


async def rules(server: Server, text: str = RULES, **fields: Any) -> LinkEnd:
    published = await publish(server.admin, "rules.md", text, **fields)
    return document(published.document.document_id)


async def linked_rules(server: Server, caller: Caller, **fields: Any) -> tuple[str, LinkEnd]:
    """The id of an agent's memory that the query finds, and the document that it leads to."""
    found = (await remember(caller, KEEPER, **fields)).memory_id
    end = await rules(server)
    await add(caller, new_link(memory(found), end))
    return found, end


def is_any_linked(told: dict[str, Any]) -> bool:
    return any(hit.breakdown.linked for hit in told.values())


def passage_of(told: dict[str, Any]) -> Any:
    return next((hit for text, hit in told.items() if "代理" in text), None)


async def test_a_memory_leads_to_the_document_that_it_is_about(here: Server) -> None:
    found, _ = await linked_rules(here, here.alice)
    told = await hits(here.alice, QUERY, **BOTH)
    passage, source = passage_of(told), next(iter(told.values()))
    assert source.memory.memory_id == found
    assert passage.breakdown.linked_from == found
    assert passage.breakdown.linked == pytest.approx(0.8 * source.score)
    assert passage.breakdown.linked_weight > 0
    ignored = await hits(here.alice, QUERY, link_mode=recall_pb2.LINK_MODE_IGNORE, **BOTH)
    assert passage_of(ignored) is None
    for alone in BOTH["sources"]:
        # Only where both are searched.
        assert not is_any_linked(await hits(here.alice, QUERY, sources=[alone]))


async def test_a_document_leads_to_the_memory_that_is_about_it(here: Server) -> None:
    end = await rules(here, f"# Rules\n\nWhat to do when {KEEPER}.\n")
    note = (await remember(here.alice, NOTE)).memory_id
    await add(here.alice, new_link(memory(note), end))
    told = await hits(here.alice, QUERY, **BOTH)
    first = next(iter(told.values()))
    assert first.chunk.citation.name == "rules.md"
    assert told[NOTE].breakdown.linked == pytest.approx(0.8 * first.score)
    assert told[NOTE].breakdown.linked_from
    assert not is_any_linked(await hits(here.alice, QUERY))


async def test_both_scopes_follow_their_own_links_as_well_one_step_far(here: Server) -> None:
    found, end = await linked_rules(here, here.alice)
    beside = (await remember(here.alice, NOTE)).memory_id
    beyond = (await remember(here.alice, "דרך המסמך")).memory_id
    other = document((await publish(here.admin, "zwei.md", "Zweiter Schritt\n")).document.document_id)
    await add(here.alice, new_link(memory(beside), memory(found)), new_link(memory(beyond), end))
    await add(here.admin, new_link(end, other), agent_id="@shared")
    told = await hits(here.alice, QUERY, **BOTH)
    assert passage_of(told).breakdown.linked_from == found
    assert told[NOTE].breakdown.linked_from == found
    # Memories that the document is linked with are two steps away, in either scope.
    assert "דרך המסמך" not in told
    assert not any("Zweiter" in text for text in told)


async def test_nobody_finds_a_document_by_the_links_of_another_agent(here: Server) -> None:
    await linked_rules(here, here.alice)
    for caller, fields in ((here.admin, {"agent_id": "bob"}), (here.rival, {"agent_id": "alice"})):
        await remember(caller, KEEPER, **fields)
        told = await hits(caller, QUERY, **fields, **BOTH)
        assert KEEPER in told
        assert not is_any_linked(told)
    assert passage_of(await hits(here.alice, QUERY, **BOTH)).breakdown.linked


async def test_a_document_that_is_gone_or_hidden_is_not_led_to(here: Server) -> None:
    _, end = await linked_rules(here, here.alice, sensitivity=pb.SENSITIVITY_PUBLIC)
    assert passage_of(await hits(here.alice, QUERY, **BOTH)) is not None
    assert passage_of(await hits(here.alice, QUERY, channel=1, **BOTH)) is None
    await here.admin(DeleteDocumentRequest(document_id=end.id))
    told = await hits(here.alice, QUERY, **BOTH)
    assert KEEPER in told
    assert passage_of(told) is None


async def test_links_lead_to_no_document_that_the_credential_does_not_read(here: Server) -> None:
    found = memory((await remember(here.alice, KEEPER)).memory_id)
    await add(here.alice, new_link(found, await rules(here, categories=["policy"])))
    for category, is_found in (("policy", True), ("finance", False)):
        told = await hits(await key(here, category), QUERY, **BOTH)
        assert KEEPER in told
        assert (passage_of(told) is not None) == is_found


async def test_a_query_that_names_a_time_follows_links_across_scopes(here: Server) -> None:
    found, _ = await linked_rules(here, here.alice)
    told = await hits(here.alice, f"{QUERY} today", **BOTH)
    assert passage_of(told).breakdown.linked_from == found


async def test_both_searches_score_what_is_linked_across_scopes_alike(here: Server, start_server: StartServer) -> None:
    other = await start_server(memory=BY_WORDS, retrieval={"cache_bytes": 0})
    await linked_rules(here, here.alice)
    everything = {"sources": [*BOTH["sources"], pb.SOURCE_EVENT, pb.SOURCE_SLOT, pb.SOURCE_AUDIT]}
    cached = await hits(here.alice, QUERY, include_shared=True, **everything)
    stored = await hits(other.alice, QUERY, include_shared=True, **everything)
    pairs = [(passage_of(cached), passage_of(stored)), (cached[KEEPER], stored[KEEPER])]
    for one, two in pairs:
        for part in ("order_score", "similarity", "linked", "linked_weight"):
            # Vectors in memory have half the precision.
            both = getattr(one.breakdown, part), getattr(two.breakdown, part)
            assert both[0] == pytest.approx(both[1], abs=2e-3)
