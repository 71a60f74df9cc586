"""Several slots written at once: in their order, at one revision, all of them or none."""

import asyncio
import datetime
from typing import Any

import psycopg
import pytest
from camillo.v1 import memory_pb2
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service
from google.protobuf.timestamp_pb2 import Timestamp

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall
from tests.rpc.slots.calls import CHAT, get_slot, history, listed, provenance, set_memory, setting
from tests.rpc.slots.watching import exported, versions_of
from tests.secret_samples import samples
from tests.server_fixtures import Caller, Server, refused

STYLE = "/user/preference/style"
SECRET = samples(12)["github-pat"]
COUNTS = """
select s.memory_count, s.chunk_count, s.term_count,
    (select count(*) from camillo.memories m where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id),
    (select coalesce(sum(m.term_count), 0) from camillo.memories m
     where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id)
from camillo.scopes s where s.agent_id = 'alice'
"""


def new(key: str, content: str, **fields: Any) -> pb.NewSlot:
    return pb.NewSlot(key=key, json_content=content, **{"source": CHAT, **fields})


def batch(*slots: pb.NewSlot, **fields: str) -> service.BatchSetMemoryRequest:
    return service.BatchSetMemoryRequest(slots=slots, **fields)


async def set_many(caller: Caller, *slots: pb.NewSlot) -> list[pb.Slot]:
    return [result.slot for result in (await caller(batch(*slots))).results]


def assert_counted(database: TestDatabase, chunks: int) -> None:
    """The scope counts the chunks and terms that it has, and these are all the chunks."""
    with psycopg.connect(database.superuser_url) as connection:
        [(memories, counted, terms, rows, row_terms)] = connection.execute(COUNTS).fetchall()
    assert (memories, counted, terms) == (rows, rows, row_terms)
    assert rows == chunks


async def test_a_batch_is_written_in_order_at_one_revision(server: Server, database: TestDatabase) -> None:
    old = await set_memory(server.alice, STYLE, '"long"')
    slots = [
        new(STYLE, '"short"'),
        new("/kb/茶", '{"text": "הרופא 🍵"}', source=provenance(pb.PROVENANCE_KIND_WEB)),
        new(f"/{STYLE}/", "null"),
        new(STYLE, " [1.0]"),
        new("/gone", "1", sensitivity=memory_pb2.SENSITIVITY_PUBLIC),
        new("/gone", "null"),
    ]
    request = batch(*slots, request_id="once")
    answer = await server.alice(request)
    assert await server.alice(request) == answer
    written = [result.slot for result in answer.results]
    assert [(slot.key, slot.version) for slot in written] == [
        *((STYLE, 2), ("/kb/茶", 1), (STYLE, 3), (STYLE, 4), ("/gone", 1), ("/gone", 2))
    ]
    assert [slot.json_content for slot in written] == [slot.json_content for slot in slots]
    assert len({slot.updated_at.ToNanoseconds() for slot in written}) == 1
    assert await history(server.alice, STYLE) == [written[3], written[2], written[0], old]
    assert await listed(server.alice) == ["/kb/茶", STYLE]
    log = versions_of(await exported(server.alice))
    assert log[0] == old
    assert sorted(map(str, log[1:])) == sorted(map(str, written))
    found = await recall(server.alice, "הרופא", sources=[memory_pb2.SOURCE_SLOT])
    assert [hit.chunk.origin_id for hit in found.hits][:1] == [written[1].slot_id]
    assert_counted(database, 2)


async def test_a_batch_is_written_as_a_whole_or_not_at_all(server: Server) -> None:
    fine = new("/fine", "1")
    refusals = [
        (new("no", "1"), "INVALID_FIELD", ("slots[1].key",)),
        (new("/x", "{"), "INVALID_FIELD", ("slots[1].json_content",)),
        (new(f"/{SECRET}", "1"), "INVALID_FIELD", ("slots[1].key",)),
        (pb.NewSlot(key="/x", json_content="1"), "INVALID_FIELD", ("slots[1].source",)),
        (new("/kb/x", "1"), "PROVENANCE_REQUIRED", ()),
        (new("/x", "1", if_version=1), "VERSION_CONFLICT", ()),
        (new("/fine", "1", if_version=0), "VERSION_CONFLICT", ()),
    ]
    for slot, reason, fields in refusals:
        told = await refused(server.alice(batch(fine, slot)))
        assert (told.reason, told.fields) == (reason, fields)
        assert reason != "VERSION_CONFLICT" or told.metadata["name"] == slot.key
        assert SECRET not in told.message
    assert (await refused(server.alice(batch()))).fields == ("slots",)
    assert (await refused(server.alice(batch(*[fine] * 101)))).fields == ("slots",)
    assert await listed(server.alice) == []
    assert len(await set_many(server.alice, *[fine] * 100)) == 100
    again = new("/fine", "2", if_version=100), new("/fine", "3", if_version=101)
    assert [slot.version for slot in await set_many(server.alice, *again)] == [101, 102]


async def test_secrets_are_taken_out_of_each(server: Server) -> None:
    answer = await server.alice(batch(new("/a", f'"{SECRET}"'), new("/b", '"plain"')))
    first, second = answer.results
    assert [each.field for each in first.redactions] == ["json_content"]
    assert not second.redactions
    assert SECRET not in str(answer)
    assert second.slot.json_content == '"plain"'


@pytest.mark.parametrize("level", [memory_pb2.SENSITIVITY_CONFIDENTIAL, memory_pb2.SENSITIVITY_RESTRICTED])
async def test_a_batch_with_sensitive_content_reads_as_it_was_written(
    server: Server, database: TestDatabase, level: memory_pb2.Sensitivity
) -> None:
    when = Timestamp(seconds=1_700_000_000)
    await set_memory(server.alice, "/a", '"a zither"', sensitivity=level)
    written = await set_many(
        server.alice,
        new("/a", '"a marimba"', sensitivity=level, occurred_at=when),
        new("/b", '{"text": "a xylophone", "trigger_at": "2030-01-01"}', sensitivity=level),
        new("/a", '"a wisteria"'),
        new("/a", '"a kumquat"', sensitivity=level),
    )
    assert [slot.version for slot in written] == [2, 1, 3, 4]
    assert (await history(server.alice, "/a"))[:3] == [written[3], written[2], written[0]]
    assert await get_slot(server.alice, "/b") == written[1]
    # Postgres holds no words of what is encrypted.
    if server.answered_from == "memory":
        found = await recall(server.alice, "kumquat", sources=[memory_pb2.SOURCE_SLOT])
        assert [hit.chunk.origin_id for hit in found.hits][:1] == [written[0].slot_id]
    assert_counted(database, 2)


async def test_writes_that_wait_for_each_other_each_have_their_own_answer(
    server: Server, database: TestDatabase
) -> None:
    """The writes are stored together; one in conflict, and a repeated one, do not spoil it for the others."""
    first = await server.alice(setting("/key", "0", request_id="first"))
    writes = [setting("/key", f"{number}", request_id=f"r{number}") for number in range(1, 30)]
    conflict = setting("/key", "1", if_version=0)
    repeat = setting("/key", "0", request_id="first")
    reused = setting("/key", "7", request_id="first")
    answers = await asyncio.gather(
        *map(server.alice, writes[:10]),
        refused(server.alice(conflict)),
        *map(server.alice, writes[10:20]),
        server.alice(repeat),
        refused(server.alice(reused)),
        *map(server.alice, writes[20:]),
        set_many(server.alice, new("/other", "1"), new("/key", "30"), new("/key", "null")),
    )
    assert answers[10].reason == "VERSION_CONFLICT"
    assert answers[21] == first
    assert answers[22].reason == "REQUEST_ID_REUSED"
    stored = [first, *answers[:10], *answers[11:21], *answers[23:-1]]
    last_two = answers[-1][1:]
    written = sorted([*(each.slot for each in stored), *last_two], key=lambda slot: slot.version)
    assert [slot.version for slot in written] == [*range(1, 33)]
    assert await history(server.alice, "/key") == written[::-1]
    assert len({each.revision.token for each in stored}) == len(stored)
    for request, answer in zip(writes, stored[1:], strict=True):
        assert await server.alice(request) == answer
    assert_counted(database, 2 if written[-1].valid else 1)


async def test_a_slot_tells_when_it_was_first_written(server: Server) -> None:
    first = Timestamp()
    first.FromDatetime(datetime.datetime(2020, 2, 29, 1, 2, 3, 4000, tzinfo=datetime.UTC))
    (told,) = await set_many(server.alice, new("/a", "1", occurred_at=first))
    alone = await set_memory(server.alice, "/b", "1", occurred_at=first)
    plain = await set_memory(server.alice, "/c", "1")
    assert told.occurred_at == alone.occurred_at == first
    assert plain.occurred_at == plain.updated_at
    assert told.updated_at != first
    log = versions_of(await exported(server.alice))
    assert [slot.occurred_at for slot in log] == [first, first, plain.updated_at]
    restored = await server.alice(service.RestoreSlotRequest(key="/a", version=1))
    assert restored.slot.occurred_at == restored.slot.updated_at
