"""How many calls gRPC waits for at a time: at each it goes through them all."""

import asyncio
from collections import Counter

from tests.server_fixtures import StartServer


def _waiting() -> Counter[str]:
    """The coroutines of this process's gRPC servers that wait for calls, by name.

    Coroutines of clients in the same process, such as one that still sends a stream, do not count.
    """
    names = (getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks())
    return Counter(name for name in names if name.startswith("AioServer._request"))


async def test_the_server_waits_for_the_next_call_of_whatever_method(start_server: StartServer) -> None:
    # Servers that tests share wait in this process, too.
    before = _waiting()
    await start_server()
    assert _waiting() - before == {"AioServer._request_call": 1}
