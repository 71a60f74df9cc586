"""How long memories of each kind last, if nobody says otherwise."""

from datetime import timedelta
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.lifecycle.lifetimes import end
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_import_export import exported, importing
from tests.rpc.memories.test_repeats import TEXT, batch, statement
from tests.server_fixtures import Server, StartServer


@pytest.mark.parametrize(
    ("kind", "days"),
    [
        (pb.MEMORY_KIND_CONVERSATION, 7),
        (pb.MEMORY_KIND_TASK_OUTCOME, 30),
        (pb.MEMORY_KIND_DECISION, 90),
        (pb.MEMORY_KIND_ERROR, 14),
        (pb.MEMORY_KIND_FACT, None),
        (pb.MEMORY_KIND_PREFERENCE, None),
        (pb.MEMORY_KIND_INSTRUCTION, None),
        (pb.MEMORY_KIND_SUMMARY, None),
    ],
)
async def test_each_kind_has_its_lifetime(server: Server, kind: pb.MemoryKind, days: int | None) -> None:
    alone = await remember(server.alice, TEXT, kind=kind)
    (together,) = (await batch(server.alice, statement("another", kind=kind))).results
    for memory in (alone, together.memory):
        assert memory.HasField("expires_at") is (days is not None)
        assert days is None or memory.expires_at.ToDatetime() == end(server.clock.now(), days)
    # An import keeps what it is given.
    await server.alice.send(importing([pb.Memory(content="imported", kind=kind)]))
    imported = next(each for each in await exported(server.alice) if each.content == "imported")
    assert not imported.HasField("expires_at")


async def test_who_says_so_keeps_a_memory_without_end(server: Server) -> None:
    error: dict[str, Any] = {"kind": pb.MEMORY_KIND_ERROR}
    without_end: list[dict[str, Any]] = [{"never_expires": True}, {"pinned": True}, {"tags": ["会议", "pinned"]}]
    for number, fields in enumerate(without_end):
        memory = await remember(server.alice, f"{TEXT} {number}", **error, **fields)
        assert not memory.HasField("expires_at")
    soon = server.clock.now() + timedelta(hours=1)
    given = await remember(server.alice, TEXT, **error, expires_at=soon)
    assert given.expires_at.ToDatetime() == end(soon, 0)
    # Restated without end, it has none; restated again, it keeps that.
    for never_expires in (True, False):
        again = await remember(server.alice, TEXT, never_expires=never_expires, **error)
        assert not again.HasField("expires_at")


async def test_an_operator_sets_lifetimes(start_server: StartServer) -> None:
    days = {"lifetime_days": {"fact": 0.5, "error": None}}
    server = await start_server(lifecycle=days)
    fact = await remember(server.alice, TEXT)
    error = await remember(server.alice, TEXT, kind=pb.MEMORY_KIND_ERROR)
    assert fact.expires_at.ToDatetime() == end(server.clock.now(), 0.5)
    assert not error.HasField("expires_at")


async def test_a_repeated_request_gets_the_first_end(server: Server) -> None:
    request = service.RememberRequest(request_id="once", memory=statement(kind=pb.MEMORY_KIND_ERROR))
    first = await server.alice(request)
    server.clock.move(3_600)
    assert await server.alice(request) == first
