"""Postgres stopped and started: what is written meanwhile is spooled, and stored once Postgres is back, in order and
once."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from camillo.v1 import (
    event_pb2,
    event_service_pb2,
    run_service_pb2,
    slot_pb2,
    slot_service_pb2,
    spool_pb2,
    spool_service_pb2,
)
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_pb2 as runs
from camillo.v1.actor_pb2 import ACTOR_TYPE_AGENT, Actor
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED, DURABILITY_SPOOLED
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]
TEXT = "喜欢深色模式 🌙 والعربية é"


def new(content: str, request_id: str = "") -> service.RememberRequest:
    # As clients do: a connection that breaks under a write without an id leaves it in doubt, and that is UNAVAILABLE.
    return service.RememberRequest(request_id=request_id or content, memory=pb.NewMemory(content=content))


def new_event(text: str) -> event_service_pb2.RecordEventRequest:
    actor = Actor(type=ACTOR_TYPE_AGENT, id="alice")
    event = event_pb2.NewEvent(session_id="s", actor=actor, text=text)
    return event_service_pb2.RecordEventRequest(request_id=f"e {text}", event=event)


def new_slot(value: str) -> slot_service_pb2.SetMemoryRequest:
    source = slot_pb2.SlotSource(text="told")
    return slot_service_pb2.SetMemoryRequest(
        request_id=f"s {value}", key="/likes/color", json_content=f'{{"value": "{value}"}}', source=source
    )


async def until_drained(server: Server) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while server.app.kernel.spooling.spool.waiting_count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.fixture
async def server(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> AsyncIterator[Server]:
    """A server beside a Postgres that the test may stop; it runs again afterwards."""
    database = {"connect_timeout_seconds": CONNECT_SECONDS}
    server = await start_server(on=own_database, database=database)
    # While Postgres is away, only keys are known that have been used.
    for caller in (server.alice, server.admin):
        await caller(WhoAmIRequest())
    yield server
    await asyncio.to_thread(postgres.start)


async def test_writes_are_spooled_and_stored_in_their_order(server: Server, postgres: EmbeddedPostgres) -> None:
    assert (await server.alice(new("before"))).durability == DURABILITY_COMMITTED
    started = await server.alice(run_service_pb2.StartRunRequest(trigger=runs.Trigger(type="mail"), skip_snapshot=True))
    await asyncio.to_thread(postgres.stop)
    spooled = [await server.alice(new(f"{TEXT} {number}")) for number in range(5)]
    event = await server.alice(new_event(TEXT))
    slots = [await server.alice(new_slot(value)) for value in ("red", "蓝")]
    step = runs.RunStep(llm_response=TEXT)
    appended = await server.alice(
        run_service_pb2.AppendRunRequest(request_id="round", run_id=started.run.run_id, steps=[step])
    )
    answers = [*spooled, event, *slots, appended]
    assert {each.durability for each in answers} == {DURABILITY_SPOOLED}
    assert not any(each.HasField("revision") for each in answers)
    assert len({each.spool_id for each in answers}) == len(answers)
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    for answer in spooled:
        request = service.GetMemoryRequest(memory_id=answer.memory.memory_id)
        kept = (await server.alice(request)).memory
        assert kept.content == answer.memory.content
        assert kept.created_at == answer.memory.created_at
    assert sorted(await listed(server.alice)) == sorted(["before", *(each.memory.content for each in spooled)])
    read = await server.alice(event_service_pb2.GetEventRequest(event_id=event.recorded.event_id))
    assert (read.event.stated.text, read.chunk_ids) == (TEXT, event.recorded.chunk_ids)
    slot = (await server.alice(slot_service_pb2.GetSlotRequest(key="/likes/color"))).slot
    assert (slot.version, slot.json_content) == (2, '{"value": "蓝"}')
    rendered = await server.alice(run_service_pb2.RenderRunRequest(run_id=started.run.run_id))
    assert TEXT in rendered.prompt
    left = await server.admin(spool_service_pb2.ListSpooledRequest())
    assert not left.writes


async def test_a_request_that_is_repeated_is_one_write(server: Server, postgres: EmbeddedPostgres) -> None:
    await asyncio.to_thread(postgres.stop)
    first = await server.alice(new(TEXT, "same"))
    again = await server.alice(new(TEXT, "same"))
    assert (first.spool_id, first.memory.memory_id) == (again.spool_id, again.memory.memory_id)
    other = await refused(server.alice(new("other", "same")))
    assert other.reason == "REQUEST_ID_REUSED"
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    after = await server.alice(new(TEXT, "same"))
    assert after.memory.memory_id == first.memory.memory_id
    assert after.durability == DURABILITY_COMMITTED
    assert await listed(server.alice) == [TEXT]


async def test_what_is_spooled_is_found_at_once_and_marked(server: Server, postgres: EmbeddedPostgres) -> None:
    await remember(server.alice, f"{TEXT} warm")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await recall(server.alice, TEXT)).answered_by != 1:
            pass
    await asyncio.to_thread(postgres.stop)
    await server.alice(new(f"{TEXT} spooled"))
    hits = (await recall(server.alice, TEXT)).hits
    assert {hit.memory.content: hit.is_spooled for hit in hits} == {f"{TEXT} warm": False, f"{TEXT} spooled": True}
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    hits = (await recall(server.alice, TEXT)).hits
    assert [hit.is_spooled for hit in hits] == [False, False]


async def test_a_write_that_conflicts_is_kept_with_its_reason(server: Server, postgres: EmbeddedPostgres) -> None:
    await server.alice(new_slot("red"))
    await asyncio.to_thread(postgres.stop)
    late = new_slot("blue")
    late.if_version = 7
    spooled = await server.alice(late)
    waiting = await server.admin(spool_service_pb2.ListSpooledRequest())
    assert [each.spool_id for each in waiting.writes] == [spooled.spool_id]
    assert waiting.writes[0].state == spool_pb2.SPOOL_STATE_WAITING
    assert waiting.degraded == [pb.DEGRADED_REASON_STORAGE_UNAVAILABLE]
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    [failed] = (await server.admin(spool_service_pb2.ListSpooledRequest())).writes
    assert (failed.spool_id, failed.reason) == (spooled.spool_id, "VERSION_CONFLICT")
    assert failed.may_be_retried
    again = spool_service_pb2.RetrySpooledRequest(spool_ids=[spooled.spool_id])
    assert [each.reason for each in (await server.admin(again)).failed] == ["VERSION_CONFLICT"]
    for number in range(2, 8):
        await server.alice(new_slot(str(number)))
    assert (await server.admin(again)).stored == 1
    slot = (await server.alice(slot_service_pb2.GetSlotRequest(key="/likes/color"))).slot
    assert (slot.version, slot.json_content) == (8, '{"value": "blue"}')
    assert not (await server.admin(spool_service_pb2.ListSpooledRequest())).writes
