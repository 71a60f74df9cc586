"""Requests that are repeated while Postgres is away, and the ids that spooled answers name."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from camillo.v1 import event_service_pb2, lifecycle_service_pb2, run_service_pb2, slot_service_pb2, spool_service_pb2
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_pb2 as runs
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED, DURABILITY_SPOOLED
from camillo.v1.forgetting_pb2 import RecordIds
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.test_spool import TEXT, new, new_event, new_slot, until_drained
from tests.patience import CONNECT_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.server_fixtures import Server, StartServer

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]


@pytest.fixture
async def server(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> AsyncIterator[Server]:
    database = {"connect_timeout_seconds": CONNECT_SECONDS}
    server = await start_server(on=own_database, database=database)
    for caller in (server.alice, server.admin):
        await caller(WhoAmIRequest())
    yield server
    await asyncio.to_thread(postgres.start)


def identity(answer: Any) -> Any:
    """The id of the row that an answer describes."""
    for path in ("memory.memory_id", "recorded.event_id", "slot.slot_id", "run.run_id"):
        field, name = path.split(".")
        if field in answer.DESCRIPTOR.fields_by_name:
            return getattr(getattr(answer, field), name)
    raise AssertionError(answer)


def slot(key: str, value: str) -> slot_service_pb2.SetMemoryRequest:
    request = new_slot(value)
    request.key, request.request_id = key, f"{key} {value}"
    return request


async def test_a_committed_request_that_is_repeated_while_postgres_is_away_is_answered_the_same(
    server: Server, postgres: EmbeddedPostgres
) -> None:
    started = await server.alice(run_service_pb2.StartRunRequest(trigger=runs.Trigger(type="mail"), skip_snapshot=True))
    only_once = slot("/only/once", "1")
    only_once.if_version = 0
    requests = [
        new(TEXT),
        new_event(TEXT),
        new_slot("蓝"),
        only_once,
        run_service_pb2.AppendRunRequest(
            request_id="round", run_id=started.run.run_id, steps=[runs.RunStep(llm_response=TEXT)]
        ),
    ]
    committed = [await server.alice(each) for each in requests]
    await asyncio.to_thread(postgres.stop)
    repeated = [await server.alice(each) for each in requests]
    assert [identity(each) for each in repeated] == [identity(each) for each in committed]
    assert {each.durability for each in repeated} == {DURABILITY_COMMITTED}
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    assert not (await server.admin(spool_service_pb2.ListSpooledRequest())).writes


async def test_the_id_of_a_spooled_answer_is_the_id_that_is_stored(server: Server, postgres: EmbeddedPostgres) -> None:
    known = await server.alice(slot("/known/é", "before"))
    await asyncio.to_thread(postgres.stop)
    keys = [f"/new/{number}/蓝" for number in range(12)]
    first = [await server.alice(slot(key, "1")) for key in keys]
    later = [await server.alice(slot(key, "2")) for key in keys]
    again = [await server.alice(slot(key, "1")) for key in keys]
    of_known = await server.alice(slot("/known/é", "after"))
    told = await server.alice(new(TEXT, "told"))
    told_again = await server.alice(new(TEXT, "told again"))
    event = await server.alice(new_event(TEXT))
    assert {each.durability for each in (*first, *later, told, event)} == {DURABILITY_SPOOLED}
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    for key, *answers in zip(keys, first, later, again, strict=True):
        stored = (await server.alice(slot_service_pb2.GetSlotRequest(key=key))).slot
        assert stored.version == 2
        assert {each.slot.slot_id for each in answers} == {stored.slot_id}
    stored = (await server.alice(slot_service_pb2.GetSlotRequest(key="/known/é"))).slot
    assert stored.slot_id == known.slot.slot_id == of_known.slot.slot_id
    assert told.memory.memory_id == told_again.memory.memory_id
    found = await server.alice(service.GetMemoryRequest(memory_id=told.memory.memory_id))
    assert found.memory.stated_count == 2
    read = event_service_pb2.GetEventRequest(event_id=event.recorded.event_id)
    assert (await server.alice(read)).event.stated.text == TEXT


async def test_a_key_that_was_forgotten_has_a_new_id_when_it_is_spooled(
    server: Server, postgres: EmbeddedPostgres
) -> None:
    before = await server.alice(slot("/forgotten", "1"))
    await server.alice(lifecycle_service_pb2.ForgetRequest(records=RecordIds(slot_ids=[before.slot.slot_id])))
    await asyncio.to_thread(postgres.stop)
    spooled = await server.alice(slot("/forgotten", "2"))
    assert spooled.slot.slot_id != before.slot.slot_id
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    stored = (await server.alice(slot_service_pb2.GetSlotRequest(key="/forgotten"))).slot
    assert stored.slot_id == spooled.slot.slot_id


async def test_a_committed_request_is_replayed_to_the_same_row_by_a_server_that_knows_nothing_of_it(
    server: Server, postgres: EmbeddedPostgres
) -> None:
    """The replay finds the row even if it could not be stored any more: no quota left, no citation, or an ended run."""
    started = await server.alice(run_service_pb2.StartRunRequest(trigger=runs.Trigger(type="mail"), skip_snapshot=True))
    cited = await server.alice(new("cited"))
    citing = new_event(TEXT)
    citing.event.refs.append(cited.memory.memory_id)
    round_ = run_service_pb2.AppendRunRequest(
        request_id="round", run_id=started.run.run_id, steps=[runs.RunStep(llm_response=TEXT)]
    )
    requests = [new(TEXT), citing, slot("/蓝", "1"), round_]
    committed = [await server.alice(each) for each in requests]
    await server.alice(run_service_pb2.EndRunRequest(run_id=started.run.run_id))
    await server.alice(service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=[cited.memory.memory_id])))
    # As of another server, or of one that has been restarted.
    server.app.kernel.spooling.answers.on_removal(None)
    await asyncio.to_thread(postgres.stop)
    repeated = [await server.alice(each) for each in requests]
    assert {each.durability for each in repeated} == {DURABILITY_SPOOLED}
    lost = await server.alice(slot("/lost", "1"))
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    assert not (await server.admin(spool_service_pb2.ListSpooledRequest())).writes
    again = await server.alice(new(TEXT))
    assert again.memory.memory_id == committed[0].memory.memory_id
    found = (await server.alice(slot_service_pb2.GetSlotRequest(key="/蓝"))).slot
    assert (found.slot_id, found.version) == (committed[2].slot.slot_id, 1)
    # A write that was not committed before is stored now.
    found = (await server.alice(slot_service_pb2.GetSlotRequest(key="/lost"))).slot
    assert found.slot_id == lost.slot.slot_id
