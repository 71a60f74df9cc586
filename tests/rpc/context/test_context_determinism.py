"""Equal requests give equal bytes: asked twice, after a restart, and in front of what changes often."""

import asyncio
from typing import Any

import pytest
from camillo.v1 import memory_pb2
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness
from camillo.v1.context_pb2 import Bundle, Turn
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, decide, open_task, put_view, record, record_all, text_event
from tests.server_fixtures import Server, StartServer


@pytest.fixture
def answered_from() -> str:
    """Postgres and memory round differently."""
    return "memory"


def as_of(server: Server) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(server.clock.now())
    return moment


async def fill(server: Server) -> None:
    await put_view(server.alice, "identity", "You are Alice.")
    await put_view(server.admin, "rules", "Be kind.\n\nНе спеши. 慢慢来。")
    event = await record(server.alice, "the wisteria 紫藤 blooms in May", session_id="old")
    await record_all(server.alice, [text_event(f"wisteria turn {i} 🌸") for i in range(30)])
    for i in range(10):
        await remember(server.alice, f"wisteria likes sun, {i}", pinned=i < 2)
        await decide(server.alice, f"water wisteria number {i} daily", event.event_id)
        await open_task(server.alice, f"prune wisteria number {i}")


async def settle(server: Server) -> None:
    """Waits until every vector is there, and memory answers."""
    sources = [memory_pb2.SOURCE_EVENT, memory_pb2.SOURCE_MEMORY]
    fresh = Freshness(fully_consistent=True)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await recall(server.alice, "x", sources=sources, freshness=fresh)).degraded:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def requests(moment: Timestamp) -> list[Message]:
    asked: dict[str, Any] = {"as_of": moment, "explain": True}
    return [
        service.BuildBundleRequest(query_text="wisteria?", session_id="s", **asked),
        service.BuildBundleRequest(query_text="wisteria?", max_tokens=700, **asked),
        service.BuildBundleRequest(query_text="sun", recipe="run_snapshot", **asked),
        service.BuildSnapshotRequest(trigger_event="the wisteria", **asked),
        service.BuildWorkingMemoryRequest(turns=[Turn(speaker="user", text=f"sun {i}") for i in range(30)], **asked),
    ]


async def answers(server: Server, moment: Timestamp) -> list[bytes]:
    found = []
    for request in requests(moment):
        built: Bundle = (await server.alice(request)).bundle
        assert built.sections
        assert not built.degraded
        found.append(built.SerializeToString(deterministic=True))
    return found


async def test_the_same_requests_give_the_same_bytes_also_after_a_restart(start_server: StartServer) -> None:
    one = await start_server()
    await fill(one)
    await settle(one)
    moment = as_of(one)
    first = await answers(one, moment)
    one.clock.move(7200)
    assert await answers(one, moment) == first
    await one.app.stop()
    other = await start_server()
    await settle(other)
    assert await answers(other, moment) == first
    await record(other.alice, "wisteria anew")
    await settle(other)
    assert await answers(other, moment) != first


async def test_many_at_once_get_the_same_bytes(server: Server) -> None:
    await fill(server)
    await settle(server)
    moment = as_of(server)
    told = await asyncio.gather(*(answers(server, moment) for _ in range(8)))
    assert all(each == told[0] for each in told)


def stable_prefix(built: Bundle) -> str:
    """The prompt up to the first section that changes often."""
    first = next(each for each in built.sections if not each.is_stable)
    return built.prompt[: built.prompt.index(f"## {first.title}\n")]


async def test_what_is_stable_stays_the_same_while_events_are_recorded(server: Server) -> None:
    """A prompt cache hits: the bytes before the evidence are those of the last call."""
    await fill(server)
    asked = {"query_text": "wisteria?", "session_id": "s"}
    first = await bundle(server.alice, **asked)
    prefix = stable_prefix(first)
    assert {each.name for each in first.sections if each.is_stable} >= {"identity", "rules"}
    assert "You are Alice." in prefix
    prompts = {first.prompt}
    for i in range(20):
        server.clock.move(30)
        await record(server.alice, f"wisteria, anew and in other words {i} " + "字 " * i)
        built = await bundle(server.alice, **asked)
        assert built.prompt.startswith(prefix)
        prompts.add(built.prompt)
    assert len(prompts) == 21
    await put_view(server.alice, "identity", "You are Alice, the gardener.")
    assert not (await bundle(server.alice, **asked)).prompt.startswith(prefix)
