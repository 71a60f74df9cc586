"""One tenant that asks for much leaves streams, connections and the event loop to the others."""

from contextlib import ExitStack

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.watching import Watch
from tests.server_fixtures import StartServer, refused
from tests.storage.locking import scope_held, until_waiting

WATCH = service.WatchMemoriesRequest(from_beginning=True)
LONG_TEXT = "many different words such as lantern harbour copper and quill, " * 1_500


async def test_watches_of_one_key_leave_room_for_other_tenants(start_server: StartServer) -> None:
    server = await start_server(server={"max_streams": 8})
    watches = [server.alice.begin(WATCH) for _ in range(4)]
    for watch in watches:
        await anext(aiter(watch))
    failed = await refused(anext(aiter(server.alice.begin(WATCH))))
    assert (failed.code, failed.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
    assert failed.metadata == {"limit": "4"}
    assert failed.retry_seconds is not None
    await remember(server.rival, "heard")
    async with Watch(server.rival, from_beginning=True) as heard:
        assert await heard.until("heard")
    # The slot of a watch that has ended is free again.
    watches[0].cancel()
    async with Watch(server.alice, from_beginning=True) as again:
        assert await again.until_caught_up()


async def test_connections_are_left_for_other_tenants(start_server: StartServer) -> None:
    server = await start_server(database={"pool_max": 4})
    with ExitStack() as held:
        agents = [f"agent-{number}" for number in range(8)]
        for agent_id in agents:
            held.enter_context(scope_held(server.database, "acme", agent_id))
        waiting = [
            server.admin.begin(service.RememberRequest(agent_id=agent_id, memory=pb.NewMemory(content="late")))
            for agent_id in agents
        ]
        await until_waiting(server.database, 3)
        await remember(server.rival, "in time")
        assert await listed(server.rival) == ["in time"]
        assert not any(call.done() for call in waiting)
    for call in waiting:
        await call


async def test_a_batch_of_long_queries_lets_others_begin(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical"})
    await remember(server.alice, "a lantern in the harbour")
    await remember(server.rival, "copper")
    await recall(server.rival, "copper")
    queries = [service.RecallRequest(text=f"{n} {LONG_TEXT}") for n in range(32)]
    batch = server.alice.begin(service.BatchRecallRequest(requests=queries))
    answered = 0
    while not batch.done():
        await recall(server.rival, "copper")
        answered += 1
    assert all(result.HasField("response") for result in (await batch).results)
    # A few, where all of its texts are cut on the event loop.
    assert answered >= 10
