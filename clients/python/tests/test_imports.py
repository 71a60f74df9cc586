"""Importing a stream of memories."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import status
from grpc import StatusCode

from camillo.v1.memory_pb2 import Memory
from camillo.v1.memory_service_pb2 import ConflictPolicy
from camillo_client import AsyncCamillo, Camillo, errors


def _memories(count: int) -> list[Memory]:
    return [Memory(memory_id=str(number), content="a") for number in range(count)]


def _broken(after: int) -> Iterator[Memory]:
    yield from _memories(after)
    raise LookupError("file is gone")


async def test_messages_hold_500_memories_at_most(client: AsyncCamillo, server: FakeServer) -> None:
    progress: list[int] = []
    answer = await client.import_memories(iter(_memories(1200)), on_conflict="replace", on_progress=progress.append)
    assert answer.imported == 1200
    requests = server.desk.of("ImportMemories")
    assert [len(request.memories) for request in requests] == [500, 500, 200]
    assert [m.memory_id for r in requests for m in r.memories] == [str(n) for n in range(1200)]
    assert [request.agent_id for request in requests] == ["ada", "", ""]
    replace = ConflictPolicy.CONFLICT_POLICY_REPLACE
    assert [request.on_conflict for request in requests] == [replace, 0, 0]
    assert progress == [500, 1000, 1200]


async def test_messages_stay_below_a_mebibyte(client: AsyncCamillo, server: FakeServer) -> None:
    await client.import_memories(Memory(content="é" * 2000) for _ in range(600))
    sizes = [request.ByteSize() for request in server.desk.of("ImportMemories")]
    assert len(sizes) == 3
    assert max(sizes) < 1024 * 1024


async def test_asynchronous_iterables_are_taken_too(client: AsyncCamillo) -> None:
    async def exported() -> AsyncIterator[Memory]:
        for memory in _memories(3):
            yield memory

    assert (await client.import_memories(exported())).imported == 3


async def test_nothing_is_imported_from_nothing(client: AsyncCamillo) -> None:
    assert (await client.import_memories([])).imported == 0


async def test_a_failure_of_the_source_is_raised_as_it_is(client: AsyncCamillo) -> None:
    with pytest.raises(LookupError, match="file is gone"):
        await client.import_memories(_broken(600))
    assert (await client.who_am_i()).agent_id == "ada"


async def test_a_failure_of_the_server_is_typed(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("ImportMemories", status(StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN"))
    with pytest.raises(errors.ScopeForbidden):
        await client.import_memories(_memories(3))


def test_the_sync_twin_raises_a_failure_of_the_source_too(sync_client: Camillo) -> None:
    with pytest.raises(LookupError, match="file is gone"):
        sync_client.import_memories(_broken(600))
    assert sync_client.import_memories(_memories(3)).imported == 3
