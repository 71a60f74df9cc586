"""A tenant's own rules: which content has to tell its source, and what becomes of content that does not."""

import json
from typing import Any

import grpc
import pytest
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service
from camillo.v1.actor_pb2 import TRUST_LEVEL_AGENT, TRUST_LEVEL_UNSPECIFIED

from tests.rpc.slots.calls import get_slot, listed, provenance, set_memory, setting
from tests.server_fixtures import Server, refused

RULES = "/policy/provenance"
AGENT = provenance(pb.PROVENANCE_KIND_AGENT)


async def rule(server: Server, content: Any) -> pb.Slot:
    """Written by an operator, where all agents of the tenant read it."""
    return await set_memory(server.admin, RULES, json.dumps(content), agent_id="@shared")


async def test_a_tenant_names_keys_that_need_a_provenance(server: Server) -> None:
    assert (await set_memory(server.alice, "/事实/茶", "1")).valid
    await rule(server, {"prefixes": ["/事实//", "/facts"]})
    for key in ("/事实/茶", "/facts", "/kb/x"):
        told = await refused(set_memory(server.alice, key, "1"))
        assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "PROVENANCE_REQUIRED")
        assert told.metadata == {"missing": "kind,name,retrieved_at,locator"}
        assert (await set_memory(server.alice, key, "1", source=AGENT)).key == key
    assert (await set_memory(server.alice, "/factsheet", "1")).valid
    told = await refused(server.alice(service.RestoreSlotRequest(key="/事实/茶", version=1)))
    assert told.reason == "PROVENANCE_REQUIRED"
    await server.alice(service.RestoreSlotRequest(key="/事实/茶", version=2))
    # Rules of one tenant are no other's.
    assert (await set_memory(server.rival, "/facts", "1")).valid
    await set_memory(server.admin, RULES, "null", agent_id="@shared")
    assert (await set_memory(server.alice, "/facts", "1")).valid


async def test_content_without_a_provenance_is_set_apart(server: Server) -> None:
    await rule(server, {"without": "set_apart"})
    slot = await set_memory(server.alice, "/kb/茶", '"green"')
    assert (slot.key, slot.version) == ("/untrusted/kb/茶", 1)
    assert slot.trust_level == TRUST_LEVEL_UNSPECIFIED
    assert await listed(server.alice, "/kb") == []
    tool = provenance(pb.PROVENANCE_KIND_TOOL, name="")
    again = await set_memory(server.alice, "/untrusted/kb/茶", '"black"', source=tool)
    assert (again.key, again.version) == ("/untrusted/kb/茶", 2)
    batch = service.BatchSetMemoryRequest()
    for source in (provenance(pb.PROVENANCE_KIND_WEB, locator={}), AGENT):
        batch.slots.add(key="/facts/牙科", json_content="1", source=source)
    results = (await server.alice(batch)).results
    assert [result.slot.key for result in results] == ["/untrusted/facts/牙科", "/facts/牙科"]
    # A later write with all of it stands where it was meant to, and is trusted.
    better = await set_memory(server.alice, "/kb/茶", '"green"', source=AGENT)
    assert (better.key, better.version, better.trust_level) == ("/kb/茶", 1, TRUST_LEVEL_AGENT)
    assert await get_slot(server.alice, "/untrusted/kb/茶") == again
    for key in ("/kb" + "/x" * 31, "/kb/" + "x" * 1_015):
        told = await refused(set_memory(server.alice, key, "1"))
        assert told.fields == ("key",)
        assert "below /untrusted" in told.message
    # A tombstone removes what stands there.
    assert (await set_memory(server.alice, "/kb/茶", "null")).key == "/kb/茶"


@pytest.mark.parametrize(
    "content",
    [
        *([], "refuse", {"prefix": ["/x"]}, {"prefixes": "/x"}, {"prefixes": ["x"]}),
        *({"prefixes": [1]}, {"prefixes": ["/"]}, {"prefixes": ["/a/../b"]}, {"without": "drop"}),
        {"prefixes": ["/x"] * 65},
        {"without": ["refuse"]},
    ],
)
async def test_rules_that_are_none_are_refused(server: Server, content: Any) -> None:
    request = setting(RULES, json.dumps(content), agent_id="@shared")
    told = await refused(server.admin(request))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("json_content",))
    # An agent's own slot of that name is a slot like any other, and rules nothing.
    assert (await set_memory(server.alice, RULES, json.dumps(content))).valid
    told = await refused(set_memory(server.alice, "/kb/x", "1"))
    assert told.reason == "PROVENANCE_REQUIRED"


async def test_no_agent_writes_the_rules_of_its_tenant(server: Server) -> None:
    told = await refused(set_memory(server.alice, RULES, "{}", agent_id="@shared"))
    assert told.code is grpc.StatusCode.PERMISSION_DENIED
    assert (await rule(server, {})).key == RULES
