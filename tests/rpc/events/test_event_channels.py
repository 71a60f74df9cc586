"""Who may be shown which events: channels, agents, tenants, roles."""

from typing import Any

import grpc
import pytest
from camillo.v1 import actor_pb2, memory_pb2
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import event_service_pb2 as service

from tests.rpc.records import get_event, recalled, record, texts
from tests.server_fixtures import Server, refused


@pytest.fixture
def answered_from() -> str:
    """Memory alone, since Postgres does not find what is encrypted at rest."""
    return "memory"


LEVELS = [memory_pb2.SENSITIVITY_PUBLIC + i for i in range(4)]


@pytest.mark.parametrize(
    ("channel", "most"),
    [
        (channels.CHANNEL_PUBLIC, 1),
        (channels.CHANNEL_PRIVATE, 4),
        (channels.CHANNEL_TEAM, 3),
        (channels.CHANNEL_AGENT, 2),
    ],
)
@pytest.mark.caches
async def test_each_channel_loads_its_levels(server: Server, channel: channels.Channel, most: int) -> None:
    ids = [(await record(server.alice, f"needle {level}", sensitivity=level)).event_id for level in LEVELS]
    expected = [f"needle {level}" for level in LEVELS[:most]]
    assert await texts(server.alice, channel=channel) == expected
    assert len(await recalled(server.alice, "needle", channel=channel)) == most
    for event_id in ids[:most]:
        await get_event(server.alice, event_id, channel=channel)
    for event_id in ids[most:]:
        told = await refused(get_event(server.alice, event_id, channel=channel))
        assert (told.reason, told.metadata) == ("EVENT_NOT_FOUND", {"event_id": event_id})


async def test_decisions_told_elsewhere_than_in_public_are_not_loaded_there(server: Server) -> None:
    told: dict[str, Any] = {"sensitivity": memory_pb2.SENSITIVITY_PUBLIC, "kind": actor_pb2.EVENT_KIND_DECISION}
    private = await record(server.alice, "private", **told)
    await record(server.alice, "public", channel=channels.CHANNEL_PUBLIC, **told)
    assert await texts(server.alice) == ["private", "public"]
    assert await texts(server.alice, channel=channels.CHANNEL_PUBLIC) == ["public"]
    hidden = get_event(server.alice, private.event_id, channel=channels.CHANNEL_PUBLIC)
    assert (await refused(hidden)).reason == "EVENT_NOT_FOUND"
    await get_event(server.alice, private.event_id)


async def test_nobody_reads_another_agents_events(server: Server) -> None:
    mine = await record(server.alice, "needle mine")
    bobs = await record(server.admin, "needle bob's", agent_id="bob")
    await record(server.rival, "needle theirs", agent_id="alice")
    assert await texts(server.alice) == ["needle mine"]
    assert len(await recalled(server.alice, "needle")) == 1
    assert (await refused(get_event(server.alice, bobs.event_id))).reason == "EVENT_NOT_FOUND"
    assert (await get_event(server.alice, mine.event_id)).stated.text == "needle mine"
    assert await texts(server.admin, agent_id="bob") == ["needle bob's"]
    assert (await refused(texts(server.alice, agent_id="bob"))).reason == "SCOPE_FORBIDDEN"


async def test_a_reader_records_nothing(server: Server) -> None:
    told = await refused(record(server.reader, "no"))
    assert (told.code, told.metadata) == (grpc.StatusCode.PERMISSION_DENIED, {"required_role": "WRITER"})
    assert (await refused(server.reader(service.RebuildChunksRequest()))).reason == "SCOPE_FORBIDDEN"
    assert await texts(server.reader) == []
