"""Every refusal of a forgotten value is listed, with its time, its path and the receipt that blocks it, and counted."""

from typing import Any

import psycopg
import pytest
from camillo.v1 import forgetting_pb2 as pb
from camillo.v1 import memory_pb2 as memory
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1.admin_service_pb2 import CreateAgentRequest
from camillo.v1.event_service_pb2 import BatchRecordEventsRequest
from camillo_server.storage import receipts

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.rpc.records import text_event
from tests.rpc.stating import WAYS, remembered, viewed
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Caller, Server

VALUE = "The user lives at 12 Main Street, Basel"


async def listed(caller: Caller, **fields: Any) -> list[pb.ValueRefusal]:
    """All refusals, page after page."""
    request, found = pb.ListValueRefusalsRequest(**fields), list[pb.ValueRefusal]()
    while True:
        page = await caller(request)
        found += page.refusals
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def forgotten(server: Server) -> str:
    """The receipt of the value, which was remembered and forgotten."""
    stored = await remember(server.alice, VALUE)
    receipt_id: str = (await server.alice(forget(stored.memory_id))).receipt.receipt_id
    return receipt_id


@pytest.mark.own_server
async def test_a_refusal_is_listed_with_its_time_its_path_and_its_receipt(server: Server) -> None:
    receipt_id = await forgotten(server)
    assert await listed(server.reader) == []
    assert await remembered(server.alice, VALUE) is not None
    server.clock.move(60)
    assert await viewed(server.alice, VALUE) is not None
    view, first = await listed(server.reader)
    assert (first.method, first.field) == ("MemoryService.Remember", "memory.content")
    assert (view.method, view.field) == ("SnapshotService.PutView", "view.text")
    assert {each.receipt_id for each in (view, first)} == {receipt_id}
    assert (view.at.ToDatetime() - first.at.ToDatetime()).seconds == 60
    assert await remembered(server.alice, "Something else") is None
    assert len(await listed(server.reader)) == 2
    assert "Main Street" not in stored_texts(server.database)
    counts = server.app.kernel.telemetry.instruments.value_refusals
    assert counts == {"MemoryService.Remember": 1, "SnapshotService.PutView": 1}
    assert await listed(server.admin, agent_id="bob") == []


async def test_every_way_of_writing_leaves_one(server: Server) -> None:
    await server.admin(CreateAgentRequest(agent_id="bob"))
    await forgotten(server)
    for name, way in WAYS.items():
        before = len(await listed(server.alice))
        assert await way(server.alice, VALUE) is not None
        assert len(await listed(server.alice)) > before, name


async def test_items_of_a_batch_are_named_and_pages_follow_each_other(server: Server) -> None:
    await forgotten(server)
    texts = ["one", VALUE, "two", VALUE]
    new = [memory.NewMemory(content=text) for text in texts]
    await server.alice(memories.BatchRememberRequest(memories=new, request_id="once"))
    await server.alice(memories.BatchRememberRequest(memories=new, request_id="once"))
    await server.alice(BatchRecordEventsRequest(events=[text_event("three"), text_event("four", tags=[VALUE])]))
    found = await listed(server.alice, page_size=1)
    assert sorted(each.field for each in found) == [
        "events[1].tags[0]",
        "memories[1].content",
        "memories[3].content",
    ]
    assert found == await listed(server.alice)


@pytest.mark.own_server
async def test_the_newest_are_kept(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MAX_REFUSALS", 3)
    await forgotten(server)
    for _ in range(5):
        server.clock.move(1)
        assert await remembered(server.alice, VALUE) is not None
    found = await listed(server.alice)
    assert len(found) == 3
    assert found[0].at.ToDatetime() == server.clock.now().replace(tzinfo=None)
    with psycopg.connect(server.database.superuser_url) as superuser:
        (count,) = superuser.execute("select count(*) from camillo.value_refusals").fetchone() or ()
    assert count == 3
