"""UpdateMemory and ListMemoryRevisions: a new version, and the ones before it."""

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.memories.calls import UNKNOWN_ID, found_by_words, get, recall, remember
from tests.server_fixtures import Caller, Server, refused

MOMENT = datetime(2029, 5, 4, 3, 2, 1, 500, tzinfo=UTC)


def update(memory_id: str, version: int, **values: Any) -> service.UpdateMemoryRequest:
    """An update of the fields given."""
    request = service.UpdateMemoryRequest(memory_id=memory_id, expected_version=version, memory=pb.Memory(**values))
    request.update_mask.paths.extend(values)
    return request


async def versions(caller: Caller, memory_id: str, **paging: Any) -> list[pb.MemoryRevision]:
    request = service.ListMemoryRevisionsRequest(memory_id=memory_id, **paging)
    return list((await caller(request)).revisions)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", "after"),
        ("kind", pb.MEMORY_KIND_ERROR),
        ("session_id", "s2"),
        ("occurred_at", MOMENT),
        ("tags", ["x", "y"]),
        ("sensitivity", pb.SENSITIVITY_RESTRICTED),
        ("importance", 0.25),
        ("metadata", {"a": 1.0}),
        ("expires_at", datetime(2100, 1, 1, tzinfo=UTC)),
        ("pinned", True),
        ("archived", True),
        ("source_refs", ["r"]),
    ],
)
async def test_the_field_that_is_named_changes_and_no_other(server: Server, field: str, value: Any) -> None:
    before = await remember(server.alice, "before", tags=["t"], metadata={"k": "v"}, pinned=False)
    server.clock.move(60)
    request = update(before.memory_id, 1, **{field: value})
    request.memory.session_id = request.memory.session_id or "not named in the mask"
    after = (await server.alice(request)).memory
    expected = pb.Memory()
    expected.CopyFrom(before)
    expected.ClearField(field)
    expected.MergeFrom(pb.Memory(**{field: value}))
    expected.version = 2
    expected.updated_at.FromDatetime(server.clock.now())
    assert after == expected
    assert after == await get(server.alice, before.memory_id)


async def test_a_field_that_is_named_but_empty_gets_its_default(server: Server) -> None:
    before = await remember(
        server.alice,
        "x",
        kind=pb.MEMORY_KIND_ERROR,
        importance=0.9,
        tags=["t"],
        sensitivity=pb.SENSITIVITY_PUBLIC,
        expires_at=datetime(2100, 1, 1, tzinfo=UTC),
    )
    request = service.UpdateMemoryRequest(memory_id=before.memory_id, expected_version=1)
    request.update_mask.paths.extend(["kind", "importance", "tags", "sensitivity", "expires_at"])
    after = (await server.alice(request)).memory
    assert after.kind == pb.MEMORY_KIND_FACT
    assert after.importance == 0.5
    assert not after.tags
    assert after.sensitivity == pb.SENSITIVITY_INTERNAL
    assert not after.HasField("expires_at")


async def test_new_content_is_found_and_the_old_is_not(server: Server) -> None:
    stored = await remember(server.alice, "the old walrus")
    assert await found_by_words(server.alice, "walrus") == {"the old walrus"}
    await server.alice(update(stored.memory_id, 1, content="a new pelican"))
    assert await found_by_words(server.alice, "pelican") == {"a new pelican"}
    assert await found_by_words(server.alice, "walrus") == set()
    hits = (await recall(server.alice, "a new pelican")).hits
    assert hits[0].breakdown.dense.raw == pytest.approx(1.0, abs=1e-3)


async def test_a_vector_of_the_caller_takes_the_place_of_the_old_one(server: Server) -> None:
    stored = await remember(server.alice, "x")
    vector = pb.Vector(model_id="mine", values=[0.0, 2.0])
    await server.alice(update(stored.memory_id, 1, vector=vector))
    found = await get(server.alice, stored.memory_id, include_vector=True)
    assert found.vector == pb.Vector(model_id="mine", values=[0.0, 1.0])
    # A change of something else leaves it.
    await server.alice(update(stored.memory_id, 2, pinned=True))
    found = await get(server.alice, stored.memory_id, include_vector=True)
    assert found.vector == pb.Vector(model_id="mine", values=[0.0, 1.0])


async def test_a_stale_version_is_refused_and_told_the_actual_one(server: Server) -> None:
    stored = await remember(server.alice, "one")
    await server.alice(update(stored.memory_id, 1, content="two"))
    for stale in (1, 3):
        told = await refused(server.alice(update(stored.memory_id, stale, content="three")))
        assert (told.code, told.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
        assert told.metadata == {"expected_version": str(stale), "actual_version": "2"}
    assert (await get(server.alice, stored.memory_id)).content == "two"
    assert (await server.alice(update(stored.memory_id, 2, content="three"))).memory.version == 3


async def test_a_repeated_update_gets_the_first_answer(server: Server) -> None:
    stored = await remember(server.alice, "one")
    request = update(stored.memory_id, 1, content="two")
    request.request_id = "update"
    first = await server.alice(request)
    await server.alice(update(stored.memory_id, 2, content="three"))
    server.clock.move(60)
    again = await server.alice(request)
    assert again == first
    assert (await get(server.alice, stored.memory_id)).content == "three"


async def test_a_repeated_update_gets_the_first_answer_though_the_memory_has_expired_since(server: Server) -> None:
    stored = await remember(server.alice, "one")
    request = update(stored.memory_id, 1, expires_at=server.clock.now())
    request.request_id = "update"
    first = await server.alice(request)
    assert await server.alice(request) == first


async def test_every_version_stays_readable_newest_first(server: Server) -> None:
    stored = await remember(server.alice, "v1", tags=["t"])
    for version in (1, 2, 3):
        server.clock.move(60)
        await server.alice(update(stored.memory_id, version, content=f"v{version + 1}"))
    found = await versions(server.alice, stored.memory_id)
    assert [revision.memory.version for revision in found] == [4, 3, 2, 1]
    assert [revision.memory.content for revision in found] == ["v4", "v3", "v2", "v1"]
    assert all(list(revision.memory.tags) == ["t"] for revision in found)
    assert not found[0].HasField("replaced_at")
    for newer, older in pairwise(found):
        assert older.replaced_at == newer.memory.updated_at
    assert found[0].memory == await get(server.alice, stored.memory_id)


async def test_versions_come_in_pages(server: Server) -> None:
    stored = await remember(server.alice, "v1")
    for version in (1, 2, 3, 4):
        await server.alice(update(stored.memory_id, version, content=f"v{version + 1}"))
    request = service.ListMemoryRevisionsRequest(memory_id=stored.memory_id, page_size=2)
    found = []
    while True:
        page = await server.alice(request)
        found.append([revision.memory.version for revision in page.revisions])
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert found == [[5, 4], [3, 2], [1]]


async def test_an_unknown_memory_has_neither_updates_nor_versions(server: Server) -> None:
    theirs = await remember(server.rival, "theirs", agent_id="alice")
    for memory_id in (UNKNOWN_ID, theirs.memory_id):
        for request in (update(memory_id, 1, content="x"), service.ListMemoryRevisionsRequest(memory_id=memory_id)):
            told = await refused(server.alice(request))
            assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "MEMORY_NOT_FOUND")


async def test_an_expired_memory_is_hidden_with_its_versions(server: Server) -> None:
    stored = await remember(server.alice, "v1")
    await server.alice(update(stored.memory_id, 1, content="v2"))
    assert len(await versions(server.alice, stored.memory_id)) == 2
    await server.alice(update(stored.memory_id, 2, expires_at=server.clock.now()))
    request = service.ListMemoryRevisionsRequest(memory_id=stored.memory_id)
    told = await refused(server.alice(request))
    assert told.reason == "MEMORY_NOT_FOUND"
