"""An expiry that has passed is refused at every door; a repeated request is answered as the first was."""

from datetime import timedelta

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.memories.calls import listed, remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Server, refused

SECOND = timedelta(seconds=1)


async def test_an_expiry_that_has_passed_is_refused_and_one_ahead_is_not(server: Server) -> None:
    now = server.clock.now()
    late = pb.NewMemory(content="over", expires_at=now - SECOND)
    fine = pb.NewMemory(content="fine", expires_at=now + SECOND)
    told = await refused(server.alice(service.RememberRequest(memory=late)))
    assert (told.reason, told.fields) == ("INVALID_FIELD", ("memory.expires_at",))
    stored = await remember(server.alice, "stored")
    await refused(server.alice(update(stored.memory_id, 1, expires_at=now - SECOND)))
    await server.alice(update(stored.memory_id, 1, expires_at=now + SECOND))
    batch = service.BatchRememberRequest(memories=[late, fine, late], request_id="b")
    answer = await server.alice(batch)
    kinds = [each.WhichOneof("outcome") for each in answer.results]
    assert kinds == ["error", "memory", "error"]
    assert sorted(await listed(server.alice)) == ["fine", "stored"]
    # The batch is answered the same when a memory of it has expired.
    server.clock.move(5)
    assert (await server.alice(batch)).results == answer.results


async def test_a_repeat_of_a_request_is_no_new_one_when_its_expiry_has_passed(server: Server) -> None:
    soon = pb.NewMemory(content="soon", expires_at=server.clock.now() + SECOND)
    request = service.RememberRequest(memory=soon, request_id="r")
    first = await server.alice(request)
    server.clock.move(5)
    assert (await server.alice(request)).memory == first.memory
    await refused(server.alice(service.RememberRequest(memory=soon, request_id="another")))


async def test_an_import_names_each_memory_that_has_expired(server: Server) -> None:
    now = server.clock.now()
    memories = [pb.Memory(content=f"说 {i}", expires_at=now + (SECOND if i % 2 else -SECOND)) for i in range(4)]
    requests = [service.ImportMemoriesRequest(memories=memories), service.ImportMemoriesRequest(memories=memories[:1])]
    answer = await server.alice.send(requests)
    assert (answer.imported, answer.failed) == (2, 3)
    assert [each.index for each in answer.failures] == [0, 2, 4]
    assert "expires_at" in answer.failures[0].error.message
