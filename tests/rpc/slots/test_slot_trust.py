"""Sources that slots have to state, and how far slots, and what cites them, are trusted."""

import grpc
from camillo.v1 import slot_pb2 as pb
from camillo.v1.actor_pb2 import TRUST_LEVEL_AGENT, TRUST_LEVEL_TOOL, TRUST_LEVEL_UNSPECIFIED, TRUST_LEVEL_WEB

from tests.rpc.memories.calls import remember
from tests.rpc.slots.calls import get_slot, history, provenance, set_memory
from tests.server_fixtures import Server, refused


async def test_content_from_outside_tells_where_it_is_from(server: Server) -> None:
    web = provenance(pb.PROVENANCE_KIND_WEB)
    for kind in (pb.PROVENANCE_KIND_WEB, pb.PROVENANCE_KIND_TOOL, pb.PROVENANCE_KIND_FILE):
        source = provenance(kind, locator={}, name="")
        told = await refused(set_memory(server.alice, "/x", "1", source=source))
        assert told.code is grpc.StatusCode.FAILED_PRECONDITION
        assert (told.reason, told.metadata) == ("PROVENANCE_REQUIRED", {"missing": "name,locator"})
        assert told.message.endswith(": name, locator are missing")
        assert (await set_memory(server.alice, "/x", "1", source=provenance(kind))).valid
    told = await refused(set_memory(server.alice, "/kb/iphone", "1"))
    assert told.metadata == {"missing": "kind,name,retrieved_at,locator"}
    told = await refused(set_memory(server.alice, "/x", "1", source=provenance(pb.PROVENANCE_KIND_WEB, name="")))
    assert told.message.endswith(": name is missing")
    slot = await set_memory(server.alice, "/kb/iphone", "1", source=web)
    assert slot.source == web
    assert await get_slot(server.alice, "/kb/iphone") == slot
    assert (await set_memory(server.alice, "/kbase", "1")).valid
    assert not (await set_memory(server.alice, "/kb/iphone", "null")).valid


async def test_trust_follows_the_source(server: Server) -> None:
    expected = {
        pb.PROVENANCE_KIND_WEB: TRUST_LEVEL_WEB,
        pb.PROVENANCE_KIND_TOOL: TRUST_LEVEL_TOOL,
        pb.PROVENANCE_KIND_FILE: TRUST_LEVEL_TOOL,
        pb.PROVENANCE_KIND_SYSTEM: TRUST_LEVEL_TOOL,
        pb.PROVENANCE_KIND_AGENT: TRUST_LEVEL_AGENT,
        # The credential speaks for no person.
        pb.PROVENANCE_KIND_USER: TRUST_LEVEL_AGENT,
    }
    for kind, level in expected.items():
        assert (await set_memory(server.alice, "/x", "1", source=provenance(kind))).trust_level == level
    assert (await set_memory(server.alice, "/x", "1")).trust_level == TRUST_LEVEL_UNSPECIFIED


async def test_the_history_tells_who_lifted_trust_and_when(server: Server) -> None:
    first = await set_memory(server.alice, "/fact", '"Weighs 170 g"')
    server.clock.move(3600)
    web = provenance(pb.PROVENANCE_KIND_WEB)
    second = await set_memory(server.admin, "/fact", '"Weighs 170 g"', source=web, agent_id="alice")
    told = await history(server.alice, "/fact")
    assert told == [second, first]
    assert [each.trust_level for each in told] == [TRUST_LEVEL_WEB, TRUST_LEVEL_UNSPECIFIED]
    assert "" != second.credential != first.credential
    assert second.updated_at.seconds - first.updated_at.seconds == 3600


async def test_a_memory_is_trusted_no_more_than_the_slots_it_cites(server: Server) -> None:
    web, agent = [
        await set_memory(server.alice, f"/{kind}", '"A fact"', source=provenance(kind))
        for kind in (pb.PROVENANCE_KIND_WEB, pb.PROVENANCE_KIND_AGENT)
    ]
    free = await remember(server.alice, "It weighs 170 g", source_refs=[agent.slot_id])
    assert free.trust_level == TRUST_LEVEL_AGENT
    both = await remember(server.alice, "It is light", source_refs=[agent.slot_id, web.slot_id])
    assert both.trust_level == TRUST_LEVEL_WEB
    again = await remember(server.alice, "We send it by air", source_refs=[both.memory_id])
    assert again.trust_level == TRUST_LEVEL_WEB


async def test_what_stands_under_untrusted_has_no_trust(server: Server) -> None:
    agent = provenance(pb.PROVENANCE_KIND_AGENT)
    for key, level in {
        "/untrusted/fact": TRUST_LEVEL_UNSPECIFIED,
        "//untrusted//": TRUST_LEVEL_UNSPECIFIED,
        "/untrustedly": TRUST_LEVEL_AGENT,
        "/kb/untrusted/fact": TRUST_LEVEL_AGENT,
    }.items():
        slot = await set_memory(server.alice, key, '"A fact"', source=agent)
        assert slot.trust_level == level
        cites = await remember(server.alice, f"It is in {key}", source_refs=[slot.slot_id])
        assert cites.trust_level == level
    # Nobody gets around what has to be told.
    web = provenance(pb.PROVENANCE_KIND_WEB, name="")
    told = await refused(set_memory(server.alice, "/untrusted/fact", "1", source=web))
    assert told.reason == "PROVENANCE_REQUIRED"
