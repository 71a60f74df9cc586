"""Recalls and recipes that demand trust: memories and slots by how far they are to be trusted."""

import json

import pytest
from camillo.v1 import memory_pb2 as memories
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1.actor_pb2 import TrustLevel

from tests.rpc.memories.calls import remember
from tests.rpc.slots.calls import provenance, set_memory
from tests.server_fixtures import Caller, Server

KINDS = {"web": pb.PROVENANCE_KIND_WEB, "tool": pb.PROVENANCE_KIND_TOOL, "agent": pb.PROVENANCE_KIND_AGENT}
LEVELS = {"web": TrustLevel.TRUST_LEVEL_WEB, "tool": TrustLevel.TRUST_LEVEL_TOOL, "agent": TrustLevel.TRUST_LEVEL_AGENT}
RECIPE = """
name: own
budget: 4000
sections:
  - {name: slots, source: slots, budget: 1000, min_trust: LEVEL}
  - {name: found, source: recall, sources: [slot, memory], budget: 2000, min_trust: LEVEL, min_score: 0}
"""
WORDS = {"unknown", "web", "tool", "agent"}


async def say_everything(caller: Caller) -> None:
    """A slot and a memory of each level; each text ends with the name of its level."""
    await set_memory(caller, "/slot", json.dumps("a slot of 茶 by unknown"))
    for name, kind in KINDS.items():
        content = json.dumps(f"a slot of 茶 by {name}")
        await set_memory(caller, f"/slot/{name}", content, source=provenance(kind))
        await remember(caller, f"a memory of 茶 by {name}", trust_level=LEVELS[name])


def told(texts: list[str]) -> set[str]:
    """The levels that texts end with."""
    return {text.split()[-1] for text in texts}


@pytest.mark.parametrize(
    ("level", "passing"), [("web", {"web", "tool", "agent"}), ("tool", {"tool", "agent"}), ("agent", {"agent"})]
)
async def test_what_is_less_trustworthy_is_left_out(server: Server, level: str, passing: set[str]) -> None:
    await say_everything(server.alice)
    await server.admin(snapshots.PutRecipeRequest(yaml=RECIPE.replace("LEVEL", level)))
    asked = snapshots.BuildBundleRequest(recipe="own", query_text="茶")
    built = (await server.alice(asked)).bundle
    for section in built.sections:
        assert told([item.text for item in section.items]) == passing, section.name
        assert {item.trust_level for item in section.items} == {LEVELS[each] for each in passing}
    demanding = memories.MemoryFilter(min_trust=LEVELS[level])
    for filter_, expected in ((demanding, passing), (memories.MemoryFilter(), WORDS)):
        request = service.RecallRequest(
            text="茶", filter=filter_, limit=20, sources=[memories.SOURCE_SLOT, memories.SOURCE_MEMORY]
        )
        hits = (await server.alice(request)).hits
        assert told([hit.memory.content or hit.chunk.text for hit in hits]) == expected


async def test_a_later_write_from_a_better_source_lifts_trust_and_the_history_tells(server: Server) -> None:
    web, agent = (provenance(KINDS[name]) for name in ("web", "agent"))
    await set_memory(server.alice, "/slot", '"茶"', source=web)
    request = service.RecallRequest(
        text="茶", filter=memories.MemoryFilter(min_trust=LEVELS["agent"]), sources=[memories.SOURCE_SLOT]
    )
    assert not (await server.alice(request)).hits
    slot = await set_memory(server.alice, "/slot", '"茶"', source=agent)
    assert slot.trust_level == LEVELS["agent"]
    assert (await server.alice(request)).hits
