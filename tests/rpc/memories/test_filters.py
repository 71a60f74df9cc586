"""Each condition of a filter lets through what it should and nothing else, in recall, list, export and forget."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.actor_pb2 import TrustLevel

from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server
from tests.unit.identity.moving_clock import MovingClock

START = MovingClock().now()
HOUR = timedelta(hours=1)

# A filter, what of a memory it lets through, what it does not.
CONDITIONS: Mapping[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "any of some tags": ({"tags_any": ["a", "x"]}, {"tags": ["a", "b"]}, {"tags": ["b"]}),
    "all of some tags": ({"tags_all": ["a", "b"]}, {"tags": ["b", "c", "a"]}, {"tags": ["a"]}),
    "a kind": (
        {"kinds": [pb.MEMORY_KIND_ERROR, pb.MEMORY_KIND_SUMMARY]},
        {"kind": pb.MEMORY_KIND_ERROR},
        {"kind": pb.MEMORY_KIND_FACT},
    ),
    "a session": ({"session_id": "s1"}, {"session_id": "s1"}, {"session_id": "s11"}),
    "from a moment on": (
        {"occurred_from": START},
        {"occurred_at": START},
        {"occurred_at": START - timedelta(microseconds=1)},
    ),
    "before a moment": (
        {"occurred_before": START},
        {"occurred_at": START - timedelta(microseconds=1)},
        {"occurred_at": START},
    ),
    "a least importance": ({"min_importance": 0.7}, {"importance": 0.7}, {"importance": 0.699}),
    "a least trust": ({"min_trust": TrustLevel.TRUST_LEVEL_AGENT}, {}, {"trust_level": TrustLevel.TRUST_LEVEL_TOOL}),
    "a most sensitivity": (
        {"max_sensitivity": pb.SENSITIVITY_INTERNAL},
        {"sensitivity": pb.SENSITIVITY_PUBLIC},
        {"sensitivity": pb.SENSITIVITY_CONFIDENTIAL},
    ),
    "a text in the metadata": (
        {"metadata": {"lang": "de"}},
        {"metadata": {"lang": "de", "more": 1}},
        {"metadata": {"lang": "en"}},
    ),
    "a number in the metadata": ({"metadata": {"n": 0.1}}, {"metadata": {"n": 0.1}}, {"metadata": {"n": 1}}),
    "a truth in the metadata": ({"metadata": {"ok": True}}, {"metadata": {"ok": True}}, {"metadata": {"ok": 1}}),
    "a null in the metadata": ({"metadata": {"gone": None}}, {"metadata": {"gone": None}}, {"metadata": {}}),
    "several conditions at once": (
        {"tags_any": ["a"], "session_id": "s1", "min_importance": 0.5},
        {"tags": ["a"], "session_id": "s1"},
        {"tags": ["a"], "session_id": "s1", "importance": 0.4},
    ),
}


@pytest.mark.parametrize("name", CONDITIONS)
async def test_a_condition_lets_through_what_it_says(server: Server, name: str) -> None:
    condition, passing, failing = CONDITIONS[name]
    await remember(server.alice, "kiwi in", **passing)
    await remember(server.alice, "kiwi out", **failing)
    assert len(await listed(server.alice)) == 2
    wanted = pb.MemoryFilter(**condition)

    hits = (await recall(server.alice, "kiwi", filter=wanted)).hits
    assert [hit.memory.content for hit in hits] == ["kiwi in"]
    assert hits[0].breakdown.HasField("lexical")
    assert hits[0].breakdown.HasField("dense")
    assert await listed(server.alice, wanted) == ["kiwi in"]
    parts = server.alice.begin(service.ExportMemoriesRequest(filter=wanted))
    assert [m.content async for part in parts for m in part.memories] == ["kiwi in"]

    forgotten = await server.alice(service.ForgetMemoriesRequest(filter=wanted))
    assert forgotten.forgotten == 1
    assert await listed(server.alice) == ["kiwi out"]


@pytest.mark.parametrize(
    ("archived", "expected"),
    [
        (pb.ARCHIVED_FILTER_UNSPECIFIED, ["current"]),
        (pb.ARCHIVED_FILTER_EXCLUDE, ["current"]),
        (pb.ARCHIVED_FILTER_ONLY, ["archived"]),
        (pb.ARCHIVED_FILTER_INCLUDE, ["archived", "current"]),
    ],
)
async def test_archived_memories_pass_where_they_are_asked_for(
    server: Server, archived: pb.ArchivedFilter, expected: list[str]
) -> None:
    await remember(server.alice, "current")
    memory = await remember(server.alice, "archived")
    update = service.UpdateMemoryRequest(
        memory_id=memory.memory_id, expected_version=1, memory=pb.Memory(archived=True)
    )
    update.update_mask.paths.append("archived")
    await server.alice(update)
    wanted = pb.MemoryFilter(archived=archived)
    hits = (await recall(server.alice, "archived current", filter=wanted)).hits
    assert sorted(hit.memory.content for hit in hits) == expected
    assert sorted(await listed(server.alice, wanted)) == expected


async def test_a_filter_never_costs_neighbours(server: Server) -> None:
    """A filter applied after a bounded search would leave nothing of the few that pass."""
    memories = [pb.NewMemory(content=f"melon {i}", tags=["many"]) for i in range(600)]
    await server.alice(service.BatchRememberRequest(memories=memories))
    await remember(server.alice, "something with a melon among many more words", tags=["few"])
    hits = (await recall(server.alice, "melon", filter=pb.MemoryFilter(tags_any=["few"]))).hits
    assert len(hits) == 1
    assert hits[0].breakdown.HasField("lexical")
    assert hits[0].breakdown.HasField("dense")


async def test_an_expired_memory_passes_no_filter(server: Server) -> None:
    await remember(server.alice, "lime", expires_at=server.clock.now() + HOUR)
    everything = pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE)
    assert await listed(server.alice, everything) == ["lime"]
    server.clock.move(3600)
    assert await listed(server.alice, everything) == []
    parts = server.alice.begin(service.ExportMemoriesRequest(filter=everything))
    assert [part async for part in parts] == []
